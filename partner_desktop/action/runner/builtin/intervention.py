"""`intervention::*`: what could be called here, and what is under way, for whoever wants to step in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.capabilities.action import ActionCapability
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route, RunnerResponse

_OPEN = (ActionStatus.ASKING, ActionStatus.WAITING, ActionStatus.RUNNING)


class OpenActions(Protocol):
    """The actions of a conversation. `action/store.py` has this face."""

    async def in_status(
        self, status: ActionStatus, *, conversation_id: str = ""
    ) -> Sequence[ActionRecord]: ...


class InterventionBuiltins:
    """`capability` and `actions` are asked for with each call: they are built after the list of builtins."""

    def __init__(
        self, capability: Callable[[], ActionCapability], actions: Callable[[], OpenActions]
    ) -> None:
        self._capability = capability
        self._actions = actions

    def definitions(self) -> Sequence[BuiltinDefinition]:
        return (
            BuiltinDefinition(_AVAILABLE, self._available),
            BuiltinDefinition(_INTERVENABLE, self._intervenable),
        )

    async def _available(self, call: BuiltinCall) -> RunnerResponse:
        del call
        lines: list[Json] = [_ability(info) for info in self._capability().usable() if not info.hidden]
        return RunnerResponse(
            ok=True, data={"summary": f"{len(lines):,} actions can be called here.", "actions": lines}
        )

    async def _intervenable(self, call: BuiltinCall) -> RunnerResponse:
        found = [
            record
            for status in _OPEN
            for record in await self._actions().in_status(status, conversation_id=call.conversation_id)
            if record.id != call.action_id
        ]
        if not found:
            return RunnerResponse(ok=True, data={"summary": "Nothing waits or runs in this conversation."})
        told = "1 action waits or runs" if len(found) == 1 else f"{len(found)} actions wait or run"
        lines: list[Json] = [_action(record) for record in found]
        return RunnerResponse(ok=True, data={"summary": f"{told} in this conversation.", "actions": lines})


def _ability(info: MetaActionInfo) -> JsonObject:
    return {
        "key": info.key,
        "title": info.title,
        "description": info.description,
        "params": ", ".join(info.properties()),
    }


def _action(record: ActionRecord) -> JsonObject:
    return {
        "id": record.id,
        "key": record.key,
        "title": record.title,
        "status": record.status.value,
        "since": (record.started_at or record.created_at).astimezone().strftime("%H:%M:%S"),
    }


_AVAILABLE = MetaActionInfo(
    key="builtin::intervention::list_available_meta_actions",
    route=Route.BUILTIN,
    label="List available actions",
    description="List all available actions with their keys and parameters",
    aliases=("list all available actions", "列出所有可用的动作"),
    annotations=Annotations(read_only=True, idempotent=True),
)

_INTERVENABLE = MetaActionInfo(
    key="builtin::intervention::list_intervenable_actions",
    route=Route.BUILTIN,
    label="List open actions",
    description="List the actions of this conversation that wait or run",
    aliases=("which actions are waiting or running", "有哪些动作正在等待或运行"),
    annotations=Annotations(read_only=True, idempotent=True),
)
