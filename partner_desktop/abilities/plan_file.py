"""A `plan.json`: text from outside enters here and leaves as a checked `SavedPlan` with its description.

It has the keys of a `desc.json` that make sense for it (`description`, `aliases`, `params`, …), `tasks` and
`listeners`. Each error names the line, the place in the file as a JSON pointer, and what to do.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan_condition import (
    DONE,
    FAILED,
    OPEN,
    RUNNING,
    flaw_of,
    named_tasks,
    plain_status,
)
from partner_desktop.domain.saved_plan import (
    OF_RESULT,
    OUTPUT,
    PARAM,
    TASK,
    Circle,
    PlanListener,
    PlanTask,
    SavedPlan,
    Setters,
    TaskOutput,
    listener_stages,
    settings_of,
)
from partner_desktop.runner.descriptor import Descriptor, checked, params_schema
from partner_desktop.runner.located_json import Node, as_text, find, parse

#: The file's name in its folder.
PLAN_FILE = "plan.json"
#: A plan runs each listener as a step, and no plan has more steps than that, whatever the settings say.
MOST_TASKS, MOST_LISTENERS = 1_000, 200
MOST_BYTES = 1024 * 1024
_MOST_RETRIES = 20
#: Listeners that a message names.
_NAMED = 8

_Id = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[\p{L}\p{N}_-]+$")]
_Words = Annotated[str, Field(max_length=2_000)]


def _triggers(value: object) -> object:
    """`"a, b"` is `["a", "b"]`."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


class TaskModel(BaseModel):
    """A task."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    id: _Id
    name: Annotated[str, Field(max_length=200)] = ""
    main: bool = False


class OutputModel(BaseModel):
    """What a listener makes of a task."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    task_id: _Id
    status: Annotated[str, Field(min_length=1, max_length=40)] = ""
    context: dict[str, Any] = {}  # Any: JSON, told as it is


class ListenerModel(BaseModel):
    """A listener."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    listener_id: _Id
    trigger_task_id: Annotated[list[_Id], Field(min_length=1), BeforeValidator(_triggers)]
    trigger_condition: dict[str, Any] = {}  # Any: a comparison, checked by `flaw_of`
    listener_type: Literal["agent", "code"] = "agent"
    owner: _Words = Field(default="", validation_alias=AliasChoices("owner", "agent_id"))
    request: _Words = Field(default="", validation_alias=AliasChoices("request", "action_prompt"))
    ability: Annotated[str, Field(max_length=300)] = ""
    params: dict[str, Any] = {}  # Any: JSON, checked by `_reference`
    retries: int | None = Field(default=None, ge=0, le=_MOST_RETRIES)
    success_output: OutputModel
    failure_output: OutputModel | None = None


class PlanModel(Descriptor):
    """The whole file."""

    tasks: Annotated[list[TaskModel], Field(min_length=1)]
    listeners: Annotated[list[ListenerModel], Field(min_length=1)]
    retries: int | None = Field(default=None, ge=0, le=_MOST_RETRIES, strict=True)


@dataclass(frozen=True)
class PlanFile:
    """What was read."""

    descriptor: Descriptor
    plan: SavedPlan
    hints: tuple[str, ...]


def read_plan(data: bytes) -> PlanFile:
    """Read a `plan.json`.

    Raises:
        DescriptorError: It is none; `line` is set.
    """
    if len(data) > MOST_BYTES:
        raise DescriptorError("descriptor.too_large", size=MOST_BYTES // 1024, unit="KiB", line=1)
    text = as_text(data)
    parsed = parse(text)
    _check_count(parsed.root, "tasks", MOST_TASKS)
    _check_count(parsed.root, "listeners", MOST_LISTENERS)
    raw = parsed.root.plain()
    model = checked(raw, text, first_line=1, model=PlanModel)
    plan = _Reader(parsed.root, model).plan()
    return PlanFile(model, plan, (*parsed.hints, *model.unknown_keys()))


def _check_count(root: Node, key: str, most: int) -> None:
    """Before each of them is looked at."""
    found = root.members.get(key)
    if found is not None and isinstance(found.value, list) and len(found.value) > most:
        raise DescriptorError(
            "descriptor.plan.too_many", key=key, count=len(found.value), most=most, line=found.line
        )


class _Reader:
    """Of one file: from the models, each fitting by itself, to a plan whose parts fit together."""

    def __init__(self, root: Node, model: PlanModel) -> None:
        self._root = root
        self._model = model
        self._check_names(root, ())
        try:
            properties = params_schema(model.params).get("properties")
        except DescriptorError as error:
            raise self._error(("params",), "odd_params", error=error) from error
        self._params = frozenset(properties if isinstance(properties, dict) else ())

    def plan(self) -> SavedPlan:
        tasks = tuple(PlanTask(each.id, each.name or each.id, each.main) for each in self._model.tasks)
        self._once([each.id for each in tasks], "tasks", "id")
        mains = [place for place, each in enumerate(tasks) if each.main]
        if len(mains) > 1:
            raise self._error(("tasks", mains[1], "main"), "two_mains")
        self._once([each.listener_id for each in self._model.listeners], "listeners", "listener_id")
        known = frozenset(each.id for each in tasks)
        listeners = tuple(self._listener(place, known) for place in range(len(self._model.listeners)))
        main = tasks[mains[0] if mains else 0].id
        setters = settings_of(listeners)
        for place, each in enumerate(listeners):
            self._check_reached(place, each, main, setters)
        stages = listener_stages(listeners, main)
        if isinstance(stages, Circle):
            first = next(place for place, each in enumerate(listeners) if each.id == stages.listeners[0])
            names = stages.listeners
            told = " → ".join(names if len(names) <= _NAMED else (*names[: _NAMED - 1], "…", names[-1]))
            raise self._error(("listeners", first), "circle", names=told)
        return SavedPlan(tasks, listeners, stages, self._model.retries)

    def _check_names(self, node: Node, at: tuple[str | int, ...]) -> None:
        """No name stands twice in one object: of two values the second would be lost without a word."""
        if node.twice:
            name, line = node.twice[0]
            raise self._error((*at, name), "twice", line=line, name=name)
        for key, inner in node.members.items():
            self._check_names(inner, (*at, key))
        for place, inner in enumerate(node.value if isinstance(node.value, list) else ()):
            self._check_names(inner, (*at, place))

    def _once(self, ids: list[str], key: str, name: str) -> None:
        seen: set[str] = set()
        for place, each in enumerate(ids):
            if each in seen:
                raise self._error((key, place, name), "twice", name=each)
            seen.add(each)

    def _listener(self, place: int, known: frozenset[str]) -> PlanListener:
        model, at = self._model.listeners[place], ("listeners", place)
        self._once_in(model.trigger_task_id, (*at, "trigger_task_id"))
        for task in model.trigger_task_id:
            self._check_task(task, (*at, "trigger_task_id"), known)
        self._check_condition(model.trigger_condition, (*at, "trigger_condition"), known)
        for name, value in model.params.items():
            self._check_reference(value, (*at, "params", name), known)
        if not (model.ability or model.owner):
            raise self._error(at, "no_ability")
        if not (model.ability or model.request):
            raise self._error(at, "no_request")
        failure = None
        if model.failure_output is not None:
            failure = self._output(model.failure_output, (*at, "failure_output"), known, usual=FAILED)
        return PlanListener(
            model.listener_id,
            tuple(model.trigger_task_id),
            self._output(model.success_output, (*at, "success_output"), known, usual=DONE),
            failure,
            model.trigger_condition,
            model.listener_type,
            model.owner,
            model.request,
            model.ability if not model.ability or "::" in model.ability else f"local::{model.ability}",
            model.params,
            model.retries,
        )

    def _once_in(self, names: list[str], at: tuple[str | int, ...]) -> None:
        if len(set(names)) < len(names):
            raise self._error(at, "twice", name=max(names, key=names.count))

    def _output(
        self, model: OutputModel, at: tuple[str | int, ...], known: frozenset[str], *, usual: str
    ) -> TaskOutput:
        self._check_task(model.task_id, (*at, "task_id"), known)
        for name, value in model.context.items():
            if isinstance(value, dict) and OF_RESULT in value:
                fits = list(value) == [OF_RESULT] and isinstance(value[OF_RESULT], str) and value[OF_RESULT]
                if not fits:
                    raise self._error((*at, "context", name), "odd_output")
        return TaskOutput(model.task_id, plain_status(model.status) if model.status else usual, model.context)

    def _check_task(self, task: str, at: tuple[str | int, ...], known: frozenset[str]) -> None:
        if task not in known:
            raise self._error(at, "unknown_task", task=task, known=_names(known))

    def _check_condition(
        self, condition: JsonObject, at: tuple[str | int, ...], known: frozenset[str]
    ) -> None:
        flaw = flaw_of(condition) if condition else None
        if flaw is not None:
            why = LazySentence(f"descriptor.plan.condition.{flaw.why}", name=flaw.name)
            raise self._error((*at, *flaw.place), "odd_condition", flaw=why)
        for place, task, _ in named_tasks(condition):
            self._check_task(task, (*at, *place), known)

    def _check_reference(self, value: Json, at: tuple[str | int, ...], known: frozenset[str]) -> None:
        if not isinstance(value, dict) or not any(name.startswith("$") for name in value):
            return
        param, task = value.get(PARAM), value.get(TASK)
        if list(value) == [PARAM] and isinstance(param, str):
            if param not in self._params:
                raise self._error(at, "unknown_param", param=param, known=_names(self._params))
            return
        output = value.get(OUTPUT, "")
        if isinstance(task, str) and value.keys() <= {TASK, OUTPUT} and isinstance(output, str):
            self._check_task(task, (*at, TASK), known)
            return
        raise self._error(at, "odd_reference")

    def _check_reached(self, place: int, listener: PlanListener, main: str, setters: Setters) -> None:
        """What it waits for comes to be: some listener brings it about."""
        at = ("listeners", place)
        for task in listener.triggers:
            if task != main and task not in setters:
                raise self._error((*at, "trigger_task_id"), "never_set", task=task)
        for name, task, _ in listener.fed_by():
            if not any(success for _, _, success in setters.get(task, ())):
                raise self._error((*at, "params", name), "never_set", task=task)
        for inner, task, statuses in named_tasks(listener.when):
            words = {OPEN, *(output.status for _, output, _ in setters.get(task, ()))}
            words |= {RUNNING} if task == main else set()
            # What fails says so of its task, though its author did not.
            words |= {FAILED} if any(success for _, _, success in setters.get(task, ())) else set()
            if statuses and not words.intersection(statuses):
                at_word = (*at, "trigger_condition", *inner)
                raise self._error(at_word, "no_such_status", task=task, known=_names(words))
            if not statuses and task != main and task not in setters:
                raise self._error((*at, "trigger_condition", *inner), "never_set", task=task)

    def _error(
        self, at: tuple[str | int, ...], why: str, *, line: int | None = None, **values: object
    ) -> DescriptorError:
        pointer = "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in at)
        reason = LazySentence(f"descriptor.plan.{why}", **values)
        return DescriptorError(
            "descriptor.plan.at", pointer=pointer, reason=reason, line=line or find(self._root, at).line
        )


def _names(known: frozenset[str] | set[str]) -> str:
    """The first of them, in their order."""
    names = sorted(known)
    return ", ".join(names if len(names) <= _NAMED else [*names[:_NAMED], "…"])


def plan_text(raw: JsonObject) -> str:
    """The text of a `plan.json`."""
    return json.dumps(raw, ensure_ascii=False, indent=2) + "\n"
