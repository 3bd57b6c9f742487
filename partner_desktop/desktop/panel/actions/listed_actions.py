"""Which actions the panel lists, and in which of its parts.

A chain is one row. Its steps have none, except while one of them waits for the person: then it stands with
what waits, and says which plan it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal, TypeAlias

from partner_desktop.desktop.panel.actions.action_rows import ListedRow, action_row, steps_on
from partner_desktop.desktop.panel.actions.action_words import searched_text
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProgressEvent
from partner_desktop.domain.plan import StepStatus

ActionPart: TypeAlias = Literal["waiting", "running", "done", "failed"]

#: The panel shows the latest of what ended; the conversations hold the rest.
_MOST_ENDED = 50
_FAILED = (ActionStatus.FAILED, ActionStatus.INTERRUPTED)
_WAITING = (ActionStatus.ASKING, ActionStatus.WAITING)


class ListedActions:
    """`run_listed(id)` is called for each run that begins, be it a step's."""

    def __init__(self, now: Callable[[], datetime], run_listed: Callable[[str], object]) -> None:
        self._now = now
        self._run_listed = run_listed
        self._records: dict[str, ActionRecord] = {}
        self._told: dict[str, ProgressEvent] = {}
        self._rows: dict[str, ListedRow] = {}
        """What was put into words before."""
        self._chain_of: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._records)

    def show(self, record: ActionRecord) -> None:
        planned = record.terms is not None and record.status is ActionStatus.SUCCEEDED
        if planned or (record.parent_id and not self._asks(record)):
            self._take_out(record.id)  # it stands with what is planned now, or on its plan's row
            return
        before = self._records.get(record.id)
        if before is not None and (before == record or record.is_older_than(before)):
            return
        if before is not None and (steps_on(before, record) or record.status is not ActionStatus.RUNNING):
            self._told.pop(record.id, None)
        self._records[record.id] = record
        self._rows.pop(record.id, None)
        if record.status is ActionStatus.RUNNING and (before is None or before.status is not record.status):
            self._run_listed(record.id)
        self._note_steps(record)
        self._trim()

    def show_progress(self, progress: ProgressEvent) -> ListedRow | None:
        """How far a run is; its row, or its chain's."""
        listed = self.listed_id(progress.action_id)
        if not listed or self._records[listed].status is not ActionStatus.RUNNING:
            return None
        self._told[listed] = progress
        self._rows.pop(listed, None)
        return self._row(self._records[listed])

    def told(self, action_id: str) -> ProgressEvent | None:
        """How far a run that is listed was last."""
        return self._told.get(action_id)

    def listed_id(self, action_id: str) -> str:
        """The action itself, where it is listed; of a step that runs, its chain; else nothing."""
        if action_id in self._records:
            return action_id
        chain = self._chain_of.get(action_id, "")
        return chain if chain in self._records else ""

    def forget(self, conversation_id: str) -> None:
        """A conversation is gone, and its actions with it."""
        for record in [*self._records.values()]:
            if record.conversation_id == conversation_id:
                self._take_out(record.id)

    def rows(self, part: ActionPart, words: list[str]) -> list[ListedRow]:
        """Newest first; only what holds all of the words, in whatever is told of it."""
        found = [each for each in self._of(part) if not words or _has(each, words)]
        return [self._row(record) for record in found]

    def say_again(self) -> None:
        self._rows.clear()

    def timed(self) -> list[ListedRow]:
        """What says how long it waits, as it says it now."""
        waiting = [one for one in self._of("waiting") if one.waits_until is not None]
        for record in waiting:
            self._rows.pop(record.id, None)
        return [self._row(record) for record in waiting]

    def _of(self, part: ActionPart) -> list[ActionRecord]:
        found = [record for record in self._records.values() if _part_of(record) == part]
        return sorted(found, key=lambda record: record.created_at, reverse=True)

    def _row(self, record: ActionRecord) -> ListedRow:
        if record.id not in self._rows:
            plan = self._records.get(record.parent_id)
            self._rows[record.id] = action_row(
                *(record, self._now()),
                told=self._told.get(record.id),
                plan=plan.title if plan is not None else "",
            )
        return self._rows[record.id]

    # Plans and their steps.

    def _asks(self, record: ActionRecord) -> bool:
        """Whether a step waits for the person; its chain knows better where that has gone on meanwhile."""
        plan = self._records.get(record.parent_id)
        chain = plan.chain if plan is not None else None
        step = chain.step(record.id) if chain is not None else None
        over = step is not None and step.status.ended
        return record.status in _WAITING and not over

    def _note_steps(self, plan: ActionRecord) -> None:
        """The rows of its steps are called after it, and go when it has gone on without them."""
        for step in plan.chain.steps if plan.chain is not None else ():
            begins = step.status is StepStatus.RUNNING and step.id not in self._chain_of
            self._chain_of[step.id] = plan.id
            if step.status.ended or plan.status.ended:
                self._take_out(step.id)
            self._rows.pop(step.id, None)
            if begins:
                self._run_listed(step.id)

    # Going out of the list.

    def _trim(self) -> None:
        for record in (*self._of("done")[_MOST_ENDED:], *self._of("failed")[_MOST_ENDED:]):
            self._take_out(record.id)

    def _take_out(self, action_id: str) -> None:
        record = self._records.pop(action_id, None)
        self._rows.pop(action_id, None)
        self._told.pop(action_id, None)
        for step in record.chain.steps if record is not None and record.chain is not None else ():
            self._chain_of.pop(step.id, None)


def _part_of(record: ActionRecord) -> ActionPart:
    """Where it stands."""
    if record.status.ended:
        return "failed" if record.status in _FAILED else "done"
    return "running" if record.status is ActionStatus.RUNNING else "waiting"


def _has(record: ActionRecord, words: list[str]) -> bool:
    text = searched_text(record)
    return all(word in text for word in words)
