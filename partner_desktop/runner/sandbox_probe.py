"""Whether scripts can be held here, also by cgroups of their own: tried once for real, and why not.

A desktop session usually gives its programs a part of the cgroup tree (version 2, delegated by systemd): then
the kernel keeps each run to its processes and memory, and kills it in one piece. Without that, the guard's
watching does it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, system_reason
from partner_desktop.base.syscall_filter import filter_program
from partner_desktop.runner.mounts import Mount, hold
from partner_desktop.runner.process_launch import Gate
from partner_desktop.runner.sandbox import Bubblewrap, Limits, Sandbox, namespaces, system

PROBE_TIMEOUT_S = 5.0


@dataclass(frozen=True)
class SandboxProbe:
    """Whether runs can be held here; `told` is one sentence for the person, also where they can."""

    told: str | LazySentence
    program: str = ""
    version: str = ""
    sandbox: Sandbox | None = None
    watched_by: str | LazySentence = ""
    """What keeps processes and memory within their limits, in words; empty without a sandbox."""

    @property
    def reason(self) -> str:
        """`told`, in the language of whoever reads it."""
        return str(self.told)

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
        return SandboxProbe(LazySentence("runner.sandbox.only_linux"))
    program = shutil.which("bwrap", path=search_path)
    if program is None:
        return SandboxProbe(LazySentence("runner.sandbox.not_installed"))
    version = _version_of(program)
    problem: str | LazySentence = ""
    for disable_userns in (True, False):
        bwrap = Bubblewrap(program, disable_userns, _task_limiter())
        problem = _try(bwrap)
        if not problem:
            return _found(bwrap, version)
    return SandboxProbe(_explain(problem, version, sysctl), program, version)


def _found(bwrap: Bubblewrap, version: str) -> SandboxProbe:
    cgroup = find_cgroup()
    watched_by = LazySentence("runner.sandbox.cgroup" if cgroup else "runner.sandbox.watchdog")
    told = LazySentence("runner.sandbox.found", version=version)
    return SandboxProbe(told, bwrap.program, version, replace(bwrap, cgroup=cgroup), watched_by)


def _try(bwrap: Bubblewrap) -> str | LazySentence:
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
            return str(system_reason(error))
        with process:
            try:
                gate.wait(PROBE_TIMEOUT_S, process)
                said = process.communicate(timeout=PROBE_TIMEOUT_S)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                return LazySentence("runner.sandbox.no_end", seconds=PROBE_TIMEOUT_S)
            except AskHumanError as error:
                process.kill()
                return str(error)
    lines = said.decode("utf-8", "replace").split("\n")
    if process.returncode == 0:
        return ""
    said_last = next((line for line in lines if line), "")
    return said_last or LazySentence("runner.sandbox.exit", code=process.returncode)


def _explain(problem: str | LazySentence, version: str, sysctl: Path) -> LazySentence:
    if _setting(sysctl / "kernel/unprivileged_userns_clone") == "0":
        return LazySentence("runner.sandbox.userns_forbidden")
    if _setting(sysctl / "user/max_user_namespaces") == "0":
        return LazySentence("runner.sandbox.no_userns")
    if _setting(sysctl / "kernel/apparmor_restrict_unprivileged_userns") == "1":
        return LazySentence("runner.sandbox.apparmor")
    named = f"bubblewrap {version}".strip()
    return LazySentence("runner.sandbox.fails", name=named, problem=problem)


def _setting(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _version_of(program: str) -> str:
    """Asked once for each file: settings that change have the sandbox tried again."""
    try:
        info = Path(program).stat()
    except OSError:
        return ""
    return _version(program, (info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns))


@lru_cache(maxsize=4)
def _version(program: str, _file: tuple[int, int, int, int]) -> str:
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


_PREFIX = "partner-run-"
_NEEDED = ("pids.max", "memory.max", "cgroup.kill")
_END_TIMEOUT_S = 1.0


def find_cgroup(proc: Path = Path("/proc/self")) -> str:
    """The folder below which this process may make cgroups that hold a run; empty where there is none.

    `proc`: what the kernel says of this process.
    """
    own = _own_cgroup(proc)
    if own is None:
        return ""
    # Beside this one, too: where processes are, cgroup v2 gives the children no limits.
    for folder in (own, own.parent):
        _sweep(folder)
        if _holds(folder / f"{_PREFIX}{os.getpid()}-probe"):
            return str(folder)
    return ""


def _own_cgroup(proc: Path) -> Path | None:
    try:
        groups = (proc / "cgroup").read_text().splitlines()
        mounts = (proc / "mountinfo").read_text().splitlines()
    except OSError:  # not on Linux
        return None
    # `36 25 0:30 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw`
    found = [line.split()[4] for line in mounts if " - cgroup2 " in line and line.split()[3] == "/"]
    paths = [line.removeprefix("0::") for line in groups if line.startswith("0::")]
    if not found or not paths or ".." in paths[0]:
        return None
    return Path(found[0] + paths[0].rstrip("/"))


def _sweep(folder: Path) -> None:
    """Remove the empty ones that a guard could not: it was killed itself."""
    with contextlib.suppress(OSError):
        for left in folder.glob(f"{_PREFIX}*"):
            with contextlib.suppress(OSError):
                left.rmdir()


def _holds(folder: Path) -> bool:
    """Whether a process can be put there, limited, and killed with its cgroup."""
    try:
        folder.mkdir()
    except OSError:
        return False
    try:
        return all((folder / name).is_file() for name in _NEEDED) and _kills(folder)
    except OSError:  # it may not be written, or there is nothing to try it with
        return False
    finally:
        with contextlib.suppress(OSError):
            folder.rmdir()


def _kills(folder: Path) -> bool:
    with subprocess.Popen(["sleep", "5"], stdin=subprocess.DEVNULL) as held:
        try:
            (folder / "pids.max").write_text("16")
            (folder / "cgroup.procs").write_text(str(held.pid))
            (folder / "cgroup.kill").write_text("1")
            return held.wait(_END_TIMEOUT_S) < 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            held.kill()
