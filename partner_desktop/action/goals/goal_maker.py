"""GoalMaker: a maker of plans: the cheapest way to a goal as stages of drafts, each with why it is there.

It looks for abilities and begins nothing. Arguments that no step brings are whoever's that has the words.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.goals.goal_domain import (
    GoalDomain,
    known_inputs,
    plan_action,
    ran,
    unmet_words,
)
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import StepInput, StepPurpose
from partner_desktop.planning import (
    ComputedPlan,
    GaveUp,
    PlanAction,
    SearchLimits,
    StepReason,
    Unreachable,
    explain,
    find_plan,
)

Conditions = Mapping[str, bool]

#: Seconds that a search for a plan takes at most; why a step is there is looked for in what is left of them.
_MOST_S = 5.0


@dataclass(frozen=True)
class Aim:
    """What is wanted, and what is so already."""

    goal: Conditions
    now: Conditions = field(default_factory=dict)
    brought: Mapping[str, StepInput] = field(default_factory=dict)
    """Type → the step that brought it; its parameter is nobody's."""
    without: frozenset[str] = frozenset()
    """Keys of what is not to be used."""


class GoalMaker:
    """Of all that can be called now."""

    def __init__(self, catalog: AbilityCatalog) -> None:
        self._catalog = catalog
        self._seen: Sequence[MetaActionInfo] = ()
        self._domain = GoalDomain({})

    def domain(self) -> GoalDomain:
        """What takes part in computed plans now."""
        usable = self._catalog.usable()
        if usable is not self._seen:  # another list each time that anything is different
            self._seen, self._domain = usable, GoalDomain.of(usable)
        return self._domain

    async def stages(self, aim: Aim, text: str) -> list[list[StepDraft]]:
        """The cheapest way, without arguments; `text`: the words that ask for it. None where all is so.

        Raises:
            UsageError: There is no way, or none was found in time; with why.
        """
        domain = self.domain()
        return await asyncio.to_thread(stages_towards, domain, aim, text)


def stages_towards(domain: GoalDomain, aim: Aim, text: str) -> list[list[StepDraft]]:
    """The same of what is known: pure, and not for the loop.

    Raises:
        UsageError: See `GoalMaker.stages`.
    """
    until_s = time.monotonic() + _MOST_S
    limits = SearchLimits(cancelled=lambda: time.monotonic() > until_s)
    actions = [action for action in domain.actions if action.name not in aim.without]
    match find_plan(aim.now, aim.goal, actions, limits=limits):
        case Unreachable(missing):
            names = unmet_words(domain, [each.fact for each in missing])
            needy = [domain.infos[key].told.title for each in missing for key in each.needed_by]
            raise UsageError(
                "goal.nothing_brings" if needy else "goal.unreachable" if names else "goal.not_together",
                names=names,
                needed_by=sentence_of("step.comma").join(dict.fromkeys(needy)),
            )
        case GaveUp(expanded=count):
            raise UsageError("goal.gave_up", count=f"{count:,}")
        case plan:
            steps = [_draft(domain, action, text) for action in plan.actions]
            fed = [_fed(step, steps[:place], aim) for place, step in enumerate(steps)]
            reasons = explain(plan, aim.now, aim.goal, actions, limits=limits)
            purposes = _purposes(domain, reasons, fed)
            told = [replace(step, reason=why) for step, why in zip(fed, purposes, strict=True)]
            return staged(told)


def _draft(domain: GoalDomain, action: PlanAction, text: str) -> StepDraft:
    return StepDraft(domain.infos[action.name], text, origin="goal")


def _fed(step: StepDraft, earlier: Sequence[StepDraft], aim: Aim) -> StepDraft:
    """With what the steps before bring; of two that bring one type, the later."""
    feeds = []
    for name, kind in known_inputs(step.info):
        maker = next((each for each in reversed(earlier) if kind in _brought(each)), None)
        if maker is not None:
            feeds.append(StepInput(name, maker.id, maker.info.planning_facts.output_of(kind)))
        elif kind in aim.brought:
            feeds.append(replace(aim.brought[kind], param=name))
    return replace(step, feeds=tuple(feeds))


def _brought(step: StepDraft) -> Collection[str]:
    return step.info.planning_facts.outputs.values()


def _purposes(
    domain: GoalDomain, reasons: Sequence[StepReason], steps: Sequence[StepDraft]
) -> Iterator[StepPurpose]:
    for why in reasons:
        brings = {each.condition: each.value for each in why.needed if each.condition != ran(why.action.name)}
        users = (each.needed_by for each in why.needed)
        yield StepPurpose(
            tuple(domain.told(each, so=so) for each, so in brings.items()),
            tuple(name for name, so in brings.items() if so),
            tuple(dict.fromkeys(steps[user].id for user in users if user is not None)),
            cost=why.action.cost,
            without=why.without.cost if isinstance(why.without, ComputedPlan) else None,
            is_only_way=isinstance(why.without, Unreachable),
            total=sum(each.action.cost for each in reasons),
        )


def staged(steps: Sequence[StepDraft]) -> list[list[StepDraft]]:
    """Steps in stages: those that have nothing to do with each other run together."""
    stages: list[list[StepDraft]] = []
    at: list[int] = []
    actions = [plan_action(step.info) for step in steps]
    for place, action in enumerate(actions):
        after = (at[before] + 1 for before in range(place) if _touch(actions[before], action))
        at.append(max(after, default=0))
        while len(stages) <= at[-1]:
            stages.append([])
        stages[at[-1]].append(steps[place])
    return stages


def _touch(before: PlanAction, after: PlanAction) -> bool:
    """Whether one of them sets what the other needs or sets."""
    return not (
        before.effects.keys().isdisjoint({*after.preconditions, *after.effects})
        and after.effects.keys().isdisjoint(before.preconditions)
    )
