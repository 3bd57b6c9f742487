"""One process of the worker, owned by one thread: it starts it, moves frames, keeps its last words, ends it.

Contract: the loop never waits for a pipe or for a start; callbacks run in the thread. `on_end` comes exactly
once, after the process is gone.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.own_program import PACKAGE_PARENT
from partner_desktop.base.process_pump import ProcessPump, close_pipes, read_now
from partner_desktop.base.processes import OOM_SCORE
from partner_desktop.model.worker.frames import (
    Frame,
    FrameError,
    Reply,
    Unpacker,
    packed,
    read_reply,
)
from partner_desktop.model.worker.isolation import FILTER_FD, Launch, inner_pid, kill_whole
from partner_desktop.model.worker.process_memory import oom_kills

_log = log.area("model")

#: What a worker that was asked to end may take; its stdin's end makes it end at once.
END_TIMEOUT_S = 2.0
#: What it may take from closing its pipe to its exit.
_EXIT_TIMEOUT_S = 1.0
_TAIL_BYTES = 4096


class WorkerProcess(ProcessPump):
    """One life of the worker. `on_end` gets why it ended, as a clause (`was killed by SIGKILL`)."""

    def __init__(
        self,
        launch: Callable[[], Launch],
        *,
        on_reply: Callable[[Reply], None],
        on_end: Callable[[str], None],
        kills: Callable[[], int] = oom_kills,
    ) -> None:
        super().__init__()
        self._launch = launch
        self._held = False
        self._on_reply, self._on_end = on_reply, on_end
        self._fault = ""
        self._kills, self._kills_before = kills, 0
        self.starved = False
        """Whether the kernel ended it for want of memory, once it is over."""
        self._unpacker = Unpacker()
        self._tail = bytearray()
        self.pid: int | None = None

    def start(self) -> None:
        """Begin, on a thread of its own."""
        self._start("model-worker")

    def send(self, frame: Frame) -> None:
        """Write a frame as soon as the pipe takes it; from any thread. To an ended process: nothing."""
        with contextlib.suppress(BrokenPipeError):
            self.write(packed(frame))

    def end(self, fault: str = "") -> None:
        """Make it end, by force if it does not; from any thread. `fault`: why, if not because it is done."""
        self._fault = self._fault or fault
        self.stop()

    # In the thread.

    def _ended(self, failure: Exception | None) -> None:
        if self._process is None and isinstance(failure, OSError):
            self._on_end(sentence_of("model.worker_unstarted", reason=system_reason(failure)))
        elif failure is not None:
            _log.error("the thread of the model worker failed", exc_info=failure)
            self._on_end(sentence_of("model.worker_unkept", error=failure))
        else:
            assert self._process is not None, "it was started"
            self._on_end(self._why(self._process.returncode))

    def _spawn(self) -> subprocess.Popen[bytes]:
        launch = self._launch()
        self._held, self._kills_before = launch.held, self._kills()
        reader, writer = os.pipe()
        try:
            os.write(writer, launch.filters)  # some 2 KiB: a pipe takes them at once
            os.close(writer)
            process = subprocess.Popen(
                [str(reader) if part == FILTER_FD else part for part in launch.argv],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # `-m` looks here first: the code that is running, not what lies in some other folder.
                cwd=PACKAGE_PARENT,
                start_new_session=True,
                env=launch.environment,
                pass_fds=(reader,) if launch.filters else (),
            )
        finally:
            os.close(reader)
        self.pid = process.pid
        return process

    def _turn(self) -> float:
        if self._stop_asked and self._due == math.inf:
            self._in(0.0 if self._fault else END_TIMEOUT_S, self._finish)
            self._close_stdin()
        return math.inf

    def _take(self, output: Literal["stdout", "stderr"], chunk: bytes) -> bool:
        if output == "stderr":
            self._keep(chunk)
            return True
        self._spoke()
        try:
            for body in self._unpacker.feed(chunk):
                self._on_reply(read_reply(body))
        except FrameError as error:
            self._fault = self._fault or sentence_of("model.worker_garbled", error=error)
            self._finish()
        if not chunk:
            self._finish()
        return True

    def _spoke(self) -> None:
        """It is there; what holds it is another process then."""
        assert self._process is not None
        if self._held and self.pid == self._process.pid:
            self.pid = inner_pid(self._process.pid)
            with contextlib.suppress(OSError):  # from here: its own /proc is read-only
                Path(f"/proc/{self.pid}/oom_score_adj").write_text(OOM_SCORE, encoding="ascii")

    def _keep(self, chunk: bytes) -> None:
        if chunk:
            _log.debug("worker: %s", chunk.decode("utf-8", "replace").rstrip())
            self._tail += chunk
            del self._tail[:-_TAIL_BYTES]

    def _collect(self, process: subprocess.Popen[bytes]) -> None:
        """It ends by itself, having closed its pipe, or is killed."""
        ways = (self._kill_inner, kill_whole, kill_whole)
        asked = self._stop_asked or self._fault
        waits_s = (0.0 if asked else _EXIT_TIMEOUT_S, _EXIT_TIMEOUT_S, END_TIMEOUT_S)
        for timeout_s, kill in zip(waits_s, ways, strict=True):
            try:
                process.wait(timeout_s)
                break
            except subprocess.TimeoutExpired:
                kill(process.pid)
        else:
            _log.error("the model worker %d cannot be killed", process.pid)
        if process.stderr is not None:
            self._keep(read_now(process.stderr) or b"")
        close_pipes(process)

    def _kill_inner(self, outer: int) -> None:
        """The worker itself, so that what holds it ends after it; all, where it never spoke."""
        assert self.pid is not None, "it runs"
        if self.pid == outer:
            kill_whole(outer)
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def _why(self, status: int | None) -> str:
        if self._fault:
            return self._fault
        if self._stop_asked:
            return sentence_of("model.worker_ended")
        if self._held and status is not None and 128 < status <= 128 + signal.NSIG:
            status = 128 - status  # how bubblewrap passes a signal on
        how = sentence_of("model.worker_status", status=status)
        if status is not None and status < 0:
            how = sentence_of("model.worker_killed", signal=_signal_name(-status))
            self.starved = status == -signal.SIGKILL and self._kills() > self._kills_before
        last = self._tail.decode("utf-8", "replace").strip().rpartition("\n")[2].strip().rstrip(".")
        return f"{how} ({last})" if last else how


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
