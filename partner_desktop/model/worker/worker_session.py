"""WorkerSession: one process of a worker as the loop knows it: started, ready once its model is open, over.

Contract: everything here runs on the loop; what the process's thread says is handed over to it. A worker that
has something to do and says nothing, not even to a ping, is killed (`watchdog.py`). Pieces of an answer that
nobody has taken yet are given as one, so that a slow reader need not run for each.

A reply after a silence comes over at once; in a stream the loop is left alone for some milliseconds between
two batches, which nobody sees and which keeps thousands of tokens a second from costing a core.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable
from itertools import count

from partner_desktop.base.errors import (
    ContextOverflowError,
    ModelError,
    OutOfMemoryError,
    ProjectorError,
    SchemaError,
    UnseenPictureError,
)
from partner_desktop.base.messages import sentence_of
from partner_desktop.model.memory_fit import spoken
from partner_desktop.model.worker.frames import (
    PROTOCOL,
    Answer,
    Cancel,
    Failure,
    FrameError,
    Hello,
    Load,
    Loaded,
    Loading,
    Piece,
    Ping,
    Reply,
    Request,
)
from partner_desktop.model.worker.isolation import Launch
from partner_desktop.model.worker.process import END_TIMEOUT_S, WorkerProcess
from partner_desktop.model.worker.process_memory import oom_kills
from partner_desktop.model.worker.watchdog import SilenceLimits, Watchdog

_LOAD_ID = 0


class WorkerGoneError(Exception):
    """The process ended under a request; the message is a clause that says how."""


class WorkerSession:
    """A process, its model and the requests that it has not answered.

    `ready` is the opened model; it fails with `ModelError` when the model cannot be opened, and with
    `WorkerGoneError` when the process ends before. `over` holds how the process ended. `on_progress` is
    called as the model is read.
    """

    def __init__(
        self,
        load: Callable[[int], Load],
        *,
        on_over: Callable[[WorkerSession], None],
        on_progress: Callable[[], None] = lambda: None,
        patience: SilenceLimits | None = None,
        kills: Callable[[], int] = oom_kills,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._load, self._kills = load, kills
        self._on_over, self._on_progress = on_over, on_progress
        self._patience = patience or SilenceLimits()
        self._ids = count(_LOAD_ID + 1)
        self._open: dict[int, PendingRequest] = {}
        self._leaving: set[int] = set()
        self._process: WorkerProcess | None = None
        self._start: asyncio.TimerHandle | None = None
        self._replies = ReplyQueue(self._loop, self._take)
        self._watchdog = Watchdog(self, self._patience)
        self._limit: asyncio.TimerHandle | None = None
        self._greeted = False
        self.progress = 0.0
        """How far the model is read, 0 to 1."""
        self.wanted = True
        """Whether nobody asked it to end."""
        self.dismissed = False
        """Whether the model was given back on purpose, so that what waits for it must not start it again."""
        self.ready: asyncio.Future[Loaded] = self._loop.create_future()
        self.over: asyncio.Future[str] = self._loop.create_future()

    @property
    def busy(self) -> bool:
        """Whether a request waits for its answer."""
        return bool(self._open)

    @property
    def working(self) -> bool:
        """Whether it has something to do: what it answers pings beside."""
        loading = self._greeted and not self.ready.done()
        return not self.over.done() and bool(loading or self._open or self._leaving)

    @property
    def only_leaving(self) -> bool:
        """Whether all that it has to do is to give up what it was told to."""
        return bool(self._leaving) and not self._open and self.ready.done()

    @property
    def pid(self) -> int | None:
        """The process's id, once it runs."""
        return self._process.pid if self._process is not None else None

    @property
    def starved(self) -> bool:
        """Whether its process was ended for want of memory."""
        return self._process is not None and self._process.starved

    def begin(self, launch: Callable[[], Launch], *, delay_s: float) -> None:
        """Start the process, after a delay."""
        self._start = self._loop.call_later(delay_s, self._begin_now, launch)

    def _begin_now(self, launch: Callable[[], Launch]) -> None:
        self._process = WorkerProcess(
            launch, on_reply=self._replies.put, on_end=self._ended, kills=self._kills
        )
        self._process.start()
        self._allow(self._patience.hello_s, "model.worker_no_hello")

    def _allow(self, limit_s: float, fault: str) -> None:
        """Until the next word about the load, so long and no longer."""
        if self._limit is not None:
            self._limit.cancel()
        self._limit = self._loop.call_later(limit_s, self._too_long, sentence_of(fault, seconds=limit_s))

    def _too_long(self, fault: str) -> None:
        if not self.ready.done():
            self.end(fault=fault)

    def _ended(self, how: str) -> None:
        """In the process's thread."""
        with contextlib.suppress(RuntimeError):  # the loop was closed under the worker
            self._loop.call_soon_threadsafe(self._gone, how)

    def _send(self, request: Request) -> None:
        assert self._process is not None
        self._process.send(request)

    def ping(self) -> None:
        """Ask for a sign of life."""
        self._send(Ping(id=next(self._ids)))

    async def ask(self, request: Callable[[int], Request], *, timeout_s: float | None) -> Answer:
        """Send a request, which gets its id, and wait for its answer. Only when ready.

        Without a time limit the worker may take as long as it answers pings.

        Raises:
            ModelError: It failed, or there was no answer in time; then the worker, which is stuck, is killed.
            WorkerGoneError: The process ended first.
        """
        try:
            async with asyncio.timeout(timeout_s), contextlib.aclosing(self.stream(request)) as frames:
                async for frame in frames:
                    if not isinstance(frame, Piece):
                        return frame
        except TimeoutError:
            self.end(fault=sentence_of("model.worker_no_answer", seconds=timeout_s))
            raise ModelError("model.worker_late", seconds=timeout_s) from None
        raise AssertionError("a stream ends with its answer")

    async def stream(self, request: Callable[[int], Request]) -> AsyncGenerator[Piece | Answer, None]:
        """Send a request, which gets its id: its pieces as they come, then its answer. Only when ready.

        Leaving it early cancels the request in the worker.

        Raises:
            ModelError: It failed; what came before stands.
            WorkerGoneError: The process ended first.
        """
        if self.over.done():
            raise WorkerGoneError(self.over.result())
        number, pending = next(self._ids), PendingRequest()
        self._open[number] = pending
        try:
            self._send(request(number))
            self._watchdog.wake()
            while True:
                frame = await pending.next()
                if not isinstance(frame, Piece):
                    self._open.pop(number, None)
                yield frame
                if not isinstance(frame, Piece):
                    return
        except FrameError as error:
            self._open.pop(number, None)
            raise ModelError("model.request_too_large") from error
        finally:
            self._leave(number)

    def _leave(self, number: int) -> None:
        """Nobody listens any more: unless it was answered, the worker is told to give it up."""
        pending = self._open.pop(number, None)
        if pending is None or pending.ended or self.over.done():
            return
        self._leaving.add(number)
        self._send(Cancel(id=number))
        self._watchdog.wake()

    def _take(self, reply: Reply) -> None:
        self._watchdog.heard()
        if isinstance(reply, Hello):
            self._greet(reply)
        elif isinstance(reply, Loading):
            self._get_on(reply)
        elif isinstance(reply, Piece):
            if reply.id in self._open:
                self._open[reply.id].add(reply)
        elif reply.id == _LOAD_ID:
            self._settle_load(reply)
        elif reply.id is not None:
            self._leaving.discard(reply.id)
            if reply.id in self._open:
                self._open[reply.id].answer(reply)

    def _greet(self, hello: Hello) -> None:
        self._greeted = True
        if hello.protocol == PROTOCOL:
            self._send(self._load(_LOAD_ID))
            self._allow(self._patience.load_s, "model.worker_no_further")
            self._watchdog.wake()
        else:
            self._refuse(ModelError("model.updated"))

    def _get_on(self, loading: Loading) -> None:
        if loading.progress > self.progress:
            self.progress = loading.progress
            self._allow(self._patience.load_s, "model.worker_no_further")
            self._on_progress()

    def _settle_load(self, reply: Answer) -> None:
        if isinstance(reply, Loaded) and not self.ready.done():
            self.progress = 1.0
            self.ready.set_result(reply)
        elif isinstance(reply, Failure):
            self._refuse(model_error_of(reply))

    def _refuse(self, why: ModelError) -> None:
        self._fail_ready(why)
        self.end()

    def _fail_ready(self, error: Exception) -> None:
        if not self.ready.done():
            self.ready.set_exception(error)
            self.ready.exception()  # nobody may be waiting; that is no fault

    def end(self, *, fault: str = "") -> None:
        """Make the process end; `over` tells when. `fault`: what it did wrong."""
        self.wanted = self.wanted and bool(fault)
        if self._process is not None:
            self._process.end(fault)
        elif self._start is not None:
            self._start.cancel()
            self._gone(sentence_of("model.worker_ended"))

    def _gone(self, how: str) -> None:
        if self.over.done():
            return
        self._replies.drain()  # its last words
        self._watchdog.stop()
        if self._limit is not None:
            self._limit.cancel()
        self.over.set_result(how)
        self._fail_ready(WorkerGoneError(how))
        for pending in self._open.values():
            pending.fail(WorkerGoneError(how))
        self._on_over(self)

    async def wait_over(self) -> bool:
        """Wait for the process's end, bounded; whether it came."""
        done, _ = await asyncio.wait([self.over], timeout=2 * END_TIMEOUT_S)
        return bool(done)


class PendingRequest:
    """Filled by whoever hears the worker, emptied by the one that asked."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._answer: Answer | None = None
        self._fault: Exception | None = None
        self._news = asyncio.Event()

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self._answer is not None or self._fault is not None

    def add(self, piece: Piece) -> None:
        """The next words."""
        self._pieces.append(piece)
        self._news.set()

    def answer(self, answer: Answer) -> None:
        """The final frame."""
        if not self.ended:
            self._answer = answer
            self._news.set()

    def fail(self, error: Exception) -> None:
        """There will be no final frame."""
        if not self.ended:
            self._fault = error
            self._news.set()

    async def next(self) -> Piece | Answer:
        """What came since the last time; the answer comes after all pieces, and is the end.

        Raises:
            ModelError: The request failed, or see `fail`.
        """
        await self._news.wait()
        if self._pieces:
            piece, self._pieces = _as_one(self._pieces), []
            if not self.ended:
                self._news.clear()
            return piece
        if self._fault is not None:
            raise self._fault
        assert self._answer is not None
        if isinstance(self._answer, Failure):
            raise model_error_of(self._answer)
        return self._answer


def _as_one(pieces: list[Piece]) -> Piece:
    first = pieces[0]
    if len(pieces) == 1:
        return first
    text, tokens = "".join(piece.text for piece in pieces), sum(piece.tokens for piece in pieces)
    return first.model_copy(update={"text": text, "tokens": tokens})


def model_error_of(failure: Failure) -> ModelError:
    """A failure that the worker tells, as the error that it is here."""
    if failure.kind == "overflow":
        return ContextOverflowError(
            "common.told",
            text=failure.message,
            prompt_tokens=failure.prompt_tokens,
            context_tokens=failure.context_tokens,
        )
    if failure.kind == "memory" and failure.needed_bytes:
        return OutOfMemoryError(
            "model.too_large",
            context_tokens=failure.context_tokens,
            tokens=f"{failure.context_tokens:,}",
            needed=spoken(failure.needed_bytes),
            free=spoken(failure.free_bytes),
        )
    if failure.kind == "memory":
        return OutOfMemoryError("common.told", text=failure.message, context_tokens=failure.context_tokens)
    if failure.kind == "picture":
        return UnseenPictureError("model.picture_unread", reason=failure.message)
    if failure.kind == "projector":
        return ProjectorError("model.projector_unusable", reason=failure.message)
    error = SchemaError if failure.kind == "schema" else ModelError
    return error("common.told", text=failure.message)


#: Seconds between two batches, at least.
_PAUSE_S = 0.005


class ReplyQueue:
    """`take` gets every reply on the loop, in order."""

    def __init__(self, loop: asyncio.AbstractEventLoop, take: Callable[[Reply], None]) -> None:
        self._loop = loop
        self._take = take
        self._lock = threading.Lock()
        self._waiting: list[Reply] = []
        self._timer: asyncio.TimerHandle | None = None
        self._expected = False
        """Whether somebody is on the way already, so that the loop need not be woken."""

    def put(self, reply: Reply) -> None:
        """From any thread."""
        with self._lock:
            self._waiting.append(reply)
            expected, self._expected = self._expected, True
        if not expected:
            with contextlib.suppress(RuntimeError):  # the loop was closed under the worker
                self._loop.call_soon_threadsafe(self.drain)

    def drain(self) -> None:
        """On the loop. Where there was something, it is looked again soon; waking a loop costs more."""
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            replies, self._waiting = self._waiting, []
            self._expected = bool(replies)
        self._timer = self._loop.call_later(_PAUSE_S, self.drain) if replies else None
        for reply in replies:
            self._take(reply)
