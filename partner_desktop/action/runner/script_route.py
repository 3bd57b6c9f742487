"""The ORIGIN route: scripts of this machine, run from their snapshot.

That is: the bytes that were hashed, shown and approved. They run in the sandbox where there is one, in a
workspace of their own that is kept with the run. The in-process MCP server runs its tools through it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from partner_desktop.action.runner.ability_file import snapshot_hash
from partner_desktop.action.runner.arguments import command_arguments, stdin_payload
from partner_desktop.action.runner.launch_spec import LaunchSpec
from partner_desktop.action.runner.mcp.port import RunScope
from partner_desktop.action.runner.process import run_process
from partner_desktop.action.runner.responses import response_of
from partner_desktop.action.runner.sandbox import SandboxSpec
from partner_desktop.action.runner.sandbox_probe import SandboxProbe, probe_sandbox
from partner_desktop.base import private
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import Home, display_path
from partner_desktop.domain.action import Isolation
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse

_CHANGED = "{title} could not be read back as it was approved; save it again."
_NOT_PROBED = SandboxProbe("Whether scripts can be sandboxed here has not been looked at yet.")


class ScriptRoute:
    """An ActionRoute. `launch` looks for the sandbox. `also`: more places that no script sees."""

    def __init__(self, home: Home, *, also: Sequence[Path] = ()) -> None:
        self._own = (home.root, home.socket.parent, *also)
        self._hidden: tuple[Path, ...] = ()
        self._runs = self._real_runs = home.runs
        self.sandbox = _NOT_PROBED

    async def launch(self) -> None:
        self._hidden = tuple(path.resolve() for path in self._own)
        self._real_runs = self._runs.resolve()
        self.sandbox = await probe_sandbox()

    def isolation(self, info: MetaActionInfo) -> Isolation:
        interpreter = display_path(Path(info.launcher[0])) if info.launcher else ""
        if not self.sandbox.available:
            summary = "not sandboxed · runs with your own rights"
            return Isolation(sandboxed=False, net=True, summary=summary, interpreter=interpreter)
        net = info.permissions.net
        summary = "sandboxed · network allowed" if net else "sandboxed · no network"
        return Isolation(sandboxed=True, net=net, summary=summary, interpreter=interpreter)

    async def run(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        spec = self.spec(meta_action, scope)
        outcome = await run_process(spec, on_output=scope.on_output)
        return response_of(outcome, sandboxed=spec.sandbox is not None)

    def spec(self, meta_action: MetaAction, scope: RunScope) -> LaunchSpec:
        """What is to be started. The script is compared, and its workspace made, by the run's own thread."""
        info = meta_action.info
        script = info.source
        if script is None:
            raise AskHumanError(_CHANGED.format(title=info.title))
        workspace = self._real(scope.folder) / "workspace"
        return LaunchSpec(
            argv=(*info.launcher, str(script), *command_arguments(info, meta_action.params)),
            spill_dir=scope.folder,
            stdin=stdin_payload(meta_action.params),
            cwd=workspace,
            timeout_s=info.timeout_s,
            sandbox=self._sandbox_for(info, script, workspace, scope),
            prepare=partial(_prepare, info, script, workspace),
        )

    def _real(self, folder: Path) -> Path:
        """A run's folder without links, as the sandbox needs it; without asking the disk."""
        return self._real_runs / folder.relative_to(self._runs)

    def _sandbox_for(
        self, info: MetaActionInfo, script: Path, workspace: Path, scope: RunScope
    ) -> SandboxSpec | None:
        """The sandbox of one run; `None` where there is none, which the decision then must allow."""
        if self.sandbox.sandbox is None:
            return None
        return SandboxSpec(
            sandbox=self.sandbox.sandbox,
            script=script.parent,
            workspace=workspace,
            read_paths=tuple(Path(use.path) for use in scope.paths if use.access == "read"),
            write_paths=tuple(Path(use.path) for use in scope.paths if use.access == "write"),
            hidden_paths=self._hidden,
            net=info.permissions.net,
        )


def _prepare(info: MetaActionInfo, script: Path, workspace: Path) -> None:
    """Blocking."""
    if snapshot_hash(script) != info.content_hash:
        raise AskHumanError(_CHANGED.format(title=info.title))
    private.make_folder(workspace)
