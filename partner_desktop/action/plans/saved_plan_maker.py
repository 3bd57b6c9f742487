"""SavedPlanMaker: a maker of plans: of a saved plan and its arguments, the steps that are proposed.

It looks for abilities and begins nothing. Where a listener names no ability, a mind chooses among its owner's
by its words; what a listener leaves open of an argument is looked for in those words, and else asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.plans.plan_draft import SavedPart, StepDraft
from partner_desktop.action.plans.plan_maker import MadePlan, draft_of_step
from partner_desktop.action.plans.planned_checks import owner_of
from partner_desktop.action.plans.step_maker import MadeStep
from partner_desktop.base.errors import PartnerError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import TurnRef
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import CHAIN_KEY, Plan, StepInput
from partner_desktop.domain.saved_plan import (
    OF_RESULT,
    PARAM,
    PlanListener,
    SavedPlan,
    outcomes_of,
    settings_of,
)
from partner_desktop.files.content_hashes import content_hash
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import EvaluateIntent, ExtractParams, Mind

#: How often a step is tried again where nobody says so, and doing it twice changes no more than once.
USUAL_RETRIES = 3
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
#: Names that an error tells.
_NAMED = 8

Stages = list[list[StepDraft]]


@dataclass(frozen=True)
class _Call:
    """A saved plan with what it is called with."""

    info: MetaActionInfo
    plan: SavedPlan
    values: JsonObject
    feeds: Mapping[str, StepInput]
    """Its parameters that an earlier step of the same card brings."""
    turn: TurnRef
    prefix: str = ""
    """Before the names of its tasks, where there are several plans on one card."""


def is_saved(made: MadePlan) -> bool:
    """Whether any of these steps is a saved plan, to be put in its place by what that does."""
    return any(each.info.plan is not None for each in made.steps)


class SavedPlanMaker:
    """Looks things up, and asks a mind where a plan leaves the choice open."""

    def __init__(self, catalog: AbilityCatalog, mind: Mind) -> None:
        self._catalog = catalog
        self._mind = mind
        self._finder = ParameterFinder(mind.ask)

    async def unfolded(self, record: ActionRecord, made: MadePlan) -> tuple[ActionRecord, Stages]:
        """The record, and the steps to be made for it, with those of the saved plans in their places.

        Raises:
            UsageError: An ability or an owner that a plan names is not there, or none of the owner's fits.
        """
        turn = TurnRef(record.conversation_id, record.id)
        several = sum(each.info.plan is not None for each in made.steps) > 1
        brings: dict[str, str] = {}
        stages: Stages = []
        for stage in made.stages:
            columns: list[Stages] = []
            for step in stage:
                fed = draft_of_step(step.step, step.info)
                fed = replace(
                    fed, feeds=tuple(replace(f, step=brings.get(f.step, f.step)) for f in fed.feeds)
                )
                if step.info.plan is None:
                    columns.append([[fed]])
                    continue
                call = _call(fed, step.info.plan, turn, f"{len(brings) + 1}:" if several else "")
                column = await self._steps(call)
                columns.append(column)
                brings[fed.id] = _last(call, column)
            stages += [[each for part in row if part for each in part] for row in zip_longest(*columns)]
        if record.chain is None:
            record = _of_plan(record, made.steps[0], stages)
        return record, stages

    async def _steps(self, call: _Call) -> Stages:
        """One step for each listener."""
        ids = [new_id() for _ in call.plan.listeners]
        setters = settings_of(call.plan.listeners)
        bringers = {
            task: next((place for place, _, success in known if success), -1)
            for task, known in setters.items()
        }
        return [
            [await self._step(call, place, ids, bringers) for place in stage] for stage in call.plan.stages
        ]

    async def _step(
        self, call: _Call, place: int, ids: Sequence[str], bringers: Mapping[str, int]
    ) -> StepDraft:
        listener = call.plan.listeners[place]
        text = _PLACEHOLDER.sub(lambda found: _shown(call.values, found), listener.request)
        try:
            info = await self._ability(listener, text, call.turn)
        except UsageError as error:
            raise UsageError(
                "plans.in_listener", plan=call.info.told.title, listener=listener.id, error=error
            ) from error
        params, feeds = _arguments(call, listener, ids, bringers)
        draft = StepDraft(
            info,
            text or info.told.title,
            params,
            tuple(feeds),
            id=ids[place],
            saved=SavedPart(
                call.prefix + listener.success.task,
                _renamed(call.plan.condition_of(listener), call.prefix),
                _renamed(outcomes_of(listener), call.prefix),
                listener.kind == "code",
                _retries(call.plan, listener, info),
            ),
        )
        return await self._with_words(draft, call.turn) if listener.request else draft

    async def _ability(self, listener: PlanListener, text: str, turn: TurnRef) -> MetaActionInfo:
        if listener.ability:
            info = self._catalog.require(listener.ability)
        else:
            info = await self._chosen(listener.owner, text, turn)
        if info.plan is not None:
            raise UsageError("plans.nested", title=info.told.title)
        return info

    async def _chosen(self, owner: str, text: str, turn: TurnRef) -> MetaActionInfo:
        """What of an owner's abilities fits the words."""
        infos = [info for info in self._catalog.usable() if info.plan is None]
        own = [info for info in infos if owner_of(info).casefold() == owner.strip().casefold()]
        if not own:
            known = sorted({owner_of(info) for info in infos if info.location != "builtin"})
            told = ", ".join(known if len(known) <= _NAMED else [*known[:_NAMED], "…"])
            raise UsageError("plans.unknown_owner", owner=owner, known=told)
        if len(own) == 1:
            return own[0]
        found = await self._mind.ask(EvaluateIntent(text, own, turn=turn))
        if not found.meant:
            names = ", ".join(info.told.title for info in own[:_NAMED])
            raise UsageError("plans.owner_cannot", owner=owner, text=text, names=names)
        return found.meant[0]

    async def _with_words(self, draft: StepDraft, turn: TurnRef) -> StepDraft:
        """With what its words say of arguments that the plan leaves open."""
        fed = {feed.param for feed in draft.feeds}
        if all(name in draft.params or name in fed for name in draft.info.required()):
            return draft
        try:
            found = await self._finder.find(
                ExtractParams(draft.text, draft.info, known=draft.params, turn=turn)
            )
        except PartnerError:
            return draft  # the person is asked instead
        said: JsonObject = {name: value for name, value in found.values.items() if name not in fed}
        return replace(draft, params={**said, **draft.params})


def _call(draft: StepDraft, plan: SavedPlan, turn: TurnRef, prefix: str) -> _Call:
    usual = {
        name: schema["default"] for name, schema in draft.info.properties().items() if "default" in schema
    }
    feeds = {feed.param: feed for feed in draft.feeds}
    return _Call(draft.info, plan, {**usual, **draft.params}, feeds, turn, prefix)


def _last(call: _Call, stages: Stages) -> str:
    """The step whose result is the plan's: what brings its main task, or else what comes last."""
    steps = [step for stage in stages for step in stage]
    mains = [step for step in steps if step.saved.task == call.prefix + call.plan.main.id]
    return (mains or steps)[-1].id


def saved_plan_hash(info: MetaActionInfo, catalog: AbilityCatalog) -> str:
    """`Plan.saved_hash` of a saved plan as it is now; empty: only a run tells which abilities it calls."""
    assert info.plan is not None
    listeners = [info.plan.listeners[place] for stage in info.plan.stages for place in stage]
    if not all(each.ability for each in listeners):
        return ""
    entries = [catalog.entry(each.ability) for each in listeners]
    steps = [entry.info for entry in entries if entry is not None and entry.info is not None]
    return _hash_with(info, steps)


def _hash_with(info: MetaActionInfo, steps: Sequence[MetaActionInfo]) -> str:
    """Of a plan and all that it runs, in its order."""
    return content_hash(each.content_hash.encode() for each in (info, *steps))


def _of_plan(record: ActionRecord, made: MadeStep, stages: Stages) -> ActionRecord:
    """The record of a saved plan that stands alone, as one of its steps."""
    info, steps = made.info, [step.info for stage in stages for step in stage]
    told = info.spoken(record.language)
    chain = Plan(
        (),
        saved_key=info.key,
        saved_hash=_hash_with(info, steps),
        arguments=made.step.params,
        main_task=info.plan.main.id if info.plan is not None else "",
    )
    return replace(
        record,
        key=CHAIN_KEY,
        title=told.title,
        description=told.description,
        params={},
        schema={},
        paths=(),
        content_hash="",
        source_path="",
        asked_param="",
        grantable=False,
        chain=chain,
    )


def _arguments(
    call: _Call, listener: PlanListener, ids: Sequence[str], bringers: Mapping[str, int]
) -> tuple[JsonObject, list[StepInput]]:
    """The arguments of a listener's call: those that are known, and those that other steps bring."""
    params: JsonObject = {}
    feeds: list[StepInput] = []
    brought = {name: (task, output) for name, task, output in listener.fed_by()}
    for name, value in listener.params.items():
        if name in brought:
            task, output = brought[name]
            setter = bringers[task]
            told = call.plan.listeners[setter].success.context.get(output, {OF_RESULT: output})
            if isinstance(told, dict) and OF_RESULT in told:
                feeds.append(StepInput(name, ids[setter], str(told[OF_RESULT])))
            else:
                params[name] = told
        elif isinstance(value, dict) and PARAM in value:
            wanted = str(value[PARAM])
            if wanted in call.feeds:
                feeds.append(replace(call.feeds[wanted], param=name))
            elif wanted in call.values:
                params[name] = call.values[wanted]
        else:
            params[name] = value
    return params, feeds


def _shown(values: JsonObject, found: re.Match[str]) -> str:
    """A parameter in the words; what is none stays as it is written."""
    value = values.get(found[1])
    return found[0] if value is None else str(value)


def _retries(plan: SavedPlan, listener: PlanListener, info: MetaActionInfo) -> int:
    for said in (listener.retries, plan.retries):
        if said is not None:
            return said
    writes = "write" in (*info.path_params().values(), *info.path_lists().values())
    again = info.annotations.idempotent or (info.annotations.read_only and not writes)
    return USUAL_RETRIES if again else 0


def _renamed(condition: JsonObject, prefix: str) -> JsonObject:
    """With other names for its tasks, wherever they stand in it."""
    return _renamed_object(condition, prefix) if prefix else condition


def _renamed_object(told: JsonObject, prefix: str) -> JsonObject:
    return {name: _renamed_value(name, value, prefix) for name, value in told.items()}


def _renamed_value(name: str, value: Json, prefix: str) -> Json:
    if name in ("task", "context") and isinstance(value, str):
        return prefix + value
    if isinstance(value, list) and name in ("all", "any", "none"):
        return [_renamed_object(part, prefix) if isinstance(part, dict) else part for part in value]
    if isinstance(value, dict) and name in ("done", "failed"):
        return _renamed_object(value, prefix)
    return value
