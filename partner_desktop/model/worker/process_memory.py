"""What the kernel says of a worker's memory: how much it holds, and whether it was ended for want of more."""

from __future__ import annotations

import os
import re
from pathlib import Path

_OOM_KILLS = re.compile(r"^oom_kill (\d+)$", re.MULTILINE)


def held_bytes(pid: int) -> int:
    """What a process holds of the machine's memory, the read parts of mapped files with it; 0: unknown.

    One short read of the kernel's own count, also of a process in a sandbox. Blocking.
    """
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):  # no Linux, or it ended just now
        return 0


def oom_kills() -> int:
    """How many processes the kernel has ended for want of memory; 0 where it does not tell. Blocking."""
    try:
        found = _OOM_KILLS.search(Path("/proc/vmstat").read_text("ascii"))
    except OSError:
        return 0
    return int(found[1]) if found else 0
