"""Of what is not known, only what can change the best plan is found out about, the cheapest of it first."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.planning import PlanAction, PlanningError, SearchLimits, worth_sensing
from tests.planning.small_problems import NAMES, SmallProblem, Worth, dijkstra, small_problems


def mattering(problem: SmallProblem) -> set[str]:
    """Conditions of which, some others being known, a value allows a better plan than not knowing them."""
    found = set()
    for name in problem.unknown:
        others = [each for each in problem.unknown if each != name]
        for values in product((None, True, False), repeat=len(others)):
            known = {each: value for each, value in zip(others, values, strict=True) if value is not None}
            unknown = tuple(each for each in others if each not in known)

            def best(more: dict[str, bool], unknown: tuple[str, ...]) -> Worth:
                start = {**problem.start, **more}
                here = SmallProblem(start, problem.goal, problem.actions, unknown)
                return dijkstra(here) or Worth(10**9, 0)  # type: ignore[arg-type]

            not_knowing = best(known, (*unknown, name))
            if any(best({**known, name: value}, unknown) < not_knowing for value in (True, False)):
                found.add(name)
    return found


@pytest.mark.slow
@pytest.mark.promise("planning.unknowns")
@settings(max_examples=100, deadline=None)
@given(small_problems(), st.permutations([0.0, 0.5, 1.0, 1.0, 2.0, 3.0]))
def test_the_cheapest_condition_that_matters_is_sensed(problem: SmallProblem, prices: list[float]) -> None:
    costs = dict(zip(NAMES, prices, strict=True))
    chosen = worth_sensing(problem.start, problem.goal, problem.actions, unknown=problem.unknown, costs=costs)
    assert chosen == min(mattering(problem), key=lambda name: (costs[name], name), default=None)


WALK = PlanAction("walk", {}, {"there": True}, cost=5)
RIDE = PlanAction("ride", {"bicycle here": True, "raining": False}, {"there": True}, cost=2)
DRIVE = PlanAction("drive", {"car free": True}, {"there": True}, cost=1)
UNKNOWN = ("bicycle here", "raining", "car free", "shops open")


@pytest.mark.promise("planning.unknowns")
def test_of_four_unknown_conditions_the_three_that_matter_are_sensed_by_price() -> None:
    costs = {"bicycle here": 0.2, "raining": 0.1, "car free": 0.3, "shops open": 0.0}
    actions = [WALK, RIDE, DRIVE, PlanAction("shop", {"shops open": True}, {"bread": True})]

    def next_of(known: dict[str, bool]) -> str | None:
        unknown = [name for name in UNKNOWN if name not in known]
        return worth_sensing(known, {"there": True}, actions, unknown=unknown, costs=costs)

    assert next_of({}) == "raining"
    assert next_of({"raining": True}) == "car free", "in the rain, the bicycle does not matter any more"
    assert next_of({"raining": False}) == "bicycle here"
    assert next_of({"raining": False, "bicycle here": True}) == "car free"
    assert next_of({"raining": False, "bicycle here": True, "car free": False}) is None
    assert next_of({"car free": True}) is None, "nothing is better than to drive"


def test_without_a_plan_what_could_give_one_is_sensed() -> None:
    both = PlanAction("open", {"key here": True, "locked": True}, {"open": True})
    assert worth_sensing({}, {"open": True}, [both], unknown=["locked", "key here"]) == "key here"
    assert worth_sensing({"key here": True}, {"open": True}, [both], unknown=["locked"]) == "locked"
    assert worth_sensing({"locked": False}, {"open": True}, [both], unknown=["key here"]) is None


def test_a_plan_that_would_need_a_condition_both_ways_is_no_reason_to_sense_it() -> None:
    actions = [
        PlanAction("by day", {"day": True}, {"half": True}),
        PlanAction("by night", {"day": False, "half": True}, {"done": True}),
    ]
    assert worth_sensing({}, {"done": True}, actions, unknown=["day"]) is None


@pytest.mark.parametrize(("plain", "with_sun"), [("a", "b"), ("b", "a")])
def test_what_a_plan_leans_on_and_could_do_without_is_not_sensed(plain: str, with_sun: str) -> None:
    actions = [
        WALK,
        PlanAction(plain, {"car free": True}, {"there": True}, cost=1),
        PlanAction(with_sun, {"car free": True, "sunny": True}, {"there": True}, cost=1),
    ]
    costs = {"car free": 2.0, "sunny": 1.0}
    chosen = worth_sensing({}, {"there": True}, actions, unknown=["sunny", "car free"], costs=costs)
    assert chosen == "car free"


def test_forty_unknown_conditions_do_not_take_two_to_the_forty_searches() -> None:
    ways = [
        PlanAction(f"way {n}", {f"open {n}": True, f"guarded {n}": False}, {"there": True}, cost=n)
        for n in range(20)
    ]
    unknown = [f"open {n}" for n in range(20)] + [f"guarded {n}" for n in range(20)]
    assert worth_sensing({}, {"there": True}, [*ways, WALK], unknown=unknown) == "guarded 0"
    costs = dict.fromkeys(unknown, 1.0) | {"open 4": 0.5, "open 7": 0.1}
    assert worth_sensing({}, {"there": True}, [*ways, WALK], unknown=unknown, costs=costs) == "open 4"


def test_where_the_searches_give_up_whatever_is_needed_counts() -> None:
    steps = [
        PlanAction(f"step {n}", {f"at {n}": True, f"free {n}": True}, {f"at {n + 1}": True}) for n in range(3)
    ]
    asked = {"start": {"at 0": True}, "goal": {"at 3": True}, "actions": steps}
    unknown = ["free 0", "free 1", "other"]
    few = SearchLimits(cancelled=lambda: True)
    chosen = worth_sensing(**asked, unknown=unknown, costs={"free 0": 1.0}, limits=few)  # type: ignore[arg-type]
    assert chosen is None, "that there is no plan is proven without a search: nothing makes `free 2`"
    steps[2] = PlanAction("step 2", {"at 2": True}, {"at 3": True})
    chosen = worth_sensing(**asked, unknown=unknown, costs={"free 0": 1.0}, limits=few)  # type: ignore[arg-type]
    assert chosen == "free 1"


def test_a_cost_of_sensing_below_nothing_is_refused() -> None:
    with pytest.raises(PlanningError, match="sensing is -1"):
        worth_sensing({}, {"there": True}, [WALK], unknown=["x"], costs={"x": -1})
