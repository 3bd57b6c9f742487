"""ScheduleActs: what words want of what is done later, carried out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft
from partner_desktop.action.turns.planning_parts import PlanningPart
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path, expanded_path
from partner_desktop.domain.evidence import Evidence, NoSuchTime
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.plan import StepInput
from partner_desktop.domain.schedule import LANDED, FileLands, Terms, landed_name
from partner_desktop.mind.act import AskSchedules, ChangeSchedule, NoTime
from partner_desktop.runtime.flow import RunningFlowContext

#: What lets something be done goes beyond what a program's words reach.
_BEGINNING = ("resumed", "run")


class ScheduleActs(PlanningPart):
    """A part of the planner."""

    async def do(self, flow: RunningFlowContext, act: NoTime | AskSchedules | ChangeSchedule) -> Evidence:
        """What came of it.

        Raises:
            UsageError: It cannot be done to that schedule.
        """
        match act:
            case NoTime(text, why):
                return NoSuchTime(text, why)
            case AskSchedules(since=since, until=until):
                return await self._schedules.listed(since, until)
            case ChangeSchedule(deed=deed, ids=ids):
                if deed in _BEGINNING and not flow.by_person:
                    raise UsageError("schedules.deed_of_a_program")
                changing = self._schedules.change(
                    deed, ids, at=act.at, terms=act.terms, exchange=flow.exchange
                )
                return await flow.begun(changing)

    async def remind(self, flow: RunningFlowContext, terms: Terms, text: str) -> Evidence:
        """A reminder, set or asked about; of a program it says so."""
        if not flow.by_person:
            terms = replace(terms, message=sentence_of("schedules.of_a_program", text=terms.message))
        return await flow.begun(self._schedules.remind(terms, flow.exchange, text))


def on_terms(plan: PlanDraft, terms: Terms | None) -> PlanDraft:
    """The same plan at the time that is meant; the file that will have landed is brought to its steps."""
    if terms is None:
        return plan
    if terms.lands is None:
        return replace(plan, terms=terms)
    lands = terms.lands
    stages = [[_fed(draft, lands) for draft in stage] for stage in plan.stages]
    return replace(plan, stages=stages, text=_shown(plan.text, lands), terms=terms)


def _fed(draft: StepDraft, lands: FileLands) -> StepDraft:
    """With that file as a feed, where an argument is its name."""
    fed = [
        name for name, value in draft.params.items() if any(_is_landed(each, lands) for each in _each(value))
    ]
    return replace(
        draft,
        text=_shown(draft.text, lands),
        params={name: value for name, value in draft.params.items() if name not in fed},
        feeds=(*draft.feeds, *(StepInput(name, LANDED) for name in fed)),
    )


def _each(value: Json) -> Iterator[Json]:
    if isinstance(value, list):
        yield from value
    else:
        yield value


def _is_landed(value: Json, lands: FileLands) -> bool:
    return isinstance(value, str) and str(expanded_path(value)) == landed_name(lands)


def _shown(text: str, lands: FileLands) -> str:
    """The words with the pattern of the files in place of the name that nothing has."""
    return text.replace(f"'{landed_name(lands)}'", display_path(Path(lands.folder) / lands.pattern))
