"""Runs the attempts: through the app's own route for scripts, and without the sandbox as a control."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from partner_desktop.abilities.ability_file import read_ability
from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.base.errors import ActionError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.meta_action import MetaAction, MetaActionInfo, Route, RunnerResponse
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.launchers import interpreter
from partner_desktop.runner.sandbox_policy import (
    ExecutionPolicy,
    ExecutionPolicyKeeper,
    PolicySource,
    SandboxSettings,
    own_places,
)
from partner_desktop.runner.sandbox_probe import probe_sandbox
from partner_desktop.runner.script_route import ScriptRoute
from tests.long.escapes.attempt import Attempt, Evidence
from tests.long.escapes.world import World

#: Small, so that passing them costs little.
LIMITS = SandboxSettings(memory_mb=192, processes=48, workspace_mb=16, file_mb=8, tmp_mb=8)
_CONTROL_TIMEOUT_S = 20.0

_PRELUDE = """\
# /// partner
# description = "A way out"
# timeoutSeconds = {timeout}
# annotations = {{ readOnlyHint = true }}
# permissions = {{ net = {net} }}
# ///
import ctypes, errno, json, mmap, os, platform, signal, socket, struct, subprocess, sys, time
W = json.loads({known!r})
libc = ctypes.CDLL(None, use_errno=True)
AT = 0 if platform.machine() == "x86_64" else 1
def call(numbers, *args):
    found = libc.syscall(numbers[AT], *args)
    if found < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return found
def got(name):
    print(W["mark"] + ":" + name, flush=True)
def send(name, family=socket.AF_UNIX):
    address = W["sockets"][name]
    with socket.socket(family) as client:
        client.settimeout(2)
        client.connect(tuple(address) if isinstance(address, list) else address)
"""
_TRY = """
def attempt():
    {body}
try:
    attempt()
    print("HOW {name}: nothing stopped it", flush=True)
except BaseException as error:
    print("HOW {name}:", type(error).__name__, error, flush=True)
"""


@dataclass(frozen=True)
class Verdict:
    """What came of one attempt."""

    attempt: Attempt
    contained: bool
    how: str
    control: str
    """`succeeds`, `FAILS` (then nothing is proven), or why there is none."""

    @property
    def proven(self) -> bool:
        return self.contained and self.control != "FAILS"


def script_of(attempts: Sequence[Attempt], world: World) -> str:
    """One script that makes these attempts, one after the other."""
    head = _PRELUDE.format(
        known=json.dumps(world.known()),
        timeout=min(attempt.timeout_s for attempt in attempts),
        net=str(attempts[0].net).lower(),
    )
    tries = [
        _TRY.format(name=attempt.name, body=attempt.code.strip().replace("\n", "\n    "))
        for attempt in attempts
    ]
    return head + "".join(tries)


def run_held(attempts: Sequence[Attempt], folder: Path) -> list[Verdict]:
    """In the sandbox, as one run; without controls."""
    with World(folder) as world:
        seen = asyncio.run(_held(attempts, world))
        return [Verdict(attempt, not attempt.escaped(seen), _how(attempt, seen), "") for attempt in attempts]


def run_free(attempt: Attempt, folder: Path) -> bool:
    """Without the sandbox: whether it gets through."""
    with World(folder) as world:
        try:
            return attempt.escaped(_free(attempt, world))
        finally:
            world.end_left()


def tried(attempt: Attempt, folder: Path) -> Verdict:
    """Both, each in a world of its own."""
    held, free = folder / "held", folder / "free"
    held.mkdir(parents=True)
    free.mkdir()
    verdict = run_held([attempt], held)[0]
    if attempt.no_control:
        control = attempt.no_control
    elif attempt.needs_root and os.getuid() != 0:
        control = "only root could do it anyway"
    else:
        control = "succeeds" if run_free(attempt, free) else "FAILS"
    return Verdict(attempt, verdict.contained, verdict.how, control)


async def _held(attempts: Sequence[Attempt], world: World) -> Evidence:
    around = attempts[0].around
    if around is not None:
        return await _held_around(attempts[0], world)
    route = await _route(world, ExecutionPolicyKeeper(lambda: LIMITS, own_places(world.partner)))
    script = world.folder / "abilities" / "mine" / "way.py"
    text = _saved(script, attempts, world)
    read = await asyncio.to_thread(read_ability, script, location="origin", route=Route.ORIGIN)
    return await _seen(route, read.info, _uses(attempts, world), world, script, text)


async def _held_around(attempt: Attempt, world: World) -> Evidence:
    """As an ability of the live folder, run from its snapshot."""
    assert attempt.around is not None
    folder = world.folder / "action" / "dynamic" / "mine"
    folder.mkdir(parents=True)
    around = attempt.around(world)
    probe = await probe_sandbox(search_path=str(_swapping_bwrap(world, around.swap)))
    route = await _route(world, _Fixed(ExecutionPolicy(probe=probe)))
    script = folder / "run.py"
    text = script_of([attempt], world)
    script.write_text(text)
    described: dict[str, object] = {"description": "A way out", "timeoutSeconds": attempt.timeout_s}
    described["permissions"] = {"net": around.net, "sockets": around.sockets}
    if around.launcher:
        described["launcher"] = list(around.launcher)
    (folder / "desc.json").write_text(json.dumps(described))
    folders = LiveFolders(world.folder / "action", snapshots=world.partner.root / "cache" / "abilities")
    found = await asyncio.to_thread(folders.scan, now_s=time.time())
    (ability,) = (one for one in found if one.path == folder)
    if ability.info is None:
        refused = RunnerResponse(ok=False, error=ability.fault.message if ability.fault is not None else "")
        return Evidence(world, script, world.folder / "nowhere", refused.error, refused, text)
    if around.before:
        subprocess.run(["/bin/sh", "-c", around.before], check=True)  # noqa: ASYNC221 - setting up
    world.armed.touch()
    return await _seen(route, ability.info, around.uses, world, script, text)


@dataclass(frozen=True)
class _Fixed:
    """A policy that does not change. A PolicySource."""

    current: ExecutionPolicy

    async def launch(self) -> None:
        """It is known already."""


def _swapping_bwrap(world: World, swap: str) -> Path:
    """A folder with a bwrap that lets something happen at the worst moment, and then is the real one."""
    folder = world.folder / "programs"
    folder.mkdir()
    path = folder / "bwrap"
    happens = f"if [ -e {world.armed} ]; then rm {world.armed}\n{swap or ':'}\nfi"
    path.write_text(f'#!/bin/sh\n{happens}\nexec {shutil.which("bwrap")} "$@"\n')
    path.chmod(0o755)
    return folder


async def _route(world: World, policy: PolicySource) -> ScriptRoute:
    route = ScriptRoute(world.partner, policy=policy)
    await route.launch()
    if not route.sandbox.available:
        raise RuntimeError(route.sandbox.reason)
    return route


async def _seen(
    route: ScriptRoute,
    info: MetaActionInfo,
    uses: tuple[PathUse, ...],
    world: World,
    script: Path,
    text: str,
) -> Evidence:
    action_id = new_id()
    scope = RunScope(action_id, "", world.partner.runs / action_id, paths=uses, held=True)
    response = await _response(route, MetaAction(action_id, info, {}), scope)
    output = response.stdout + response.stderr + response.error
    workspace = scope.folder / "workspace"
    workspace.mkdir(parents=True, exist_ok=True)  # one that was left empty is gone after its run
    return Evidence(world, script, workspace, output, response, text)


async def _response(route: ScriptRoute, call: MetaAction, scope: RunScope) -> RunnerResponse:
    try:
        return await route.run(call, scope=scope)
    except ActionError as error:
        return RunnerResponse(ok=False, error=str(error))


def _uses(attempts: Sequence[Attempt], world: World) -> tuple[PathUse, ...]:
    uses = [PathUse("", str(world.canaries[name]), "read") for one in attempts for name in one.read]
    uses += [PathUse("", str(world.canaries[name].parent), "write") for one in attempts for name in one.write]
    return tuple(dict.fromkeys(uses))


def _saved(script: Path, attempts: Sequence[Attempt], world: World) -> str:
    text = script_of(attempts, world)
    script.parent.mkdir(parents=True)
    script.write_text(text)
    return text


def _free(attempt: Attempt, world: World) -> Evidence:
    script = world.folder / "abilities" / "mine" / "way.py"
    text = _saved(script, [attempt], world)
    workspace = world.folder / "workspace"
    workspace.mkdir()
    environment = os.environ | {"PARTNER_WORKSPACE": str(workspace), "SERVICE_API_KEY": world.secret("env")}
    with subprocess.Popen(
        [interpreter(), "-s", "-B", str(script)],
        cwd=workspace,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output = process.communicate(timeout=min(_CONTROL_TIMEOUT_S, attempt.timeout_s * 2))[0]
        except subprocess.TimeoutExpired:
            process.kill()
            output = b""
    return Evidence(world, script, workspace, output.decode("utf-8", "replace"), None, text)


def _how(attempt: Attempt, seen: Evidence) -> str:
    """What stopped it: the error that it met, or how the run ended."""
    mark = f"HOW {attempt.name}:"
    for line in seen.output.splitlines():
        if line.startswith(mark):
            return line.removeprefix(mark).strip()[:60]
    return (seen.response.error if seen.response is not None else "")[:60] or "it did not come so far"
