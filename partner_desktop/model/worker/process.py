"""One process of the worker, owned by one thread: it starts it, moves frames, keeps its last words, ends it.

Contract: the loop never waits for a pipe or for a start; callbacks run in the thread. `on_end` comes exactly
once, after the process is gone. (A loop's own subprocess support would start programs on the loop, and the
kernel's tie between parent and child is one to the thread that started it.)
"""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import IO

from partner_desktop.base import log
from partner_desktop.base.spoken import sentence_of, system_reason
from partner_desktop.model.worker.frame_writer import OOM_SCORE
from partner_desktop.model.worker.frames import Frame, FrameError, Reply, Unpacker, packed, read_reply
from partner_desktop.model.worker.isolation import FILTER_FD, Launch, inner_pid, kill_whole

_log = log.area("model")

#: What a worker that was asked to end may take; its stdin's end makes it end at once.
END_TIMEOUT_S = 2.0
#: What it may take from closing its pipe to its exit.
_EXIT_TIMEOUT_S = 1.0
_TAIL_BYTES = 4096
_CHUNK_BYTES = 64 * 1024
_PACKAGE_PARENT = Path(__file__).resolve().parents[3]


class WorkerProcess:
    """One life of the worker. `on_end` gets why it ended, as a clause (`was killed by SIGKILL`)."""

    def __init__(
        self,
        launch: Callable[[], Launch],
        *,
        on_reply: Callable[[Reply], None],
        on_end: Callable[[str], None],
    ) -> None:
        self._launch = launch
        self._held = False
        self._on_reply, self._on_end = on_reply, on_end
        self._wake, self._woken = socket.socketpair()
        self._lock = threading.Lock()
        self._outbox: deque[memoryview] = deque()
        self._ending = False
        self._fault = ""
        self._selector = selectors.DefaultSelector()
        self._unpacker = Unpacker()
        self._tail = bytearray()
        self.pid: int | None = None

    def start(self) -> None:
        """Begin, on a thread of its own."""
        threading.Thread(target=self._main, name="model-worker", daemon=True).start()

    def send(self, frame: Frame) -> None:
        """Write a frame as soon as the pipe takes it; from any thread. To an ended process: nothing."""
        with self._lock:
            self._outbox.append(memoryview(packed(frame)))
        self._notify()

    def end(self, fault: str = "") -> None:
        """Make it end, by force if it does not; from any thread. `fault`: why, if not because it is done."""
        with self._lock:
            self._ending, self._fault = True, self._fault or fault
        self._notify()

    def _notify(self) -> None:
        with contextlib.suppress(OSError):  # it has ended, or is awake already
            self._wake.send(b"\0", socket.MSG_DONTWAIT)

    # In the thread.

    def _main(self) -> None:
        try:
            with self._wake, self._woken, self._selector:
                why = self._run()
        except Exception as error:  # noqa: BLE001 - a thread's end: whoever waits must hear of it
            _log.exception("the thread of the model worker failed")
            why = sentence_of("model.worker_unkept", error=error)
        self._on_end(why)

    def _run(self) -> str:
        try:
            process = self._spawn(self._launch())
        except OSError as error:
            return sentence_of("model.worker_unstarted", reason=system_reason(error))
        self.pid = process.pid
        try:
            self._pump(process)
        finally:
            self._finish(process)
        return self._why(process.returncode)

    def _spawn(self, launch: Launch) -> subprocess.Popen[bytes]:
        self._held = launch.held
        reader, writer = os.pipe()
        try:
            os.write(writer, launch.filters)  # some 2 KiB: a pipe takes them at once
            os.close(writer)
            return subprocess.Popen(
                [str(reader) if part == FILTER_FD else part for part in launch.argv],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # `-m` looks here first: the code that is running, not what lies in some other folder.
                cwd=_PACKAGE_PARENT,
                start_new_session=True,
                env=launch.environment,
                pass_fds=(reader,) if launch.filters else (),
            )
        finally:
            os.close(reader)

    def _pump(self, process: subprocess.Popen[bytes]) -> None:
        """Until it has said all, or did not end in time."""
        stdin, stdout, stderr = _streams(process)
        self._selector.register(self._woken, selectors.EVENT_READ, lambda: self._woken.recv(4096))
        self._selector.register(stdout, selectors.EVENT_READ, lambda: self._hear(process, stdout))
        self._selector.register(stderr, selectors.EVENT_READ, lambda: self._keep(stderr))
        due = math.inf
        while stdout in self._selector.get_map() and time.monotonic() < due:
            if self._ending and due == math.inf:
                due = time.monotonic() + (0.0 if self._fault else END_TIMEOUT_S)
                self._forget(stdin)
                stdin.close()
            elif not self._ending:
                self._offer(stdin)
            wait_s = None if due == math.inf else max(0.0, due - time.monotonic())
            for key, _ in self._selector.select(wait_s):
                key.data()

    def _offer(self, stdin: IO[bytes]) -> None:
        """Listen for room in the pipe while there is something to write, and only then."""
        if not self._outbox:
            self._forget(stdin)
        elif stdin not in self._selector.get_map():
            self._selector.register(stdin, selectors.EVENT_WRITE, lambda: self._write(stdin))

    def _forget(self, stream: IO[bytes]) -> None:
        if stream in self._selector.get_map():
            self._selector.unregister(stream)

    def _write(self, stdin: IO[bytes]) -> None:
        with self._lock:
            try:
                rest = self._outbox[0][os.write(stdin.fileno(), self._outbox[0]) :]
            except BlockingIOError:
                return
            except OSError:  # it is gone; its stdout ends as well
                self._outbox.clear()
                return
            if rest:
                self._outbox[0] = rest
            else:
                self._outbox.popleft()

    def _hear(self, process: subprocess.Popen[bytes], stdout: IO[bytes]) -> None:
        chunk = _read(stdout)
        if self._held and self.pid == process.pid:  # it speaks, so it is there
            self.pid = inner_pid(process.pid)
            with contextlib.suppress(OSError):  # from here: its own /proc is read-only
                Path(f"/proc/{self.pid}/oom_score_adj").write_text(OOM_SCORE, encoding="ascii")
        if chunk == b"":
            self._forget(stdout)
        try:
            for body in self._unpacker.feed(chunk or b""):
                self._on_reply(read_reply(body))
        except FrameError as error:
            self._fault = self._fault or sentence_of("model.worker_garbled", error=error)
            self._forget(stdout)

    def _keep(self, stderr: IO[bytes]) -> None:
        chunk = _read(stderr)
        if chunk == b"":
            self._forget(stderr)
        elif chunk:
            _log.debug("worker: %s", chunk.decode("utf-8", "replace").rstrip())
            self._tail += chunk
            del self._tail[:-_TAIL_BYTES]

    def _finish(self, process: subprocess.Popen[bytes]) -> None:
        """Collect the process: it ends by itself, having closed its pipe, or is killed."""
        ways = (self._kill_inner, kill_whole, kill_whole)
        waits_s = (0.0 if self._ending or self._fault else _EXIT_TIMEOUT_S, _EXIT_TIMEOUT_S, END_TIMEOUT_S)
        for timeout_s, kill in zip(waits_s, ways, strict=True):
            try:
                process.wait(timeout_s)
                break
            except subprocess.TimeoutExpired:
                kill(process.pid)
        else:
            _log.error("the model worker %d cannot be killed", process.pid)
        if process.stderr is not None:
            self._keep(process.stderr)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()

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
        if self._ending:
            return sentence_of("model.worker_ended")
        if self._held and status is not None and 128 < status <= 128 + signal.NSIG:
            status = 128 - status  # how bubblewrap passes a signal on
        how = sentence_of("model.worker_status", status=status)
        if status is not None and status < 0:
            how = sentence_of("model.worker_killed", signal=_signal_name(-status))
        last = self._tail.decode("utf-8", "replace").strip().rpartition("\n")[2].strip().rstrip(".")
        return f"{how} ({last})" if last else how


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """Its pipes, made so that no read and no write waits."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    for stream in (process.stdin, process.stdout, process.stderr):
        os.set_blocking(stream.fileno(), False)
    return process.stdin, process.stdout, process.stderr


def _read(stream: IO[bytes]) -> bytes | None:
    """What is there now; empty at the end, `None` when there is nothing yet."""
    try:
        return os.read(stream.fileno(), _CHUNK_BYTES)
    except BlockingIOError:
        return None


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
