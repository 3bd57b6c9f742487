"""BuiltinActionRegistry: what is built in, by key: a table describes it, providers bring the functions."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from partner_desktop.base.errors import WiringError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import shipped
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaAction, MetaActionInfo, Route, RunnerResponse
from partner_desktop.domain.run_facts import Isolation
from partner_desktop.runner.call import OnOutput, RunScope, unheard
from partner_desktop.runner.descriptor import in_languages


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


def done(summary: str) -> RunnerResponse:
    """It was done, and that is all there is to say."""
    return RunnerResponse(ok=True, data={"summary": summary})


#: The functions behind builtin abilities, by their names in the table.
Builtins = Mapping[str, Callable[[BuiltinCall], Awaitable[RunnerResponse]]]


class BuiltinActionProvider(Protocol):
    """Builtin actions that belong together."""

    def definitions(self) -> Builtins: ...


class BuiltinActionRegistry:
    """All builtin actions of a Partner, as `resources/abilities.toml` describes and orders them."""

    def __init__(self, providers: Sequence[BuiltinActionProvider]) -> None:
        self._invokers: dict[str, Callable[[BuiltinCall], Awaitable[RunnerResponse]]] = {}
        for name, invoke in ((name, each) for part in providers for name, each in part.definitions().items()):
            if name in self._invokers:
                raise WiringError(f"Two builtin actions are called {name}.")
            if name not in _described():
                raise WiringError(f"resources/abilities.toml does not describe the builtin action {name}.")
            self._invokers[name] = invoke

    def infos(self) -> list[MetaActionInfo]:
        """The descriptions, in the order of the table."""
        return [info for name, info in _described().items() if name in self._invokers]

    async def call(self, key: str, call: BuiltinCall) -> RunnerResponse:
        """Run a builtin action.

        Raises:
            ActionError: It could not be done; the message is for the person.
        """
        return await self._invokers[key.removeprefix(_PREFIX)](call)


_PREFIX = "builtin::"


@cache
def _described() -> Mapping[str, MetaActionInfo]:
    """What the shipped table says of each, by name."""
    table = tomllib.loads((shipped("resources") / "abilities.toml").read_text(encoding="utf-8"))
    return {name: _info(_PREFIX + name, raw) for name, raw in table.items()}


def _info(key: str, raw: dict[str, Any]) -> MetaActionInfo:  # Any: our own table, held by a test
    raw, told = in_languages(raw)
    hints, params = raw["annotations"], raw.get("params", {})
    schema: JsonObject = {"type": "object", "properties": {}}
    if params:
        needed = [name for name, spec in params.items() if spec.pop("required", "default" not in spec)]
        schema = {"type": "object", "properties": params} | ({"required": needed} if needed else {})
    return MetaActionInfo(
        key=key,
        route=Route.BUILTIN,
        label=raw.get("title", ""),
        description=raw["description"],
        aliases=tuple(raw.get("aliases", ())),
        params=schema,
        hidden=raw.get("hidden", False),
        once=raw.get("once", False),
        tags=tuple(raw.get("tags", ())),
        annotations=Annotations(
            read_only=hints.get("readOnlyHint"),
            destructive=hints.get("destructiveHint"),
            idempotent=hints.get("idempotentHint"),
            open_world=hints.get("openWorldHint"),
        ),
        timeout_s=raw.get("timeoutSeconds", 120.0),
        # Grants need a hash; a builtin's is that of its key, for its code changes with the app.
        content_hash=hashlib.sha256(key.encode()).hexdigest(),
        localized=told,
    )


class BuiltinRoute:
    """An ActionRoute."""

    def __init__(self, builtins: BuiltinActionRegistry) -> None:
        self._builtins = builtins

    def isolation(self, info: MetaActionInfo) -> Isolation:
        if info.annotations.read_only:
            return Isolation(sandboxed=False, net=False, summary="built in · only looks")
        return Isolation(sandboxed=False, net=True, summary="not sandboxed · runs with your own rights")

    async def run(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        call = BuiltinCall(
            meta_action.params,
            scope.folder,
            meta_action.cwd,
            conversation_id=scope.conversation_id,
            action_id=scope.action_id,
            on_output=scope.on_output,
        )
        return await self._builtins.call(meta_action.info.key, call)
