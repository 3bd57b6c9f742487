"""A worker that is ended while its sandbox is still being set up leaves no process behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

from partner_desktop.model.worker.isolation import Launch
from partner_desktop.model.worker.process import WorkerProcess

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has this sandbox")

_LIMIT_S = 30.0
#: As bubblewrap before it is done: one process waits for another, which nothing ties to it yet.
_SETTING_UP = """
import os, signal, sys
if os.fork() == 0:
    if sys.argv[2] == "own session":
        os.setsid()
    for fd in (0, 1, 2):
        os.close(fd)
    os.write(os.open(sys.argv[1], os.O_WRONLY), b"%7d" % os.getpid())
    signal.pause()
signal.pause()
"""


@pytest.mark.parametrize("session", ["the same session", "own session"])
async def test_a_worker_ended_before_it_spoke_leaves_nothing(tmp_path: Path, session: str) -> None:
    fifo = tmp_path / "alive"
    os.mkfifo(fifo)
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def over(_why: str) -> None:
        loop.call_soon_threadsafe(ended.set)

    launch = Launch([sys.executable, "-c", _SETTING_UP, str(fifo), session], None, held=True)
    worker = WorkerProcess(
        lambda: launch,
        on_reply=lambda reply: None,
        on_end=over,
    )
    worker.start()
    async with asyncio.timeout(_LIMIT_S):
        alive = await asyncio.to_thread(fifo.open, "rb", buffering=0)  # which waits until the child is there
    with alive:
        child = int(await asyncio.to_thread(alive.read, 7))
        try:
            async with asyncio.timeout(_LIMIT_S):
                worker.end("was not wanted")
                await ended.wait()
                assert await asyncio.to_thread(alive.read, 1) == b"", "nothing comes but its end"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
