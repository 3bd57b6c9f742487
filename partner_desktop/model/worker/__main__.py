"""`python -m partner_desktop.model.worker`: the child's side. Started by `process.py`, never by hand.

One thread reads requests, the main thread works on them a step at a time. When stdin closes, the app is gone
or done with this worker: the process ends at once, whatever it is computing.
"""

from __future__ import annotations

import base64
import os
import sys
import threading
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NoReturn, assert_never

from partner_desktop.model.worker.frames import (
    PROTOCOL,
    Answer,
    Cancel,
    Embed,
    Embedded,
    Failure,
    FrameError,
    Hello,
    Load,
    Loaded,
    Ping,
    Pong,
    Request,
    read_request,
)
from partner_desktop.model.worker.jobs import JobQueue, Step
from partner_desktop.model.worker.llama import EmbeddingModel, ModelFaultError
from partner_desktop.model.worker.pipes import Pipes, behave

_ENDED, _GARBLED = 0, 2


class Worker:
    """One model and what is asked of it."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes
        self._jobs = JobQueue()
        self._model: EmbeddingModel | None = None

    def run(self) -> NoReturn:
        """Say hello and serve until stdin closes."""
        self._pipes.send(Hello(protocol=PROTOCOL, pid=os.getpid()))
        threading.Thread(target=self._listen, name="requests", daemon=True).start()
        while True:
            answer = self._jobs.work()
            if answer is not None:
                self._pipes.send(answer)

    def _listen(self) -> None:
        status = _GARBLED
        try:
            for body in self._pipes.bodies():
                self._accept(read_request(body))
            status = _ENDED
        except FrameError as error:
            self._pipes.send(Failure(kind="protocol", message=str(error)))
            print(error, file=sys.stderr, flush=True)  # noqa: T201 - the app keeps this as the worker's last word
        finally:
            os._exit(status)  # the main thread may be deep in native code

    def _accept(self, request: Request) -> None:
        match request:
            case Ping():
                self._pipes.send(Pong(id=request.id))
            case Cancel():
                self._jobs.cancel(request.id)
            case Load():
                self._jobs.add(request.id, _guarded(request, partial(self._load, request)), urgent=True)
            case Embed():
                step = _Embedding(request, self).step
                self._jobs.add(request.id, _guarded(request, step), urgent=request.urgent)
            case _:
                assert_never(request)

    def _load(self, request: Load) -> Answer:
        if request.kind == "chat":
            raise ModelFaultError("request", "This worker cannot run chat models.")
        self._model = None  # its memory first
        model = EmbeddingModel(
            Path(request.path), context_tokens=request.context_tokens, threads=request.threads
        )
        self._model = model
        return Loaded(id=request.id, dimensions=model.dimensions, context_tokens=model.context_tokens)

    @property
    def model(self) -> EmbeddingModel:
        """The open model.

        Raises:
            ModelFaultError: None is open.
        """
        if self._model is None:
            raise ModelFaultError("request", "No model is loaded.")
        return self._model


@dataclass
class _Embedding:
    """An `embed` under way: a text a step, so that an urgent one never waits for a long list."""

    request: Embed
    worker: Worker
    done: list[bytes] = field(default_factory=list)

    def step(self) -> Answer | None:
        model, texts = self.worker.model, self.request.texts
        if len(self.done) < len(texts):
            self.done.append(model.vector(texts[len(self.done)]))
        if len(self.done) < len(texts):
            return None
        data = base64.b64encode(b"".join(self.done)).decode("ascii")
        return Embedded(id=self.request.id, dimensions=model.dimensions, data=data)


def _guarded(request: Load | Embed, step: Step) -> Step:
    """What goes wrong in a step is the request's answer, and the worker lives on."""

    def guarded() -> Answer | None:
        try:
            return step()
        except ModelFaultError as fault:
            return Failure(id=request.id, kind=fault.kind, message=fault.message)
        except Exception as error:  # noqa: BLE001 - the bridge between processes: the app raises it
            return Failure(id=request.id, kind="model", message=f"{type(error).__name__}: {error}")

    return guarded


def main() -> NoReturn:
    """The process."""
    pipes = Pipes()
    behave()
    Worker(pipes).run()


if __name__ == "__main__":
    main()
