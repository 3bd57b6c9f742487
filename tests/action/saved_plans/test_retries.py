"""Which steps are tried again, by themselves and when a plan is resumed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.action.runs.retries import reopened, with_tries
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Plan, StepStatus
from tests.action.plans.made import NOW, chain, step

S, A = StepStatus, ActionStatus


def run(step_id: str, status: ActionStatus, *, began: bool = True) -> ActionRecord:
    return ActionRecord(
        *(step_id, "c1", "e1", "local::zip", "Zip", ""),
        params={},
        schema={},
        status=status,
        created_at=NOW,
        started_at=NOW if began else None,
    )


def failed(*, retries: int = 2) -> Plan:
    return chain([replace(step("Zip", S.FAILED), retries=retries)], [step("Send")])


@pytest.mark.parametrize(
    ("plan", "child", "tries"),
    [
        (failed(), run("Zip", A.FAILED), 1),
        (failed(retries=0), run("Zip", A.FAILED), 0),
        (failed(), run("Zip", A.FAILED, began=False), 0),
        (failed(), run("Zip", A.REJECTED, began=False), 0),
        (failed(), run("Zip", A.CANCELLED), 0),
        (failed(), None, 0),
        (with_tries(failed(), {"Zip": run("Zip", A.FAILED)}), run("Zip", A.FAILED), 1),
        (replace(failed(), at=2), run("Zip", A.FAILED), 0),
    ],
)
def test_what_ran_and_failed_is_tried_again_once_at_a_time(
    plan: Plan, child: ActionRecord | None, tries: int
) -> None:
    found = with_tries(plan, {} if child is None else {"Zip": child})
    again = [each for each in found.steps if each.origin == "retry"]
    assert [(each.mends, each.retries) for each in again] == [("Zip", 1)] * tries


@pytest.mark.parametrize(("status", "approved"), [(A.FAILED, True), (A.CANCELLED, True), (A.REJECTED, False)])
def test_a_plan_that_is_resumed_keeps_its_yes_but_for_what_was_said_no_to(
    status: ActionStatus, approved: bool
) -> None:
    left = replace(step("Send", S.SKIPPED), unneeded=True, error="not needed")
    before = replace(
        chain([step("Zip", S.SUCCEEDED), step("List", S.FAILED)], [left], at=1), checked="it stops here"
    )
    found = reopened(before, {"Zip": run("Zip", A.SUCCEEDED), "List": run("List", status)})
    first, kept, again, send = found.steps
    assert (first, kept) == before.stages[0].steps
    assert (again.mends, again.status, again.approved) == ("List", S.PLANNED, approved)
    assert (send.status, send.unneeded, send.error) == (S.PLANNED, False, "")
    assert (found.at, found.checked) == (0, "")
