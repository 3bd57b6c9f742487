"""The ORIGIN route: scripts of this machine, run from their snapshot.

That is: the bytes that were hashed, shown and approved. They run in the sandbox where there is one, in a
workspace of their own that is kept with the run. Dynamic abilities run through it, too.

A value that does not fit into an argument is refused with a sentence. Passing it on stdin alone would
leave a script that reads only its arguments without it, silently.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from partner_desktop.base import private
from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.base.messages import sentence_of, sentences_joined
from partner_desktop.base.paths import Home, display_path
from partner_desktop.base.prompts import LANGUAGES
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, RunnerResponse
from partner_desktop.domain.run_facts import Isolation
from partner_desktop.domain.schema_check import unknown_names
from partner_desktop.runner.ability_content import snapshot_hash
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.process_launch import LaunchSpec, plain_environment, response_of
from partner_desktop.runner.run_folders import left_files, remove_unused_workspace
from partner_desktop.runner.sandbox import SandboxSpec, StartedPlaces
from partner_desktop.runner.sandbox_policy import (
    ExecutionPolicyKeeper,
    PolicySource,
    SandboxSettings,
    own_places,
)
from partner_desktop.runner.sandbox_probe import SandboxProbe
from partner_desktop.runner.script_process import run_process


class ScriptRoute:
    """An ActionRoute. `launch` looks for the sandbox. `also`: more places that no script sees.

    `policy`: how scripts run; by default, what this machine offers.
    """

    def __init__(self, home: Home, *, also: Sequence[Path] = (), policy: PolicySource | None = None) -> None:
        self._own = own_places(home, also)
        self._hidden: tuple[Path, ...] = ()
        self._runs = self._real_runs = home.runs
        self.policy = policy or ExecutionPolicyKeeper(SandboxSettings, self._own)

    @property
    def sandbox(self) -> SandboxProbe:
        """What holds scripts now."""
        return self.policy.current.probe

    async def launch(self) -> None:
        self._hidden = tuple(path.resolve() for path in self._own)
        self._real_runs = self._runs.resolve()
        await self.policy.launch()

    def isolation(self, info: MetaActionInfo) -> Isolation:
        if info.plan is not None:  # nothing of it runs but its steps, each held as its own card line says
            return Isolation(sandboxed=True, net=False, summary="its steps are shown before anything runs")
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
            raise AskHumanError("changed_since", title=info.title)
        workspace = self._real(scope.folder) / "workspace"
        box = self._sandbox_for(info, script, workspace, scope)
        told_in = {"PARTNER_LANG": meta_action.language or LANGUAGES[0]}
        if box is not None:
            box = replace(box, env=told_in)
        return LaunchSpec(
            argv=(*info.launcher, str(script), *command_arguments(info, meta_action.params)),
            spill_dir=scope.folder,
            stdin=stdin_payload(meta_action.params),
            cwd=workspace,
            timeout_s=info.timeout_s,
            sandbox=box,
            env=None if box is not None else plain_environment() | told_in,
            prepare=partial(_prepare, info, script, workspace),
            finish=partial(_finish, scope, box, aside),
            tidy=partial(remove_unused_workspace, scope.folder),
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
                raise AskHumanError("sandbox_gone", title=info.title)
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
            raise AskHumanError("launcher_changed", launcher=shown, title=info.title)
        raise AskHumanError("changed_since", title=info.title)
    private.make_folder(workspace)


def _finish(scope: RunScope, box: SandboxSpec | None, aside: list[Path]) -> None:
    """Blocking."""
    if box is not None and box.started is not None:
        aside += box.started.put_aside()
    scope.on_left(left_files(scope.folder))


def _told_of(response: RunnerResponse, aside: Sequence[Path]) -> RunnerResponse:
    if not aside:
        return response
    said = sentence_of("runner.aside", places=", ".join(map(display_path, aside)))
    return replace(response, ok=False, error=sentences_joined(filter(None, (response.error, said))))


#: Linux takes 128 KiB an argument (MAX_ARG_STRLEN) and about 2 MiB of them together with the environment.
MAX_ARGUMENT_BYTES = 100 * 1024
MAX_ARGUMENTS_BYTES = 1024 * 1024


def command_arguments(info: MetaActionInfo, params: JsonObject) -> list[str]:
    """`--key=value` in declared order; of an undescribed script, its `args` split like a shell would.

    Strings stand as they are, everything else in its JSON form. What is absent or null is left out.

    Raises:
        AskHumanError: A quote in `args` is not closed.
        TellMindError: A value cannot be an argument (too long, NUL, not a number that JSON knows), or the
            script has none of that name.
    """
    unknown = [name for name in unknown_names(info.params, params) if not (info.free_args and name == "args")]
    if unknown:
        raise TellMindError("runner.no_parameter", title=info.title, name=cut(shown(unknown[0]), 80))
    if info.free_args:
        arguments = _split(params.get("args"))
        names = ["args"] * len(arguments)
    else:
        declared = [name for name in info.properties() if name in params]
        more = [name for name in params if name not in declared]  # as the schema allows
        names = [name for name in (*declared, *more) if params[name] is not None]
        arguments = [f"--{name}={_text(name, params[name])}" for name in names]
    for name, argument in zip(names, arguments, strict=True):
        _check(name, argument)
    if sum(len(os.fsencode(argument)) + 1 for argument in arguments) > MAX_ARGUMENTS_BYTES:
        raise TellMindError("runner.long_arguments")
    return arguments


def stdin_payload(params: JsonObject) -> bytes:
    """All parameters as one JSON object, in UTF-8.

    Raises:
        TellMindError: A number that JSON does not know (NaN, infinity).
    """
    try:
        try:
            return json.dumps(params, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError:  # half of a surrogate pair: JSON can say it, UTF-8 cannot
            return json.dumps(params, allow_nan=False).encode()
    except ValueError as error:
        raise TellMindError("runner.odd_number_given") from error


def _split(value: Json) -> list[str]:
    if value is None:
        return []
    if isinstance(value, list):
        return [part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in value]
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    try:
        return shlex.split(text)
    except ValueError as error:
        raise AskHumanError("runner.not_split", text=cut(text, 80)) from error


def _text(name: str, value: Json) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise TellMindError("runner.odd_number", name=name) from error


def _check(name: str, argument: str) -> None:
    if "\0" in argument:
        raise TellMindError("runner.nul", name=name)
    try:
        size = len(os.fsencode(argument))
    except UnicodeEncodeError as error:
        raise TellMindError("runner.half_character", name=name) from error
    if size > MAX_ARGUMENT_BYTES:
        most = MAX_ARGUMENT_BYTES // 1024
        raise TellMindError("runner.long_argument", name=name, size=size // 1024, most=most)
