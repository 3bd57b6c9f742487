"""Interventions applied to a chain. Pure: a chain and a wish give another chain, or a reason why not.

What is settled stays as it is, what runs goes on. Each wish is read with the stages as they are by then:
after one that puts a stage in, the later ones have other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import cut
from partner_desktop.domain.intervention import Intervention, InterventionKind
from partner_desktop.domain.plan import Change, Plan, Stage, Step, StepStatus

#: Characters of a reason that are kept.
_MOST_REASON = 200


def changed(
    chain: Plan,
    wish: Intervention,
    steps: Sequence[Step],
    *,
    most_steps: int,
    by: Literal["person", "mind", "partner"],
    now: datetime,
) -> Plan:
    """The chain after one intervention; `steps` are those that `wish.steps` became, in order.

    CANCEL leaves what runs to whoever ends it. How often a mind corrected is counted by whoever asked it.

    Raises:
        UsageError: It cannot be so, with why in a sentence.
    """
    if is_cancelled(chain):
        raise UsageError("edit.was_cancelled")
    if by == "mind":
        _need_unpinned(chain, wish)
    result, told = _CHANGES[wish.kind](chain, wish, tuple(_fresh(step, wish) for step in steps))
    if wish.kind is not InterventionKind.CANCEL:  # an end is never refused for how it would look
        _check(chain, result, most_steps)
    if steps or wish.kind is InterventionKind.DELETE:
        result = replace(result, goal={})  # planning again would undo it
    change = Change(wish.kind.value, by, _sentence(told, wish), now)
    if steps or wish.kind is not InterventionKind.REBUILD:  # else the same steps come again
        change = _with_removed(change, chain, result)
    return replace(result, changes=(*result.changes, change))


def is_cancelled(chain: Plan) -> bool:
    """Whether an intervention ended it: nothing changes it any more."""
    return any(change.kind == "cancel" for change in chain.changes)


def begun(step: Step) -> bool:
    """Whether it runs, waits for the person, or is over."""
    return step.status is not StepStatus.PLANNED


# One function a kind: the chain after it, and what was done in words without an end.


def _appended(chain: Plan, wish: Intervention, steps: tuple[Step, ...]) -> tuple[Plan, str]:
    _need_steps(steps)
    _need_mended(chain, wish)
    last = len(chain.stages)
    if not 0 <= wish.stage <= last:
        raise _no_stage(chain, wish.stage)
    # A stage that runs is not put back for another: the first free place after it does.
    runs = chain.at < last and any(map(begun, chain.stages[chain.at].steps))
    place = max(wish.stage or last, chain.at + runs)
    stages = (*chain.stages[:place], Stage(steps), *chain.stages[place:])
    return replace(chain, stages=stages), sentence_of(
        "edit.came_in", steps=_named(steps), numbers=_numbers(stages, place)
    )


def _inserted(chain: Plan, wish: Intervention, steps: tuple[Step, ...]) -> tuple[Plan, str]:
    _need_steps(steps)
    _need_mended(chain, wish)
    place = (wish.stage or chain.at + 1) - 1
    if not 0 <= place < len(chain.stages):
        raise _no_stage(chain, wish.stage or place + 1)
    if place < chain.at:
        raise UsageError("edit.stage_done", stage=place + 1)
    stage = Stage((*chain.stages[place].steps, *steps))
    stages = (*chain.stages[:place], stage, *chain.stages[place + 1 :])
    return replace(chain, stages=stages), sentence_of("edit.came_into", steps=_named(steps), stage=place + 1)


def _deleted(chain: Plan, wish: Intervention, steps: tuple[Step, ...]) -> tuple[Plan, str]:
    del steps
    gone = _unwanted(chain, wish)
    for step in gone:
        if not _is_to_come(chain, step):
            raise UsageError("edit.begun", title=step.title)
    ids = {step.id for step in gone}
    need = [step for step in chain.steps if step.id not in ids and any(f.step in ids for f in step.feeds)]
    if need:
        raise UsageError(
            "edit.needed_by_it" if len(need) == len(gone) == 1 else "edit.needed_by_them",
            gone=_named(gone),
            need=_named(need),
        )
    stages = [Stage(tuple(step for step in stage.steps if step.id not in ids)) for stage in chain.stages]
    left = tuple(stage for place, stage in enumerate(stages) if stage.steps or place < chain.at)
    return replace(chain, stages=left), sentence_of(
        "edit.one_taken_out" if len(gone) == 1 else "edit.taken_out", steps=_named(gone)
    )


def _cancelled(chain: Plan, wish: Intervention, steps: tuple[Step, ...]) -> tuple[Plan, str]:
    del wish, steps
    if chain.at >= len(chain.stages):
        raise UsageError("edit.all_done")
    unrun = (StepStatus.PLANNED, StepStatus.WAITING)
    stages = (
        Stage(
            tuple(
                replace(step, status=StepStatus.CANCELLED) if step.status in unrun else step
                for step in stage.steps
            )
        )
        for stage in chain.stages
    )
    return replace(chain, stages=tuple(stages)), sentence_of("edit.cancelled")


def _rebuilt(chain: Plan, wish: Intervention, steps: tuple[Step, ...]) -> tuple[Plan, str]:
    del wish
    if chain.rebuilt:
        raise UsageError("edit.anew_once")
    told = sentence_of("edit.anew_with" if steps else "edit.anew", steps=_named(steps) if steps else "")
    return rebuilt(chain, steps), told


_CHANGES: Mapping[InterventionKind, Callable[[Plan, Intervention, tuple[Step, ...]], tuple[Plan, str]]] = {
    InterventionKind.APPEND: _appended,
    InterventionKind.INSERT: _inserted,
    InterventionKind.DELETE: _deleted,
    InterventionKind.CANCEL: _cancelled,
    InterventionKind.REBUILD: _rebuilt,
}


# What is asked of each.


def _fresh(step: Step, wish: Intervention) -> Step:
    """A step as it comes in: nobody has said yes to it, it is a part of no earlier approval."""
    return replace(
        step, status=StepStatus.PLANNED, approved=False, mends=wish.mends or step.mends, result="", error=""
    )


def _need_steps(steps: Collection[Step]) -> None:
    if not steps:
        raise UsageError("edit.no_step")


def _need_mended(chain: Plan, wish: Intervention) -> None:
    mended = chain.step(wish.mends) if wish.mends else None
    if wish.mends and (mended is None or mended.status is not StepStatus.FAILED):
        raise UsageError("edit.not_failed")


def _need_unpinned(chain: Plan, wish: Intervention) -> None:
    """What the person pinned is neither taken out nor stood in for by another."""
    touched: Sequence[Step] = [step for step in chain.steps if step.id == wish.mends]
    if wish.kind is InterventionKind.DELETE:
        touched = _unwanted(chain, wish)
    elif wish.kind is InterventionKind.REBUILD and wish.steps:
        touched = chain.steps
    for step in touched:
        if step.pinned:
            raise UsageError("edit.pinned", title=step.title)


def _unwanted(chain: Plan, wish: Intervention) -> list[Step]:
    if wish.step_ids:
        found = [step for step in chain.steps if step.id in wish.step_ids]
        if len(found) < len(set(wish.step_ids)):
            raise UsageError("edit.step_gone")
        return found
    if not 1 <= wish.stage <= len(chain.stages):
        raise _no_stage(chain, wish.stage)
    if not chain.stages[wish.stage - 1].steps:
        raise UsageError("edit.stage_empty", stage=wish.stage)
    return [*chain.stages[wish.stage - 1].steps]


def _is_to_come(chain: Plan, step: Step) -> bool:
    """Whether its stage lies ahead: of one that runs no step is taken out, though it may be queued still."""
    place = next(place for place, stage in enumerate(chain.stages) if step in stage.steps)
    return place >= chain.at and not any(map(begun, chain.stages[place].steps))


def _check(before: Plan, after: Plan, most_steps: int) -> None:
    """What holds for every chain: not too long, nothing twice, and what feeds a step comes before it."""
    steps = after.steps
    if len(steps) > max(most_steps, len(before.steps)):
        raise UsageError("edit.too_long", count=f"{len(steps):,}", most=f"{most_steps:,}")
    if not steps:
        raise UsageError("edit.nothing_left")
    if len({step.id for step in steps}) < len(steps):
        raise UsageError("edit.there_already")
    earlier: set[str] = set()
    for stage in after.stages:
        for step in stage.steps:
            if any(feed.step not in earlier for feed in step.feeds):
                raise UsageError("edit.too_early", title=step.title)
        earlier |= {step.id for step in stage.steps}


# In words.


def _with_removed(change: Change, before: Plan, after: Plan) -> Change:
    """With what it took out, and where that stood."""
    kept = {step.id for step in after.steps}
    gone = [step for step in before.steps if step.id not in kept]
    if not gone:
        return change
    earlier = before.steps[: before.steps.index(gone[0])]
    return replace(
        change, removed=tuple(step.title for step in gone), after=earlier[-1].id if earlier else ""
    )


def _no_stage(chain: Plan, number: int) -> UsageError:
    count = len(chain.stages)
    return UsageError("edit.one_stage" if count == 1 else "edit.no_stage", stage=f"{number:,}", count=count)


def _numbers(stages: Sequence[Stage], place: int) -> str:
    """`step 3`, `steps 3 and 4`: as a person counts the steps of a stage."""
    first = sum(len(stage.steps) for stage in stages[:place]) + 1
    last = first + len(stages[place].steps) - 1
    return sentence_of("step.one" if last == first else "step.several", first=first, last=last)


def _named(steps: Iterable[Step]) -> str:
    titles = [sentence_of("step.quoted", title=step.title) for step in steps]
    if len(titles) > 3:
        titles = [*titles[:2], sentence_of("step.more", count=len(titles) - 2)]
    if len(titles) == 1:
        return titles[0]
    return sentence_of("step.and", first=sentence_of("step.comma").join(titles[:-1]), last=titles[-1])


def _sentence(told: str, wish: Intervention) -> str:
    reason = cut(" ".join(wish.reason.split()), _MOST_REASON).rstrip(".!。")
    return sentence_of("edit.reasoned" if reason else "edit.plain", told=told, reason=reason)


def rerouted(chain: Plan, *, stages: Sequence[Stage], why: str, now: datetime) -> Plan:
    """The chain with another way from the next stage on, as a planner computed it."""
    if is_cancelled(chain):
        return chain
    kept = {step.id for stage in stages for step in stage.steps}
    gone = [step for stage in chain.stages[chain.at + 1 :] for step in stage.steps if step.id not in kept]
    known = {step.id for step in chain.steps}
    fresh = [step for stage in stages for step in stage.steps if step.id not in known]
    parts = [sentence_of("edit.now_comes", steps=_named(fresh))] if fresh else []
    parts += [sentence_of("edit.falls_away", steps=_named(gone))] if gone else []
    told = sentence_of("edit.semicolon").join(parts) or sentence_of("edit.goes_on")
    reason = cut(" ".join(why.split()), _MOST_REASON).rstrip(".!。")
    text = sentence_of("edit.reasoned" if reason else "edit.plain", told=told, reason=reason)
    result = replace(chain, stages=(*chain.stages[: chain.at + 1], *stages))
    ran = chain.stages[chain.at].steps if chain.at < len(chain.stages) else ()
    change = Change("reroute", "partner", text, now, after=ran[-1].id if ran else "")
    change = _with_removed(change, chain, result)
    return replace(result, corrections=chain.corrections + 1, changes=(*chain.changes, change))


def rebuilt(chain: Plan, steps: Sequence[Step]) -> Plan:
    """The chain at its beginning: with `steps` as one stage each, or with those that it had.

    Nothing of it is approved any more: a yes was to one run of each step, and that may have been.
    """
    stages = tuple(Stage((step,)) for step in steps) if steps else _again(chain)
    return replace(chain, stages=stages, at=0, asked_step="", rebuilt=True, checked="")


def _again(chain: Plan) -> tuple[Stage, ...]:
    """The same steps under fresh ids. Those that were to make a failed one good are not needed again."""
    ids = {step.id: new_id() for step in chain.steps if not _mends(chain, step)}
    anew = [
        Stage(tuple(_anew(chain, step, ids) for step in stage.steps if step.id in ids))
        for stage in chain.stages
    ]
    return tuple(stage for stage in anew if stage.steps)


def _anew(chain: Plan, step: Step, ids: Mapping[str, str]) -> Step:
    feeds = tuple(replace(feed, step=ids[_mended(chain, feed.step)]) for feed in step.feeds)
    return replace(
        step,
        id=ids[step.id],
        feeds=feeds,
        mends="",
        approved=False,
        status=StepStatus.PLANNED,
        result="",
        error="",
        started_at=None,
        finished_at=None,
    )


def _mends(chain: Plan, step: Step) -> bool:
    """Whether it was put in the place of another that is still there."""
    return bool(step.mends) and chain.step(step.mends) is not None


def _mended(chain: Plan, step_id: str) -> str:
    """The step that stood there first."""
    step, seen = chain.step(step_id), {step_id}
    while step is not None and _mends(chain, step) and step.mends not in seen:
        seen.add(step.mends)
        step = chain.step(step.mends)
    return step.id if step is not None else step_id
