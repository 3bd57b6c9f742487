"""Runs one command to its end, whatever it does.

Contract: the command runs under `guard.py`, with a sandbox around it or without, so that nothing of it
outlives the run: not after its end, not after a stop, not after Partner's death by SIGKILL. (bwrap's own
`--die-with-parent` stays on as well, but leaves a moment uncovered while it starts.) Each run has a thread
of its own, which starts it, moves its bytes and keeps its time; the loop only waits. A loop's own
subprocess support would start programs on the loop, and under qasync every chunk would be a Qt event.
Cancelling `run_process` kills the tree, waits for its end (bounded) and raises on.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from partner_desktop.base import log
from partner_desktop.base.errors import TryAgainError
from partner_desktop.domain.command_session import Stream
from partner_desktop.runner.call import OnOutput
from partner_desktop.runner.launch_spec import LaunchSpec, ProcessOutcome
from partner_desktop.runner.live_output import LiveOutput
from partner_desktop.runner.process_run import ProcessRun

_log = log.area("process")

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
        raise TryAgainError(f"{spec.argv[0]} could not be started just now: {error}.") from error
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
