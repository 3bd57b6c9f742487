"""What is planned, and a clock to let its times come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft
from partner_desktop.action.schedules.schedule_manager import ScheduleManager
from partner_desktop.action.turns.planning_parts import PlanningParts
from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import Event, ReminderEvent, ReplyEvent, SchedulesEvent
from partner_desktop.domain.evidence import Evidence, Planned, Proposed
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.plan import StepInput
from partner_desktop.domain.schedule import Cycle, Firing, Once, Schedule, Terms
from tests.support import WAIT_S, FakeClock, Watcher

BERLIN = ZoneInfo("Europe/Berlin")
#: A Monday morning in Berlin.
BEGIN = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)


#: How it is told what was missed.
MISSED = "While I was closed, or this computer slept"

#: The wall from which cycles count.
START = datetime(2026, 3, 1)  # noqa: DTZ001 - on the wall


def cron(line: str, zone: str = "Europe/Berlin") -> Terms:
    """By a line."""
    return Terms(cycle=Cycle(START, cron=line), zone=zone)


def hourly() -> Terms:
    """Each full hour."""
    return cron("0 * * * *")


def daily(hour: int = 18, *, missed: str = "once", zone: str = "Europe/Berlin", **more: object) -> Terms:
    """Each day at an hour."""
    cycle = Cycle(START, cron=f"0 {hour} * * *")
    return Terms(cycle=cycle, zone=zone, missed=missed, **more)  # type: ignore[arg-type] # as said


def once(at: datetime, zone: str = "Europe/Berlin", **more: object) -> Terms:
    """At a moment."""
    wall = at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    return Terms(once=Once(wall), zone=zone, **more)  # type: ignore[arg-type] # as said


async def proposed(
    partner: Partner,
    terms: Terms,
    steps: Sequence[Mapping[str, Json]],
    *,
    key: str = "local::note",
    cwd: Path | None = None,
    feeds: Sequence[StepInput] = (),
) -> Evidence:
    """What came of a wish for later, in a conversation of its own; one step stands alone."""
    parts = partner.agent_context.capability(PlanningParts)
    info = parts.catalog.require(key)
    conversation = await partner.conversations.create("later")
    exchange = partner._parts.core.exchanges.open(conversation.id, cwd=str(cwd or Path.home()))
    release = exchange.hold()
    try:
        drafts = [[StepDraft(info, "note it", dict(params), tuple(feeds))] for params in steps]
        plan = PlanDraft(drafts, "note it later", stands_alone=len(steps) == 1, terms=terms)
        return await parts.proposals.begin(plan, exchange=exchange)
    finally:
        release()


async def planned(
    partner: Partner, terms: Terms, steps: Sequence[Mapping[str, Json]], *, key: str = "local::note"
) -> Schedule:
    """A schedule that was approved on its card."""
    evidence = await proposed(partner, terms, steps, key=key)
    assert isinstance(evidence, Proposed), evidence
    return await yes(partner, evidence.action)


async def yes(partner: Partner, card: ActionRecord) -> Schedule:
    """The schedule that a card becomes."""
    await partner.actions.approve(card.id, scope="once")
    record = await partner.actions.get(card.id)
    return await of(partner, record.schedule_id)


async def of(partner: Partner, schedule_id: str) -> Schedule:
    """As it is now."""
    return await partner.schedules.find(schedule_id)


async def reminded(partner: Partner, terms: Terms, message: str = "call Ann") -> Evidence:
    """A wish to be reminded, in a conversation of its own."""
    desk = partner.agent_context.capability(ScheduleManager)
    conversation = await partner.conversations.create("reminders")
    exchange = partner._parts.core.exchanges.open(conversation.id)
    release = exchange.hold()
    try:
        return await desk.remind(replace(terms, message=message), exchange, f"remind me to {message}")
    finally:
        release()


async def set_reminder(partner: Partner, terms: Terms, message: str = "call Ann") -> Schedule:
    """A reminder that is set."""
    evidence = await reminded(partner, terms, message)
    if isinstance(evidence, Proposed):
        return await yes(partner, evidence.action)
    assert isinstance(evidence, Planned), evidence
    return evidence.schedules[0]


@asynccontextmanager
async def launched(partner: Partner) -> AsyncIterator[Partner]:
    """A Partner from its launch to its end."""
    await partner.launch()
    try:
        yield partner
    finally:
        await partner.close()


class Times:
    """Lets time pass, and waits for what comes of it."""

    def __init__(self, partner: Partner, clock: FakeClock, watcher: Watcher) -> None:
        self._partner = partner
        self._clock = clock
        self._watcher = watcher
        self._reminders: list[ReminderEvent] = []
        self._news = asyncio.Event()
        partner.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, ReminderEvent):
            self._reminders.append(event)
            self._news.set()

    async def to(self, at: datetime) -> None:
        """Let it become this moment, once nothing goes on: a turn that takes hours is ended."""
        await self._partner.settled()
        self._clock.move(at - self._clock.now())

    def jump(self, at: datetime) -> None:
        """Let it become this moment while something goes on."""
        self._clock.move(at - self._clock.now())

    async def by(self, **span: float) -> None:
        """Let some time pass."""
        await self.to(self._clock.now() + timedelta(**span))

    async def fired(self, schedule_id: str, due_at: datetime, *states: str) -> Firing:
        """The firing of a time once it has come to its end, or to one of these states."""
        wanted = states or ("done", "failed", "missed", "skipped", "called_off", "refused")
        seen = 0
        while True:
            for firing in await self._partner.schedules.history(schedule_id):
                if firing.due_at == due_at and firing.state in wanted:
                    return firing
            seen = await self._next(seen)

    async def is_so(self, schedule_id: str, state: str) -> Schedule:
        """The schedule once it is in a state."""
        seen = 0
        while True:
            found = await of(self._partner, schedule_id)
            if found.state == state:
                return found
            seen = await self._next(seen)

    async def told(self) -> None:
        """Wait until Partner said something."""
        await self._watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
        await self._partner.settled()

    async def armed(self, schedule_id: str, at: datetime) -> None:
        """Wait until it is due next at a moment."""
        seen = 0
        while (await of(self._partner, schedule_id)).next_at != at:
            seen = await self._next(seen)

    async def _next(self, seen: int) -> int:
        """Wait for news of schedules that is newer than what was seen."""
        looked = 0

        def is_new(event: Event) -> bool:
            nonlocal looked
            looked += 1
            return looked > seen and isinstance(event, SchedulesEvent)

        await self._watcher.until(is_new)
        return looked

    async def reminded(self, count: int = 1) -> ReminderEvent:
        """The reminder of a number, from 1."""
        async with asyncio.timeout(WAIT_S):
            while len(self._reminders) < count:
                self._news.clear()
                await self._news.wait()
        return self._reminders[count - 1]
