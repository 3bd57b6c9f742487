"""ScheduleService: what is planned for later, and everything that a person does to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, Field

from partner_desktop.action.schedules.schedule_manager import MOST_LISTED, ScheduleManager
from partner_desktop.action.store import ActionStore
from partner_desktop.action.turns.planning_parts import language_spoken_in
from partner_desktop.api.operations import WorkingFolder
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import speaking
from partner_desktop.base.operation import Caller, OnlyFrom, operation
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import Evidence, NoSuchTime, Planned, Proposed, ScheduleDeed, Withheld
from partner_desktop.domain.schedule import Firing, Schedule, Terms
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exchanges import ExchangeRegistry
from partner_desktop.runtime.reception import Reception

#: What is proposed needs no understanding of words.
_SKIP = frozenset({"ActionPlanner"})


@dataclass(frozen=True)
class ScheduleAnswer:
    """What became of a wish: schedules as they are now, and what asks for a yes or an answer first."""

    conversation_id: str
    schedules: tuple[Schedule, ...] = ()
    actions: tuple[ActionRecord, ...] = ()


class ScheduleService:
    """Of the host; whoever attaches fires nothing."""

    def __init__(
        self,
        desk: ScheduleManager,
        store: ActionStore,
        dialog: Dialog,
        reception: Reception,
        exchanges: ExchangeRegistry,
    ) -> None:
        self._desk = desk
        self._store = store
        self._dialog = dialog
        self._reception = reception
        self._exchanges = exchanges

    @property
    def all_paused(self) -> bool:
        """Whether nothing at all is done at present."""
        return self._desk.all_paused

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is to call for attention now."""
        return self._desk.is_quiet

    @operation(Caller.ATTACHED)
    async def list(
        self,
        *,
        over: bool = False,
        words: Sequence[str] = (),
        limit: Annotated[int, Field(ge=1, le=1_000)] = MOST_LISTED,
        offset: Annotated[int, Field(ge=0)] = 0,
    ) -> Sequence[Schedule]:
        """A page of the schedules, the soonest first: behind what has a time is what was paused or stopped,
        and then what waits for something to happen. With `over` those, too, that have nothing left to do;
        `words`: all of them are in the title.

        Each has its next times and what became of the last one.
        """
        return await self._desk.page(limit=limit, offset=offset, words=words, over=over)

    @operation(Caller.ATTACHED)
    async def count(self, *, over: bool = False, words: Sequence[str] = ()) -> int:
        """How many schedules there are, as `list` has them."""
        return await self._desk.count(words=words, over=over)

    @operation(Caller.ATTACHED)
    async def made_in(self, conversation_id: str) -> Sequence[Schedule]:
        """Those that tell in a conversation, the oldest first."""
        return await self._desk.of_conversation(conversation_id)

    @operation(Caller.ATTACHED)
    async def find(self, beginning: str) -> Schedule:
        """The one whose id is this, or begins so.

        Raises:
            UsageError: There is none, or several.
        """
        found = await self._desk.beginning_with(beginning) if beginning else ()
        if not found:
            raise UsageError("schedules.none_begins", beginning=beginning[:80])
        if len(found) > 1:
            raise UsageError("schedules.several_begin", beginning=beginning[:80])
        return found[0]

    @operation(Caller.ATTACHED)
    async def history(
        self, schedule_id: str, *, limit: Annotated[int, Field(ge=1, le=1_000)] = 100
    ) -> Sequence[Firing]:
        """The times that it was due, the newest first.

        Raises:
            UsageError: There is no such schedule.
        """
        return await self._desk.history(schedule_id, limit)

    @operation(Caller.ATTACHED)
    async def add(
        self,
        words: str,
        *,
        cwd: WorkingFolder,
        standing: ApprovalMode = ApprovalMode.ASK,
        exchange_id: Annotated[str, OnlyFrom(Caller.LOCAL)] = "",
    ) -> ScheduleAnswer:
        """Say in a new conversation what is to be done, and when; what came of it.

        Raises:
            UsageError: Nothing was planned.
        """
        message = await self._reception.send(
            words,
            conversation_id=None,
            source="terminal",
            cwd=cwd,
            standing=standing,
            exchange_id=exchange_id,
        )
        place = message.conversation_id
        await self._exchanges.idle(place)
        known = await self._store.latest(place, limit=20)
        asks = tuple(one for one in known if one.terms is not None and not one.status.ended)
        made = await self._desk.of_conversation(place)
        if not asks and not made:
            raise UsageError("schedules.nothing_planned")
        return ScheduleAnswer(place, made, asks)

    @operation(Caller.ATTACHED)
    async def cancel(self, schedule_id: str) -> ScheduleAnswer:
        """Do it no more; what it was allowed is taken back.

        Raises:
            UsageError: There is no such schedule.
        """
        return await self._change("cancelled", schedule_id)

    @operation(Caller.ATTACHED)
    async def skip(self, schedule_id: str, *, due_at: AwareDatetime | None = None) -> ScheduleAnswer:
        """Leave a single time out: this one, or the next.

        Raises:
            UsageError: There is no such schedule, or it is not due then.
        """
        return await self._change("skipped", schedule_id, at=due_at)

    @operation(Caller.ATTACHED)
    async def edit(self, schedule_id: str, terms: Terms) -> ScheduleAnswer:
        """Do it at other times. A reminder for a single time is moved at once; all else asks anew.

        Raises:
            UsageError: There is no such schedule, or there are no such times.
        """
        return await self._change("moved", schedule_id, terms=terms)

    @operation(Caller.ATTACHED)
    async def pause(self, schedule_id: str = "") -> ScheduleAnswer:
        """Do nothing of it until it is resumed; without an id nothing of all of them.

        Raises:
            UsageError: There is no such schedule.
        """
        return await self._change("paused", schedule_id)

    @operation(Caller.ATTACHED)
    async def resume(self, schedule_id: str = "") -> ScheduleAnswer:
        """Go on from now; without an id with all that were paused together. One that stopped shows its card.

        Raises:
            UsageError: There is no such schedule, or its time has passed.
        """
        return await self._change("resumed", schedule_id)

    @operation(Caller.ATTACHED)
    async def run(self, schedule_id: str, *, wait: bool = False) -> ScheduleAnswer:
        """Do it now, whatever its times are; with `wait` told of when it is over, or asks.

        Raises:
            UsageError: There is no such schedule.
        """
        answer = await self._change("run", schedule_id)
        if not wait:
            return answer
        for begun in answer.schedules:
            await self._exchanges.idle(begun.conversation_id)
        over = [await self._desk.latest(begun.id) for begun in answer.schedules]
        return replace(answer, schedules=tuple(over))

    @operation(Caller.ATTACHED)
    async def snooze(self, schedule_id: str, until: AwareDatetime) -> ScheduleAnswer:
        """Remind again at a time.

        Raises:
            UsageError: There is no such schedule, or it is no reminder.
        """
        return await self._change("snoozed", schedule_id, at=until)

    @operation(Caller.ATTACHED)
    async def done(self, schedule_id: str) -> ScheduleAnswer:
        """What the person was reminded of is done.

        Raises:
            UsageError: There is no such schedule.
        """
        return await self._change("done", schedule_id)

    async def _change(
        self,
        deed: ScheduleDeed,
        schedule_id: str,
        *,
        at: datetime | None = None,
        terms: Terms | None = None,
    ) -> ScheduleAnswer:
        if not schedule_id and deed in ("paused", "resumed"):
            return _answer(await self._desk.change(deed, ()), "")
        place = await self._place(await self._desk.one(schedule_id))
        exchange = self._exchanges.open(place)
        release = exchange.hold()
        try:
            with speaking(await language_spoken_in(self._dialog, place)):
                evidence = await self._desk.change(
                    deed, (schedule_id,), at=at, terms=terms, exchange=exchange
                )
            if isinstance(evidence, Proposed | Withheld):
                self._dialog.initiate_turn(
                    [evidence], conversation_id=place, exchange_id=exchange.id, skip=_SKIP
                )
        finally:
            release()
        return _answer(evidence, place)

    async def _place(self, schedule: Schedule) -> str:
        try:
            return (await self._dialog.conversation(schedule.conversation_id)).id
        except UsageError:
            return (await self._dialog.create(schedule.title)).id


def _answer(evidence: Evidence, place: str) -> ScheduleAnswer:
    match evidence:
        case Planned(schedules=schedules):
            return ScheduleAnswer(place, schedules)
        case Proposed(action=action):
            return ScheduleAnswer(place, actions=(action,))
        case NoSuchTime(why=why):
            raise UsageError(f"schedules.time_{why}")
        case Withheld(reason=reason):
            raise UsageError("common.told", text=reason)
        case _:
            raise UsageError("schedules.no_such_deed")
