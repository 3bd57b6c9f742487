"""An edit on the card of a plan: other arguments, another order, fewer steps, what is to stay. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from partner_desktop.action.plans.plan_draft import capital, named
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.intervention import PlanEdit, StepEdit
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan import Plan, Stage, Step, StepInput
from partner_desktop.domain.plan_condition import named_tasks


def edited(chain: Plan, edit: PlanEdit) -> Plan:
    """The chain as it is wanted; whether its arguments do is not looked at here.

    Raises:
        UsageError: It cannot be so.
    """
    left = {step.id: step for step in chain.steps}
    stages = [Stage(tuple(_taken(wish, left, chain) for wish in stage)) for stage in edit.stages]
    wanted = Plan(tuple(stage for stage in stages if stage.steps))
    if not wanted.steps:
        raise UsageError("plans.nothing_left")
    _check_feeds(wanted, chain)
    _check_triggers(wanted, chain)
    return wanted


def with_params(step: Step, params: JsonObject) -> Step:
    """A step with other arguments; what is given by hand is not waited for from another step any more."""
    given = {name: value for name, value in params.items() if not _is_placeholder(value)}
    feeds = tuple(feed for feed in step.feeds if given.get(feed.param) in (None, ""))
    kept = {feed.param for feed in feeds}
    params = {name: value for name, value in given.items() if name not in kept}
    return replace(step, params=params, feeds=feeds)


def _is_placeholder(value: Json) -> bool:
    """What stands for a value that another step brings."""
    return isinstance(value, dict) and [*value] == ["$from"]


def _taken(wish: StepEdit, left: dict[str, Step], chain: Plan) -> Step:
    step = left.pop(wish.id, None)
    if step is not None:
        step = step if wish.params is None else with_params(step, wish.params)
        return step if wish.pinned is None else replace(step, pinned=wish.pinned)
    twice = chain.step(wish.id)
    if twice is None:
        raise UsageError("plans.foreign_step")
    raise UsageError("plans.only_once", step=capital(_name(chain, twice)))


def _check_feeds(wanted: Plan, chain: Plan) -> None:
    """What a step brings is there before another needs it."""
    earlier: Mapping[str, Step] = {}
    for stage in wanted.stages:
        for step in stage.steps:
            for feed in step.feeds:
                if feed.step not in earlier:
                    raise _lost(step, feed, wanted, chain)
        earlier = {**earlier, **{step.id: step for step in stage.steps}}


def _lost(step: Step, feed: StepInput, wanted: Plan, chain: Plan) -> UsageError:
    source, own = chain.step(feed.step), capital(_name(chain, step))
    if source is None:
        return UsageError("plans.fed_by_none", step=own, param=feed.param)
    return UsageError(
        "plans.fed_by_gone" if wanted.step(feed.step) is None else "plans.fed_by_later",
        step=own,
        param=feed.param,
        source=_name(chain, source),
    )


def _check_triggers(wanted: Plan, chain: Plan) -> None:
    """Of a saved plan: a step stays behind those that bring what it waits for, and one of them stays."""
    for step in chain.steps:
        now = wanted.step(step.id)
        if now is None:
            continue
        behind = {each.id for steps in wanted.triggers_of(now).values() for each in steps}
        needed = {task for place, task, _ in named_tasks(step.when) if not {"any", "none"} & {*place}}
        for task, steps in chain.triggers_of(step).items():
            late = [each for each in steps if wanted.step(each.id) is not None and each.id not in behind]
            if late:
                raise UsageError("plans.waits_for_later", **_both(chain, step, late[0]))
            if task in needed and all(wanted.step(each.id) is None for each in steps):
                raise UsageError("plans.waits_for_gone", **_both(chain, step, steps[-1]))


def _both(chain: Plan, step: Step, source: Step) -> dict[str, str]:
    return {"step": capital(_name(chain, step)), "source": _name(chain, source)}


def _name(chain: Plan, step: Step) -> str:
    return named(chain.number_of(step.id), step.title)
