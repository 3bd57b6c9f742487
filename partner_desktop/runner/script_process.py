"""Runs one command to its end, whatever it does.

Contract: the command runs under `guard.py`, with a sandbox around it or without, so that nothing of it
outlives the run: not after its end, not after a stop, not after Partner's death by SIGKILL. (bwrap's own
`--die-with-parent` stays on as well, but leaves a moment uncovered while it starts.) Each run has a thread
of its own, which starts it, moves its bytes and keeps its time; the loop only waits. Cancelling `run_process`
kills the tree, waits for its end (bounded) and raises on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path

from partner_desktop.base import log
from partner_desktop.base.errors import AskHumanError, TryAgainError
from partner_desktop.base.paths import display_path
from partner_desktop.base.process_pump import KILL_TIMEOUT_S, GuardedProcess
from partner_desktop.domain.command_session import Stream
from partner_desktop.runner.call import OnOutput
from partner_desktop.runner.live_output import LiveOutput
from partner_desktop.runner.output_capture import Capture
from partner_desktop.runner.process_launch import (
    LINGER_S,
    Gate,
    LaunchSpec,
    ProcessOutcome,
    StoppedBy,
    ending_sentence,
    guard_command,
    guard_options,
    inside,
    last_line,
    not_started,
    plain_environment,
)

_log = log.area("process")

#: One start at a time: ten at once would compete with the loop for the interpreter.
_starting = threading.Lock()

#: The guard's words for the limits that it watches.
_LIMITS: dict[str, StoppedBy] = {"processes": "forks", "memory": "memory", "folder": "disk"}


class ProcessRun(GuardedProcess):
    """One run in its own thread. `on_start`, `on_bytes` and `on_end` are called there."""

    def __init__(
        self,
        spec: LaunchSpec,
        *,
        on_start: Callable[[int], None],
        on_end: Callable[[ProcessOutcome | Exception], None],
        on_bytes: Callable[[Stream, bytes], None] = lambda stream, chunk: None,
    ) -> None:
        super().__init__(f"run {spec.argv[0]}")
        self._spec, self._on_start, self._on_end, self._on_bytes = spec, on_start, on_end, on_bytes
        output = spec.output
        quarter = output.stdout_bytes // 4
        self._out = _capture(spec, "stdout", output.stdout_bytes - quarter, quarter)
        quarter = output.stderr_bytes // 4
        self._err = _capture(spec, "stderr", quarter, output.stderr_bytes - quarter)
        for capture in (self._out, self._err):
            self._open.callback(capture.close)
        self._program = spec.argv[0]
        self._pending += spec.stdin
        self._close_when_sent = True
        self._stopped_by: StoppedBy | None = None
        self._gate: Gate | None = None
        self._refusal: AskHumanError | None = None
        self._outcome: ProcessOutcome | None = None

    def start(self) -> None:
        """Begin, on the run's own thread."""
        self._start(f"run:{Path(self._spec.argv[0]).name}", copy_context())

    def cancel(self) -> None:
        """End it now; from any thread, at any time."""
        self._stopped_by = self._stopped_by or "cancel"
        if not self._spec.polite:
            self._shut_life()  # even if the thread waits for a disk
        elif self._process is not None:
            self._process.terminate()
        self.wake()  # one that is just starting looks by itself

    def _run(self) -> None:
        began = time.monotonic()
        super()._run()
        self._outcome = self._checked_outcome(int((time.monotonic() - began) * 1000))

    def _spawn(self) -> subprocess.Popen[bytes]:
        spec = self._spec
        fds: list[int] = []
        command = list(spec.argv)
        if spec.prepare is not None:
            spec.prepare()
        if spec.sandbox is not None:  # outside of the lock: a disk that does not answer holds only this run
            command, fds, self._gate = inside(spec.sandbox, spec.argv, self._open)
        with _starting:
            if self._stopped_by is not None:
                raise TryAgainError("runner.cancelled_before")
            process = self._process = self._guarded(command, fds)
        self._on_start(process.pid)
        return process

    def _guarded(self, command: list[str], fds: list[int]) -> subprocess.Popen[bytes]:
        spec = self._spec
        self._program = command[0]
        environment = spec.env if spec.env is not None else plain_environment()
        folder = "/" if spec.sandbox is not None else spec.cwd or os.path.expanduser("~")  # noqa: PTH111
        try:
            return self._popen(
                lambda life: guard_command(guard_options(spec, life), command),
                has_stdin=bool(spec.stdin),
                keeps_output=not spec.hand_over,
                cwd=folder,
                env={"PATH": os.defpath} if spec.sandbox is not None else environment,
                fds=fds,
            )
        except OSError as error:
            if not Path(folder).is_dir():
                raise AskHumanError("runner.no_folder", folder=display_path(Path(folder))) from error
            raise not_started(error.errno, self._program) from error

    def _begin(self) -> None:
        super()._begin()
        if self._gate is not None:
            self._selector.register(self._gate.wait_fd, selectors.EVENT_WRITE, self._let_in)
        self._in(self._spec.timeout_s, self._time_is_up)

    def _take(self, output: Stream, chunk: bytes) -> bool:
        if chunk:
            (self._out if output == "stdout" else self._err).feed(chunk)
            self._on_bytes(output, chunk)
            if 0 < self._spec.output.flood_bytes < self._out.total + self._err.total:
                self._stop("flood")
        return True

    def _turn(self) -> float:
        if self._stopped_by == "cancel" and self._when_due == self._time_is_up:
            self._time_is_up() if self._spec.polite else self._end_now()
        return super()._turn()

    def _heard(self, *, gone: bool) -> None:
        if self._stopped_by is None and "stopped" in self._report():
            self._stopped_by = _LIMITS[self._report()["stopped"]]
        if not gone and self._command_ended() and self._when_due == self._time_is_up:
            self._in(LINGER_S + KILL_TIMEOUT_S, self._end_now)

    def _let_in(self) -> None:
        """The sandbox stands, and waits to be looked at."""
        assert self._gate is not None
        self._selector.unregister(self._gate.wait_fd)
        try:
            self._gate.open()
        except AskHumanError as error:
            self._refusal = error
            self._end_now()

    def _look(self) -> None:
        super()._look()
        silent = not self._over and self._open_outputs == 0
        if silent and self._command_ended() and self._when_due != self._give_up:
            self._end_now()

    def _time_is_up(self) -> None:
        self._stopped_by = self._stopped_by or "timeout"
        self._terminate(self._spec.grace_s)

    def _stop(self, reason: StoppedBy) -> None:
        if self._stopped_by is None:
            self._stopped_by = reason
            self._end_now()

    def _kill_group(self) -> None:
        if not self._spec.hand_over:
            super()._kill_group()

    def _ended(self, failure: Exception | None) -> None:
        if isinstance(failure, OSError):
            failure = not_started(failure.errno, self._program)
        if self._spec.finish is not None:
            with contextlib.suppress(OSError):  # what it left stays, unnamed
                self._spec.finish()
        result = failure or self._outcome
        assert result is not None, "it ended, or it failed"
        if failure is None:
            self._on_end(result)
        if self._spec.tidy is not None:  # before it is tried again, at the same place
            self._spec.tidy()
        if failure is not None:
            self._on_end(result)

    def _checked_outcome(self, duration_ms: int) -> ProcessOutcome:
        spec, code, number, errno = self._spec, *map(self._number, ("exit", "signal", "errno"))
        if self._refusal is not None:
            raise self._refusal
        if self._gate is not None and code is not None and not self._gate.passed:
            raise AskHumanError("runner.sandbox_failed", reason=last_line(self._err.text()[0]))
        if errno is not None:
            raise not_started(errno, self._program)
        if spec.sandbox is not None and code is not None and 128 < code <= 128 + signal.NSIG:
            number = code - 128  # how the sandbox passes a signal on
            code = None
        if spec.hand_over and self._stopped_by == "timeout":
            self._stopped_by, code = None, 0
        stdout, undecodable = self._out.text()
        stderr, _ = self._err.text()
        return ProcessOutcome(
            exit_code=code,
            signal=number,
            stdout=stdout,
            stderr=stderr,
            truncated=self._out.truncated,
            stdout_path=self._out.spilled,
            stderr_path=self._err.spilled,
            undecodable=undecodable,
            stopped_by=self._stopped_by,
            error=ending_sentence(spec, self._stopped_by, code, number, stderr),
            duration_ms=duration_ms,
        )


def _capture(spec: LaunchSpec, stream: Stream, head_bytes: int, tail_bytes: int) -> Capture:
    room = spec.output.spill_bytes
    path = spec.spill_dir / f"{stream}.txt" if room else None
    return Capture(head_bytes, tail_bytes, path=path, spill_bytes=room)


_CLOSE_TIMEOUT_S = 8.0


async def run_process(
    spec: LaunchSpec,
    *,
    on_start: Callable[[int], None] | None = None,
    on_output: OnOutput | None = None,
) -> ProcessOutcome:
    """Run to the end, or until a limit or a cancel stops it. `on_start` gets the outermost process's pid.

    `on_output` gets what it prints as it comes, see `LiveOutput`; both are called on the loop.

    Raises:
        ActionError: It could not be started; the message is for the person.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[ProcessOutcome] = loop.create_future()

    def settle(result: ProcessOutcome | Exception) -> None:
        if isinstance(result, Exception):
            ended.set_exception(result)
        else:
            ended.set_result(result)

    def in_loop(work: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed under the run
            loop.call_soon_threadsafe(work, *arguments)

    live = LiveOutput(on_output) if on_output is not None else None
    try:
        run = ProcessRun(
            spec,
            on_start=lambda pid: in_loop(on_start, pid) if on_start is not None else None,
            on_end=lambda result: in_loop(settle, result),
            on_bytes=_takers(spec, live),
        )
        run.start()
    except (OSError, RuntimeError) as error:  # no descriptor or no thread is left
        raise TryAgainError("runner.not_now", program=spec.argv[0], error=error) from error
    try:
        await asyncio.wait([ended])
    except asyncio.CancelledError:
        run.cancel()
        await _settled(ended)
        raise
    finally:
        if live is not None:
            live.close()
    return ended.result()


def _takers(spec: LaunchSpec, live: LiveOutput | None) -> Callable[[Stream, bytes], None]:
    """Whoever wants the bytes, as one."""
    takers = [take for take in (spec.on_bytes, live.feed if live is not None else None) if take is not None]

    def give(stream: Stream, chunk: bytes) -> None:
        for take in takers:
            take(stream, chunk)

    return give


async def _settled(ended: asyncio.Future[ProcessOutcome]) -> None:
    """Wait for the end of a cancelled run, bounded, whatever else is cancelled meanwhile."""
    give_up_at = time.monotonic() + _CLOSE_TIMEOUT_S
    while not ended.done() and time.monotonic() < give_up_at:
        with contextlib.suppress(asyncio.CancelledError):  # the caller raises the first one on
            await asyncio.wait([ended], timeout=give_up_at - time.monotonic())
    if ended.done():
        ended.exception()
    else:
        _log.error("a cancelled run did not end within %.0f s", _CLOSE_TIMEOUT_S)
