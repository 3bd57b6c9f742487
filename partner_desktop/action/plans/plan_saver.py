"""PlanSaver: of what ran, be it one call or a plan of several, a saved plan that runs again as one ability.

What succeeded is kept, in the order that it ran in; what failed, was passed over or tried again is not. An
argument that the person said, a path or a free text is proposed as a parameter; the rest stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from partner_desktop.abilities.ability_editor import AbilityEditor
from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.abilities.plan_file import plan_text
from partner_desktop.action.runs.step_outcomes import bringer_of, first_try
from partner_desktop.action.store import ActionStore
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import expanded_path
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step, StepStatus
from partner_desktop.domain.plan_save import PlanSaveDraft, SavedArgument
from partner_desktop.domain.saved_plan import OUTPUT, PARAM, TASK

_MAIN = "all"
#: Words of a request that make a name, and how long that gets.
_NAME_WORDS, _NAME_LENGTH = 5, 50


@dataclass(frozen=True)
class _Kept:
    """A step that is kept, with its ability as it is now."""

    step: Step
    info: MetaActionInfo
    stage: int


class PlanSaver:
    """Reads records and writes one file; nothing runs."""

    def __init__(self, store: ActionStore, catalog: AbilityCatalog, editor: AbilityEditor) -> None:
        self._store = store
        self._catalog = catalog
        self._editor = editor

    async def draft(self, action_id: str) -> PlanSaveDraft:
        """What its form begins with.

        Raises:
            UsageError: Nothing of it succeeded, or an ability of it is gone or only there for a while.
        """
        record = await self._store.get(action_id)
        kept = await self._kept(record)
        saved = record.plan.saved_key
        said = self._said_to(record.plan) if saved else None
        arguments = tuple(_arguments(record, kept, said))
        # The words that asked for a saved plan are that plan's: another one is called otherwise.
        asked = "" if saved else _without_values(record.request_text, arguments)
        return PlanSaveDraft(
            name=_name_of(asked or record.title),
            description=record.title if record.chain is None else asked or record.title,
            aliases=(asked,) if asked else (),
            arguments=arguments,
        )

    def _said_to(self, plan: Plan) -> dict[str, Json]:
        """The arguments of a saved plan that are not what it takes where nothing is said."""
        info = self._catalog.get(plan.saved_key)
        usual = info.properties() if info is not None else {}
        return {
            name: value for name, value in plan.arguments.items() if value not in _usual(usual.get(name, {}))
        }

    async def save(self, action_id: str, draft: PlanSaveDraft) -> str:
        """Write it down; its key.

        Raises:
            UsageError: As `draft`; or its name or a parameter's does not do, or the disk refused.
        """
        record = await self._store.get(action_id)
        kept = await self._kept(record)
        body = _body(record, kept, draft)
        return await self._editor.save_plan(draft.name, plan_text(body))

    async def _kept(self, record: ActionRecord) -> list[_Kept]:
        plan, alone = record.plan, record.chain is None
        found: list[_Kept] = []
        for place, stage in enumerate(plan.stages):
            for step in stage.steps:
                done = record.status is ActionStatus.SUCCEEDED if alone else _is_done(step)
                if not done:
                    continue
                info = self._catalog.require(await self._catalog.successor(step.key))
                if info.location == "origin":
                    raise UsageError("plans.save_temporary", title=info.told.title)
                found.append(_Kept(step, info, place))
        if not found:
            raise UsageError("plans.save_nothing", title=record.title)
        return found


def _usual(schema: JsonObject) -> tuple[Json, ...]:
    """What a parameter is where nothing is said, also as a path is resolved."""
    value = schema.get("default")
    if not isinstance(value, str):
        return () if value is None else (value,)
    return (value, str(expanded_path(value))) if value.startswith("~/") else (value,)


def _is_done(step: Step) -> bool:
    return step.status is StepStatus.SUCCEEDED


def _arguments(
    record: ActionRecord, kept: Sequence[_Kept], said: Mapping[str, Json] | None
) -> Iterator[SavedArgument]:
    """Each value of each step, those of one value under one name. `said`: of a saved plan, what it was called
    with; the rest is what stands in it.
    """
    names: dict[str, Json] = {}
    for number, each in enumerate(kept, 1):
        fed = {feed.param for feed in each.step.feeds}
        for param, value in each.step.params.items():
            if param in fed or param not in each.info.properties():
                continue
            of_plan = next((known for known, told in (said or {}).items() if told == value), "")
            name, count = of_plan or param, 1
            while name in names and names[name] != value:
                count += 1
                name = f"{param}_{count}"
            names[name] = value
            schema = each.info.properties()[param]
            proposed = bool(of_plan) and _is_proposed(schema, value, record.request_text)
            if said is None:
                proposed = _is_proposed(schema, value, record.request_text)
            yield SavedArgument(each.step.id, number, each.step.title, param, value, name, proposed)


def _is_proposed(schema: JsonObject, value: Json, said: str) -> bool:
    if isinstance(value, bool) or "enum" in schema or "const" in schema or value == schema.get("default"):
        return False
    if isinstance(value, str):
        return bool(value)
    if not isinstance(value, int | float):
        return False
    return re.search(rf"(?<![\w.]){re.escape(f'{value:g}')}(?!\w)", said) is not None


def _without_values(text: str, arguments: Sequence[SavedArgument]) -> str:
    """What was asked, without what is said anew each time."""
    values = {str(each.value) for each in arguments if each.proposed}
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, " ")
    return " ".join(text.split()).strip(" ,;:")


def _name_of(text: str) -> str:
    words = re.findall(r"\w+", text.casefold())[:_NAME_WORDS]
    return "_".join(words)[:_NAME_LENGTH].strip("_") or "plan"


def _body(record: ActionRecord, kept: Sequence[_Kept], draft: PlanSaveDraft) -> JsonObject:
    """The plan as its file holds it."""
    chosen = {(each.step, each.param): each for each in draft.arguments if each.proposed}
    tasks = _tasks(kept)
    listeners: list[Json] = [_listener(record.plan, kept, place, tasks, chosen) for place in range(len(kept))]
    named: list[Json] = [{"id": _MAIN, "name": record.title, "main": True}]
    named += [
        {"id": tasks[each.step.id], "name": each.step.title} for each in kept if tasks[each.step.id] != _MAIN
    ]
    return {
        "description": draft.description,
        "aliases": [*draft.aliases],
        "params": _params(kept, chosen),
        "tasks": named,
        "listeners": listeners,
    }


def _tasks(kept: Sequence[_Kept]) -> dict[str, str]:
    """Step → the task that it brings to its end: what comes last, alone, all of it."""
    last = [each for each in kept if each.stage == kept[-1].stage]
    found = {each.step.id: f"step-{number}" for number, each in enumerate(kept, 1)}
    if len(last) == 1:
        found[last[0].step.id] = _MAIN
    return found


def _params(kept: Sequence[_Kept], chosen: Mapping[tuple[str, str], SavedArgument]) -> JsonObject:
    properties: JsonObject = {}
    for each in kept:
        for param, schema in each.info.properties().items():
            argument = chosen.get((each.step.id, param))
            if argument is not None and argument.name not in properties:
                properties[argument.name] = {
                    name: value for name, value in schema.items() if name != "default"
                }
    return {"type": "object", "properties": properties, "required": [*properties]}


def _listener(
    plan: Plan,
    kept: Sequence[_Kept],
    place: int,
    tasks: Mapping[str, str],
    chosen: Mapping[tuple[str, str], SavedArgument],
) -> JsonObject:
    each = kept[place]
    step = each.step
    before = max((one.stage for one in kept if one.stage < each.stage), default=-1)
    after: list[Json] = [tasks[one.step.id] for one in kept if one.stage == before]
    params: JsonObject = {}
    words = step.text
    for name, value in step.params.items():
        argument = chosen.get((step.id, name))
        if argument is None:
            params[name] = value
            continue
        params[name] = {PARAM: argument.name}
    for argument in sorted(chosen.values(), key=lambda one: -len(str(one.value))):
        if isinstance(argument.value, str) and argument.value:
            words = words.replace(argument.value, f"{{{argument.name}}}")
    for feed in step.feeds:
        source = bringer_of(plan, feed)
        if source is not None and source.id in tasks:
            told: JsonObject = {TASK: tasks[source.id]}
            params[feed.param] = {**told, OUTPUT: feed.output} if feed.output else told
    name = re.sub(r"[^\w-]+", "-", each.info.name)
    found: JsonObject = {
        "listener_id": f"{place + 1}-{name}"[:80],
        "trigger_task_id": after or [_MAIN],
        "owner": each.info.owner or each.info.location,
        "request": words,
        "ability": each.info.key,
        "params": params,
        "success_output": {"task_id": tasks[step.id]},
    }
    if step.computes:
        found["listener_type"] = "code"
    first = plan.step(first_try(plan, step)) or step
    retries = first.retries
    return {**found, "retries": retries} if retries else found
