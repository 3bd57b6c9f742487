"""Further tries of steps that failed: by itself as often as a step says, and when the person resumes. Pure.

A further try is a step of its own, right after the one that failed, which stays where it is: the card shows
each try. It is covered by the yes to the first (`PermissionEngine.planned`), for the same arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from partner_desktop.action.runs.step_outcomes import broken, first_try
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Plan, Stage, Step, StepStatus


def with_tries(chain: Plan, children: Mapping[str, ActionRecord]) -> Plan:
    """The plan with a further try of each step of its stage that ran, failed and may be tried again."""
    if chain.at >= len(chain.stages):
        return chain
    tried = {step.mends for step in chain.steps if step.origin == "retry"}

    def again(step: Step) -> Step | None:
        child = children.get(step.id)
        ran = child is not None and child.status is ActionStatus.FAILED and child.started_at is not None
        if step.status is not StepStatus.FAILED or not ran or step.retries <= 0 or step.id in tried:
            return None
        return _try(step, retries=step.retries - 1)

    stages = list(chain.stages)
    stages[chain.at] = _with(stages[chain.at], again)
    return replace(chain, stages=tuple(stages))


def reopened(chain: Plan, children: Mapping[str, ActionRecord]) -> Plan:
    """The plan as it goes on after it was given up: what is done stays, what failed is tried from the start.

    A step that was under way or that ran gets a further try of its own; what had not begun is to come again.
    """
    lost = {step.id for step in broken(chain)}
    tried = {step.mends for step in chain.steps if step.origin == "retry"}

    def again(step: Step) -> Step | None:
        if step.id not in lost or step.id not in children or step.id in tried:
            return None
        first = chain.step(first_try(chain, step)) or step
        said_no = children[step.id].status is ActionStatus.REJECTED
        return replace(_try(step, retries=first.retries), approved=step.approved and not said_no)

    def fresh(step: Step) -> Step:
        begins = step.id not in children and (step.id in lost or step.unneeded)
        return _planned(step) if begins else step

    stages = tuple(Stage(tuple(fresh(step) for step in _with(stage, again).steps)) for stage in chain.stages)
    at = next(
        (place for place, stage in enumerate(stages) if not all(step.status.ended for step in stage.steps)),
        len(stages),
    )
    return replace(chain, stages=stages, at=at, checked="")


def without_tries(chain: Plan) -> Plan:
    """The plan as it was before anything of it was tried again."""
    stages = (Stage(tuple(step for step in stage.steps if step.origin != "retry")) for stage in chain.stages)
    return replace(chain, stages=tuple(stages))


def without_yes(chain: Plan) -> Plan:
    """The plan with no yes to what has not ended: each of these steps asks by itself."""
    stages = (
        Stage(tuple(step if step.status.ended else replace(step, approved=False) for step in stage.steps))
        for stage in chain.stages
    )
    return replace(chain, stages=tuple(stages))


def _with(stage: Stage, again: Callable[[Step], Step | None]) -> Stage:
    steps: list[Step] = []
    for step in stage.steps:
        further = again(step)
        steps += [step] if further is None else [step, further]
    return Stage(tuple(steps))


def _try(step: Step, *, retries: int) -> Step:
    return replace(_planned(step), id=new_id(), origin="retry", mends=step.id, retries=retries)


def _planned(step: Step) -> Step:
    return replace(
        step,
        status=StepStatus.PLANNED,
        result="",
        error="",
        unneeded=False,
        started_at=None,
        finished_at=None,
    )
