"""One life of a worker as the loop knows it: started, ready once its model is open, over.

Contract: everything here runs on the loop; what the process's thread says is handed over to it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from itertools import count

from partner_desktop.base.errors import ModelError
from partner_desktop.model.worker.frames import (
    PROTOCOL,
    Answer,
    Cancel,
    Failure,
    Hello,
    Load,
    Loaded,
    Reply,
    Request,
)
from partner_desktop.model.worker.process import END_TIMEOUT_S, WorkerProcess

_LOAD_ID = 0


class WorkerGoneError(Exception):
    """The process ended under a request; the message is a clause that says how."""


class Life:
    """A process, its model and the requests that it has not answered.

    `ready` is the opened model; it fails with `ModelError` when the model cannot be opened, and with
    `WorkerGoneError` when the process ends before. `over` holds how the process ended.
    """

    def __init__(self, load: Callable[[int], Load], *, on_over: Callable[[Life], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._load = load
        self._on_over = on_over
        self._ids = count(_LOAD_ID + 1)
        self._open: dict[int, asyncio.Future[Answer]] = {}
        self._process: WorkerProcess | None = None
        self._start: asyncio.TimerHandle | None = None
        self.wanted = True
        """Whether nobody asked it to end."""
        self.ready: asyncio.Future[Loaded] = self._loop.create_future()
        self.over: asyncio.Future[str] = self._loop.create_future()

    @property
    def busy(self) -> bool:
        """Whether a request waits for its answer."""
        return bool(self._open)

    @property
    def pid(self) -> int | None:
        """The process's id, once it runs."""
        return self._process.pid if self._process is not None else None

    def begin(self, command: Sequence[str], *, delay_s: float) -> None:
        """Start the process, after a delay."""
        self._start = self._loop.call_later(delay_s, self._begin_now, command)

    def _begin_now(self, command: Sequence[str]) -> None:
        self._process = WorkerProcess(
            command,
            on_reply=lambda reply: self._in_loop(self._take, reply),
            on_end=lambda how: self._in_loop(self._gone, how),
        )
        self._process.start()

    def _in_loop(self, work: Callable[..., None], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed under the worker
            self._loop.call_soon_threadsafe(work, *arguments)

    def _send(self, request: Request) -> None:
        assert self._process is not None
        self._process.send(request)

    async def ask(self, request: Callable[[int], Request], *, timeout_s: float) -> Answer:
        """Send a request, which gets its id, and wait for its answer. Only when ready.

        Raises:
            ModelError: It failed, or there was no answer in time; then the worker, which is stuck, is killed.
            WorkerGoneError: The process ended first.
        """
        if self.over.done():
            raise WorkerGoneError(self.over.result())
        number = next(self._ids)
        answered: asyncio.Future[Answer] = self._loop.create_future()
        self._open[number] = answered
        try:
            self._send(request(number))
            async with asyncio.timeout(timeout_s):
                answer = await answered
        except TimeoutError:
            self.end(fault=f"did not answer within {timeout_s:.0f} s")
            raise ModelError(f"The model worker did not answer within {timeout_s:.0f} seconds.") from None
        except asyncio.CancelledError:
            self._send(Cancel(id=number))
            raise
        finally:
            self._open.pop(number, None)
        if isinstance(answer, Failure):
            raise ModelError(answer.message)
        return answer

    def _take(self, reply: Reply) -> None:
        if isinstance(reply, Hello):
            self._greet(reply)
        elif reply.id == _LOAD_ID:
            self._settle_load(reply)
        elif reply.id is not None and reply.id in self._open and not self._open[reply.id].done():
            self._open[reply.id].set_result(reply)

    def _greet(self, hello: Hello) -> None:
        if hello.protocol == PROTOCOL:
            self._send(self._load(_LOAD_ID))
        else:
            self._refuse("Partner was updated while it ran; models work again after a restart.")

    def _settle_load(self, reply: Answer) -> None:
        if isinstance(reply, Loaded) and not self.ready.done():
            self.ready.set_result(reply)
        elif isinstance(reply, Failure):
            self._refuse(reply.message)

    def _refuse(self, why: str) -> None:
        _fail(self.ready, ModelError(why))
        self.end()

    def end(self, *, fault: str = "") -> None:
        """Make the process end; `over` tells when. `fault`: what it did wrong."""
        self.wanted = self.wanted and bool(fault)
        if self._process is not None:
            self._process.end(fault)
        elif self._start is not None:
            self._start.cancel()
            self._gone("was ended")

    def _gone(self, how: str) -> None:
        if self.over.done():
            return
        self.over.set_result(how)
        _fail(self.ready, WorkerGoneError(how))
        for waiting in self._open.values():
            _fail(waiting, WorkerGoneError(how))
        self._on_over(self)

    async def wait_over(self) -> bool:
        """Wait for the process's end, bounded; whether it came."""
        done, _ = await asyncio.wait([self.over], timeout=2 * END_TIMEOUT_S)
        return bool(done)


def _fail(future: asyncio.Future[Answer] | asyncio.Future[Loaded], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # nobody may be waiting; that is no fault
