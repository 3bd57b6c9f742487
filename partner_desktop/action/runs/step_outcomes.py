"""What the end of a step's action means for the step, and what is still wrong with a chain. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from partner_desktop.action.plans.card_version import status_word
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import cut
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Plan, Step, StepInput, StepStatus
from partner_desktop.domain.plan_condition import FAILED, named_tasks
from partner_desktop.permission.request import params_hash

#: Characters of the line that says what came of a step.
_LINE = 200
#: Characters of what an earlier step brought that a mind reads to find arguments.
_BROUGHT = 2_000

#: A step that ended so brought nothing.
_BAD = (StepStatus.FAILED, StepStatus.SKIPPED, StepStatus.CANCELLED)

_STATUSES: Mapping[ActionStatus, StepStatus] = {
    ActionStatus.SUCCEEDED: StepStatus.SUCCEEDED,
    ActionStatus.CANCELLED: StepStatus.CANCELLED,
    ActionStatus.RUNNING: StepStatus.RUNNING,
    ActionStatus.WAITING: StepStatus.WAITING,
    ActionStatus.ASKING: StepStatus.WAITING,
}


def status_of(child: ActionRecord) -> StepStatus:
    """Where a step stands whose action is this."""
    if child.status is ActionStatus.REJECTED and not child.error:
        return StepStatus.SKIPPED
    return _STATUSES.get(child.status, StepStatus.FAILED)


def error_of(child: ActionRecord) -> str:
    """Why it came to nothing, in a sentence."""
    if child.status is ActionStatus.REJECTED and not child.error:
        return sentence_of("chain.refused")
    if child.status is ActionStatus.CANCELLED:
        return child.error or sentence_of("ending.cancelled")
    if child.status is ActionStatus.SUCCEEDED:
        return ""
    return child.error or sentence_of("plans.ended_as", status=status_word(child))


def line_of(child: ActionRecord) -> str:
    """What came of it, in a line: its own summary where it gives one."""
    summary = child.data.get("summary") if isinstance(child.data, dict) else None
    text = (summary if isinstance(summary, str) else brought(child)).strip()
    return cut(text.splitlines()[0], _LINE) if text else ""


def brought(child: ActionRecord) -> str:
    """Its result as text."""
    if child.stdout:
        return cut(child.stdout, _BROUGHT)
    if child.data is None:
        return ""
    return cut(
        child.data if isinstance(child.data, str) else json.dumps(child.data, ensure_ascii=False), _BROUGHT
    )


def files_of(children: Sequence[ActionRecord]) -> set[str]:
    """The files that runs made: what came with their results, and what they were given to write."""
    done = [child for child in children if child.status is ActionStatus.SUCCEEDED]
    parts = {part.path for child in done for part in child.parts if part.path}
    return parts | {use.path for child in done for use in child.paths if use.access == "write" and use.param}


def mended(chain: Plan, step: Step) -> bool:
    """Whether another step made good what this one failed at."""
    return mender_of(chain, step) is not None


def mender_of(chain: Plan, step: Step) -> Step | None:
    """The step that did: one in its place, or the try of it that worked."""
    menders = (one for one in chain.steps if one.mends == step.id or _is_later_try(chain, one, step))
    return next((one for one in menders if one.status is StepStatus.SUCCEEDED), None)


def _is_later_try(chain: Plan, one: Step, step: Step) -> bool:
    return one.origin == "retry" and step.id in chain.tries_before(one)


def first_try(chain: Plan, step: Step) -> str:
    """The id of the step that this one is a further try of; its own where it is none."""
    return (chain.tries_before(step) or (step.id,))[-1]


def bringer_of(chain: Plan, feed: StepInput) -> Step | None:
    """The step that brings it, or the one that made that good; `None`: neither came to its end.

    Of a saved plan another step may bring the same task to its end.
    """
    step = chain.step(feed.step)
    if step is None or step.status is StepStatus.SUCCEEDED:
        return step
    found = mender_of(chain, step)
    if found is None and step.task:
        same = (one for one in chain.steps if one.task == step.task)
        found = next((one for one in same if one.status is StepStatus.SUCCEEDED), None)
    return found


def broken(chain: Plan) -> tuple[Step, ...]:
    """The steps that ended without success, and that nothing made good or was there for."""
    return tuple(step for step in chain.steps if _is_broken(chain, step))


def _is_broken(chain: Plan, step: Step) -> bool:
    if step.status not in _BAD or step.unneeded:
        return False
    return not mended(chain, step) and not _is_handled(chain, step)


def _is_handled(chain: Plan, step: Step) -> bool:
    """Whether what a saved plan has for its failure was done."""
    return any(one.status is StepStatus.SUCCEEDED for one in handlers_of(chain, step))


def handlers_of(chain: Plan, step: Step) -> tuple[Step, ...]:
    """The steps that a saved plan has for the failure of one: those that wait for the task it sets then."""
    told = step.outcomes.get(FAILED)
    task = told.get("task") if isinstance(told, dict) else None
    if not isinstance(task, str) or step.status is not StepStatus.FAILED:
        return ()
    return tuple(
        one
        for one in chain.steps
        if any(name == task for _, name, _ in named_tasks(one.when)) and one != step
    )


def broke_before(chain: Plan, step: Step, children: Mapping[str, ActionRecord]) -> bool:
    """Whether something in an earlier stage went wrong and stays so.

    A step that a mind or a planner put in its place makes it good only where the person allowed that one on
    a card: a look at the clock is no backup, whatever is said of it. `children`: what the steps became.
    """
    place = next(
        (number for number, stage in enumerate(chain.stages) if step in stage.steps), len(chain.stages)
    )
    earlier = {one.id for stage in chain.stages[:place] for one in stage.steps}
    bad = (one for one in chain.steps if one.id in earlier and one.status in _BAD and not one.unneeded)
    if step.task:  # of a saved plan, whose own conditions say what comes after a failure
        bad = (one for one in bad if not one.task)
    return any(not _is_made_good(mender_of(chain, one), children) for one in bad)


def _is_made_good(mender: Step | None, children: Mapping[str, ActionRecord]) -> bool:
    if mender is None or mender.approved or mender.origin not in ("mind", "goal", "reroute"):
        return mender is not None
    return mender.id in children and children[mender.id].waits_until is not None


def call_of(child: ActionRecord) -> tuple[str, str]:
    """What was called, with which arguments."""
    return child.key, params_hash(child.params)


def same_result(one: ActionRecord, other: ActionRecord) -> bool:
    """Whether two runs of the same call came to the same."""
    return call_of(one) == call_of(other) and all(
        getattr(one, name) == getattr(other, name)
        for name in ("status", "stdout", "data", "error", "exit_code")
    )
