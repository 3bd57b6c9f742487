"""BuiltinActionRegistry: definitions of builtin actions, by key."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from partner_desktop.base.errors import WiringError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, RunnerResponse


@dataclass(frozen=True)
class BuiltinCall:
    """What an invoker gets: the arguments, a folder of the run's own, and where to run (empty: at home)."""

    params: JsonObject
    run_folder: Path
    cwd: str = ""


@dataclass(frozen=True)
class BuiltinDefinition:
    """A description and the function behind it."""

    info: MetaActionInfo
    invoke: Callable[[BuiltinCall], Awaitable[RunnerResponse]]


class BuiltinActionRegistry:
    """All builtin actions of a Partner."""

    def __init__(self, definitions: Sequence[BuiltinDefinition]) -> None:
        self._definitions: dict[str, BuiltinDefinition] = {}
        for definition in definitions:
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
