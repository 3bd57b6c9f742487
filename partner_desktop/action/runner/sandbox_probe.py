"""Whether scripts can be held here: tried once for real, and why not in one sentence."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from partner_desktop.action.runner.cgroup import find_cgroup
from partner_desktop.action.runner.gate import Gate
from partner_desktop.action.runner.mounts import Mount, hold
from partner_desktop.action.runner.sandbox import Bubblewrap, Limits, Sandbox, namespaces, system
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.syscall_filter import filter_program

PROBE_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class SandboxProbe:
    """Whether runs can be held here; `reason` is one sentence for the person, also where they can."""

    reason: str
    program: str = ""
    version: str = ""
    sandbox: Sandbox | None = None
    watched_by: str = ""
    """What keeps processes and memory within their limits, in words; empty without a sandbox."""

    @property
    def available(self) -> bool:
        return self.sandbox is not None


async def probe_sandbox(*, search_path: str | None = None, sysctl: Path = Path("/proc/sys")) -> SandboxProbe:
    """Run bwrap once, with the options of a real run, and say whether it works.

    `search_path`: where to look for it instead of PATH; `sysctl`: where the kernel's settings lie.
    """
    return await asyncio.to_thread(_probe, search_path, sysctl)


def _probe(search_path: str | None, sysctl: Path) -> SandboxProbe:
    if not sys.platform.startswith("linux"):
        return SandboxProbe("Scripts can be sandboxed only on Linux; here they run with your own rights.")
    program = shutil.which("bwrap", path=search_path)
    if program is None:
        return SandboxProbe(
            "bubblewrap is not installed, so scripts cannot be sandboxed; install the package `bubblewrap`."
        )
    version = _version(program)
    problem = ""
    for disable_userns in (True, False):
        bwrap = Bubblewrap(program, disable_userns, _task_limiter())
        problem = _try(bwrap)
        if not problem:
            return _found(bwrap, version)
    return SandboxProbe(_explain(problem, version, sysctl), program, version)


def _found(bwrap: Bubblewrap, version: str) -> SandboxProbe:
    cgroup = find_cgroup()
    watched_by = (
        "a cgroup for each run and a watchdog" if cgroup else "a watchdog (no cgroup of its own is to be had)"
    )
    reason = f"Scripts run sandboxed by bubblewrap {version}."
    return SandboxProbe(reason, bwrap.program, version, replace(bwrap, cgroup=cgroup), watched_by)


def _try(bwrap: Bubblewrap) -> str:
    """Why it does not work; empty if it does."""
    with contextlib.ExitStack() as stack:
        # As a run has it: a kernel that does not take the filter, or does not let us look, is found out here.
        mounts = hold([Mount(os.path.realpath("/usr"), place="/usr")], ())
        stack.callback(mounts.close)
        gate = Gate(stack, filter_program(), mounts)
        command = [
            bwrap.program,
            *namespaces(bwrap, net=False),
            *("--json-status-fd", str(gate.status), "--seccomp", str(gate.filter)),
            *system(net=False, tmp_bytes=Limits().tmp_bytes),
            *("--remount-ro", "/", "--", "true"),
        ]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"},
                pass_fds=(gate.filter, gate.status),
            )
        except OSError as error:
            return error.strerror or str(error)
        with process:
            try:
                gate.wait(PROBE_TIMEOUT_S, process)
                said = process.communicate(timeout=PROBE_TIMEOUT_S)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                return f"it did not end within {PROBE_TIMEOUT_S:.0f} s"
            except AskHumanError as error:
                process.kill()
                return str(error)
    lines = said.decode("utf-8", "replace").split("\n")
    return (
        ""
        if process.returncode == 0
        else next((line for line in lines if line), f"exit code {process.returncode}")
    )


def _explain(problem: str, version: str, sysctl: Path) -> str:
    if _setting(sysctl / "kernel/unprivileged_userns_clone") == "0":
        return (
            "This system forbids user namespaces, which the sandbox needs; allow them with"
            " `sudo sysctl kernel.unprivileged_userns_clone=1`."
        )
    if _setting(sysctl / "user/max_user_namespaces") == "0":
        return (
            "This system allows no user namespaces, which the sandbox needs; allow them with"
            " `sudo sysctl user.max_user_namespaces=15000`."
        )
    if _setting(sysctl / "kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "AppArmor keeps bubblewrap from making user namespaces; add an AppArmor profile for bwrap,"
            " or allow them with `sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`."
        )
    named = f"bubblewrap {version}".strip()
    return f"{named} is installed but does not work here ({problem}); update it, or look into what it says."


def _setting(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _version(program: str) -> str:
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(rb"\d+(\.\d+)+", done.stdout)
    return found.group().decode() if found else ""


def _task_limiter() -> str | None:
    """`prlimit`: since Linux 5.14 RLIMIT_NPROC counts per user namespace, before that the whole desktop."""
    found = re.match(r"(\d+)\.(\d+)", os.uname().release)
    if found is None or (int(found[1]), int(found[2])) < (5, 14) or os.getuid() == 0:
        return None
    return next((place for place in ("/usr/bin/prlimit", "/bin/prlimit") if os.access(place, os.X_OK)), None)
