"""What a process that the app started does first, whatever its work, and whether one still runs."""

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


def process_runs(pid: int) -> bool:
    """Whether there is a process of this number, be it another user's."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
