"""What the worker says, in order; pieces of answers go out together when they come faster than anybody reads.

Each frame costs both sides some work. A first piece and every slow one leave at once; of a fast model's, what
has gathered leaves every few milliseconds, and before anything else that is said.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from partner_desktop.model.worker.frames import Frame, Piece, Unpacker, packed

#: Below the distance of two tokens at 200 tokens a second: those go alone.
_GATHER_S = 0.004


class FrameWriter:
    """Before the pipe. Used from any thread; `start` once."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes
        self._lock = threading.Lock()
        self._gathering = threading.Condition(self._lock)
        self._id = 0
        self._texts: list[str] = []
        self._tokens = 0
        self._last_s = float("-inf")

    def start(self) -> None:
        """Begin to look after what is gathered and followed by nothing."""
        threading.Thread(target=self._look_after, name="pieces", daemon=True).start()

    def say(self, frame: Frame) -> None:
        """Send a frame, behind all pieces."""
        with self._lock:
            self._flush()
            self._pipes.send(frame)

    def piece(self, request_id: int, text: str, tokens: int) -> None:
        """The next words of an answer whose first went by `say`."""
        with self._lock:
            if request_id != self._id:
                self._flush()
                self._id = request_id
            self._texts.append(text)
            self._tokens += tokens
            if time.monotonic() >= self._last_s + _GATHER_S:
                self._flush()
            elif len(self._texts) == 1:
                self._gathering.notify()

    def _flush(self) -> None:
        if not self._texts:
            return
        self._pipes.send(Piece(id=self._id, text="".join(self._texts), tokens=self._tokens))
        self._texts, self._tokens = [], 0
        self._last_s = time.monotonic()

    def _look_after(self) -> None:
        with self._lock:
            while True:
                while not self._texts:
                    self._gathering.wait()
                due_s = self._last_s + _GATHER_S - time.monotonic()
                if due_s <= 0:
                    self._flush()
                else:
                    self._lock.release()
                    try:
                        time.sleep(due_s)
                    finally:
                        self._lock.acquire()


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
