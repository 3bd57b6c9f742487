"""What steps that ended say of a saved plan's tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.action.runs.task_world import task_world
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan import Step, StepStatus
from tests.action.plans.made import NOW, chain, step

DONE: JsonObject = {"task": "a", "status": "done"}
WAY_OUT: JsonObject = {"task": "way_out", "status": "done"}


def ended(status: StepStatus, **outcomes: Json) -> Step:
    return replace(step("Zip", status), task="a", outcomes=outcomes)


def run(data: Json, stdout: str = "") -> ActionRecord:
    return ActionRecord(
        *("Zip", "c1", "e1", "local::zip", "Zip", ""),
        params={},
        schema={},
        status=ActionStatus.SUCCEEDED,
        created_at=NOW,
        data=data,
        stdout=stdout,
    )


FAILED = ended(StepStatus.FAILED, done=DONE, failed=WAY_OUT)
TRY = replace(FAILED, id="Zip2", status=StepStatus.SUCCEEDED, origin="retry", mends="Zip")


@pytest.mark.parametrize(
    ("steps", "statuses"),
    [
        ([ended(StepStatus.PLANNED, done=DONE)], {}),
        ([ended(StepStatus.SKIPPED, done=DONE)], {}),
        ([ended(StepStatus.SUCCEEDED, done=DONE)], {"a": "done"}),
        ([ended(StepStatus.FAILED, done=DONE)], {"a": "failed"}),
        ([FAILED], {"way_out": "done"}),
        ([FAILED, replace(TRY, status=StepStatus.FAILED)], {"way_out": "done"}),
        ([FAILED, TRY], {"a": "done"}),
    ],
)
def test_a_task_is_as_the_step_that_ended_says(steps: list[Step], statuses: dict[str, str]) -> None:
    assert task_world(chain(steps), {}).statuses == statuses
    main = replace(chain(steps), main_task="main", arguments={"who": "Ann"})
    found = task_world(main, {})
    assert found.statuses == {"main": "running", **statuses}
    assert found.context["main"] == {"who": "Ann"}


@pytest.mark.parametrize(
    ("declared", "data", "context"),
    [
        ({}, {"size": 3}, {"size": 3}),
        ({"who": "Ann"}, {"size": 3}, {"size": 3, "who": "Ann"}),
        ({"big": {"$output": "size"}}, {"size": 3}, {"size": 3, "big": 3}),
        ({"big": {"$output": "gone"}}, {"size": 3}, {"size": 3}),
        ({}, [1, 2], {"result": [1, 2]}),
        ({}, None, {"result": "as text"}),
    ],
)
def test_a_task_knows_what_its_step_told(declared: JsonObject, data: Json, context: JsonObject) -> None:
    one = ended(StepStatus.SUCCEEDED, done={**DONE, "context": declared})
    child = run(data, "" if data is not None else "as text\n")
    assert task_world(chain([one]), {"Zip": child}).context == {"a": context}
