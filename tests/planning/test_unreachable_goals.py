"""That there is no plan is proven and explained; that a search gave up is another answer."""

from __future__ import annotations

import pytest

from partner_desktop.planning import (
    ActionSet,
    ComputedPlan,
    GaveUp,
    MissingCondition,
    PlanAction,
    SearchLimits,
    Unreachable,
    find_plan,
)

BAKE = PlanAction("bake", {"dough": True, "oven hot": True, "power cut": False}, {"bread": True})
KNEAD = PlanAction("knead", {"flour": True, "hands clean": True}, {"dough": True})
HEAT = PlanAction("heat", {"power cut": False}, {"oven hot": True})


def missing(answer: object) -> list[MissingCondition]:
    assert isinstance(answer, Unreachable), answer
    return list(answer.missing)


@pytest.mark.promise("planning.unreachable")
def test_what_nothing_produces_is_named_with_what_needs_it() -> None:
    answer = find_plan({"hands clean": True}, {"bread": True, "smile": True}, [BAKE, KNEAD, HEAT])
    assert missing(answer) == [
        MissingCondition("flour", True, ("knead",), by_goal=False, cause="no_producer"),
        MissingCondition("smile", True, (), by_goal=True, cause="no_producer"),
    ]


def test_a_condition_that_nothing_makes_false_is_named_as_that() -> None:
    start = {"flour": True, "hands clean": True, "power cut": True}
    assert missing(find_plan(start, {"bread": True}, [BAKE, KNEAD, HEAT])) == [
        MissingCondition("power cut", False, ("bake", "heat"), by_goal=False, cause="no_producer")
    ]


def test_what_is_not_known_and_not_made_is_named_as_unknown() -> None:
    answer = find_plan({"flour": True}, {"bread": True}, [BAKE, KNEAD, HEAT], unknown=["hands clean"])
    assert missing(answer) == [
        MissingCondition("hands clean", True, ("knead",), by_goal=False, cause="unknown")
    ]
    as_goal = find_plan({}, {"flour": False}, [BAKE, KNEAD, HEAT], unknown=["flour"])
    assert missing(as_goal) == [MissingCondition("flour", False, (), by_goal=True, cause="unknown")]


def test_what_an_action_sets_is_known_afterwards() -> None:
    wash = PlanAction("wash", {}, {"hands clean": True})
    answer = find_plan({"flour": True}, {"dough": True}, [KNEAD, wash], unknown=["hands clean"])
    assert isinstance(answer, ComputedPlan)
    assert answer.actions == (wash, KNEAD)


@pytest.mark.parametrize(
    ("actions", "circle"),
    [
        ([PlanAction("wish", {"a": True}, {"a": True})], {"a": ("wish",)}),
        (
            [
                PlanAction("start", {"b": True}, {"a": True}),
                PlanAction("then", {"c": True}, {"b": True}),
                PlanAction("again", {"b": True}, {"c": True}),
            ],
            {"b": ("again", "start"), "c": ("then",)},
        ),
    ],
)
def test_a_goal_that_needs_itself_is_told_by_its_circle(
    actions: list[PlanAction], circle: dict[str, tuple[str, ...]]
) -> None:
    found = missing(find_plan({}, {"a": True}, actions))
    assert {each.condition: each.needed_by for each in found} == circle
    assert {each.cause for each in found} == {"circular"}
    assert [each.by_goal for each in found if each.condition == "a"] in ([], [True])


def test_a_circle_of_ten_thousand_actions_is_told_at_once() -> None:
    count = 10_000
    circle = [PlanAction(f"act {n}", {f"c{n}": True}, {f"c{(n + 1) % count}": True}) for n in range(count)]
    found = missing(find_plan({}, {"c7": True}, circle))
    assert len(found) == count
    assert {each.cause for each in found} == {"circular"}


def test_what_can_be_had_but_not_together_is_unreachable_and_nothing_is_missing() -> None:
    eat = PlanAction("eat", {"cake": True}, {"fed": True, "cake": False})
    assert find_plan({"cake": True}, {"cake": True, "fed": True}, [eat]) == Unreachable()


def switches(count: int) -> list[PlanAction]:
    """Lights of which each changes only while all below are on: a plan to the last takes 2 ** count steps."""
    made = []
    for number in range(count):
        below = {f"light {n}": False for n in range(number - 1)}
        below |= {f"light {number - 1}": True} if number else {}
        for value in (True, False):
            name = f"switch {number} {'on' if value else 'off'}"
            made.append(PlanAction(name, below | {f"light {number}": not value}, {f"light {number}": value}))
    return made


@pytest.mark.promise("planning.unreachable")
def test_a_search_that_reaches_its_limit_says_so_and_never_that_there_is_no_plan() -> None:
    goal = {f"light {n}": n == 7 for n in range(8)}
    actions = ActionSet(switches(8))
    gave_up = find_plan({}, goal, actions, limits=SearchLimits(expansions=20))
    assert isinstance(gave_up, GaveUp)
    assert (gave_up.limit, gave_up.expanded) == ("expansions", 20)
    found = find_plan({}, goal, actions)
    assert isinstance(found, ComputedPlan), "having given up is not remembered as an answer"
    assert len(found.actions) == 255


def test_a_search_is_called_off_between_two_expansions() -> None:
    asked = iter([False] * 5 + [True])
    goal = {f"light {n}": n == 7 for n in range(8)}
    answer = find_plan({}, goal, switches(8), limits=SearchLimits(cancelled=lambda: next(asked)))
    assert isinstance(answer, GaveUp)
    assert (answer.limit, answer.expanded) == ("cancelled", 5)


def test_who_gives_up_tells_what_a_plan_costs_at_least() -> None:
    parts = [PlanAction(f"part {n}", {}, {f"part {n}": True}, cost=0.1) for n in range(3)]
    answer = find_plan({}, {f"part {n}": True for n in range(3)}, parts, limits=SearchLimits(expansions=1))
    assert answer == GaveUp("expansions", 1, at_least=0.3)
