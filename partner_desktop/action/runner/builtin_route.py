"""The BUILTIN route: functions of Partner itself, by key."""

from __future__ import annotations

from partner_desktop.action.runner.builtin.registry import BuiltinActionRegistry, BuiltinCall
from partner_desktop.action.runner.mcp.port import RunScope
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import Isolation


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
