"""Which steps of a plan there is something to check of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.action.verification.verifier import executed
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import StepStatus
from tests.action.plans.made import NOW, chain, step

DONE = ActionRecord(
    *("Zip", "c1", "e1", "local::zip", "Zip", ""),
    params={},
    schema={},
    status=ActionStatus.SUCCEEDED,
    created_at=NOW,
)


@pytest.mark.parametrize(
    ("status", "run", "checked"),
    [
        (StepStatus.SUCCEEDED, DONE, True),
        (StepStatus.SUCCEEDED, None, False),
        (StepStatus.SUCCEEDED, replace(DONE, status=ActionStatus.FAILED), False),
        (StepStatus.FAILED, DONE, False),
        (StepStatus.SKIPPED, None, False),
    ],
)
def test_what_plan_and_record_say_was_done_is_checked(
    status: StepStatus, run: ActionRecord | None, checked: bool
) -> None:
    plan = replace(DONE, id="plan", chain=chain([step("Zip", status)]))
    found = executed(plan, {} if run is None else {"Zip": run})
    assert [each.step.id for each in found] == ["Zip"] * checked
