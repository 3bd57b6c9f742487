"""What a process of the app does first, whatever its work, and whether one still runs."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

NICENESS = 5
#: Of all that runs here, this process should be the first to go when memory ends.
OOM_SCORE = "500"
_PR_SET_PDEATHSIG = 1
_ARENA_MAX = -8
"""M_ARENA_MAX of mallopt(3)."""
_ARENAS = 2


def behave() -> None:
    """Step back behind the window, go first when memory ends, and never outlive the app."""
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE, encoding="ascii")
    import ctypes  # noqa: PLC0415 - the app itself does without

    with contextlib.suppress(OSError, AttributeError):
        # Also when a stuck native call holds the interpreter, so that the closed stdin goes unnoticed.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def limit_arenas() -> None:
    """Threads share two arenas of the C library; by default each of the first sixteen keeps one of its own.

    The interpreter's lock lets few of them ask for memory at once. To be called before the first thread.
    """
    import ctypes  # noqa: PLC0415 - a process that does one thing does without

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_ARENA_MAX, _ARENAS)


def process_runs(pid: int) -> bool:
    """Whether there is a process of this number, be it another user's."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
