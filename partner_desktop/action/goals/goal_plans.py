"""GoalPlans: from a goal, by its name or in words, to a plan with the arguments that are known.

Contract: a value that was given for a type or a parameter is used as it is; what no step brings and nobody
gave is looked for in the words, and else asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.goals.goal_domain import GOAL, GoalDomain, as_words, have, ran
from partner_desktop.action.goals.goal_maker import Aim, GoalMaker
from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import cut
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    IntentEvaluation,
    Mind,
    RankedAbility,
)

if TYPE_CHECKING:
    from partner_desktop.language.spoken_words import ResolvedText

#: A goal is meant where its confidence is above this.
MEANT_FROM = 0.6
#: How many goals are named where none is surely meant.
_NAMED = 5
#: Characters of a name that is compared with others.
_LONGEST = 80
_NOT = "!"


@dataclass(frozen=True)
class Given:
    """What is known of arguments before any step ran."""

    by_key: Mapping[str, ExtractedParams] = field(default_factory=dict)
    """Ability → its arguments, where the words gave them already: nothing more is looked for."""
    by_name: Mapping[str, Json] = field(default_factory=dict)
    """Type or parameter → its value, wherever it is wanted."""


class GoalPlans:
    """Begins nothing."""

    def __init__(self, catalog: AbilityCatalog, mind: Mind) -> None:
        self._makes = GoalMaker(catalog)
        self._mind = mind
        self._finder = ParameterFinder(mind.ask)

    async def draft(
        self,
        aim: Aim,
        text: str,
        given: Given,
        *,
        turn: TurnRef | None = None,
        resolved: ResolvedText | None = None,
    ) -> PlanDraft:
        """The cheapest way to a goal.

        Raises:
            UsageError: There is none, or there is nothing to do; with why.
        """
        stages = await self._makes.stages(aim, text)
        if not stages:
            raise UsageError("goal.holds")
        made = [
            [await self._with_arguments(draft, given, turn, resolved) for draft in stage] for stage in stages
        ]
        return PlanDraft(_apart(made), text, goal=dict(aim.goal))

    async def towards(self, goals: Sequence[str], there: JsonObject, text: str) -> PlanDraft:
        """The same for goals by name or in words, and for what is there: type, parameter or condition.

        Raises:
            UsageError: Nothing is called so, there is no way, or there is nothing to do; with why.
        """
        wanted: dict[str, bool] = {}
        words: list[str] = []
        for goal in goals:
            condition, value = await self._condition(goal, words)
            if wanted.setdefault(condition, value) is not value:
                raise UsageError("goal.both_ways", name=goal)
        domain = self._makes.domain()
        now, by_name = _there(there, domain)
        plan = await self.draft(Aim(wanted, now), " ".join(words), Given(by_name=by_name))
        return replace(plan, text=text)

    async def _condition(self, goal: str, words: list[str]) -> tuple[str, bool]:
        """What a goal means; what is no name is noted as `words`."""
        try:
            return await asyncio.to_thread(self.condition, goal)
        except UsageError:
            if len(goal.split()) < 2:  # one word is a name
                raise
        condition, _ = await self.meant(goal)
        words.append(goal)
        return condition, True

    async def _with_arguments(
        self, draft: StepDraft, given: Given, turn: TurnRef | None, resolved: ResolvedText | None
    ) -> StepDraft:
        fed = {feed.param for feed in draft.feeds}
        if draft.info.key in given.by_key:
            return replace(with_words(draft, given.by_key[draft.info.key]), origin="request")
        kinds = draft.info.planning_facts.inputs
        names = ((name, {name, kinds.get(name, name)}) for name in draft.info.properties() if name not in fed)
        known: JsonObject = {
            name: given.by_name[as_] for name, known_as in names for as_ in known_as if as_ in given.by_name
        }
        said = await said_for(self._finder, draft, turn=turn, resolved=resolved) if draft.text else draft
        return replace(said, params={**said.params, **known})

    def condition(self, name: str) -> tuple[str, bool]:
        """What a name means: a type, a condition, an ability by its key or its title; `!` before it: not so.

        Raises:
            UsageError: Nothing is called so.
        """
        domain = self._makes.domain()
        wanted, value = name.removeprefix(_NOT).strip(), not name.startswith(_NOT)
        names = dict(_names(domain))
        plain = {as_words(each): condition for each, condition in names.items()}
        found = names.get(wanted) or plain.get(as_words(wanted))
        if found is not None:
            return found, value
        if not names:
            raise UsageError("goal.no_goals")
        from difflib import get_close_matches  # noqa: PLC0415 - only where nothing is called so

        short = [each for each in names if len(each) <= _LONGEST]
        wanted = cut(wanted, _LONGEST)
        alike = get_close_matches(as_words(wanted), [each for each in plain if len(each) <= _LONGEST], n=1)
        near = get_close_matches(wanted, short, n=1) or [each for each in names if as_words(each) in alike]
        raise UsageError(
            "goal.none_such_near" if near else "goal.none_such", name=wanted, near=near[0] if near else ""
        )

    def words_for(self, condition: str) -> str:
        """A condition as it is named in words."""
        return as_words(self._makes.domain().told(condition))

    async def meant(self, text: str, turn: TurnRef | None = None) -> tuple[str, float]:
        """The condition of the goal that words ask for, and how surely: more than `MEANT_FROM`.

        Raises:
            UsageError: None surely is; with the nearest.
        """
        goals = self._makes.domain().goals
        if not goals:
            raise UsageError("goal.no_goals")
        evaluation: IntentEvaluation = await self._mind.ask(EvaluateIntent(text, goals, turn=turn))
        known = {info.key for info in goals}
        ranked = [each for each in evaluation.ranked if each.info.key in known]
        if evaluation.chosen is not None and ranked and ranked[0].score > MEANT_FROM:
            return evaluation.chosen.key.removeprefix(GOAL), ranked[0].score
        ranking = _ranking(ranked)
        raise UsageError("goal.nothing_fits" if ranking else "goal.nothing_near", ranking=ranking)


def _there(there: JsonObject, domain: GoalDomain) -> tuple[dict[str, bool], JsonObject]:
    """What is there: which conditions are so, and the values by type or parameter.

    Raises:
        UsageError: Nothing is called so, or a value is lacking.
    """
    params = {name for info in domain.infos.values() for name in info.properties()}
    now: dict[str, bool] = {}
    values: JsonObject = {}
    for name, value in there.items():
        if name in domain.conditions and isinstance(value, bool):
            now[name] = value
        elif name not in domain.types | params:
            raise UsageError("goal.none_such", name=cut(name, _LONGEST))
        elif value is True and name in domain.types:
            raise UsageError("goal.no_value", name=name)
        else:
            values[name] = value
    return now | {have(name): True for name in values if name in domain.types}, values


def _apart(stages: Sequence[Sequence[StepDraft]]) -> list[list[StepDraft]]:
    """Words that name what one step reads do not say where another writes, if it has a place of its own."""
    read = {
        (str(value), draft.id)
        for stage in stages
        for draft in stage
        for name, value in draft.params.items()
        if draft.info.path_params().get(name) == "read"
    }
    return [
        [_not_over(draft, {path for path, by in read if by != draft.id}) for draft in stage]
        for stage in stages
    ]


def _not_over(draft: StepDraft, read: Collection[str]) -> StepDraft:
    needed = draft.info.required()
    paths = draft.info.path_params().items()
    places = {name for name, access in paths if access == "write" and name not in needed}
    kept = {
        name: value for name, value in draft.params.items() if name not in places or str(value) not in read
    }
    return replace(draft, params=kept)


def _ranking(ranked: Sequence[RankedAbility]) -> str:
    told = [
        sentence_of("goal.ranked", name=each.info.description, score=each.score)
        for each in ranked[:_NAMED]
        if each.score > 0
    ]
    return sentence_of("step.comma").join(told)


async def said_for(
    finder: ParameterFinder,
    draft: StepDraft,
    *,
    turn: TurnRef | None = None,
    resolved: ResolvedText | None = None,
) -> StepDraft:
    """With the arguments that the words give for what no step brings."""
    try:
        found = await finder.find(ExtractParams(draft.text, draft.info, resolved=resolved, turn=turn))
    except PartnerError:
        return draft  # the person is asked instead
    return with_words(draft, found)


def with_words(draft: StepDraft, found: ExtractedParams) -> StepDraft:
    """With what was found, but for what a step brings."""
    fed = {feed.param for feed in draft.feeds}
    params = {name: value for name, value in found.values.items() if name not in fed}
    return replace(draft, params=params, leftovers=found.leftovers)


def _names(domain: GoalDomain) -> Iterable[tuple[str, str]]:
    """What a person may call a condition, the surest last."""
    for key, info in domain.infos.items():
        yield info.title, ran(key)
    for key in domain.infos:
        yield key.rpartition("::")[2], ran(key)
        yield key, ran(key)
    yield from ((name, name) for name in domain.conditions)
    yield from ((kind, have(kind)) for kind in domain.types)
