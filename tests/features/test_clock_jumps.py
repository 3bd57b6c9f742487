"""A clock that jumps, back and forth: order is by position, patience never turns, nothing falls over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ActionEvent, ProposalEvent
from partner_desktop.domain.message import Role
from tests.support import UPPER_SCRIPT, FakeClock, Watcher

pytestmark = pytest.mark.integration

_DAY = timedelta(days=1)

SHRINK = """\
# /// partner
# description = "Shrink the pictures"
# [params.percent]
# type = "number"
# description = "how small, in percent"
# ///
"""


class JumpingClock(FakeClock):
    """Its wall time can be set; what elapses goes on as ever."""

    def jump(self, step: timedelta) -> None:
        self._now += step


@pytest.fixture
def clock() -> JumpingClock:
    return JumpingClock()


@pytest.fixture
async def jumped(home: Home, action_dir: Path, clock: JumpingClock) -> AsyncIterator[Partner]:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT)
    (action_dir / "dynamic" / "shrink.py").write_text(SHRINK)
    partner = Partner(home, action_dir, clock=clock, meaning=False)
    await partner.launch()
    yield partner
    await partner.close()


async def say(partner: Partner, text: str, conversation_id: str | None = None) -> str:
    watcher = Watcher()
    undo = partner.subscribe(watcher)
    message = await partner.messages.send(text, conversation_id=conversation_id)
    await watcher.done()
    undo()
    return message.conversation_id


async def test_messages_keep_their_order_whatever_the_clock_says(
    jumped: Partner, clock: JumpingClock
) -> None:
    conversation = await say(jumped, "one")
    clock.jump(-400 * _DAY)
    await say(jumped, "two", conversation)
    clock.jump(800 * _DAY)
    await say(jumped, "three", conversation)
    clock.jump(-900 * _DAY)
    await say(jumped, "four", conversation)
    messages = await jumped.messages.list(conversation)
    assert [m.text for m in messages if m.role is Role.USER] == ["one", "two", "three", "four"]
    assert [m.role for m in messages] == [Role.USER, Role.PARTNER] * 4


async def test_a_run_over_a_jump_back_has_no_negative_length(jumped: Partner, clock: JumpingClock) -> None:
    watcher = Watcher()
    jumped.subscribe(watcher)
    await jumped.messages.send('shout "now" in capital letters', conversation_id=None)
    event = await watcher.until(lambda e: isinstance(e, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    clock.jump(-_DAY)
    await jumped.actions.approve(event.action.id, scope="once")
    clock.jump(-_DAY)
    await watcher.until(lambda e: e.type == "result")
    action = await jumped.actions.get(event.action.id)
    assert action.status is ActionStatus.SUCCEEDED
    assert action.duration_ms >= 0


async def test_a_question_asked_before_a_jump_back_still_waits_no_longer_than_its_patience(
    jumped: Partner, clock: JumpingClock
) -> None:
    watcher = Watcher()
    jumped.subscribe(watcher)
    await jumped.messages.send("shrink the pictures", conversation_id=None)
    event = await watcher.until(lambda e: isinstance(e, ActionEvent))
    assert isinstance(event, ActionEvent)
    assert event.action.status is ActionStatus.ASKING
    await watcher.until(lambda e: e.type == "done")  # a turn that goes on while the clock leaps hangs
    clock.jump(-365 * _DAY)
    clock.move(timedelta(minutes=1))
    await watcher.until(
        lambda e: (
            isinstance(e, ActionEvent) and e.action.asked_at is not None and e.action.asked_at <= clock.now()
        )
    )
    assert (await jumped.actions.get(event.action.id)).status is ActionStatus.ASKING
    clock.move(timedelta(minutes=31))
    await watcher.until(lambda e: e.type == "result")
    assert (await jumped.actions.get(event.action.id)).status is ActionStatus.EXPIRED
