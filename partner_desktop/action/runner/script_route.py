"""The ORIGIN route: scripts of this machine, run from their snapshot.

That is: the bytes that were hashed, shown and approved. They run in the sandbox where there is one, in a
workspace of their own that is kept with the run. The in-process MCP server runs its tools through it, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from partner_desktop.action.runner.ability_file import snapshot_hash
from partner_desktop.action.runner.arguments import command_arguments, stdin_payload
from partner_desktop.action.runner.launch_spec import LaunchSpec
from partner_desktop.action.runner.mcp.port import RunScope
from partner_desktop.action.runner.policy import PolicyKeeper, PolicySource, own_places
from partner_desktop.action.runner.process import run_process
from partner_desktop.action.runner.responses import response_of
from partner_desktop.action.runner.run_folders import left_files
from partner_desktop.action.runner.sandbox import SandboxSpec
from partner_desktop.action.runner.sandbox_probe import SandboxProbe
from partner_desktop.action.runner.started_places import StartedPlaces
from partner_desktop.action.settings import SandboxSettings
from partner_desktop.base import private
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import Home, display_path
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import Isolation

_CHANGED = "{title} could not be read back as it was approved; save it again."
_ANOTHER_LAUNCHER = (
    "{launcher}, which runs {title}, is another program by now. Save {title} again, and it asks anew."
)
_ASIDE = (
    "It made {places}, from where other programs are started, so that was put aside under another name;"
    " look into it before you use it."
)
_UNHELD = "{title} was approved to run in the sandbox, which is not there any more; ask for it again."


class ScriptRoute:
    """An ActionRoute. `launch` looks for the sandbox. `also`: more places that no script sees.

    `policy`: how scripts run; by default, what this machine offers.
    """

    def __init__(self, home: Home, *, also: Sequence[Path] = (), policy: PolicySource | None = None) -> None:
        self._own = own_places(home, also)
        self._hidden: tuple[Path, ...] = ()
        self._runs = self._real_runs = home.runs
        self.policy = policy or PolicyKeeper(SandboxSettings, self._own)

    @property
    def sandbox(self) -> SandboxProbe:
        """What holds scripts now."""
        return self.policy.current.probe

    async def launch(self) -> None:
        self._hidden = tuple(path.resolve() for path in self._own)
        self._real_runs = self._runs.resolve()
        await self.policy.launch()

    def isolation(self, info: MetaActionInfo) -> Isolation:
        interpreter = display_path(Path(info.launcher[0])) if info.launcher else ""
        if not self.sandbox.available:
            summary, reason = "not sandboxed · runs with your own rights", self.sandbox.reason
            return Isolation(
                sandboxed=False, net=True, summary=summary, interpreter=interpreter, reason=reason
            )
        net, sockets = info.permissions.net, info.permissions.sockets
        words = ["sandboxed · network allowed" if net else "sandboxed · no network"]
        words += ["talks to programs of this machine"] if sockets else []
        opens = [display_path(Path(place)) for place in info.opens]
        words += [f"its program opens {', '.join(opens)}"] if opens else []
        return Isolation(
            sandboxed=True,
            net=net,
            summary=" · ".join(words),
            interpreter=interpreter,
            sockets=sockets,
            foreign="\n".join(opens),
        )

    async def run(self, meta_action: MetaAction, *, scope: RunScope) -> RunnerResponse:
        aside: list[Path] = []
        spec = self.spec(meta_action, scope, aside)
        outcome = await run_process(spec, on_output=scope.on_output)
        response = response_of(outcome, sandboxed=spec.sandbox is not None)
        return _told_of(response, aside)

    def spec(self, meta_action: MetaAction, scope: RunScope, aside: list[Path]) -> LaunchSpec:
        """What is to be started. The script is compared, and its workspace made, by the run's own thread.

        `aside` gets the places that it made for other programs to start from.
        """
        info = meta_action.info
        script = info.source
        if script is None:
            raise AskHumanError(_CHANGED.format(title=info.title))
        workspace = self._real(scope.folder) / "workspace"
        box = self._sandbox_for(info, script, workspace, scope)
        return LaunchSpec(
            argv=(*info.launcher, str(script), *command_arguments(info, meta_action.params)),
            spill_dir=scope.folder,
            stdin=stdin_payload(meta_action.params),
            cwd=workspace,
            timeout_s=info.timeout_s,
            sandbox=box,
            prepare=partial(_prepare, info, script, workspace),
            finish=partial(_finish, scope, box, aside),
        )

    def _real(self, folder: Path) -> Path:
        """A run's folder without links, as the sandbox needs it; without asking the disk."""
        return self._real_runs / folder.relative_to(self._runs)

    def _sandbox_for(
        self, info: MetaActionInfo, script: Path, workspace: Path, scope: RunScope
    ) -> SandboxSpec | None:
        """The sandbox of one run; `None` where there is none, which the decision then must allow."""
        policy = self.policy.current
        if policy.sandbox is None:
            if scope.held:  # the settings changed after the decision was looked at
                raise AskHumanError(_UNHELD.format(title=info.title))
            return None
        return SandboxSpec(
            sandbox=policy.sandbox,
            script=script.parent,
            workspace=workspace,
            paths=scope.paths,
            runs=self._real_runs,
            shared_paths=policy.shared_paths,
            hidden_paths=self._hidden,
            started=StartedPlaces([Path(use.path) for use in scope.paths if use.access == "write"]),
            net=info.permissions.net,
            sockets=info.permissions.sockets,
            limits=policy.limits,
        )


def _prepare(info: MetaActionInfo, script: Path, workspace: Path) -> None:
    """Blocking."""
    tool = Path(info.launcher[0]).is_relative_to(script.parent)
    launcher = "" if tool else info.launcher[0]
    if snapshot_hash(script.parent, launcher) != info.content_hash:
        if info.opens and snapshot_hash(script.parent):
            shown = display_path(Path(launcher))
            raise AskHumanError(_ANOTHER_LAUNCHER.format(launcher=shown, title=info.title))
        raise AskHumanError(_CHANGED.format(title=info.title))
    private.make_folder(workspace)


def _finish(scope: RunScope, box: SandboxSpec | None, aside: list[Path]) -> None:
    """Blocking."""
    if box is not None and box.started is not None:
        aside += box.started.put_aside()
    scope.on_left(left_files(scope.folder))


def _told_of(response: RunnerResponse, aside: Sequence[Path]) -> RunnerResponse:
    if not aside:
        return response
    said = _ASIDE.format(places=", ".join(map(display_path, aside)))
    return replace(response, ok=False, error=f"{response.error} {said}".strip())
