"""ModelWorker: one model in a process of its own, started on first use and started again after a crash.

Contract: constructing costs nothing. A request whose process dies is sent once more to a new one, then fails;
one that has begun to answer is never sent again. A crash, a kill or a stuck process never raises anything but
`ModelError` here. Everything runs on one loop.
"""

from __future__ import annotations

import asyncio
import importlib
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError, OutOfMemoryError, WorkerLostError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.trace import NullTracer, Tracer
from partner_desktop.model.engine import engine_missing, read_engine_status
from partner_desktop.model.worker.frames import Answer, Load, Loaded, Piece, Request
from partner_desktop.model.worker.isolation import Launch, launch_of
from partner_desktop.model.worker.process_memory import oom_kills
from partner_desktop.model.worker.watchdog import RestartPolicy, Restarts
from partner_desktop.model.worker.worker_session import WorkerGoneError, WorkerSession

_log = log.area("model")

_MOST_THREADS = 4

WorkerState = Literal["idle", "starting", "ready", "failed"]


@dataclass(frozen=True)
class ModelFile:
    """What the worker opens."""

    path: Path
    kind: Literal["embed", "chat"]
    context_tokens: int
    threads: int = 0
    """0: half the cores."""
    gpu_layers: int = 0
    """-1: all, where there is a device for them."""
    projector: Path | None = None
    """What sees for it; chat only."""


class ModelWorker:
    """Owned by whoever asks it; `shutdown` ends the process. `on_change` hears of its state and progress.

    `kills`: how many processes the kernel has ended for want of memory.
    """

    def __init__(
        self,
        model: ModelFile,
        *,
        clock: Clock,
        policy: RestartPolicy | None = None,
        command: Sequence[str] | None = None,
        tracer: Tracer | None = None,
        on_change: Callable[[], None] = lambda: None,
        kills: Callable[[], int] = oom_kills,
    ) -> None:
        self._tracer: Tracer = tracer or NullTracer()
        self._on_change, self._kills = on_change, kills
        self._model = model
        self._clock = clock
        self._policy = policy or RestartPolicy()
        self._command = command
        self._restarts = Restarts(self._policy, clock)
        self._session: WorkerSession | None = None
        self._sessions: set[WorkerSession] = set()
        self._refused = ""
        self._refused_until_s = 0.0
        self._loading = 0
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def state(self) -> WorkerState:
        """`idle`: it starts with the next request."""
        if self._session is not None and self._session.wanted:
            return "ready" if self._session.ready.done() else "starting"
        return "failed" if self.reason else "idle"

    @property
    def reason(self) -> str:
        """Why it would not start now, in one sentence; empty if it would."""
        if self._refused and self._clock.monotonic_s() < self._refused_until_s:
            return self._refused
        return self._restarts.given_up

    @property
    def pid(self) -> int | None:
        """The running process, for tests and the curious."""
        return self._session.pid if self._session is not None else None

    @property
    def progress(self) -> float:
        """How far the model is read, 0 to 1."""
        return self._session.progress if self._session is not None else 0.0

    @property
    def loaded(self) -> Loaded | None:
        """The open model; `None` while there is none."""
        ready = self._session.ready if self._session is not None else None
        return ready.result() if ready is not None and ready.done() and not ready.exception() else None

    async def load(self) -> Loaded:
        """Open the model now; cancelling gives it up, unless somebody else waits for it too.

        Raises:
            ModelError: As for `request`.
        """
        try:
            return await self._loaded()
        except asyncio.CancelledError:
            session = self._session
            if session is not None and not session.ready.done() and self._loading == 0:
                self._dismiss(session)
            raise

    async def _loaded(self) -> Loaded:
        for last in (False, True):
            session = await self._living()
            try:
                return await self._until_ready(session)
            except WorkerGoneError as gone:
                if last:
                    raise self._twice(gone) from gone
        raise AssertionError("the second try is the last")

    async def request(self, request: Callable[[int], Request], *, timeout_s: float | None) -> Answer:
        """Send a request, built with the id that it gets, and wait for its answer.

        Without a time limit it may take as long as the worker shows that it lives.

        Raises:
            ModelError: There is no engine, the model cannot be opened, the request failed or timed out, or
                the process died twice under it.
        """
        try:
            return await self._attempt(request, timeout_s)
        except WorkerGoneError as gone:
            _log.warning("the model worker %s; the request is sent once more", gone)
        try:
            return await self._attempt(request, timeout_s)
        except WorkerGoneError as gone:
            raise self._twice(gone) from gone

    async def _attempt(self, request: Callable[[int], Request], timeout_s: float | None) -> Answer:
        session = await self._living()
        await self._until_ready(session)
        try:
            return await session.ask(request, timeout_s=timeout_s)
        except WorkerGoneError as gone:
            raise _ended_for(session) or gone from gone
        finally:
            self._rest_later()

    async def stream(self, request: Callable[[int], Request]) -> AsyncGenerator[Piece | Answer, None]:
        """Send a request, built with the id that it gets: its pieces as they come, then its answer.

        Leaving it early stops the worker. There is no time limit but the one on silence.

        Raises:
            ModelError: As for `request`; when it comes after pieces, these stand.
        """
        for last in (False, True):
            session = await self._living()
            begun = False
            try:
                await self._until_ready(session)
                async with aclosing(session.stream(request)) as frames:
                    async for frame in frames:
                        begun = True
                        yield frame
            except WorkerGoneError as gone:
                back = _ended_for(session)
                if back or begun:
                    _log.warning("the model worker %s in the middle of an answer", gone)
                    raise back or ModelError("model.ended_unexpectedly") from gone
                if last:
                    raise self._twice(gone) from gone
                _log.warning("the model worker %s; the request is sent once more", gone)
            else:
                return
            finally:
                self._rest_later()

    @staticmethod
    def _twice(gone: WorkerGoneError) -> ModelError:
        return WorkerLostError("model.worker_gone_twice", gone=gone)

    async def _living(self) -> WorkerSession:
        if self._session is None or not self._session.wanted:
            # Off the loop: it looks at the disk, and the engine may have come since the last time.
            await asyncio.to_thread(_require_engine)
        if self._closed:
            raise ModelError("model.closing")
        if self._session is None or not self._session.wanted:
            delay_s = self._restarts.delay_s()
            if delay_s is None or self.reason:
                raise ModelError("common.told", text=self.reason)
            self._session = self._new_session()
            self._session.begin(self._launch, delay_s=delay_s)
            self._tracer.record("worker", step="started", model=self._model.path.stem)
            self._on_change()
        return self._session

    def _launch(self) -> Launch:
        """How to start it; in the process's thread."""
        if self._command is not None:
            return Launch([*self._command])
        files = [self._model.path, *([self._model.projector] if self._model.projector else [])]
        return launch_of(files, gpu=self._model.gpu_layers != 0)

    def _new_session(self) -> WorkerSession:
        session = WorkerSession(
            self._load_frame,
            on_over=self._is_over,
            on_progress=self._on_change,
            patience=self._policy.patience,
            kills=self._kills,
        )
        self._sessions.add(session)
        session.ready.add_done_callback(lambda _: self._is_ready(session))
        return session

    def _is_ready(self, session: WorkerSession) -> None:
        """The model is open, or will not be; whoever asked for it may have gone meanwhile."""
        self._rest_later()
        error = session.ready.exception()
        if isinstance(error, ModelError):
            self._refuse(error)
        elif error is None:
            self._refused = ""
        self._on_change()

    def _refuse(self, error: ModelError) -> None:
        """Not for a while: trying it at once would end the same way."""
        self._refused = str(error)
        self._refused_until_s = self._clock.monotonic_s() + self._policy.refused_s

    async def _until_ready(self, session: WorkerSession) -> Loaded:
        self._loading += 1
        try:
            await asyncio.wait([session.ready])
        finally:
            self._loading -= 1
        try:
            return session.ready.result()
        except OutOfMemoryError as error:
            raise OutOfMemoryError("common.told", text=error, context_tokens=error.context_tokens) from error
        except ModelError as error:
            raise ModelError("common.told", text=error) from error
        except WorkerGoneError as gone:
            raise _ended_for(session) or gone from gone

    def _load_frame(self, number: int) -> Load:
        return Load(
            id=number,
            path=str(self._model.path),
            kind=self._model.kind,
            context_tokens=self._model.context_tokens,
            threads=self._model.threads or thread_count(),
            gpu_layers=self._model.gpu_layers,
            projector=str(self._model.projector or ""),
        )

    def _is_over(self, session: WorkerSession) -> None:
        self._sessions.discard(session)
        how = session.over.result()
        self._tracer.record("worker", step="ended", model=self._model.path.stem, crashed=session.wanted)
        if session.wanted and session.starved:
            self._refuse(_starved_error(session))
            _log.warning("the model worker was ended for want of memory")
        elif session.wanted:
            self._restarts.crashed(how)
            _log.warning("the model worker %s", how)
        if self._session is session:
            self._session = None
        self._on_change()

    def _rest_later(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if not self._closed:
            self._idle = asyncio.get_running_loop().call_later(self._policy.idle_s, self._rest)

    def _rest(self) -> None:
        if self._session is None or not self._session.wanted:
            return
        if self._session.busy or not self._session.ready.done():
            self._rest_later()
        else:
            self._session.end()

    def forgive(self) -> None:
        """Let the next request try at once what failed before: somebody asked for it."""
        self._refused = ""
        self._restarts.forget()

    def _dismiss(self, session: WorkerSession) -> None:
        session.dismissed = True
        session.end()

    async def unload(self) -> None:
        """End the process, a load under way included; bounded in time. The next request starts another."""
        ending = list(self._sessions)
        for session in ending:
            self._dismiss(session)
        for session in ending:
            await session.wait_over()

    async def shutdown(self) -> None:
        """End the process, bounded in time; requests under way fail. Idempotent."""
        self._closed = True
        if self._idle is not None:
            self._idle.cancel()
        ending = list(self._sessions)
        for session in ending:
            session.end()
        for session in ending:
            if not await session.wait_over():
                _log.error("the model worker did not end")


def _ended_for(session: WorkerSession) -> ModelError | None:
    """What to say to whoever waited for a model that ended for a reason; `None`: it crashed, try again."""
    if session.dismissed:
        return ModelError("model.was_unloaded")
    return _starved_error(session) if session.starved else None


def _starved_error(session: WorkerSession) -> OutOfMemoryError:
    ready = session.ready
    loaded = ready.result() if ready.done() and ready.exception() is None else None
    return OutOfMemoryError(
        "model.starved", context_tokens=loaded.context_tokens if loaded is not None else 0
    )


def thread_count() -> int:
    """Half the cores that this process may use, at most four: the window has the rest."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(_MOST_THREADS, cores // 2))


def _require_engine() -> None:
    importlib.invalidate_caches()
    status = read_engine_status()
    if status.state != "ready":
        raise engine_missing(status)
