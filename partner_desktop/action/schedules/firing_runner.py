"""FiringRunner: does what a schedule is due to do, once.

Contract: that a time is seen to is on disk, with when the schedule is due next, before anything of it begins;
that its action runs is one transaction with how far the firing is. After a crash a firing that had begun
nothing is begun anew, and one whose action runs is the recovery's: nothing is done twice, nothing is lost.
What is done is what was approved: where that is not there any more as it was, the schedule stops.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta, tzinfo
from pathlib import Path

from partner_desktop.action.confirmation_expiry import asking_beside
from partner_desktop.action.plans.card_version import with_yes
from partner_desktop.action.plans.plan_maker import (
    MadePlan,
    PlanMaker,
    denial,
    firing_request,
    gap_sentence,
    schedule_key,
)
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.schedules.firing_maker import DueFiring, FiringMaker
from partner_desktop.action.schedules.firing_times import zone_called
from partner_desktop.action.schedules.schedule_news import ScheduleNews
from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.schedules.schedule_store import (
    OPEN,
    Also,
    Lateness,
    ScheduleStore,
    StoredSchedule,
)
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base import log
from partner_desktop.base.errors import PartnerError, StorageError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.base.tasks import TaskSet, uninterruptible
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import Event, MessageEvent, ReminderEvent, as_json
from partner_desktop.domain.evidence import Proposed, Withheld
from partner_desktop.domain.message import Message, Role
from partner_desktop.domain.schedule import Firing, FiringState
from partner_desktop.domain.schedule_text import time_in_words
from partner_desktop.permission.request import Decision, PermissionRequest
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exchanges import ExchangeRegistry
from partner_desktop.runtime.turn_queue import add_told
from partner_desktop.storage.database import Connection

_log = log.area("schedules")

#: What is due by more than this was missed.
LATE = timedelta(seconds=60)
#: The same is not told again for so long.
_TOLD_FOR = timedelta(hours=24)


@dataclass(frozen=True)
class FiringParts:
    """What it needs beside the parts of all work."""

    schedules: ScheduleStore
    news: ScheduleNews
    maker: PlanMaker
    plan_runner: PlanRunner
    dialog: Dialog
    exchanges: ExchangeRegistry
    settings: Callable[[], ScheduleSettings]
    publish: Callable[[Event], None]


class FiringRunner(WorkPart):
    """One firing is begun at a time."""

    def __init__(self, work: WorkParts, parts: FiringParts) -> None:
        super().__init__(work)
        self._schedules = parts.schedules
        self._news = parts.news
        self._maker = parts.maker
        self._plans = FiringMaker(work, parts.maker)
        self._plan_runner = parts.plan_runner
        self._dialog = parts.dialog
        self._exchanges = parts.exchanges
        self._settings = parts.settings
        self._publish = parts.publish
        self._lock = asyncio.Lock()
        self._tasks = TaskSet("firings")
        self._unfollow = self._publisher.follow(self._hear)
        self.is_behind = False
        """Whether something could not be begun, because the disk refused: `take_up` tries again."""

    async def launch(self) -> None:
        """Nothing to open: what was begun is taken up by the scheduler."""

    async def shutdown(self) -> None:
        """Hear of nothing more."""
        self._unfollow()
        await self._tasks.close()

    # Firing.

    @uninterruptible
    async def fire(
        self,
        stored: StoredSchedule,
        firing: Firing,
        after: StoredSchedule,
        *,
        passed: Sequence[Firing] = (),
        late: Lateness = "",
        also: Also = lambda db: None,
    ) -> Firing | None:
        """See to one time of a schedule, which is to be as `after` from then on. `passed`: times before it
        that stay undone; `also`: what is written with it.

        `None`: it was seen to before, the schedule is not as it was, or a file waits for the run before.

        Raises:
            StorageError: It could not be written down; nothing began.
        """
        async with self._lock:
            if await self._schedules.fired(stored.id, firing.due_at):
                await self._schedules.change(stored, after)
                return None
            after = replace(
                after, schedule=replace(after.schedule, conversation_id=await self._place(stored))
            )
            if stored.template is None:
                return await self._remind(stored, firing, after, passed, also)
            await self.catch_up(stored.id)
            going = await self._schedules.open(stored.id)
            if going and firing.landed:
                return None
            firing = replace(firing, action_id=new_id())
            if going:
                with speaking(stored.language):
                    why = sentence_of("schedules.still_running")
                firing = replace(firing, state="skipped", action_id="", why=why)
            known = await self._schedules.begin(
                stored, after, [*passed, firing], late=late, also=self._noted(firing, also)
            )
            if not known:
                return None
            if not going:
                await self._start(after, firing)
        await self._news.changed(stored.id)
        return firing

    @uninterruptible
    async def pass_over(
        self, stored: StoredSchedule, after: StoredSchedule, firing: Firing, *, late: Lateness = "untold"
    ) -> None:
        """Write down that times passed and nothing was done."""
        await self._schedules.begin(stored, after, [firing], late=late, also=self._noted(firing))
        await self._news.changed(stored.id)

    def _noted(self, firing: Firing, also: Also = lambda db: None) -> Also:
        key = schedule_key(firing.schedule_id)
        outcome = _SAID.get(firing.state, firing.state)

        def work(db: Connection) -> None:
            self._audit.fired(db, firing.action_id, key, outcome=outcome)
            also(db)

        return work

    async def _place(self, stored: StoredSchedule) -> str:
        """Where it tells: a new conversation, where its own is gone."""
        try:
            return (await self._dialog.conversation(stored.schedule.conversation_id)).id
        except UsageError:
            return (await self._dialog.create(stored.schedule.title)).id

    # Reminders.

    async def _remind(
        self,
        stored: StoredSchedule,
        firing: Firing,
        after: StoredSchedule,
        passed: Sequence[Firing],
        besides: Also,
    ) -> Firing | None:
        """The message, the firing and the next time are one transaction."""
        done = replace(firing, state="done")

        def also(db: Connection, message: Message) -> None:
            known = [*passed, replace(done, message_id=message.id)]
            if not self._schedules.beginning(stored, after, known, also=self._noted(done, besides))(db):
                raise UsageError("schedules.changed_meanwhile")

        try:
            message = await self._dialog.append(
                after.schedule.conversation_id, Role.PARTNER, self._reminder_text(stored, firing), also=also
            )
        except UsageError:
            return None
        self._publish(MessageEvent(conversation_id=message.conversation_id, message=message))
        done = replace(done, message_id=message.id)
        (schedule,) = await self._news.changed(stored.id)
        self._publish(
            ReminderEvent(
                conversation_id=message.conversation_id,
                schedule=schedule,
                firing=done,
                quiet=self._is_quiet(stored, firing),
            )
        )
        return done

    def _reminder_text(self, stored: StoredSchedule, firing: Firing) -> str:
        message = stored.schedule.terms.message
        with speaking(stored.language):
            if firing.at - firing.due_at <= LATE:
                return sentence_of("schedules.reminder", text=message)
            zone = _zone(stored)
            when = time_in_words(firing.due_at.astimezone(zone), firing.at.astimezone(zone))
            return sentence_of("schedules.reminder_late", text=message, when=when)

    def _is_quiet(self, stored: StoredSchedule, firing: Firing) -> bool:
        """A single time in quiet hours was wanted then."""
        if stored.schedule.terms.once is not None:
            return False
        return self._settings().is_quiet(firing.at.astimezone(_zone(stored)).time())

    # What has steps.

    async def _start(self, stored: StoredSchedule, firing: Firing) -> None:
        """Begin what is due; whatever keeps it from that is told."""
        template = stored.template
        assert template is not None, "it does something"
        exchange = self._exchanges.open(stored.schedule.conversation_id, cwd=template.cwd)
        release = exchange.hold()
        try:
            with speaking(template.language):
                async with self._executor.settling(exchange.conversation_id):
                    await self._dialog.conversation(exchange.conversation_id)
                    record = self._plans.record(template, firing, exchange)
                    await self._begin(DueFiring(stored, firing, template, record, exchange))
        except StorageError as error:
            _log.warning("%s is begun later: %s", stored.id, error)
            self.is_behind = True
        except PartnerError as error:
            if await self._is_there(stored):
                await self._stop(stored, str(error), firing)
            else:
                self.is_behind = True
        finally:
            release()

    async def _is_there(self, stored: StoredSchedule) -> bool:
        """Whether neither it nor its conversation went while it was begun."""
        with suppress(UsageError):
            await self._schedules.get(stored.id)
            await self._dialog.conversation(stored.schedule.conversation_id)
            return True
        return False

    async def _begin(self, due: DueFiring) -> None:
        template, record = due.template, due.record
        why = self._plans.why_not(template)
        if why:
            await self._stop(due.stored, why, due.firing)
            return
        approved, made = await self._plans.made(due)
        record = made.put_into(record)
        due = replace(due, record=record)
        edited = self._plans.edited(template, made)
        if edited:
            await self._stop(due.stored, edited, due.firing)
            return
        if made.gap is not None:
            await self._end(due, gap_sentence(record, made, made.gap), "failed")
            return
        if self._plans.is_elsewhere(due, made):
            await self._end(
                due, sentence_of("schedules.swapped", name=Path(due.firing.landed).name), "failed"
            )
            return
        requests = [replace(request, grantable=True) for request in made.requests(record)]
        denied = await self._plans.denied(requests)
        if denied is not None:
            await self._refuse(due, denied)
        elif due.stored.schedule.asks or any(map(self._engine.asks_each_firing, requests)):
            await self._ask(due, made)
        else:
            await self._run(due, made, requests, approved)

    async def _run(
        self,
        due: DueFiring,
        made: MadePlan,
        requests: Sequence[PermissionRequest],
        approved: ActionRecord,
    ) -> None:
        """Under what was granted to the schedule; where that is not there, it stops."""
        terms, record = due.stored.schedule.terms, due.record
        whole = await asyncio.to_thread(firing_request, approved, terms, due.stored.id)
        decisions = await self._engine.granted_plan(requests, whole=whole, reason=f"chain {record.id}")
        if not decisions:
            then = await asyncio.to_thread(firing_request, due.template, terms, due.stored.id)
            same = then.binding("always") == whole.binding("always")
            told = "schedules.revoked" if same else "schedules.moved"
            await self._stop(due.stored, sentence_of(told), due.firing)
            return
        await self._places.show(record, led=False)
        if record.chain is not None:
            record = with_yes(record, record.chain)
        running = replace(due.firing, state="running", at=self._clock.now())
        await self._plan_runner.start(
            record, made, decisions, exchange=due.exchange, begun=self._schedules.setting(running)
        )

    async def _ask(self, due: DueFiring, made: MadePlan) -> None:
        """This time needs a yes of its own."""
        card = await asking_beside(self._store, await self._maker.card(due.record, made), self._clock.now())
        waiting = replace(due.firing, state="waiting", at=self._clock.now())
        await self._store.add(card, also=self._schedules.setting(waiting))
        place = await self._places.show(card, led=True)
        due.exchange.status = "waiting"
        self._executor.tell(Proposed(card, place), card)

    async def _refuse(self, due: DueFiring, decision: Decision) -> None:
        """It is not allowed any more: that is told once."""
        why = denial(due.record, decision)
        before = (await self._schedules.history(due.stored.id, limit=2))[1:]
        if before and (before[0].state, before[0].why) == ("refused", why):
            refused = replace(due.firing, state="refused", at=self._clock.now(), action_id="", why=why)
            await self._schedules.set(refused)
            return
        await self._end(due, why, "refused", decision)

    async def _end(
        self, due: DueFiring, why: str, state: FiringState, decision: Decision | None = None
    ) -> None:
        """It does not run, and a turn says why."""
        now = self._clock.now()
        ended = replace(due.record, status=ActionStatus.REJECTED, error=why, finished_at=now)
        over = replace(due.firing, state=state, at=now, why=why)

        def work(db: Connection) -> None:
            self._schedules.setting(over)(db)
            self._audit.fired(db, ended.id, schedule_key(over.schedule_id), outcome=_SAID.get(state, state))
            add_told(
                db, ended.id, conversation_id=ended.conversation_id, exchange_id=ended.exchange_id, now=now
            )

        await self._store.add(ended, also=work)
        await self._places.show(ended, led=False)
        if decision is not None:
            self._publisher.decided(decision, ended)
        self._publisher.ended(ended)
        self._executor.tell(Withheld(ended, why), ended)

    # Stopping.

    @uninterruptible
    async def stop(self, stored: StoredSchedule, why: str) -> None:
        """Nothing of a schedule is done any more, and its conversation is told why."""
        async with self._lock:
            place = await self._place(stored)
            await self._stop(
                replace(stored, schedule=replace(stored.schedule, conversation_id=place)), why, None
            )
        await self._news.changed(stored.id)

    async def _stop(self, stored: StoredSchedule, why: str, firing: Firing | None) -> None:
        """Where it, or its conversation, is gone meanwhile, `take_up` sees to what is left."""
        try:
            now = await self._schedules.get(stored.id)
        except UsageError:
            return  # it was forgotten: nobody is to be told of it
        place = stored.schedule.conversation_id
        stopped = replace(
            now, schedule=replace(now.schedule, state="stopped", why=why, next_at=None, conversation_id=place)
        )
        with speaking(stored.language):
            text = sentence_of("schedules.stopped", title=now.schedule.title, why=why)

        def also(db: Connection, message: Message) -> None:
            if firing is not None:
                refused = replace(firing, state="refused", action_id="", why=why, message_id=message.id)
                self._schedules.setting(refused)(db)
                self._audit.fired(db, firing.action_id, schedule_key(stored.id), outcome="deny")
            if not self._schedules.stopping(stopped)(db):
                raise UsageError("schedules.none", id=stored.id)

        try:
            message = await self._dialog.append(place, Role.PARTNER, text, also=also)
        except UsageError:
            self.is_behind = True
            return
        self._publish(MessageEvent(conversation_id=place, message=message))

    @uninterruptible
    async def tell(self, stored: StoredSchedule, text: str, *, also: Also = lambda db: None) -> None:
        """Say something of a schedule in its conversation; `also` is written with it."""
        async with self._lock:
            place = await self._place(stored)
            message = await self._dialog.append(place, Role.PARTNER, text, also=lambda db, _: also(db))
        self._publish(MessageEvent(conversation_id=place, message=message))

    # How they come out.

    async def take_up(self) -> None:
        """What was begun and not ended as Partner ended, or the disk refused."""
        self.is_behind = False
        for firing in await self._schedules.open():
            try:
                await self._take_up(firing)
            except PartnerError as error:
                _log.warning("%s is taken up later: %s", firing.schedule_id, error)
                self.is_behind = True

    async def _take_up(self, firing: Firing) -> None:
        try:
            record = await self._store.get(firing.action_id)
        except UsageError:
            await self._again(firing)
        else:
            await self._note_outcome(record)

    @uninterruptible
    async def _again(self, firing: Firing) -> None:
        """Its action is not there: it was not begun, or its conversation was deleted."""
        async with self._lock:
            try:
                stored = await self._schedules.get(firing.schedule_id)
            except UsageError:
                return
            if firing.state != "begun" or stored.template is None:
                await self._schedules.set(replace(firing, state="failed", at=self._clock.now()))
                return
            await self._store.clear(stored.schedule.conversation_id, firing.action_id)
            place = await self._place(stored)
            moved = replace(stored, schedule=replace(stored.schedule, conversation_id=place))
            if await self._schedules.change(stored, moved):
                await self._start(moved, firing)
        await self._news.changed(firing.schedule_id)

    async def catch_up(self, schedule_id: str) -> None:
        """Write down how its firings stand whose actions have come further, though nobody could note it."""
        for firing in await self._schedules.open(schedule_id):
            try:
                record = await self._store.get(firing.action_id)
            except UsageError:
                if firing.state != "begun":  # its conversation was deleted, and its card with it
                    await self._schedules.set(replace(firing, state="called_off", at=self._clock.now()))
            else:
                await self._note_outcome(record)

    async def is_worth_telling(self, ended: ActionRecord) -> bool:
        """Whether a turn tells the outcome of a firing: a failure, and what is not said too often."""
        firing = await self._schedules.of_action(ended.id) if ended.terms is None else None
        if firing is None or ended.status is not ActionStatus.SUCCEEDED:
            return True
        told = await self._schedules.told_since(self._clock.now() - _TOLD_FOR)
        said = _digest(ended)
        if (firing.schedule_id, said) in told or len(told) >= self._settings().most_turns_a_day:
            return False
        await self._schedules.note_told(firing, said)
        return True

    def _hear(self, record: ActionRecord) -> None:
        """An action has come further."""
        if record.schedule_id and record.terms is None and not record.parent_id and record.status in _FURTHER:
            self._tasks.start(record.id, self._heard(record))

    async def _heard(self, record: ActionRecord) -> None:
        try:
            await self._note_outcome(record)
        except StorageError as error:
            _log.warning("how %s came out is written down later: %s", record.id, error)
            self.is_behind = True

    async def _note_outcome(self, record: ActionRecord) -> None:
        firing = await self._schedules.of_action(record.id)
        if firing is None or firing.state not in OPEN:
            return
        state = "running" if record.status is ActionStatus.RUNNING else _OUTCOMES.get(record.status)
        if state is None or state == firing.state:
            return
        why = record.error if state != "done" else ""
        await self._schedules.set(replace(firing, state=state, at=self._clock.now(), why=why))
        await self._news.changed(firing.schedule_id)


def _digest(ended: ActionRecord) -> str:
    """Of what there is to tell of an outcome."""
    results = [step.result for step in ended.plan.steps]
    said = json.dumps([ended.title, ended.stdout, as_json(ended.data), results], sort_keys=True)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def _zone(stored: StoredSchedule) -> tzinfo:
    try:
        return zone_called(stored.schedule.terms.zone)
    except UsageError:
        return zone_called("")


#: How the audit log calls what others call otherwise.
_SAID = {"begun": "started", "done": "succeeded", "refused": "deny"}
#: What a firing makes of the end of its action.
_OUTCOMES: dict[ActionStatus, FiringState] = {
    ActionStatus.SUCCEEDED: "done",
    ActionStatus.FAILED: "failed",
    ActionStatus.INTERRUPTED: "failed",
    ActionStatus.CANCELLED: "called_off",
    ActionStatus.REJECTED: "called_off",
    ActionStatus.EXPIRED: "skipped",
}
_FURTHER = (ActionStatus.RUNNING, *_OUTCOMES)
