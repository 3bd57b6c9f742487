"""What is said of later in a chat becomes a schedule, is asked about and changed, in English and Chinese."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.action.schedules.schedule_manager import ScheduleManager
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ProposalEvent, ReplyEvent
from partner_desktop.domain.evidence import Planned
from partner_desktop.domain.plan import StepInput
from partner_desktop.domain.schedule import LANDED, FileLands, Schedule
from tests.action.schedules.schedule_room import BEGIN, Times, launched, once, yes
from tests.support import FakeClock, Watcher

pytestmark = pytest.mark.integration


class LaterTalk:
    """A conversation with a real Partner."""

    def __init__(self, partner: Partner, watcher: Watcher) -> None:
        self.partner = partner
        self._watcher = watcher
        self._conversation_id: str | None = None

    async def say(self, text: str) -> str:
        """Say it; what is answered."""
        self._watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=self._conversation_id)
        self._conversation_id = message.conversation_id
        await self._watcher.done()
        return "\n".join(e.text for e in self._watcher.events if isinstance(e, ReplyEvent) and e.done)

    @property
    def card(self) -> ProposalEvent:
        """The one that was shown."""
        (found,) = (e for e in self._watcher.events if isinstance(e, ProposalEvent))
        return found

    async def planned(self) -> list[Schedule]:
        return list(await self.partner.schedules.list())


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
async def talk(partner: Partner, watcher: Watcher) -> LaterTalk:
    return LaterTalk(partner, watcher)


TOMORROW_AT_NINE = datetime(2026, 3, 3, 8, tzinfo=UTC)
#: It is Monday; what is set is for Tuesday.
REMINDERS = [
    ("remind me tomorrow at nine to call Ann", "call Ann", "I'll remind you Tue 3 Mar at 09:00: “call Ann”."),
    ("明天早上九点提醒我给安娜打电话", "给安娜打电话", "3月3日周二 09:00我会提醒你：“给安娜打电话”。"),
]


@pytest.mark.promise("mind.starter.reminder")
@pytest.mark.parametrize(("text", "message", "reply"), REMINDERS)
async def test_a_reminder_that_is_said_is_set_and_comes(
    talk: LaterTalk, times: Times, text: str, message: str, reply: str
) -> None:
    assert await talk.say(text) == reply
    (schedule,) = await talk.planned()
    assert (schedule.title, schedule.next_at) == (message, TOMORROW_AT_NINE)
    assert schedule.terms.zone == "Europe/Berlin"
    await times.to(TOMORROW_AT_NINE)
    event = await times.reminded()
    assert message in str(event)


@pytest.mark.parametrize(
    ("text", "asked", "told"),
    [
        (
            "every weekday at 18:00 copy ~/log.txt to ~/kept.txt",
            "every weekday at 18:00",
            "every weekday at 18:00; the next time is",
        ),
        ("每个工作日18:00把 ~/log.txt 复制到 ~/kept.txt", "每个工作日 18:00", "每个工作日 18:00；下一次是"),
    ],
)
async def test_a_request_with_a_time_is_a_card_and_after_a_yes_a_schedule(
    talk: LaterTalk, log: Path, text: str, asked: str, told: str
) -> None:
    assert asked in await talk.say(text)
    assert await talk.planned() == []
    assert talk.card.action.terms is not None
    assert told in await talk.say("yes" if text.isascii() else "好")
    (schedule,) = await talk.planned()
    assert schedule.next_at == datetime(2026, 3, 2, 17, tzinfo=UTC)
    assert not log.with_name("kept.txt").exists()


async def test_the_file_that_will_have_landed_is_brought_to_the_step(
    talk: LaterTalk, user_home: Path
) -> None:
    for name in ("Downloads", "Documents"):
        (user_home / name).mkdir(exist_ok=True)
    said = await talk.say("whenever a PDF lands in ~/Downloads, move it to ~/Documents")
    assert "when a new PDF file lands in ~/Downloads" in said
    card = talk.card.action
    assert card.terms is not None
    assert card.terms.lands == FileLands(str(user_home / "Downloads"), "*.pdf")
    (step,) = card.plan.steps
    assert [feed.step for feed in step.feeds] == [LANDED]
    assert isinstance(step.feeds[0], StepInput)
    assert "landed" not in card.request_text
    schedule = await yes(talk.partner, card)
    assert schedule.state == "armed"


async def test_what_is_planned_is_asked_about_and_changed_by_words(talk: LaterTalk) -> None:
    assert "Nothing is planned" in await talk.say("what are my reminders?")
    await talk.say("remind me tomorrow at nine to call Ann")
    listed = await talk.say("what is planned for tomorrow?")
    assert "call Ann" in listed
    assert "Nothing is planned for" in await talk.say("what is planned for Friday?")
    assert "is moved" in await talk.say("move it to ten")
    (schedule,) = await talk.planned()
    assert schedule.next_at == datetime(2026, 3, 3, 9, tzinfo=UTC)
    assert "is cancelled" in await talk.say("cancel it")
    assert await talk.planned() == []


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("remind me on 30 February to do it", "no such time"),
        ("remind me yesterday at nine to call", "has passed"),
        ("remind me to call Ann", "can't tell when"),
        ("every second remind me to blink", "too often"),
        ("2月30号提醒我办事", "没有这样的时间"),
    ],
)
async def test_what_is_no_time_is_said_and_nothing_is_planned(talk: LaterTalk, text: str, reply: str) -> None:
    assert reply in await talk.say(text)
    assert await talk.planned() == []


async def test_a_reminder_that_came_is_snoozed_by_words(talk: LaterTalk, times: Times) -> None:
    await talk.say("remind me in two minutes to drink something")
    due = datetime(2026, 3, 2, 7, 2, tzinfo=UTC)
    assert due > BEGIN
    await times.to(due)
    await times.reminded()
    assert "drink something" in await talk.say("snooze it for ten minutes")
    (schedule,) = await talk.planned()
    assert schedule.next_at == datetime(2026, 3, 2, 7, 12, tzinfo=UTC)


async def test_more_than_one_reminder_said_together_is_each(talk: LaterTalk) -> None:
    await talk.say("remind me at 3pm to pick up the kids")
    await talk.say("every day at 22:00 remind me to lock the door")
    assert talk.card.action.terms is not None
    assert "every day at 22:00" in await talk.say("yes")
    assert [each.title for each in await talk.planned()] == ["pick up the kids", "lock the door"]
    assert "cancelled" in await talk.say("cancel all my reminders")
    assert await talk.planned() == []


async def test_a_reminder_and_a_question_are_taken_beside_a_card_that_waits(
    talk: LaterTalk, log: Path
) -> None:
    await talk.say("every weekday at 18:00 copy ~/log.txt to ~/kept.txt")
    card = talk.card.action
    assert "I'll remind you" in await talk.say("remind me tomorrow at nine to call Ann")
    assert "call Ann" in await talk.say("what are my reminders?")
    assert (await talk.partner.actions.get(card.id)).status is ActionStatus.WAITING
    assert log.exists()


@pytest.mark.promise("runtime.debounce.merge")
@pytest.mark.parametrize("waits", [True, False])
async def test_words_that_come_right_behind_a_reminder_set_it_no_second_time(
    home: Home, action_dir: Path, clock: FakeClock, waits: bool
) -> None:
    async with launched(Partner(home, action_dir, meaning=False, clock=clock)) as partner:
        conversation = await partner.conversations.create("later")
        watcher = Watcher()
        partner.subscribe(watcher)
        first = ("remind me in 12 seconds to call Ann", "remind me in 20 seconds to call Bob")
        for text in first:
            await partner.messages.send(text, conversation_id=conversation.id)
            if waits:
                await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
        await partner.settled()
        assert [one.title for one in await partner.schedules.list()] == ["call Ann", "call Bob"]
        for text in ("snooze it for 10 minutes", "thanks"):
            await partner.messages.send(text, conversation_id=conversation.id)
        await partner.settled()
        times = [one.next_at for one in await partner.schedules.list()]
        assert times == [BEGIN + timedelta(seconds=12), BEGIN + timedelta(minutes=10)]


async def test_a_reminder_that_a_crash_has_said_once_more_is_one(partner: Partner) -> None:
    desk = partner.agent_context.capability(ScheduleManager)
    terms = once(BEGIN + timedelta(minutes=2), message="call Ann")
    conversation = await partner.conversations.create("later")
    for _ in range(2):
        exchange = partner._parts.core.exchanges.open(conversation.id, exchange_id="said")
        release = exchange.hold()
        try:
            assert isinstance(await desk.remind(terms, exchange, "remind me"), Planned)
        finally:
            release()
    assert len(await partner.schedules.list()) == 1


async def test_after_the_question_when_a_time_alone_completes_the_request(talk: LaterTalk) -> None:
    assert "When" in await talk.say("remind me to call Ann")
    assert await talk.say("tomorrow at nine") == REMINDERS[0][2]
    assert [each.title for each in await talk.planned()] == ["call Ann"]
    assert "什么时候" in await talk.say("提醒我浇花")
    assert "浇花" in await talk.say("后天早上八点")


async def test_a_time_alone_completes_nothing_once_something_else_was_said(talk: LaterTalk) -> None:
    await talk.say("remind me to call Ann")
    await talk.say("hello")
    await talk.say("tomorrow at nine")
    assert await talk.planned() == []


@pytest.mark.parametrize(
    ("order", "asked"),
    [("do it every day at 9", "every day at 09:00"), ("do that tomorrow instead", "tomorrow at 09:00")],
)
async def test_a_card_that_waits_is_shown_again_at_the_time_that_is_said(
    talk: LaterTalk, log: Path, order: str, asked: str
) -> None:
    await talk.say("copy ~/log.txt to ~/kept.txt")
    before = talk.card.action
    said = await talk.say(order)
    assert asked in said or "Tue 3 Mar at 09:00" in said
    card = talk.card.action
    assert card.terms is not None
    assert (card.key, card.params) == (before.key, before.params)
    assert (await talk.partner.actions.get(before.id)).status is not ActionStatus.WAITING
    assert log.exists()


async def test_a_request_with_a_time_of_its_own_is_taken_beside_a_card_that_waits(
    talk: LaterTalk, log: Path
) -> None:
    await talk.say("copy ~/log.txt to ~/kept.txt")
    before = talk.card.action
    assert "every day at 09:00" in await talk.say("every day at 9 copy ~/log.txt to ~/other.txt")
    assert (await talk.partner.actions.get(before.id)).status is ActionStatus.WAITING
    assert log.exists()


async def test_several_times_in_one_message_are_several_reminders(talk: LaterTalk) -> None:
    await talk.say("remind me at nine to call Ann and at ten to buy milk")
    assert sorted(each.title for each in await talk.planned()) == ["buy milk", "call Ann"]


async def test_a_time_of_another_zone_is_told_with_that_zone(talk: LaterTalk) -> None:
    said = await talk.say("remind me tomorrow at nine Tokyo time to join the call")
    assert "Tue 3 Mar at 09:00 (Asia/Tokyo)" in said
    (schedule,) = await talk.planned()
    assert schedule.next_at == datetime(2026, 3, 3, 0, tzinfo=UTC)
