"""ScheduleManager: what a person has done to schedules, by words, in the window or by a command."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from partner_desktop.action.confirmation_expiry import asking_beside
from partner_desktop.action.plans.plan_draft import PlanDraft
from partner_desktop.action.plans.plan_maker import PlanMaker, schedule_key
from partner_desktop.action.proposals import Proposals
from partner_desktop.action.schedules.firing_runner import FiringRunner
from partner_desktop.action.schedules.firing_times import next_time, times_of, zone_called
from partner_desktop.action.schedules.schedule_maker import ScheduleMaker
from partner_desktop.action.schedules.schedule_news import ScheduleNews
from partner_desktop.action.schedules.schedule_store import ScheduleStore, StoredSchedule
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import spoken_language
from partner_desktop.base.tasks import uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import as_json
from partner_desktop.domain.evidence import Evidence, Planned, Proposed, ScheduleDeed
from partner_desktop.domain.plan import CHAIN_KEY, Plan
from partner_desktop.domain.run_facts import Risk
from partner_desktop.domain.schedule import MOST_MESSAGE_CHARS, Firing, Once, Schedule, Terms
from partner_desktop.runtime.exchanges import Exchange
from partner_desktop.storage.database import Connection

#: So many are listed at once, where nobody asks for more.
MOST_LISTED = 40
#: Rows that are looked through in one go.
_PAGE = 200
#: So many of the newest can be meant by words.
_MOST_IN_TALK = 200
#: Firings among which the one is that came further last: single times that were called off lie ahead.
_LOOKED_BACK = 50
#: A reminder is put off by no more than this.
_MOST_SNOOZED = timedelta(days=36_500)
#: Of the ids of reminders that were said.
_REMINDERS = UUID("a2f3a2c2-54d0-4c8a-9a0e-7f1f6f0f2b51")
#: Pauses all of them, and takes that back.
PauseAll = Callable[[bool], Awaitable[None]]


class ScheduleManager(WorkPart):
    """`pause_all`: writes the setting that pauses everything."""

    def __init__(
        self,
        work: WorkParts,
        schedules: ScheduleStore,
        news: ScheduleNews,
        schedule_maker: ScheduleMaker,
        runner: FiringRunner,
        proposals: Proposals,
        maker: PlanMaker,
        pause_all: PauseAll,
    ) -> None:
        super().__init__(work)
        self._schedules = schedules
        self._news = news
        self._schedule_maker = schedule_maker
        self._firings = runner
        self._proposals = proposals
        self._maker = maker
        self._pause_all = pause_all

    # Looking.

    async def page(
        self,
        *,
        limit: int = MOST_LISTED,
        offset: int = 0,
        words: Sequence[str] = (),
        over: bool = False,
    ) -> tuple[Schedule, ...]:
        """Some of the schedules, as `ScheduleStore.page` orders them.

        Raises:
            StorageError: They cannot be read.
        """
        found = await self._schedules.page(limit=limit, offset=offset, words=words, over=over)
        return await self._news.shown(found)

    async def count(self, *, words: Sequence[str] = (), over: bool = False) -> int:
        """How many there are of them.

        Raises:
            StorageError: They cannot be counted.
        """
        return await self._schedules.count(words=words, over=over)

    async def beginning_with(self, beginning: str) -> tuple[Schedule, ...]:
        """Those whose id begins so; at most two, by which it is known whether one is meant."""
        return await self._news.shown(await self._schedules.beginning_with(beginning, limit=2))

    async def of_conversation(self, conversation_id: str) -> tuple[Schedule, ...]:
        """Those that tell in a conversation."""
        return await self._news.shown(await self._schedules.of_conversation(conversation_id))

    @property
    def all_paused(self) -> bool:
        """Whether nothing at all is done at present."""
        return self._schedule_maker.all_paused

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is to call for attention now."""
        return self._schedule_maker.is_quiet

    async def one(self, schedule_id: str) -> Schedule:
        """One schedule.

        Raises:
            UsageError: There is none of this id.
        """
        return await self._news.one(schedule_id)

    async def in_talk(self, conversation_id: str) -> tuple[Schedule, ...]:
        """What words may mean: those of the conversation behind the others, and at the end what it was told
        of last, though nothing may be left of that. Without their next times.
        """
        found = {one.id: one.schedule for one in await self._schedules.newest(limit=_MOST_IN_TALK)}
        told = await self._schedules.told_last()
        last = (await self._schedules.get(told.schedule_id)).schedule if told is not None else None
        if told is not None and last is not None and last.conversation_id == conversation_id:
            made = [one.created_at for one in found.values() if one.conversation_id == conversation_id]
            if told.at >= max(made, default=told.at):
                found.pop(last.id, None)
                found[last.id] = replace(last, last=told)
        # The sort keeps the order of those that are alike.
        return tuple(sorted(found.values(), key=lambda one: one.conversation_id == conversation_id))

    async def listed(self, since: datetime | None = None, until: datetime | None = None) -> Planned:
        """What is planned, the soonest first; between two times, where they are given, only what is due then.
        What nobody would read any more is counted.
        """
        if since is None and until is None:
            return await self._all("listed")
        kept: list[StoredSchedule] = []
        more = offset = 0
        begin = since or self._clock.now()
        while page := await self._schedules.due_before(until, limit=_PAGE, offset=offset):
            offset += len(page)
            due = await asyncio.to_thread(
                lambda page=page: [one for one in page if _is_due_between(one.schedule, begin, until)]  # type: ignore[misc]
            )
            room = MOST_LISTED - len(kept)
            kept += due[:room]
            more += len(due[room:])
        return Planned("listed", await self._news.shown(kept), since, until, more=more)

    async def _all(self, deed: ScheduleDeed) -> Planned:
        found = await self.page()
        return Planned(deed, found, more=await self.count() - len(found))

    async def history(self, schedule_id: str, limit: int = 100) -> tuple[Firing, ...]:
        """The times that it was due, the newest first.

        Raises:
            UsageError: There is no such schedule.
        """
        await self._schedules.get(schedule_id)
        return tuple(await self._schedules.history(schedule_id, limit=limit))

    async def latest(self, schedule_id: str) -> Schedule:
        """One schedule, with the firing that came further last, as it is at this moment.

        Raises:
            UsageError: There is none of this id.
        """
        await self._firings.catch_up(schedule_id)
        known = await self._schedules.history(schedule_id, limit=_LOOKED_BACK)
        return replace(
            await self._news.one(schedule_id), last=max(known, key=lambda one: one.at, default=None)
        )

    async def scheduled(self, record: ActionRecord) -> Evidence:
        """What to tell of an action that was approved and became a schedule."""
        return await self._schedule_maker.scheduled(record)

    # Reminders.

    async def remind(self, terms: Terms, exchange: Exchange, text: str) -> Evidence:
        """Set a reminder. A single one needs no question unless everything asks; the others show a card.

        What a crash has said once more sets none a second time: in one exchange the same is one.
        """
        noted_id = uuid5(_REMINDERS, f"{exchange.id} {json.dumps(as_json(terms))}").hex
        with suppress(UsageError):
            known = await self._news.one(noted_id)
            return Planned("noted", (known,), at=known.next_at)
        unfit = await self._schedule_maker.unfit(terms, text)
        if unfit is not None:
            return unfit
        asks = self._engine.asks_each_time(schedule_key(""))
        record = self._reminder(terms, exchange, text)
        if terms.once is None or asks:
            return await self._card(record, exchange)
        stored = await self._schedule_maker.made(record, asks=False)
        stored = replace(stored, schedule=replace(stored.schedule, id=noted_id))

        def work(db: Connection) -> None:
            self._schedules.putting(stored)(db)
            self._audit.fired(db, "", schedule_key(stored.id), outcome="added")

        await self._schedules.write(work)
        return Planned("noted", await self._news.changed(stored.id), at=stored.schedule.next_at)

    def _reminder(self, terms: Terms, exchange: Exchange, text: str) -> ActionRecord:
        """What only tells is a plan without a step."""
        return ActionRecord(
            id=new_id(),
            conversation_id=exchange.conversation_id,
            exchange_id=exchange.id,
            key=CHAIN_KEY,
            title=terms.message,
            description="",
            params={},
            schema={},
            status=ActionStatus.WAITING,
            created_at=self._clock.now(),
            risk=Risk.READ,
            request_text=text,
            language=spoken_language.get(),
            cwd=exchange.cwd,
            asks_first=True,
            grantable=False,
            chain=Plan(()),
            terms=terms,
        )

    async def _card(self, record: ActionRecord, exchange: Exchange) -> Evidence:
        async with self._executor.settling(record.conversation_id):
            card = await asking_beside(self._store, record, self._clock.now())
            await self._store.add(card)
            place = await self._places.show(card, led=True)
        exchange.status = "waiting"
        return Proposed(card, place)

    # Changing.

    @uninterruptible
    async def change(
        self,
        deed: ScheduleDeed,
        ids: Sequence[str],
        *,
        at: datetime | None = None,
        terms: Terms | None = None,
        exchange: Exchange | None = None,
    ) -> Evidence:
        """Do something to schedules; what needs a yes of its own shows its card.

        Raises:
            UsageError: One of them is not there, or it cannot be done to it; with why.
            StorageError: It could not be written down.
        """
        if not ids and deed in ("paused", "resumed"):
            await self._pause_all(deed == "paused")
            return await self._all(deed)
        if not ids:
            return Planned(deed, ())
        found = [await self._schedules.get(each) for each in ids]
        if deed == "moved" and terms is not None and terms.message:
            for one in found:
                if not one.schedule.terms.is_reminder:
                    raise UsageError("schedules.says_nothing", title=one.schedule.title)
        asked = [one for one in found if _asks_anew(deed, one, terms)]
        if asked:
            return await self._anew(asked[0], terms, exchange)
        if deed == "moved" and terms is not None:
            unfit = await self._schedule_maker.unfit(terms, found[0].schedule.title)
            if unfit is not None:
                return unfit
        for stored in found:
            await self._do(deed, stored, at=at, terms=terms)
        return Planned(deed, await self._news.changed(*ids), at=at)

    async def _do(
        self, deed: ScheduleDeed, stored: StoredSchedule, *, at: datetime | None, terms: Terms | None
    ) -> None:
        schedule, now = stored.schedule, self._clock.now()
        match deed:
            case "cancelled" | "done":
                if deed == "done" and not _is_single(schedule):
                    return
                await self._write(stored, replace(schedule, state="over", next_at=None), ends=True)
            case "skipped":
                await self._skip(stored, at)
            case "paused":
                if schedule.state == "armed":
                    await self._write(stored, replace(schedule, state="paused", next_at=None))
            case "resumed":
                if schedule.state == "paused":
                    await self._resume(stored)
            case "moved" if terms is not None:
                await self._move(stored, terms)
            case "snoozed" if at is not None:
                await self._snooze(stored, at)
            case "run":
                if schedule.state == "over":
                    raise UsageError("schedules.is_over", title=schedule.title)
                await self._firings.fire(stored, Firing(stored.id, now, "begun", now), stored)
            case _:
                raise UsageError("schedules.no_such_deed")

    async def _snooze(self, stored: StoredSchedule, at: datetime) -> None:
        """A single time is another one from then on, so that it is known when it was paused meanwhile."""
        schedule, now = stored.schedule, self._clock.now()
        if not schedule.terms.is_reminder:
            raise UsageError("schedules.no_reminder", title=schedule.title)
        once = schedule.terms.once
        came = await self._schedules.latest(stored.id) is not None
        if schedule.state == "over" and not (once is not None and came):
            raise UsageError("schedules.is_over", title=schedule.title)
        if not now - _MOST_SNOOZED < at < now + _MOST_SNOOZED:
            raise UsageError("schedules.no_such_snooze")
        at = max(at, now)
        if once is not None:
            wall = at.astimezone(zone_called(schedule.terms.zone)).replace(tzinfo=None)
            schedule = replace(schedule, terms=replace(schedule.terms, once=Once(wall)))
        await self._write(stored, replace(schedule, state="armed", next_at=at))

    async def _write(self, stored: StoredSchedule, schedule: Schedule, *, ends: bool = False) -> None:
        def also(db: Connection) -> None:
            if ends:
                self._engine.forgetting(schedule_key(stored.id))(db)

        if not await self._schedules.change(stored, replace(stored, schedule=schedule), also=also):
            raise UsageError("schedules.changed_meanwhile")
        if ends:
            self._engine.grants_changed()

    async def _skip(self, stored: StoredSchedule, at: datetime | None) -> None:
        """Leave a single time out; the next one, where none is named."""
        schedule = stored.schedule
        due = at or schedule.next_at
        if due is None or schedule.terms.timing is None:
            raise UsageError("schedules.no_time", title=schedule.title)
        found = await asyncio.to_thread(_at, schedule, due)
        if found is None or schedule.next_at is None:
            raise UsageError("schedules.no_time", title=schedule.title)
        off = replace(schedule, called_off=(*schedule.called_off, found))
        if found == schedule.next_at:
            after = await asyncio.to_thread(next_time, off, found)
            off = replace(off, next_at=after, state="armed" if after is not None else "over")
        firing = Firing(stored.id, found, "called_off", self._clock.now())
        if not await self._schedules.begin(stored, replace(stored, schedule=off), [firing]):
            raise UsageError("schedules.changed_meanwhile")

    async def _resume(self, stored: StoredSchedule) -> None:
        """From now on; what passed meanwhile is not made up for."""
        schedule, now = replace(stored.schedule, state="armed"), self._clock.now()
        if schedule.terms.timing is not None:
            at = await asyncio.to_thread(next_time, schedule, now)
            if at is None:
                raise UsageError("schedules.passed", title=schedule.title)
            schedule = replace(schedule, next_at=at)
        there = await self._schedule_maker.there(schedule.terms)
        await self._write(replace(stored, there=there), schedule)

    async def _move(self, stored: StoredSchedule, terms: Terms) -> None:
        """A single reminder comes at another time, or says something else."""
        message = terms.message or stored.schedule.terms.message
        if len(message) > MOST_MESSAGE_CHARS:
            raise UsageError("schedules.time_long")
        moved = replace(
            stored.schedule,
            terms=replace(terms, message=message, replaces=""),
            title=message,
            state="armed",
            called_off=(),
            why="",
        )
        at = await self._schedule_maker.first_time(moved)
        await self._write(stored, replace(moved, next_at=at))

    async def _anew(self, stored: StoredSchedule, terms: Terms | None, exchange: Exchange | None) -> Evidence:
        """Its card again: a yes to that grants anew, and the schedule stays the same one."""
        if exchange is None:
            raise UsageError("schedules.no_such_deed")
        old = stored.schedule
        terms_then = terms or old.terms
        message = terms_then.message or old.terms.message
        wanted = replace(terms_then, replaces=stored.id, message=message)
        unfit = await self._schedule_maker.unfit(wanted, old.title)
        if unfit is not None and terms is not None:
            return unfit
        if stored.template is None:
            return await self._card(self._reminder(wanted, exchange, old.title), exchange)
        plan: PlanDraft = await self._maker.anew(stored.template)
        return await self._proposals.begin(replace(plan, terms=wanted), exchange=exchange)


def _asks_anew(deed: ScheduleDeed, stored: StoredSchedule, terms: Terms | None) -> bool:
    if deed == "moved":
        return not _is_single(stored.schedule) or (terms is not None and terms.once is None)
    return deed == "resumed" and stored.schedule.state == "stopped"


def _is_single(schedule: Schedule) -> bool:
    return schedule.terms.is_reminder and schedule.terms.once is not None


def _at(schedule: Schedule, due: datetime) -> datetime | None:
    """The time that is meant: exactly this, or the first on its day."""
    if schedule.next_at == due:
        return due
    found = next(times_of(schedule, due - timedelta(microseconds=1)), None)
    return found if found == due else None


def _is_due_between(schedule: Schedule, since: datetime, until: datetime | None) -> bool:
    if schedule.next_at is None or schedule.state != "armed":
        return False
    if since <= schedule.next_at and (until is None or schedule.next_at < until):
        return True
    try:
        found = next(times_of(schedule, max(since, schedule.next_at)), None)
    except UsageError:
        return False
    return found is not None and (until is None or found < until)
