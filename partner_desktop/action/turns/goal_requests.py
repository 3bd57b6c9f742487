"""GoalRequests: what needs what others bring, and goals in words, as plans that are computed.

Contract: what words give is taken as it is; only where they do not give what an ability needs of a type are
other abilities put before it. What nobody brings is asked for, as without a planner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from partner_desktop.action.goals.goal_domain import have, known_inputs, ran
from partner_desktop.action.goals.goal_maker import Aim
from partner_desktop.action.goals.goal_plans import Given, GoalPlans
from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft
from partner_desktop.action.turns.planning_parts import PlanningPart, PlanningParts
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.planning_facts import HAVE
from partner_desktop.language.anaphora import wanted_kind
from partner_desktop.language.clauses import is_negated
from partner_desktop.language.spans import SpanKind, blank, find_spans
from partner_desktop.language.terms import terms
from partner_desktop.mind.act import Request
from partner_desktop.mind.question import ExtractedParams
from partner_desktop.runtime.flow import RunningFlowContext

#: Words that weigh less say nothing of what is meant: `get`, `the`.
_CONTENT = 0.5


@dataclass(frozen=True)
class MeantGoal:
    """A plan for a goal in words."""

    plan: PlanDraft
    left: tuple[str, ...]
    """Words that nothing of it does anything with."""


class GoalRequests(PlanningPart):
    """A part of the planner; begins nothing."""

    def __init__(self, parts: PlanningParts) -> None:
        super().__init__(parts)
        self._plans = GoalPlans(parts.catalog, parts.mind)

    async def towards(
        self, flow: RunningFlowContext, info: MetaActionInfo, found: ExtractedParams, act: Request
    ) -> PlanDraft | None:
        """An ability with what must be there before it; `None`: it has what it needs, or nobody brings it."""
        kinds = dict(known_inputs(info))
        given = {name for name in kinds if name in found.values and _is_said(info, name, found.values, act)}
        if not {name for name in kinds if name in info.required()} - given:
            return None
        aim = Aim({ran(info.key): True}, now={have(kinds[name]): True for name in given})
        own = {name: value for name, value in found.values.items() if name in given or name not in kinds}
        known = Given(by_key={info.key: replace(found, values=own)})
        plan = await self._draft(flow, aim, act, known)
        return plan if plan is not None and len(_steps(plan)) > 1 else None

    async def meant(self, flow: RunningFlowContext, act: Request) -> MeantGoal | None:
        """A plan for a goal that the words name: something of a type, or a condition that is to be so.

        Where an ability is meant, too, the goal is what it is for, and it is one of the plan's steps; or the
        words say the goal better.
        """
        evaluation, turn = act.evaluation, flow.ref
        abilities = evaluation.meant
        if not evaluation.wishes:
            return None
        try:
            condition, score = await flow.unless_interrupted(self._plans.meant(act.text, turn))
        except UsageError:
            return None
        if is_negated(act.text, len(act.text)) and not condition.startswith(HAVE):
            return None  # that something is so is not what is wanted
        name = self._plans.words_for(condition)
        if abilities and not _are_all_said(name, act.text):
            return None
        plan = await self._draft(flow, Aim({condition: True}), act, Given())
        best = evaluation.ranked[0].score if evaluation.ranked else 0.0
        if plan is None or (
            abilities and score <= best and not {each.key for each in abilities} & _keys(plan)
        ):
            return None
        further = self._further(plan, _left(act.text, name, plan))
        if further is not None:
            both = Aim({condition: True, ran(further.key): True})
            plan = await self._draft(flow, both, act, Given()) or plan
        return MeantGoal(plan, tuple(_left(act.text, name, plan).values()))

    def _further(self, plan: PlanDraft, left: Mapping[str, str]) -> MetaActionInfo | None:
        """What else is to be done with what the plan brings, by the words that are left: `… by mail`."""
        brought = {kind for draft in _steps(plan) for kind in draft.info.planning_facts.outputs.values()}
        takes = (
            info
            for info in self._catalog.usable()
            if info.key not in _keys(plan) and brought & set(info.planning_facts.inputs.values())
        )
        found = [info for info in takes if left and left.keys() <= _told(info)]
        return found[0] if len(found) == 1 else None

    async def _draft(
        self, flow: RunningFlowContext, aim: Aim, act: Request, given: Given
    ) -> PlanDraft | None:
        drafting = self._plans.draft(aim, act.text, given, turn=flow.ref, resolved=act.resolved)
        try:
            return await flow.unless_interrupted(drafting)
        except UsageError:
            return None


def _left(text: str, goal: str, plan: PlanDraft) -> dict[str, str]:
    """Stem → word, of what was said and what neither the goal nor a step of the plan says."""
    told = _content(goal).keys() | set().union(*(_told(draft.info) for draft in _steps(plan)))
    return {stem: word for stem, word in _content(text).items() if stem not in told}


def unused_paths(text: str, drafts: Sequence[StepDraft]) -> tuple[str, ...]:
    """The paths that the words name and that no step is given."""
    spans = (span for span in find_spans(text) if span.kind is SpanKind.PATH)
    given = "\n".join(str(value) for draft in drafts for value in draft.params.values())
    return tuple(span.value for span in spans if PurePath(span.value).name not in given)


def _steps(plan: PlanDraft) -> list[StepDraft]:
    return [draft for stage in plan.stages for draft in stage]


def _keys(plan: PlanDraft) -> set[str]:
    return {draft.info.key for draft in _steps(plan)}


def _are_all_said(words: str, text: str) -> bool:
    """Whether each word of a goal's name stands in what was said, in any form of it."""
    said = {term.stem for term in terms(text)}
    return all(term.stem in said for term in terms(words))


def _told(info: MetaActionInfo) -> set[str]:
    """What an ability says of itself, in stems."""
    return {*_content(" ".join([info.title, info.description, *info.aliases]))}


def _content(text: str) -> dict[str, str]:
    """Stem → word, of the words that say what is meant: no paths, and no little words."""
    said = terms(blank(text, find_spans(text)))
    return {term.stem: term.word for term in said if term.weight >= _CONTENT}


def _is_said(info: MetaActionInfo, name: str, values: Mapping[str, Json], act: Request) -> bool:
    """Whether the words give it themselves: a path, a number, or a text between quotation marks."""
    kind, value = wanted_kind(name, info.properties()[name]), values[name]
    if kind not in ("text", "query") or not isinstance(value, str):
        return True
    quotes = (span for span in find_spans(act.text) if span.kind is SpanKind.QUOTE)
    return bool(value) and any(value in act.text[quote.start : quote.end] for quote in quotes)
