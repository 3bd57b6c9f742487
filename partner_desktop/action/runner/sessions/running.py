"""One command in the background: its process, its two logs, and what is known of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.action.runner.launch_spec import LaunchSpec, OutputLimits, ProcessOutcome
from partner_desktop.action.runner.live_output import STREAMS
from partner_desktop.action.runner.pace import Pace
from partner_desktop.action.runner.process import run_process
from partner_desktop.action.runner.sessions.stream_log import StreamLog
from partner_desktop.action.runner.sessions.throttle import Throttle
from partner_desktop.base.errors import ActionError
from partner_desktop.domain.command_session import CommandSession, SessionState, Stream

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
