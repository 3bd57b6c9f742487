"""One server's life, with the clock in the test's hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.base.errors import TryAgainError
from partner_desktop.domain.mcp_server import ServerPhase, ServerStep
from tests.action.mcp.fake_server import FakeServer, configured, failure
from tests.support import WAIT_S, FakeClock

READY, BACKING_OFF, FAILED = ServerPhase.READY, ServerPhase.BACKING_OFF, ServerPhase.FAILED


@pytest.fixture
async def server(tmp_path: Path, clock: FakeClock) -> AsyncIterator[FakeServer]:
    one = FakeServer(tmp_path / "logs", clock)
    yield one
    await one.supervisor.close()
    assert not one.open


async def next_start(server: FakeServer, clock: FakeClock) -> float:
    """Let the pause before the next attempt pass, and wait for what comes of that; the pause in seconds."""
    status = server.supervisor.status
    assert status.retry_at is not None
    pause = status.retry_at - clock.now()
    await asyncio.sleep(0)  # it enters its phase before it falls asleep
    clock.move(pause + timedelta(milliseconds=1))
    await server.until_so(lambda: server.supervisor.status.attempts != status.attempts)
    return pause.total_seconds()


async def test_a_server_that_keeps_failing_is_tried_ever_more_rarely_and_then_no_more(
    server: FakeServer, clock: FakeClock
) -> None:
    server.failures = [failure()] * 8
    server.supervisor.begin()
    await server.until(BACKING_OFF)
    pauses = [await next_start(server, clock) for _ in range(7)]
    for pause, plain in zip(pauses, (1, 2, 4, 8, 16, 32, 60), strict=True):
        assert plain <= pause <= plain * 1.25
    status = server.supervisor.status
    assert (status.attempts, status.retry_at, server.starts) == (8, None, 8)
    assert status.failure == failure()


@pytest.mark.parametrize("step", [ServerStep.RESOLVE, ServerStep.SPAWN])
async def test_what_trying_again_cannot_mend_waits_for_a_change(server: FakeServer, step: ServerStep) -> None:
    server.failures = [failure(step, final=step is ServerStep.SPAWN)]
    server.supervisor.begin()
    await server.until(FAILED)
    assert server.starts == 1
    server.supervisor.configure(configured("mended"))
    await server.until(READY)
    assert server.supervisor.status.failure is None


async def test_a_server_that_was_ready_for_a_minute_begins_to_count_anew(
    server: FakeServer, clock: FakeClock
) -> None:
    server.failures = [failure(), failure()]
    server.supervisor.begin()
    await server.until(BACKING_OFF)
    await next_start(server, clock)
    await next_start(server, clock)
    await server.until(READY)
    clock.move(timedelta(seconds=20))
    server.open[0].ended.set_result(failure(ServerStep.RUN))
    await server.until(BACKING_OFF)
    assert server.supervisor.status.attempts == 3
    await next_start(server, clock)
    assert server.supervisor.status.phase is READY
    clock.move(timedelta(seconds=61))
    server.open[0].ended.set_result(failure(ServerStep.RUN))
    await server.until(BACKING_OFF)
    assert server.supervisor.status.attempts == 1


async def test_its_tools_stay_for_ten_seconds_and_calls_wait_meanwhile(
    server: FakeServer, clock: FakeClock
) -> None:
    server.supervisor.begin()
    await server.until(READY)
    server.failures = [failure()] * 8
    server.open[0].ended.set_result(failure(ServerStep.RUN))
    await server.until(BACKING_OFF)
    assert server.supervisor.facts is not None
    waiting = asyncio.ensure_future(server.supervisor.connection())
    await asyncio.sleep(0)
    assert not waiting.done()
    clock.move(timedelta(seconds=10))
    async with asyncio.timeout(WAIT_S):
        with pytest.raises(TryAgainError, match="The server fake does not run: It ended"):
            await waiting
    assert server.supervisor.facts is None
    assert server.supervisor.status.tools == 0


async def test_a_call_that_waits_gets_the_server_that_comes_back(server: FakeServer) -> None:
    server.supervisor.begin()
    await server.until(READY)
    server.supervisor.begin()
    connection = await asyncio.wait_for(server.supervisor.connection(), WAIT_S)
    assert connection is server.open[0]
    assert server.starts == 2


async def test_a_server_that_is_switched_off_ends_and_says_so(server: FakeServer) -> None:
    server.supervisor.begin()
    await server.until(READY)
    server.supervisor.switch(on=False)
    await server.until(ServerPhase.STOPPED)
    assert server.supervisor.facts is None
    with pytest.raises(TryAgainError, match="switched off"):
        await server.supervisor.connection()
    server.supervisor.switch(on=True)
    await server.until(READY)
    assert len(server.open) == 1


async def test_what_its_own_file_switches_off_cannot_be_switched(server: FakeServer) -> None:
    server.supervisor.begin()
    await server.until(READY)
    server.supervisor.configure(configured(disabled=True))
    await server.until(ServerPhase.STOPPED)
    assert not server.supervisor.status.can_switch
    assert server.supervisor.status.hints == ("It is switched off in its own file.",)


async def test_another_line_in_the_file_restarts_nothing(server: FakeServer) -> None:
    server.supervisor.begin()
    await server.until(READY)
    known = configured()
    server.supervisor.configure(type(known)(known.config, Path("moved.json"), 7))
    assert (server.supervisor.status.phase, server.supervisor.status.line) == (READY, 7)
    assert server.starts == 1


async def test_its_log_is_kept_in_a_file_that_others_cannot_read(server: FakeServer, tmp_path: Path) -> None:
    server.supervisor.begin()
    await server.until(READY)
    assert server.supervisor.log_text().endswith(" start 1\n")
    await server.supervisor.close()
    path = tmp_path / "logs" / "fake.log"
    assert path.read_text(encoding="utf-8").endswith(" start 1\n")
    assert path.stat().st_mode & 0o077 == 0
