"""ModelWorker: one model in a process of its own, started on first use and started again after a crash.

Contract: constructing costs nothing. A request whose process dies is sent once more to a new one, then fails.
A crash, a kill or a stuck process never raises anything but `ModelError` here. Everything runs on one loop.
"""

from __future__ import annotations

import asyncio
import importlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError
from partner_desktop.base.trace import NullTracer, Tracer
from partner_desktop.model.engine import read_engine_status
from partner_desktop.model.worker.frames import Answer, Load, Request
from partner_desktop.model.worker.life import Life, WorkerGoneError
from partner_desktop.model.worker.process import worker_command
from partner_desktop.model.worker.restarts import RestartPolicy, Restarts

_log = log.area("model")

#: From the start of the process to the opened model, the largest file on a slow disk included.
READY_TIMEOUT_S = 60.0
_MOST_THREADS = 4

WorkerState = Literal["idle", "starting", "ready", "failed"]


@dataclass(frozen=True)
class ModelFile:
    """What the worker opens."""

    path: Path
    kind: Literal["embed", "chat"]
    context_tokens: int


class ModelWorker:
    """Owned by whoever asks it; `shutdown` ends the process."""

    def __init__(
        self,
        model: ModelFile,
        *,
        clock: Clock,
        policy: RestartPolicy | None = None,
        command: Sequence[str] | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self._tracer: Tracer = tracer or NullTracer()
        self._model = model
        self._clock = clock
        self._policy = policy or RestartPolicy()
        self._command = command or worker_command()
        self._restarts = Restarts(self._policy, clock)
        self._life: Life | None = None
        self._lives: set[Life] = set()
        self._refused = ""
        self._refused_until_s = 0.0
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def state(self) -> WorkerState:
        """`idle`: it starts with the next request."""
        if self._life is not None and self._life.wanted:
            return "ready" if self._life.ready.done() else "starting"
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
        return self._life.pid if self._life is not None else None

    async def request(self, request: Callable[[int], Request], *, timeout_s: float) -> Answer:
        """Send a request, built with the id that it gets, and wait for its answer.

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
            raise ModelError(f"The model worker {gone}, twice in a row.") from gone

    async def _attempt(self, request: Callable[[int], Request], timeout_s: float) -> Answer:
        life = await self._living()
        await self._until_ready(life)
        try:
            return await life.ask(request, timeout_s=timeout_s)
        finally:
            self._rest_later()

    async def _living(self) -> Life:
        if self._life is None or not self._life.wanted:
            # Off the loop: it looks at the disk, and the engine may have come since the last time.
            await asyncio.to_thread(_require_engine)
        if self._closed:
            raise ModelError("Partner is closing.")
        if self._life is None or not self._life.wanted:
            delay_s = self._restarts.delay_s()
            if delay_s is None or self.reason:
                raise ModelError(self.reason)
            self._life = Life(self._load_frame, on_over=self._is_over)
            self._lives.add(self._life)
            # Whoever asked for it may have gone when it is ready.
            self._life.ready.add_done_callback(lambda _: self._rest_later())
            self._life.begin(self._command, delay_s=delay_s)
            self._tracer.record("worker", step="started", model=self._model.path.stem)
        return self._life

    async def _until_ready(self, life: Life) -> None:
        done, _ = await asyncio.wait([life.ready], timeout=READY_TIMEOUT_S)
        if not done:
            life.end(fault=f"was not ready within {READY_TIMEOUT_S:.0f} s")
            raise ModelError(f"The model {self._model.path.name} did not open within a minute.")
        try:
            life.ready.result()
        except ModelError as error:
            self._refused = str(error)
            self._refused_until_s = self._clock.monotonic_s() + self._policy.refused_s
            raise ModelError(self._refused) from error

    def _load_frame(self, number: int) -> Load:
        return Load(
            id=number,
            path=str(self._model.path),
            kind=self._model.kind,
            context_tokens=self._model.context_tokens,
            threads=thread_count(),
        )

    def _is_over(self, life: Life) -> None:
        self._lives.discard(life)
        how = life.over.result()
        self._tracer.record("worker", step="ended", model=self._model.path.stem, crashed=life.wanted)
        if life.wanted:
            self._restarts.crashed(how)
            _log.warning("the model worker %s", how)
        if self._life is life:
            self._life = None

    def _rest_later(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if not self._closed:
            self._idle = asyncio.get_running_loop().call_later(self._policy.idle_s, self._rest)

    def _rest(self) -> None:
        if self._life is None or not self._life.wanted:
            return
        if self._life.busy or not self._life.ready.done():
            self._rest_later()
        else:
            self._life.end()

    async def shutdown(self) -> None:
        """End the process, bounded in time; requests under way fail. Idempotent."""
        self._closed = True
        if self._idle is not None:
            self._idle.cancel()
        ending = list(self._lives)
        for life in ending:
            life.end()
        for life in ending:
            if not await life.wait_over():
                _log.error("the model worker did not end")


def thread_count() -> int:
    """Half the cores that this process may use, at most four: the window has the rest."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(_MOST_THREADS, cores // 2))


def _require_engine() -> None:
    importlib.invalidate_caches()
    status = read_engine_status()
    if status.state != "ready":
        raise ModelError(status.detail or "The model engine is not there.")
