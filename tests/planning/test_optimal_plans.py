"""The plan found is the best one, whatever is false, unknown, free of cost or beside the point."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner_desktop.planning import ActionSet, ComputedPlan, PlanAction, Unreachable, find_plan
from tests.planning.small_problems import SmallProblem, carried_out, dijkstra, small_problems


def names(answer: object) -> list[str]:
    assert isinstance(answer, ComputedPlan), answer
    return [action.name for action in answer.actions]


@pytest.mark.slow
@pytest.mark.promise("planning.optimal")
@settings(max_examples=250, deadline=None)
@given(small_problems())
def test_a_plan_costs_what_dijkstras_does_and_takes_as_few_steps(problem: SmallProblem) -> None:
    best = dijkstra(problem)
    answer = find_plan(problem.start, problem.goal, problem.actions, unknown=problem.unknown)
    if best is None:
        assert isinstance(answer, Unreachable)
        return
    assert isinstance(answer, ComputedPlan)
    assert (answer.cost, len(answer.actions)) == (float(best.cost), best.steps)
    after = carried_out(problem, answer.actions)
    assert all(after[name] is value for name, value in problem.goal.items())


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(small_problems(), st.randoms(use_true_random=False))
def test_ties_do_not_depend_on_any_order(problem: SmallProblem, shuffled: random.Random) -> None:
    answer = find_plan(problem.start, problem.goal, problem.actions, unknown=problem.unknown)

    def other(items: dict[str, bool]) -> dict[str, bool]:
        pairs = list(items.items())
        shuffled.shuffle(pairs)
        return dict(pairs)

    actions = [
        PlanAction(each.name, other(dict(each.preconditions)), other(dict(each.effects)), each.cost)
        for each in problem.actions
    ]
    shuffled.shuffle(actions)
    again = find_plan(
        other(dict(problem.start)), other(dict(problem.goal)), actions, unknown=problem.unknown[::-1]
    )
    assert again == answer


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(small_problems(), small_problems())
def test_a_set_of_actions_that_remembers_answers_as_one_that_is_new(
    problem: SmallProblem, other: SmallProblem
) -> None:
    remembering = ActionSet(problem.actions)
    for start, unknown in ((problem.start, problem.unknown), (other.start, other.unknown)) * 2:
        here = SmallProblem(start, problem.goal, problem.actions, unknown)
        answer = find_plan(start, problem.goal, remembering, unknown=unknown)
        best = dijkstra(here)
        assert isinstance(answer, ComputedPlan) is (best is not None)
        if best is not None and isinstance(answer, ComputedPlan):
            assert (answer.cost, len(answer.actions)) == (float(best.cost), best.steps)
            # Wherever the plan leads, what is left of it is the best there is.
            for done in range(len(answer.actions)):
                now = carried_out(here, answer.actions[:done])
                known = {name: value for name, value in now.items() if value is not None}
                rest = find_plan(known, problem.goal, remembering, unknown=now.keys() - known.keys())
                assert names(rest) == [action.name for action in answer.actions[done:]]


CHAIN = [
    PlanAction(f"step {n}", {f"stage {n}": True, f"blocked {n}": False}, {f"stage {n + 1}": True}, cost=0.5)
    for n in range(10)
]


@pytest.mark.promise("planning.distractors")
def test_ten_needed_steps_among_ten_thousand_that_could_be_taken_are_the_plan() -> None:
    distractors = [
        PlanAction(
            f"other {n}",
            {f"thing {n // 2}": True} if n else {},
            {f"thing {n}": True, f"stage {n % 10}": False},
            cost=0.01,
        )
        for n in range(10_000)
    ]
    detour = PlanAction("shortcut", {"stage 2": True}, {"stage 6": True, "blocked 8": True}, cost=0.1)
    actions = [*distractors[:5_000], *CHAIN, detour, *distractors[5_000:]]
    answer = find_plan({"stage 0": True}, {"stage 10": True}, actions)
    assert names(answer) == [f"step {n}" for n in range(10)]
    assert isinstance(answer, ComputedPlan)
    assert answer.cost == 5.0
    freed = PlanAction("free", {}, {"blocked 8": False}, cost=0.2)
    shorter = find_plan({"stage 0": True}, {"stage 10": True}, [*actions, freed])
    assert isinstance(shorter, ComputedPlan)
    assert shorter.cost == 3.3, "a detour that leads over what is relevant is no distractor"


def test_what_matters_for_a_goal_is_all_that_leads_to_it_and_nothing_else() -> None:
    detour = PlanAction("detour", {"far": False}, {"stage 5": True})
    return_home = PlanAction("return", {"lost": True}, {"far": False, "stage 3": False})
    undoing = PlanAction("undo", {"stage 4": True}, {"stage 4": False, "far": True})
    beside = PlanAction("sing", {"stage 2": True}, {"song": True})
    known = ActionSet([*CHAIN, beside, detour, undoing, return_home])
    part = known.relevant({"stage 10": True})
    assert {action.name for action in part.actions} == {"detour", "return", *(each.name for each in CHAIN)}
    assert ("far", False) in part.facts
    assert ("far", True) not in part.facts
    assert ("lost", True) in part.facts


def test_ten_thousand_actions_in_one_circle_are_planned_with() -> None:
    count = 10_000
    circle = [PlanAction(f"go {n}", {f"at {n}": True}, {f"at {(n + 1) % count}": True}) for n in range(count)]
    answer = find_plan({"at 9990": True}, {"at 9": True}, circle)
    assert len(names(answer)) == 19


@pytest.mark.parametrize(
    ("actions", "plan"),
    [
        ([("b", 1.0), ("a", 1.0)], ["a"]),
        ([("b", 0.9), ("a", 1.0)], ["b"]),
        ([("b", 0.0), ("a", 0.0)], ["a"]),
    ],
)
def test_of_equal_actions_the_first_by_name_is_taken(
    actions: list[tuple[str, float]], plan: list[str]
) -> None:
    made = [PlanAction(name, {}, {"done": True}, cost) for name, cost in actions]
    assert names(find_plan({}, {"done": True}, made)) == plan


def test_costs_add_up_as_decimals_so_that_fewer_steps_decide() -> None:
    thrice = [PlanAction(f"part {n}", {}, {f"part {n}": True}, cost=0.1) for n in range(3)]
    finish = PlanAction("a finish", {f"part {n}": True for n in range(3)}, {"done": True})
    once = PlanAction("whole", {}, {"done": True}, cost=0.3)
    assert 0.1 + 0.1 + 0.1 > 0.3
    assert names(find_plan({}, {"done": True}, [*thrice, finish, once])) == ["whole"]
    cheaper = PlanAction("whole", {}, {"done": True}, cost=0.30000000000000004)
    assert len(names(find_plan({}, {"done": True}, [*thrice, finish, cheaper]))) == 4


def test_of_plans_that_cost_the_same_that_of_fewer_steps_is_found() -> None:
    def route(name: str, costs: list[float]) -> list[PlanAction]:
        stops = [f"{name} {n}" for n in range(len(costs))]
        ends = [*stops[1:], "there"]
        return [
            PlanAction(f"{name} {n}", {stop: True} if n else {}, {end: True}, cost)
            for n, (stop, end, cost) in enumerate(zip(stops, ends, costs, strict=True))
        ]

    # After its dear first step, the longer way looks nearer to the goal.
    answer = find_plan({}, {"there": True}, [*route("long", [2, 0.5, 0.5]), *route("short", [0.5, 2.5])])
    assert names(answer) == ["short 0", "short 1"]


def test_free_steps_are_not_taken_for_nothing_and_do_not_go_round() -> None:
    back_and_forth = [
        PlanAction("on", {"lit": False}, {"lit": True}),
        PlanAction("off", {"lit": True}, {"lit": False}),
        PlanAction("dream", {"lit": False, "tired": True}, {"rested": True}),
        PlanAction("tire", {"lit": True}, {"tired": True}),
    ]
    assert names(find_plan({}, {"rested": True}, back_and_forth)) == ["on", "tire", "off", "dream"]


def test_a_goal_that_holds_already_needs_no_step() -> None:
    assert find_plan({"a": True}, {"a": True, "b": False}, []) == ComputedPlan((), 0.0)


def test_very_large_and_very_small_costs_are_told_apart() -> None:
    actions = [
        PlanAction("much", {}, {"a": True}, cost=1e300),
        PlanAction("less", {}, {"b": True}, cost=5e299),
        PlanAction("a little", {"b": True}, {"a": True}, cost=1e-300),
    ]
    answer = find_plan({}, {"a": True}, actions)
    assert names(answer) == ["less", "a little"]
    assert isinstance(answer, ComputedPlan)
    assert answer.cost == float(Fraction("5e299") + Fraction("1e-300"))
