"""The goal that is worth most wins, and a goal that was asked for is pursued to its end."""

from __future__ import annotations

import pytest

from partner_desktop.planning import (
    ComputedPlan,
    GaveUp,
    Goal,
    PlanAction,
    PlanningError,
    SearchLimits,
    Unreachable,
    find_best_plan,
    find_plan,
)

DRAFT = PlanAction("draft", {}, {"text": True}, cost=0.2)
CHECK = PlanAction("check", {"text": True}, {"checked": True}, cost=0.3, value=0.1)
SEND = PlanAction("send", {"checked": True}, {"sent": True}, cost=0.1)
NOTE = Goal("note", {"text": True}, value=0.5)
LETTER = Goal("letter", {"sent": True}, value=1.0)


@pytest.mark.promise("planning.goalvalue")
def test_the_goal_of_higher_net_value_wins() -> None:
    choice = find_best_plan({}, [NOTE, LETTER], [DRAFT, CHECK, SEND])
    assert choice.best is not None
    assert (choice.best.goal, choice.best.net_value) == (LETTER, 0.5)
    assert choice.best.plan.actions == (DRAFT, CHECK, SEND)
    assert [(each.goal.name, each.net_value) for each in choice.ranked] == [("letter", 0.5), ("note", 0.3)]
    dear = PlanAction("send", {"checked": True}, {"sent": True}, cost=0.4)
    now_worse = find_best_plan({}, [NOTE, LETTER], [DRAFT, CHECK, dear])
    assert [each.goal.name for each in now_worse.ranked] == ["note", "letter"]


@pytest.mark.promise("planning.goalvalue")
@pytest.mark.parametrize("turned", [False, True])
def test_ties_go_to_the_goal_of_fewer_steps_and_then_by_name(turned: bool) -> None:
    goals = [
        Goal("c", {"text": True}, 0.2),
        Goal("b", {"text": True}, 0.2),
        Goal("d", {"other": True}, 0.1),
        Goal("a", {"checked": True}, 0.4),
    ]
    other = PlanAction("other", {}, {"other": True}, cost=0.1)
    choice = find_best_plan({}, goals[::-1] if turned else goals, [DRAFT, CHECK, other])
    assert [each.net_value for each in choice.ranked] == [0.0] * 4
    assert [each.goal.name for each in choice.ranked] == ["b", "c", "d", "a"]


@pytest.mark.promise("planning.goalvalue")
def test_a_requested_goal_is_not_cut_short_where_another_holds_on_the_way() -> None:
    only = find_plan({}, LETTER.conditions, [DRAFT, CHECK, SEND])
    assert isinstance(only, ComputedPlan)
    assert only.actions == (DRAFT, CHECK, SEND)
    alone = find_best_plan({}, [LETTER], [DRAFT, CHECK, SEND])
    assert alone.best is not None
    assert alone.best.plan == only


def test_goals_without_a_plan_are_told_apart_and_not_ranked() -> None:
    parts = [PlanAction(f"part {n}", {}, {f"part {n}": True}) for n in range(3)]
    all_parts = Goal("all", {f"part {n}": True for n in range(3)}, value=5)
    limits = SearchLimits(expansions=1)
    choice = find_best_plan(
        {}, [NOTE, all_parts, Goal("moon", {"moon": True}, 9)], [DRAFT, *parts], limits=limits
    )
    assert [each.goal.name for each in choice.ranked] == ["note"]
    assert isinstance(choice.answers["all"], GaveUp)
    assert isinstance(choice.answers["moon"], Unreachable)
    assert find_best_plan({}, [], []).best is None


def test_a_goal_that_holds_already_is_worth_its_value() -> None:
    best = find_best_plan({"text": True}, [NOTE], []).best
    assert best is not None
    assert (best.plan.actions, best.net_value) == ((), 0.5)


def test_two_goals_of_one_name_are_refused() -> None:
    with pytest.raises(PlanningError, match="two goals are named 'note'"):
        find_best_plan({}, [NOTE, NOTE], [])
