"""LocalRunnerClient: runs MetaActions on this machine, by route.

Scripts (routes MCP and ORIGIN) run from their snapshot: the bytes that were hashed, shown and approved.
They run in the sandbox where there is one, in a workspace of their own that is kept with the run.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import assert_never

from partner_desktop.action.runner.ability_file import snapshot_hash
from partner_desktop.action.runner.arguments import command_arguments, stdin_payload
from partner_desktop.action.runner.builtin.registry import BuiltinActionRegistry, BuiltinCall
from partner_desktop.action.runner.client import RunnerClient
from partner_desktop.action.runner.launch_spec import LaunchSpec
from partner_desktop.action.runner.process import run_process
from partner_desktop.action.runner.responses import response_of
from partner_desktop.action.runner.sandbox import SandboxSpec
from partner_desktop.action.runner.sandbox_probe import SandboxProbe, probe_sandbox
from partner_desktop.base import private
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import Home, display_path
from partner_desktop.domain.action import Isolation, PathUse
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, Route, RunnerResponse

_NOT_PROBED = SandboxProbe("Whether scripts can be sandboxed here has not been looked at yet.")


class LocalRunnerClient(RunnerClient):
    """The runner of this machine. A part of the AgentContext: its launch looks for the sandbox."""

    def __init__(self, builtins: BuiltinActionRegistry, home: Home) -> None:
        super().__init__()
        self._builtins = builtins
        self._home = home
        self.sandbox = _NOT_PROBED

    async def launch(self) -> None:
        self.sandbox = await probe_sandbox()

    async def shutdown(self) -> None:
        """Runs belong to the executor, which has ended them by now."""

    def isolation(self, info: MetaActionInfo) -> Isolation:
        if info.route is Route.BUILTIN:
            return _builtin_isolation(info)
        interpreter = display_path(Path(info.launcher[0])) if info.launcher else ""
        if not self.sandbox.available:
            summary = "not sandboxed · runs with your own rights"
            return Isolation(sandboxed=False, net=True, summary=summary, interpreter=interpreter)
        net = info.permissions.net
        summary = "sandboxed · network allowed" if net else "sandboxed · no network"
        return Isolation(sandboxed=True, net=net, summary=summary, interpreter=interpreter)

    async def do_run(self, meta_action: MetaAction, *, paths: tuple[PathUse, ...]) -> RunnerResponse:
        route = meta_action.info.route
        if route is Route.BUILTIN:
            call = BuiltinCall(
                meta_action.params,
                self._home.runs / meta_action.id,
                meta_action.cwd,
                conversation_id=meta_action.conversation_id,
                action_id=meta_action.id,
            )
            return await self._builtins.call(meta_action.info.key, call)
        if route is Route.ORIGIN or route is Route.MCP:
            return await self._run_script(meta_action, paths)
        assert_never(route)

    async def _run_script(self, meta_action: MetaAction, paths: tuple[PathUse, ...]) -> RunnerResponse:
        info = meta_action.info
        script = info.source
        if script is None or await asyncio.to_thread(snapshot_hash, script) != info.content_hash:
            raise AskHumanError(f"{info.title} could not be read back as it was approved; save it again.")
        workspace = self._home.runs / meta_action.id / "workspace"
        await asyncio.to_thread(private.make_folder, workspace)
        spec = LaunchSpec(
            argv=(*info.launcher, str(script.resolve()), *command_arguments(info, meta_action.params)),
            spill_dir=self._home.runs / meta_action.id,
            stdin=stdin_payload(meta_action.params),
            cwd=workspace,
            timeout_s=info.timeout_s,
            sandbox=self._sandbox_for(info, script, workspace, paths),
        )
        return response_of(await run_process(spec), sandboxed=spec.sandbox is not None)

    def _sandbox_for(
        self, info: MetaActionInfo, script: Path, workspace: Path, paths: tuple[PathUse, ...]
    ) -> SandboxSpec | None:
        """The sandbox of one run; `None` where there is none, which the decision then must allow."""
        if self.sandbox.sandbox is None:
            return None
        return SandboxSpec(
            sandbox=self.sandbox.sandbox,
            script=script.parent.resolve(),
            workspace=workspace.resolve(),
            read_paths=tuple(Path(use.path) for use in paths if use.access == "read"),
            write_paths=tuple(Path(use.path) for use in paths if use.access == "write"),
            hidden_paths=(self._home.root.resolve(), self._home.socket.parent.resolve()),
            net=info.permissions.net,
        )


def _builtin_isolation(info: MetaActionInfo) -> Isolation:
    if info.annotations.read_only:
        return Isolation(sandboxed=False, net=False, summary="built in · only looks")
    return Isolation(sandboxed=False, net=True, summary="not sandboxed · runs with your own rights")
