"""A set of actions that is read once and planned with many times, and the way in: `find_plan`.

Reading is one look at each action, whatever it does. For a goal, only the actions from which a way of needs
leads to it are turned into bits: all of them, so that no detour is lost. For a start, those of them that can
be reached at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from partner_desktop.planning.plan_answers import PlanAnswer, SearchLimits
from partner_desktop.planning.plan_descriptions import Fact, PlanAction, World, by_name, conditions_of
from partner_desktop.planning.relevant_part import RelevantPart

#: Of so many goals, a set of actions remembers what matters for them.
_GOALS = 32


class ActionSet:
    """Actions, ready to be planned with. It remembers answers: the same world is not searched twice.

    While a world goes on as a plan foresaw it, the rest of that plan is the answer.

    Raises:
        PlanningError: two actions have one name.
    """

    def __init__(self, actions: Iterable[PlanAction]) -> None:
        self.actions: Mapping[str, PlanAction] = by_name(actions, "actions")
        # Most conditions are set by one action: a list for each would take longer than all else.
        self._setter: dict[str, PlanAction] = {}
        self._setters: dict[str, list[PlanAction]] = {}
        for action in self.actions.values():
            for condition in action.effects:
                if condition not in self._setter:
                    self._setter[condition] = action
                elif condition in self._setters:
                    self._setters[condition].append(action)
                else:
                    self._setters[condition] = [self._setter[condition], action]
        self._relevant: dict[frozenset[Fact], RelevantPart] = {}

    def answer(self, world: World, goal: Mapping[str, bool], limits: SearchLimits) -> PlanAnswer:
        """The cheapest plan from `world` to `goal`, or why there is none."""
        return self.relevant(goal).answer(world, limits)

    def relevant(self, goal: Mapping[str, bool]) -> RelevantPart:
        """What can take part in a plan for `goal`."""
        wanted = frozenset(goal.items())
        if (part := self._relevant.get(wanted)) is None:
            if len(self._relevant) >= _GOALS:
                del self._relevant[next(iter(self._relevant))]
            part = self._relevant[wanted] = RelevantPart(wanted, *self._leading_to(wanted))
        return part

    def _leading_to(self, wanted: frozenset[Fact]) -> tuple[list[Fact], list[PlanAction]]:
        """Facts that are needed on some way to those wanted, and all actions that bring them about."""
        facts = set(wanted)
        waiting = list(wanted)
        found: dict[str, PlanAction] = {}
        while waiting:
            condition, value = waiting.pop()
            if condition not in self._setter:
                continue
            for action in self._setters.get(condition, (self._setter[condition],)):
                if action.name in found or action.effects[condition] is not value:
                    continue
                found[action.name] = action
                for need in action.preconditions.items():
                    if need not in facts:
                        facts.add(need)
                        waiting.append(need)
        return sorted(facts), [found[name] for name in sorted(found)]


def find_plan(
    start: Mapping[str, bool],
    goal: Mapping[str, bool],
    actions: Iterable[PlanAction] | ActionSet,
    *,
    unknown: Iterable[str] = (),
    limits: SearchLimits | None = None,
) -> PlanAnswer:
    """The cheapest plan after which all conditions of `goal` have their values, or why there is none.

    Args:
        start: What holds. A condition that is not named is false.
        actions: What can be done; an `ActionSet` is read once for many plans.
        unknown: Conditions whose value is not known: neither value holds of them until an action sets it.

    Returns:
        The plan of least cost, of those of least steps, and of those always the same one, in whatever order
        conditions and actions are given. `Unreachable` is proven; `GaveUp` says which limit was reached.

    Raises:
        PlanningError: something is described wrongly, or two actions have one name.
    """
    known = actions if isinstance(actions, ActionSet) else ActionSet(actions)
    return known.answer(
        World.described(start, unknown), conditions_of(goal, "the goal"), limits or SearchLimits()
    )
