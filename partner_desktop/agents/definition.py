"""What an agent can do, derived from the types of its methods.

An input is a key such as `it:Story`: the name that it is looked for by, and its class. A step needs its
inputs, leaves its result under that key and those of the result's base classes, and `hasRun_Agent.step` holds
after it. Unless it is rerunnable, it needs that its result is not there yet. A goal wants the result of its
action; where the result could have been there before, also that the action ran.

What two readings are possible of is refused, with the place and the way out, when the agent is registered.
"""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from partner_desktop.agents.agent_specs import (
    LAST,
    ActionSpec,
    AgentDefinition,
    ConditionSpec,
    GoalSpec,
    InputSpec,
    MethodSpec,
    StepService,
    has_run,
    type_key,
)
from partner_desktop.agents.blackboard import IT, Blackboard
from partner_desktop.agents.declarations import (
    ActionMark,
    AgentMark,
    ConditionMark,
    CostMark,
    GoalMark,
    Named,
    agent_mark,
    marks_on,
)
from partner_desktop.base.errors import WiringError
from partner_desktop.planning import Goal

_NOT = "not "


def define(cls: type, make: Callable[[type], object] = lambda cls: cls()) -> AgentDefinition:
    """Read an agent from its class.

    Raises:
        WiringError: It is none, or its methods can be read in two ways, or in none. The message says which.
    """
    mark = agent_mark(cls)
    if mark is None:
        raise WiringError(f"{cls.__qualname__} is no agent: mark it with @agent(description=…).")
    return _Reader(cls, mark, make(cls)).definition()


class _Reader:
    """One reading of one class."""

    def __init__(self, cls: type, mark: AgentMark, agent: object) -> None:
        self._mark = mark
        self._agent = agent
        self._name = mark.name or cls.__name__
        self._provider = cls.__module__.partition(".")[0]
        self._types: dict[str, type] = {}
        self._conditions: frozenset[str] = frozenset()
        self._methods = dict(self._marked(cls))
        for kind in mark.inputs:
            self._know(kind, "its inputs")

    def _marked(self, cls: type) -> Iterator[tuple[str, Callable[..., object]]]:
        """The methods that are marked, those of base classes first, each as this class has it."""
        names = dict.fromkeys(name for each in reversed(cls.__mro__) for name in vars(each))
        for name in names:
            found = inspect.getattr_static(cls, name, None)
            if inspect.isfunction(found) and marks_on(found):
                yield name, found

    def definition(self) -> AgentDefinition:
        """All of it."""
        conditions = dict(self._read_conditions())
        self._conditions = frozenset(conditions)
        read = [(self._called(mark.name or name), name, mark) for name, mark in self._with(ActionMark)]
        self._once([name for name, _, _ in read], "actions")
        bare = {name: self._bare_action(name, method, mark) for name, method, mark in read}
        triggers = [mark.trigger for _, _, mark in read if mark.trigger is not None]
        for kind in triggers:
            self._know(kind, "a trigger")
        actions = {name: self._finished(spec, bare, triggers) for name, spec in bare.items()}
        goals = [self._goal(actions[name], method) for name, method, _ in read]
        found = tuple(each for each in goals if each is not None)
        self._once([each.name for each in found], "goals")
        if not found:
            raise WiringError(f"Agent {self._name} has no goal: mark the action that reaches it with @goal.")
        if lost := [name for name, _ in self._with(GoalMark) if not self._has(name, ActionMark)]:
            raise WiringError(
                f"{self._name}.{lost[0]} is a goal and no action: mark it with @action as well."
            )
        return AgentDefinition(
            self._name,
            self._mark,
            self._provider,
            self._agent,
            tuple(actions.values()),
            found,
            tuple(conditions.values()),
            self._types,
        )

    # The parts.

    def _read_conditions(self) -> Iterator[tuple[str, ConditionSpec]]:
        marked = list(self._with(ConditionMark))
        self._once([mark.name or name for name, mark in marked], "conditions")
        for method, mark in marked:
            name = mark.name or method
            spec, _ = self._method(method, services=(Blackboard,))
            yield name, ConditionSpec(self._called(name), spec, self._number(mark.cost, method, "cost"))

    def _bare_action(self, name: str, method: str, mark: ActionMark) -> ActionSpec:
        """An action without what it needs and changes: that depends on the classes of all of them."""
        spec, result = self._method(method, services=(Blackboard, StepService))
        self._refuse_alike(method, spec.inputs)
        output, may_give_nothing = self._output(method, result)
        cost, value = (
            self._cost(method, each, what) for each, what in ((mark.cost, "cost"), (mark.value, "value"))
        )
        return ActionSpec(name, mark, spec, output, may_give_nothing, {}, {}, cost, value)

    def _finished(
        self, spec: ActionSpec, others: Mapping[str, ActionSpec], triggers: list[type]
    ) -> ActionSpec:
        """The action with what it needs and changes."""
        pre = self._needs(spec)
        effects = self._changes(spec, others, triggers)
        return replace(spec, preconditions=pre, effects=effects, posted=self._posted(spec))

    def _posted(self, spec: ActionSpec) -> dict[str, bool]:
        """The conditions of the blackboard that it sets."""
        sensed = {self._called(name) for name in self._conditions}
        said = self._said(spec.mark.post, spec.name)
        return {key: value for key, value in said.items() if key not in sensed and ":" not in key}

    def _needs(self, spec: ActionSpec) -> dict[str, bool]:
        mark, output = spec.mark, spec.output
        pre = {each.key: True for each in spec.method.inputs if each.required}
        if mark.trigger is not None:
            pre[type_key(LAST, mark.trigger)] = True
        pre |= self._said(mark.pre, spec.name)
        if not mark.rerunnable:
            if output is not None and not mark.clears and not _takes(spec.method, output):
                pre.setdefault(type_key(mark.output, output), False)
            pre[has_run(spec.name)] = False
        return pre

    def _changes(
        self, spec: ActionSpec, others: Mapping[str, ActionSpec], triggers: list[type]
    ) -> dict[str, bool]:
        mark, output = spec.mark, spec.output
        known = list(self._types.values())
        effects: dict[str, bool] = {}
        if mark.clears:
            kept = {type_key(IT, kind) for kind in known if issubclass(kind, self._mark.inputs)}
            looked_for = {each.key for one in others.values() for each in one.method.inputs}
            effects |= dict.fromkeys(sorted(looked_for - kept), False)
            effects |= {has_run(name): False for name in others}
            effects |= {key: False for one in others.values() for key in self._posted(one)}
        if output is not None:
            names = dict.fromkeys((mark.output, IT))
            bases = [output, *(kind for kind in known if kind is not output and issubclass(output, kind))]
            effects |= {type_key(name, kind): True for name in names for kind in bases}
        effects |= {
            type_key(LAST, kind): output is not None and issubclass(output, kind) for kind in triggers
        }
        effects |= self._said(mark.post, spec.name)
        if not mark.clears:
            effects[has_run(spec.name)] = True
        return effects

    def _goal(self, spec: ActionSpec, method: str) -> GoalSpec | None:
        mark = next((each for each in marks_on(self._methods[method]) if isinstance(each, GoalMark)), None)
        if mark is None:
            return None
        wanted = self._said((*spec.mark.post, *mark.pre), spec.name)
        if spec.output is not None:
            wanted[type_key(spec.mark.output, spec.output)] = True
        if not wanted:
            raise WiringError(
                f"The goal of {spec.name} can never be told from its not being reached: "
                f"the action gives nothing. Give it a result, or a condition in `post`."
            )
        if spec.output is not None and _takes(spec.method, spec.output) and not spec.mark.clears:
            wanted[has_run(spec.name)] = True
        name = self._called(mark.name or method)
        return GoalSpec(
            Goal(name, wanted, self._number(mark.value, method, "value")),
            mark.description,
            spec.output,
            spec.mark.output,
        )

    def _said(self, named: tuple[str, ...], where: str) -> dict[str, bool]:
        """Conditions as marks name them: of this agent, of the blackboard, or a key such as `it:Story`."""
        said: dict[str, bool] = {}
        for each in named:
            name = each.removeprefix(_NOT)
            kind = name.partition(":")[2]
            if kind and kind not in self._types:
                raise WiringError(f"{where} names {name}, but no method of the agent speaks of a {kind}.")
            said[self._called(name) if name in self._conditions else name] = name == each
        return said

    # Methods and their types.

    def _method(self, name: str, *, services: tuple[type, ...]) -> tuple[MethodSpec, object]:
        """How it is called, and what it says that it gives."""
        function = self._methods[name]
        where = f"{self._name}.{name}"
        try:
            hints = get_type_hints(function, include_extras=True)
        except Exception as error:  # an annotation is any expression
            raise WiringError(f"{where} speaks of a type that does not exist: {error}") from error
        inputs: list[InputSpec] = []
        given: dict[str, type] = {}
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                raise WiringError(
                    f"{where} takes {parameter}: each input needs a name and a type of its own."
                )
            hint = hints.get(parameter.name)
            if hint is None:
                raise WiringError(f"{where} does not say of what type {parameter.name} is.")
            kind, optional, binding = _taken_apart(hint, parameter.name)
            has_default = parameter.default is not parameter.empty
            if isinstance(kind, type) and issubclass(kind, services):
                given[parameter.name] = kind
            elif _is_own_class(kind):
                self._know(kind, where)
                required = not (optional or has_default)
                inputs.append(InputSpec(parameter.name, kind, binding, required, has_default))
            elif not has_default:
                raise WiringError(
                    f"{where} takes {parameter.name}: {_shown(kind)}. What is on the blackboard is found by "
                    f"its class: give it one of its own, a dataclass or a pydantic model."
                )
        return MethodSpec(getattr(self._agent, name), tuple(inputs), given), hints.get("return", _NOT)

    def _refuse_alike(self, method: str, inputs: tuple[InputSpec, ...]) -> None:
        for place, one in enumerate(inputs):
            for other in inputs[:place]:
                related = issubclass(one.kind, other.kind) or issubclass(other.kind, one.kind)
                if related and one.name == other.name:
                    raise WiringError(
                        f"{self._name}.{method} takes {other.parameter} and {one.parameter}, which one "
                        f"{one.kind.__name__} would be: tell them apart with Annotated[…, Named()]."
                    )

    def _output(self, method: str, result: object) -> tuple[type | None, bool]:
        where = f"{self._name}.{method}"
        if result is _NOT:
            raise WiringError(f"{where} does not say what it gives; `-> None` says: nothing.")
        if result is type(None):
            return None, True
        kind, optional, _ = _taken_apart(result, "")
        if not _is_own_class(kind):
            raise WiringError(
                f"{where} gives {_shown(kind)}: let it be one class, a dataclass or a pydantic model."
            )
        self._know(kind, where)
        return kind, optional

    def _cost(self, method: str, said: float | str, what: str) -> float | MethodSpec:
        if not isinstance(said, str):
            return self._number(said, method, what)
        if said not in self._methods or not self._has(said, CostMark):
            raise WiringError(
                f"{self._name}.{method} has the {what} {said}: there is no method of that name with @cost."
            )
        return self._method(said, services=(Blackboard,))[0]

    def _number(self, said: float, method: str, what: str) -> float:
        if not math.isfinite(said) or said < 0:
            raise WiringError(f"{self._name}.{method} has a {what} of {said}: it is a number from 0 up.")
        return float(said)

    def _know(self, kind: type, where: str) -> None:
        other = self._types.setdefault(kind.__name__, kind)
        if other is not kind:
            raise WiringError(
                f"{self._name} speaks of two classes called {kind.__name__}, in {other.__module__} and in "
                f"{kind.__module__} ({where}): they could not be told apart."
            )

    def _called(self, name: str) -> str:
        return f"{self._name}.{name}"

    def _with(self, mark: type[Any]) -> Iterator[tuple[str, Any]]:
        """Methods with a mark of a kind. Any: the mark, of that class."""
        for name, method in self._methods.items():
            yield from ((name, each) for each in marks_on(method) if isinstance(each, mark))

    def _has(self, method: str, mark: type) -> bool:
        return any(isinstance(each, mark) for each in marks_on(self._methods[method]))

    def _once(self, names: list[str], what: str) -> None:
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise WiringError(f"Agent {self._name} has two {what} called {twice[0]}.")


def _takes(method: MethodSpec, output: type) -> bool:
    """Whether the result may be there before: it is an input as well, or an input is one of it."""
    return any(issubclass(each.kind, output) for each in method.inputs)


def _taken_apart(hint: object, parameter: str) -> tuple[Any, bool, str]:
    """Of an annotation: the class, whether `None` may stand for it, and the name it is looked for by."""
    binding = IT
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        named = next((each for each in extras if isinstance(each, Named)), None)
        binding = IT if named is None else named.name or parameter
    parts = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else ()
    rest = [part for part in parts if part is not type(None)]
    if len(parts) == 2 and len(rest) == 1:
        kind, _, inner = _taken_apart(rest[0], parameter)
        return kind, True, inner if binding == IT else binding
    return hint, False, binding


def _is_own_class(kind: object) -> bool:
    """Whether it is a class that says what an object is, as `str`, `dict` and `object` do not."""
    return isinstance(kind, type) and kind.__module__ not in ("builtins", "typing", "collections")


def _shown(kind: object) -> str:
    return getattr(kind, "__name__", None) or str(kind).replace("typing.", "")
