"""The agents there are: those that are registered by hand, and those that installed packages bring.

A package names an agent class under `partner_desktop.agents` (`runtime/extensions.py` loads it where the
person allowed it); one that is broken is left out with the reason, and the others work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from pydantic import TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation, PydanticUserError

from partner_desktop.agents.agent_specs import AgentDefinition, type_key
from partner_desktop.agents.blackboard import IT, Nothing
from partner_desktop.agents.declarations import UserInput
from partner_desktop.agents.definition import define
from partner_desktop.base.errors import AgentError, WiringError
from partner_desktop.planning import PlanAction, Unreachable, find_plan


class AgentRegistry:
    """`make` builds the object of an agent class; without it the class is called with nothing."""

    def __init__(self, make: Callable[[type], object] = lambda cls: cls()) -> None:
        self._make = make
        self._agents: dict[str, AgentDefinition] = {}
        self._types: dict[str, type] = {}
        for kind in (UserInput, Nothing):
            self._learn(kind)

    def __iter__(self) -> Iterator[AgentDefinition]:
        return iter(self._agents.values())

    @property
    def types(self) -> Mapping[str, type]:
        """Every class that an agent speaks of, by module and name: those that can be written down."""
        return self._types

    def register(self, cls: type) -> Callable[[], object]:
        """Add an agent; returns the undo.

        Raises:
            WiringError: It is no agent or a contradictory one, its name is taken, or a goal of it cannot be
                reached. The message says which, and for a goal what it is that nothing produces.
        """
        definition = define(cls, self._make)
        other = self._agents.get(definition.name)
        if other is not None:
            raise WiringError(
                f"two agents are called {definition.name}, of {other.provider} and of {definition.provider}."
            )
        _refuse_unreachable(definition)
        for kind in definition.types.values():
            self._learn(kind)
        self._agents[definition.name] = definition
        return partial(self._agents.pop, definition.name, None)

    def register_found(self, found: Mapping[str, type], refuse: Callable[[str, BaseException], None]) -> None:
        """Add what packages bring, by the names of their entry points; `refuse` is told of those left out."""
        for name, cls in found.items():
            try:
                self.register(cls)
            except BaseException as error:  # noqa: BLE001 - somebody else's code: it is made here
                refuse(name, error)

    def get(self, name: str) -> AgentDefinition:
        """The agent of a name.

        Raises:
            AgentError: There is none.
        """
        if name not in self._agents:
            raise AgentError("agents.unknown_agent", name=name)
        return self._agents[name]

    def _learn(self, kind: type) -> None:
        try:
            TypeAdapter(kind)
        except (PydanticSchemaGenerationError, PydanticUndefinedAnnotation, PydanticUserError) as error:
            raise WiringError(
                f"{kind.__qualname__} cannot be written down, unlike a dataclass or a pydantic model: {error}"
            ) from error
        self._types[f"{kind.__module__}.{kind.__qualname__}"] = kind


def _refuse_unreachable(definition: AgentDefinition) -> None:
    """A goal that could not be reached even if all went well is a mistake of whoever wrote the agent."""
    start = {
        type_key(IT, kind): issubclass(given, kind)
        for kind in definition.types.values()
        for given in definition.mark.inputs
        if issubclass(given, kind)
    }
    open_ones = [*(each.name for each in definition.conditions), *definition.mark.given]
    lucky = [
        PlanAction(f"it turns out that {name} is {holds}", {}, {name: holds})
        for name in open_ones
        for holds in (True, False)
    ]
    steps = [PlanAction(each.name, each.preconditions, each.effects) for each in definition.actions]
    for goal in definition.goals:
        answer = find_plan(start, goal.wanted.conditions, [*steps, *lucky])
        if isinstance(answer, Unreachable):
            why = [
                f"nothing makes {each.condition} {str(each.value).lower()}"
                + (f", which {', '.join(each.needed_by)} needs" if each.needed_by else "")
                for each in answer.missing
            ]
            told = "; ".join(why) or "its conditions can never hold together"
            raise WiringError(f"The goal {goal.name} cannot be reached: {told}.")
