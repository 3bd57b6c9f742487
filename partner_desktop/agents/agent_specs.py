"""What an agent consists of, once it is read: steps, goals and conditions, and what each is called with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from partner_desktop.agents.blackboard import IT, Blackboard
from partner_desktop.agents.declarations import ActionMark, AgentMark
from partner_desktop.planning import Goal

#: What holds of the very last object on the blackboard, by class.
LAST = "lastResult"


class StepService:
    """Base of what a step is given by its process, rather than from the blackboard."""


def type_key(name: str, kind: type) -> str:
    """The condition that an object of a class is there under a name."""
    return f"{name}:{kind.__name__}"


def has_run(action: str) -> str:
    """The condition that a step has run."""
    return f"hasRun_{action}"


@dataclass(frozen=True)
class InputSpec:
    """One parameter of a method that comes from the blackboard."""

    parameter: str
    kind: type
    name: str = IT
    required: bool = True
    """Otherwise it is `None`, or its default, where there is none."""
    has_default: bool = False

    @property
    def key(self) -> str:
        return type_key(self.name, self.kind)


@dataclass(frozen=True)
class MethodSpec:
    """A method of an agent, and what it is called with."""

    call: Callable[..., object]
    inputs: tuple[InputSpec, ...] = ()
    services: Mapping[str, type] = field(default_factory=dict)
    """Parameter → class of what the process gives."""

    def arguments(self, board: Blackboard, services: Mapping[type, object]) -> dict[str, object] | None:
        """What to call it with as things stand; `None`: something that it needs is not there."""
        found: dict[str, object] = {name: services[kind] for name, kind in self.services.items()}
        for each in self.inputs:
            value: object = board.get(each.name, each.kind)
            if value is None and each.required:
                return None
            if value is not None or not each.has_default:
                found[each.parameter] = value
        return found


@dataclass(frozen=True)
class ConditionSpec:
    """Something that is asked of the world."""

    name: str
    method: MethodSpec
    cost: float


@dataclass(frozen=True)
class ActionSpec:
    """A step that an agent can take."""

    name: str
    """`Agent.method`."""
    mark: ActionMark
    method: MethodSpec
    output: type | None
    may_give_nothing: bool
    preconditions: Mapping[str, bool]
    effects: Mapping[str, bool]
    cost: float | MethodSpec
    value: float | MethodSpec
    posted: Mapping[str, bool] = field(default_factory=dict)
    """The conditions of the blackboard that it sets."""


@dataclass(frozen=True)
class GoalSpec:
    """What an agent can be asked for."""

    wanted: Goal
    description: str
    output: type | None
    bound_to: str
    """The name of the output."""

    @property
    def name(self) -> str:
        return self.wanted.name


@dataclass(frozen=True, eq=False)
class AgentDefinition:
    """All of one agent. `agent` is the object whose methods are called."""

    name: str
    mark: AgentMark
    provider: str
    agent: object
    actions: tuple[ActionSpec, ...]
    goals: tuple[GoalSpec, ...]
    conditions: tuple[ConditionSpec, ...]
    types: Mapping[str, type]
    """The classes that its steps speak of, by name."""

    @property
    def description(self) -> str:
        return self.mark.description

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Every condition that matters to it, in order of appearance."""
        mappings = [each for step in self.actions for each in (step.preconditions, step.effects)]
        mappings += [each.wanted.conditions for each in self.goals]
        return tuple(dict.fromkeys(key for mapping in mappings for key in mapping))

    def action(self, name: str) -> ActionSpec | None:
        """The step of a name."""
        return next((each for each in self.actions if each.name == name), None)

    def goal(self, name: str) -> GoalSpec | None:
        """The goal of a name."""
        return next((each for each in self.goals if each.name == name), None)
