"""What is so of the tasks of a saved plan while it runs, of its steps and what they told. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from partner_desktop.action.runs.step_outcomes import brought, mended
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.domain.plan_condition import DONE, FAILED, RUNNING, TaskWorld
from partner_desktop.domain.saved_plan import OF_RESULT


def task_world(chain: Plan, children: Mapping[str, ActionRecord]) -> TaskWorld:
    """`children`: what the steps became. The main task knows the plan's arguments from the start."""
    statuses = {chain.main_task: RUNNING} if chain.main_task else {}
    context: dict[str, JsonObject] = {chain.main_task: dict(chain.arguments)} if chain.main_task else {}
    for step in chain.steps:
        told = _told(chain, step)
        if told is None:
            continue
        task = str(told["task"])
        statuses[task] = str(told["status"])
        context[task] = {**context.get(task, {}), **_context(told, children.get(step.id))}
    return TaskWorld(statuses, context)


def _told(chain: Plan, step: Step) -> JsonObject | None:
    """What a step that has ended says of its task; what fails says so, though its author did not."""
    if step.status is StepStatus.SUCCEEDED:
        told = step.outcomes.get(DONE)
    elif step.status is StepStatus.FAILED and not mended(chain, step):
        told = step.outcomes.get(FAILED) or {"task": step.task, "status": FAILED}
    else:
        return None
    return told if isinstance(told, dict) and told.get("task") else None


def _context(told: JsonObject, child: ActionRecord | None) -> JsonObject:
    result: Json = child.data if child is not None else None
    members: JsonObject = dict(result) if isinstance(result, dict) else {}
    if child is not None and not isinstance(result, dict):
        members["result"] = result if result is not None else brought(child).strip()
    declared = told.get("context")
    for name, value in declared.items() if isinstance(declared, dict) else ():
        if not (isinstance(value, dict) and OF_RESULT in value):
            members[name] = value
        elif (member := str(value[OF_RESULT])) in members:
            members[name] = members[member]
    return members
