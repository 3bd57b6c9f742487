"""Where runs can get cgroups of their own: found by making one, for real. Blocking.

A desktop session usually gives its programs a part of the cgroup tree (version 2, delegated by systemd): then
the kernel keeps each run to its processes and memory, and kills it in one piece. Without that, the guard's
watching does it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

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
