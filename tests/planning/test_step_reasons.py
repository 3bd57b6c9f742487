"""Each step of a plan can say what it is for, and what there would be without it."""

from __future__ import annotations

import pytest

from partner_desktop.planning import (
    ActionSet,
    ComputedPlan,
    NeededEffect,
    PlanAction,
    PlanningError,
    Unreachable,
    explain,
    find_plan,
)

UNPACK = PlanAction("unpack", {"zipped": True}, {"files": True, "zipped": False}, cost=1)
SORT = PlanAction("sort", {"files": True}, {"sorted": True, "noise": True}, cost=1)
QUIET = PlanAction("quiet", {}, {"noise": False}, cost=1)
ASK = PlanAction("ask someone", {}, {"sorted": True}, cost=9)
GOAL = {"sorted": True, "noise": False, "zipped": False}


@pytest.mark.parametrize("prepared", [False, True])
def test_effects_are_told_by_who_needs_them_and_alternatives_by_their_cost(prepared: bool) -> None:
    actions = [UNPACK, SORT, QUIET, ASK]
    known = ActionSet(actions) if prepared else actions
    plan = find_plan({"zipped": True}, GOAL, known)
    assert isinstance(plan, ComputedPlan)
    unpack, sort, quiet = explain(plan, {"zipped": True}, GOAL, known)
    assert (unpack.action, sort.action, quiet.action) == (UNPACK, SORT, QUIET)
    assert unpack.needed == (NeededEffect("files", True, 1), NeededEffect("zipped", False, None))
    assert sort.needed == (NeededEffect("sorted", True, None),)
    assert quiet.needed == (NeededEffect("noise", False, None),)
    assert isinstance(unpack.without, Unreachable)
    assert [each.condition for each in unpack.without.missing] == ["zipped"]
    assert isinstance(sort.without, ComputedPlan)
    assert (sort.without.actions, sort.without.cost) == ((ASK, UNPACK), 10.0)
    assert isinstance(quiet.without, ComputedPlan)
    assert quiet.without.cost == 10.0


def test_a_plan_that_does_not_lead_there_is_refused() -> None:
    with pytest.raises(PlanningError, match=r"step 1 \('sort'\) needs 'files' to be True"):
        explain(ComputedPlan((SORT,), 1.0), {}, {"sorted": True}, [SORT])
    with pytest.raises(PlanningError, match="the goal needs 'noise' to be False"):
        explain(ComputedPlan((SORT,), 1.0), {"files": True}, {"noise": False}, [SORT])
    with pytest.raises(PlanningError, match="'files' to be True"):
        explain(ComputedPlan((SORT,), 1.0), {}, {"sorted": True}, [SORT], unknown=["files"])


def test_a_plan_without_steps_has_no_reasons() -> None:
    assert explain(ComputedPlan((), 0.0), {"a": True}, {"a": True}, []) == ()
