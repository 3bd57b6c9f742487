"""The worker's ends of its pipes, and its manners as a process."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from partner_desktop.model.worker.frames import Frame, Unpacker, packed

_CHUNK_BYTES = 64 * 1024
NICENESS = 5
#: Of all that runs here, this process should be the first to go when memory ends.
OOM_SCORE = "500"
_PR_SET_PDEATHSIG = 1


class Pipes:
    """stdin and stdout, taken out of everybody else's reach.

    Native code prints what it likes to descriptor 1: from here on that is stderr, never the protocol.
    """

    def __init__(self) -> None:
        self._in = os.dup(0)
        self._out = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        self._writing = threading.Lock()

    def bodies(self) -> Iterator[bytes]:
        """Every frame's body that comes, until the other side closes.

        Raises:
            FrameError: What comes is no stream of frames.
        """
        unpacker = Unpacker()
        while chunk := os.read(self._in, _CHUNK_BYTES):
            yield from unpacker.feed(chunk)

    def send(self, frame: Frame) -> None:
        """Write a frame, from any thread; a reader that is gone ends this process elsewhere."""
        rest = memoryview(packed(frame))
        with self._writing, contextlib.suppress(BrokenPipeError):
            while rest:
                rest = rest[os.write(self._out, rest) :]


def behave() -> None:
    """Step back behind the window, go first when memory ends, and never outlive the app."""
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OOM_SCORE, encoding="ascii")
    with contextlib.suppress(OSError, AttributeError):
        # Also when a stuck native call holds the interpreter, so that the closed stdin goes unnoticed.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
