"""With a day's first words, one remark on what was said earlier about that day."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.message import Role, place_address
from tests.support import FakeClock, HastyClock, Watcher

pytestmark = [pytest.mark.integration, pytest.mark.promise("memory.proactive")]

#: A Monday.
MONDAY = datetime(2026, 6, 29, 18).astimezone()
TRAIN = "Good news! Ann's train arrives on Wednesday at 9:14. I will pick her up."
REMARK = "about today you said on"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(MONDAY)


class Say:
    """Says something in a chat of its own, and gives the answer."""

    def __init__(self, partner: Partner) -> None:
        self.partner = partner
        self._watcher = Watcher()
        partner.subscribe(self._watcher)

    async def __call__(self, text: str) -> str:
        self._watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=None)
        await self._watcher.done()
        said = await self.partner.messages.list(message.conversation_id, before=None, limit=10)
        return [one.text for one in said if one.role is Role.PARTNER][-1]


@asynccontextmanager
async def living(home: Home, action_dir: Path, clock: FakeClock) -> AsyncIterator[Say]:
    partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    await partner.launch()
    try:
        yield Say(partner)
    finally:
        await partner.close()


@pytest.fixture
async def say(used_home: Home, action_dir: Path, clock: FakeClock) -> AsyncIterator[Say]:
    async with living(used_home, action_dir, clock) as one:
        yield one


async def test_it_comes_once_on_its_day_with_its_place(say: Say, clock: FakeClock) -> None:
    assert REMARK not in await say(TRAIN)
    clock.move(timedelta(days=1))
    assert REMARK not in await say("hello")
    clock.move(timedelta(days=1))
    answer = await say("hello")
    (hit,) = [
        turn for turn in (await say.partner.memory.recall("Ann's train")).turns if turn.turn.text == TRAIN
    ]
    assert "“Ann's train arrives on Wednesday at 9:14.”" in answer
    assert place_address(hit.turn.message_id, hit.turn.conversation_id) in answer
    assert answer.index(REMARK) < len(answer) / 2
    assert REMARK not in await say("hello again")
    clock.move(timedelta(days=7))
    assert REMARK not in await say("hello")


async def test_a_restart_does_not_bring_it_again(used_home: Home, action_dir: Path, clock: FakeClock) -> None:
    async with living(used_home, action_dir, clock) as say:
        await say(TRAIN)
        clock.move(timedelta(days=2))
        assert REMARK in await say("hello")
    async with living(used_home, action_dir, clock) as say:
        assert REMARK not in await say("hello")


async def test_not_in_the_quiet_hours(say: Say, clock: FakeClock) -> None:
    await say(TRAIN)
    clock.move(timedelta(days=1, hours=11, minutes=59))  # Wednesday, 5:59
    assert REMARK not in await say("hello")
    clock.move(timedelta(hours=2))
    assert REMARK in await say("hello")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("remarks.enabled", "false"),
        ("remarks.quiet_from", '"08:00"'),
        ("remarks.quiet_until", '"19:00"'),
    ],
)
async def test_the_settings_hold(
    used_home: Home, action_dir: Path, clock: FakeClock, setting: str, value: str
) -> None:
    group, _, name = setting.partition(".")
    (used_home.config / "memory.toml").write_text(f"[{group}]\n{name} = {value}\n", encoding="utf-8")
    async with living(used_home, action_dir, clock) as say:
        await say(TRAIN)
        clock.move(timedelta(days=2))
        assert REMARK not in await say("hello")


@pytest.mark.parametrize(
    "words",
    [
        "Does Ann's train arrive on Wednesday at 9:14?",
        "Ann's train arrived last week.",
        "Ann's train arrives between Tuesday and Friday.",
        "Ann's train arrives on Thursday at 9:14.",
    ],
)
async def test_a_question_the_past_and_another_day_are_no_reason(
    say: Say, clock: FakeClock, words: str
) -> None:
    await say(words)
    clock.move(timedelta(days=2))
    assert REMARK not in await say("hello")


async def test_chinese(say: Say, clock: FakeClock) -> None:
    await say("小李的火车后天早上九点到。")
    clock.move(timedelta(days=2))
    assert "关于今天" in await say("你好")


async def test_what_was_deleted_is_not_remarked_on(say: Say, clock: FakeClock) -> None:
    await say(TRAIN)
    (conversation,) = await say.partner.conversations.list()
    await say.partner.conversations.delete(conversation.id)
    clock.move(timedelta(days=2))
    assert REMARK not in await say("hello")
