"""BuiltinActionRegistry: definitions of builtin actions, by key."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from partner_desktop.action.runner.call import OnOutput, unheard
from partner_desktop.base.errors import WiringError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse


@dataclass(frozen=True)
class BuiltinCall:
    """What an invoker gets: the arguments, a folder of the run's own, and where to run (empty: at home)."""

    params: JsonObject
    run_folder: Path
    cwd: str = ""
    conversation_id: str = ""
    action_id: str = ""
    on_output: OnOutput = unheard

    def text(self, name: str) -> str:
        """A parameter as text; empty when it was not given."""
        value = self.params.get(name)
        return "" if value is None else str(value)

    def path(self, name: str) -> Path:
        """A path parameter; resolved before the run was approved."""
        return Path(self.text(name))

    def number(self, name: str, default: int) -> int:
        """A whole number; the schema was checked before."""
        value = self.params.get(name)
        return int(value) if isinstance(value, int | float) else default


@dataclass(frozen=True)
class BuiltinDefinition:
    """A description and the function behind it."""

    info: MetaActionInfo
    invoke: Callable[[BuiltinCall], Awaitable[RunnerResponse]]


class BuiltinActionProvider(Protocol):
    """Builtin actions that belong together."""

    def definitions(self) -> Sequence[BuiltinDefinition]: ...


class BuiltinActionRegistry:
    """All builtin actions of a Partner."""

    def __init__(self, parts: Sequence[BuiltinDefinition | BuiltinActionProvider]) -> None:
        self._definitions: dict[str, BuiltinDefinition] = {}
        for definition in _all(parts):
            key = definition.info.key
            if key in self._definitions:
                raise WiringError(f"Two builtin actions are called {key}.")
            # Grants need a hash; a builtin's is that of its key, for its code changes with the app.
            hashed = replace(definition.info, content_hash=hashlib.sha256(key.encode()).hexdigest())
            self._definitions[key] = replace(definition, info=hashed)

    def infos(self) -> list[MetaActionInfo]:
        """The descriptions, in the order of registration."""
        return [definition.info for definition in self._definitions.values()]

    async def call(self, key: str, call: BuiltinCall) -> RunnerResponse:
        """Run a builtin action.

        Raises:
            ActionError: It could not be done; the message is for the person.
        """
        return await self._definitions[key].invoke(call)


def _all(parts: Sequence[BuiltinDefinition | BuiltinActionProvider]) -> Iterator[BuiltinDefinition]:
    for part in parts:
        if isinstance(part, BuiltinDefinition):
            yield part
        else:
            yield from part.definitions()
