"""Interventions: what is wanted otherwise of a chain, wherever it stands. One door for words and builtins.

Contract: a chain that waits is changed on its card, which asks anew; one that runs is changed by its runner.
Nothing is approved here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Literal

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.corrections.new_steps import NewSteps
from partner_desktop.action.corrections.plan_edit import changed
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.evidence import Intervened
from partner_desktop.domain.intervention import Intervention, InterventionKind, PlanEdit, StepEdit
from partner_desktop.domain.plan import Plan
from partner_desktop.runtime.exchanges import Exchange

By = Literal["person", "mind"]


@dataclass
class _Told:
    """What was done and what was not, as it comes."""

    done: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Interventions(WorkPart):
    """Shared by the planner and the builtins."""

    def __init__(
        self,
        parts: WorkParts,
        approvals: Approvals,
        plan_runner: PlanRunner,
        new: NewSteps,
        *,
        most_steps: Callable[[], int],
    ) -> None:
        super().__init__(parts)
        self._approvals = approvals
        self._plan_runner = plan_runner
        self._new = new
        self._most_steps = most_steps

    async def apply(
        self, action_id: str, wishes: Sequence[Intervention], *, by: By, exchange: Exchange | None = None
    ) -> Intervened:
        """Change a chain as far as that can be done; what cannot be is refused in a sentence.

        A card belongs to `exchange` from then on, as in `Approvals.amend`.

        Raises:
            UsageError: It is no chain, or is over.
        """
        record = await self._store.get(action_id)
        if record.chain is None:
            raise UsageError("edit.no_steps", title=record.title)
        if record.status is ActionStatus.RUNNING:
            return await self._plan_runner.intervene(action_id, wishes, by=by)
        if record.status is ActionStatus.WAITING:
            return await self._on_card(record, record.chain, wishes, by, exchange)
        raise UsageError("edit.over", title=record.title)

    async def reorder(
        self, action_id: str, order: Sequence[str], *, exchange: Exchange | None = None
    ) -> Intervened:
        """The steps of a chain that waits one after the other as named; one that runs keeps its order.

        Raises:
            UsageError: It is no chain.
        """
        record = await self._store.get(action_id)
        if record.chain is None:
            raise UsageError("edit.no_steps", title=record.title)
        if record.status is not ActionStatus.WAITING:
            return Intervened(record, (), (sentence_of("edit.order_stays"),))
        if [step.id for step in record.chain.steps] == [*order]:
            return Intervened(record, (), (sentence_of("edit.in_order"),))
        edit = PlanEdit(tuple((StepEdit(name),) for name in order))
        try:
            record = await self._approvals.edit_chain(action_id, edit, exchange=exchange)
        except UsageError as error:
            return Intervened(record, (), (str(error),))
        steps = (record.chain or Plan(())).steps
        titles = [sentence_of("step.quoted", title=step.title) for step in steps]
        return Intervened(record, (sentence_of("edit.order", steps=sentence_of("step.then").join(titles)),))

    async def _on_card(
        self,
        record: ActionRecord,
        shown: Plan,
        wishes: Sequence[Intervention],
        by: By,
        exchange: Exchange | None,
    ) -> Intervened:
        told, chain = _Told(), shown
        for wish in wishes:
            if wish.kind is InterventionKind.CANCEL:
                return Intervened(await self._ended(record, wish, by), (sentence_of("edit.called_off"),))
            chain = await self._wanted(record, chain, wish, by, told)
        if told.done:
            try:
                record = await self._approvals.change_chain(record.id, shown, chain, exchange=exchange)
            except UsageError as error:
                return Intervened(await self._store.get(record.id), (), (*told.refused, str(error)))
        return Intervened(record, tuple(told.done), tuple(told.refused))

    async def _ended(self, record: ActionRecord, wish: Intervention, by: By) -> ActionRecord:
        """Only the person's own no is one."""
        withdrawn = "" if by == "person" else wish.reason or sentence_of("edit.called_off")
        return await self._approvals.reject(record.id, withdrawn=withdrawn)

    async def _wanted(
        self, record: ActionRecord, chain: Plan, wish: Intervention, by: By, told: _Told
    ) -> Plan:
        """The chain after one wish; as it was where that is refused."""
        most, now = self._most_steps(), self._clock.now()
        try:
            if wish.kind is InterventionKind.REBUILD and not wish.steps:
                raise UsageError("edit.not_begun")
            steps = await self._new.steps(record, chain, wish, by)
            result = changed(chain, wish, steps, most_steps=most, by=by, now=now)
        except UsageError as error:
            told.refused.append(str(error))
            return chain
        told.done.append(result.changes[-1].text)
        return replace(result, rebuilt=False)
