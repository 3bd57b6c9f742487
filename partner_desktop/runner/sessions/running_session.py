"""One command in the background: its process, its two logs, and what is known of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.errors import ActionError
from partner_desktop.base.text import cut
from partner_desktop.domain.command_session import CommandSession, SessionState, Stream
from partner_desktop.runner.launch_spec import LaunchSpec, OutputLimits, ProcessOutcome
from partner_desktop.runner.live_output import STREAMS, Pace
from partner_desktop.runner.process import run_process
from partner_desktop.runner.sessions.stream_log import StreamLog

#: Between SIGTERM and SIGKILL.
GRACE_S = 0.2
#: Of the record that a run usually leaves, a session needs only the last line of stderr.
_OUTPUT = OutputLimits(stdout_bytes=4096, stderr_bytes=4096, spill_bytes=0, flood_bytes=0)


class RunningSession:
    """`session` is always as it is now; `changed` is called on the loop, at a pace, when it has printed."""

    def __init__(
        self, session: CommandSession, folder: Path, changed: Callable[[RunningSession], None]
    ) -> None:
        self.session = session
        self.logs: dict[Stream, StreamLog] = {stream: StreamLog(folder, stream) for stream in STREAMS}
        self.task: asyncio.Task[None] | None = None
        self.cancelled = False
        """Somebody ended it."""
        self.begun = asyncio.Event()
        """Its process is there, or never will be."""
        self.failure: ActionError | None = None
        """Why it could not be started."""
        self._folder = folder
        self._changed = changed

    @property
    def over(self) -> bool:
        return self.session.state is not SessionState.RUNNING

    @property
    def unsettled(self) -> bool:
        """It runs, or its end is being written down."""
        return self.task is not None and not self.task.done()

    async def run(self, argv: Sequence[str], *, timeout_s: float) -> None:
        """Run to the end; a cancellation of this asks the command to end, kills it, and is raised on."""
        pace, throttle = Pace(self._printed), Throttle()

        def keep(stream: Stream, chunk: bytes) -> None:
            self.logs[stream].write(chunk)
            pace.wake()
            throttle.pass_on(len(chunk))

        spec = LaunchSpec(
            argv=tuple(argv),
            spill_dir=self._folder,
            cwd=self.session.cwd,
            timeout_s=timeout_s,
            grace_s=GRACE_S,
            polite=True,
            output=_OUTPUT,
            on_bytes=keep,
        )
        try:
            outcome = await run_process(spec, on_start=lambda _: self.begun.set())
        except asyncio.CancelledError:
            self._end(SessionState.CANCELLED if self.cancelled else SessionState.LOST)
            raise
        except ActionError as error:
            self.failure = None if self.begun.is_set() else error
            self._end(SessionState.FAILED, error=str(error))
        else:
            self._ended(outcome)
        finally:
            pace.close()
            self.begun.set()

    def _ended(self, outcome: ProcessOutcome) -> None:
        well = outcome.exit_code == 0 and outcome.stopped_by is None
        state = SessionState.ENDED if well else SessionState.FAILED
        self._end(state, error=outcome.error, exit_code=outcome.exit_code)

    def _end(self, state: SessionState, *, error: str = "", exit_code: int | None = None) -> None:
        self.session = replace(self._counted(), state=state, error=error, exit_code=exit_code)

    def _printed(self) -> None:
        if not self.over:
            self.session = self._counted()
            self._changed(self)

    def _counted(self) -> CommandSession:
        return replace(
            self.session,
            stdout_bytes=self.logs["stdout"].total,
            stderr_bytes=self.logs["stderr"].total,
        )


#: Nobody reads faster. What prints more waits for its pipe, as it would for a slow terminal.
BYTES_PER_S = 20 * 1024**2

_WINDOW_S = 0.1


class Throttle:
    """Of one run's thread. Without it an endless printer would keep a disk and a processor busy for ever."""

    def __init__(self, *, bytes_per_s: int = BYTES_PER_S) -> None:
        self._allowed = int(bytes_per_s * _WINDOW_S)
        self._since = time.monotonic()
        self._passed = 0

    def pass_on(self, size_bytes: int) -> None:
        """So much was printed; returns when more may come. Blocking, for a tenth of a second at most."""
        now = time.monotonic()
        if now - self._since >= _WINDOW_S:
            self._since, self._passed = now, 0
        self._passed += size_bytes
        if self._passed >= self._allowed:
            time.sleep(max(0.0, self._since + _WINDOW_S - now))


LINES = 5
#: Characters of the whole excerpt.
MOST_CHARACTERS = 2_048

_LOOK_BYTES = 16 * 1024
_GAP = "…"


def output_excerpt(log: StreamLog, *, ended: bool) -> str:
    """The first and last five lines. Blocking."""
    head = log.read(0, _LOOK_BYTES, ended=ended)
    tail = log.read(-_LOOK_BYTES, _LOOK_BYTES, ended=ended) if head.next_offset < log.total else head
    first, last = head.text.splitlines(), tail.text.splitlines()
    whole = tail is head and head.lost_bytes == 0
    if whole and len(first) <= 2 * LINES:
        return _fitted(first, [])
    return _fitted(first[:LINES], last[-LINES:])


def last_lines(log: StreamLog) -> str:
    """The last five lines that say something, of a command that has ended. Blocking."""
    text = log.read(-_LOOK_BYTES, _LOOK_BYTES, ended=True).text
    return _fitted([], [line for line in text.splitlines() if line.strip()][-LINES:])


def _fitted(first: list[str], last: list[str]) -> str:
    """Both, with long lines shortened so that each gets its share."""
    between = [_GAP] if first and last else []
    share = MOST_CHARACTERS // max(1, len(first) + len(last) + len(between)) - 1
    return "\n".join([*(cut(line, share) for line in first), *between, *(cut(line, share) for line in last)])
