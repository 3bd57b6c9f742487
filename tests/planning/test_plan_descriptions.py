"""What is described wrongly is refused with a sentence that says where."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from partner_desktop.planning import ActionSet, Goal, PlanAction, PlanningError, SearchLimits, find_plan
from tests.tables import all_rows

ACT = PlanAction("act", {}, {"done": True})
#: As whoever does not check types calls them.
action: Any = PlanAction
goal: Any = Goal
plan: Any = find_plan


@all_rows(
    "wrong, sentence",
    [
        (lambda: action(""), "an action is named ''"),
        (lambda: action(7), "an action is named 7"),
        (lambda: action("x", cost=-0.1), "the cost of action 'x' is -0.1; it has to be 0 or more"),
        (lambda: action("x", cost=float("inf")), "the cost of action 'x' is inf; it has to be finite"),
        (lambda: action("x", cost=float("nan")), "the cost of action 'x' is nan"),
        (lambda: action("x", cost=10**400), "the cost of action 'x'"),
        (lambda: action("x", cost="dear"), "the cost of action 'x' is 'dear'; it has to be a number"),
        (lambda: action("x", value=float("-inf")), "the value of action 'x' is -inf"),
        (lambda: action("x", {"a": None}), "the needs of action 'x': condition 'a' is None"),
        (lambda: action("x", {}, {"a": 1}), "the effects of action 'x': condition 'a' is 1"),
        (lambda: action("x", ["a"]), "the needs of action 'x': ['a'] does not map"),
        (lambda: action("x", {"": True}), "the needs of action 'x': a condition is named ''"),
        (lambda: action("x", {3: True}), "the needs of action 'x': a condition is named 3"),
        (lambda: goal("", {"a": True}), "a goal is named ''"),
        (lambda: goal("g", {"a": "yes"}), "goal 'g': condition 'a' is 'yes'"),
        (lambda: goal("g", {}, float("nan")), "the value of goal 'g' is nan"),
        (lambda: plan({"a": 0}, {}, []), "the start: condition 'a' is 0"),
        (lambda: plan({}, {"a": 0}, []), "the goal: condition 'a' is 0"),
        (lambda: plan({}, {}, [], unknown=[None]), "an unknown condition is named None"),
        (lambda: plan({"a": False}, {}, [], unknown=["a"]), "condition 'a' is unknown and has a value"),
        (lambda: plan({}, {}, [ACT, PlanAction("act")]), "two actions are named 'act'"),
        (lambda: ActionSet([ACT, ACT]), "two actions are named 'act'"),
        (lambda: SearchLimits(expansions=0), "a search of 0 expansions"),
    ],
)
def test_a_wrong_description_is_refused_with_its_place(wrong: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(PlanningError) as refused:
        wrong()
    assert sentence in str(refused.value)
    assert isinstance(refused.value, ValueError)


def test_what_was_described_stays_as_it_was() -> None:
    needs = {"a": True}
    described = PlanAction("x", needs)
    needs["a"] = False
    needs["b"] = True
    assert described == PlanAction("x", {"a": True})
    assert len({described, PlanAction("x", {"a": True})}) == 1


def test_planning_is_imported_alone() -> None:
    code = (
        "import sys, partner_desktop.planning; "
        "print(*sorted(name for name in sys.modules if name.startswith('partner_desktop.')))"
    )
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "partner_desktop.planning" in printed.split()
    assert all(name.startswith("partner_desktop.planning") for name in printed.split())
