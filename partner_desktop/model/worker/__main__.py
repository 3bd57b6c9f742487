"""`python -m partner_desktop.model.worker`: the child's side. Started by `process.py`, never by hand.

One thread reads requests, the main thread works on them a step at a time. When stdin closes, the app is gone
or done with this worker: the process ends at once, whatever it is computing.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import NoReturn, assert_never

from partner_desktop.base.processes import behave
from partner_desktop.model.worker.frames import (
    PROTOCOL,
    Cancel,
    Chat,
    Count,
    Embed,
    Failure,
    FrameError,
    FrameWriter,
    Hello,
    Load,
    Ping,
    Pipes,
    Pong,
    Request,
    read_request,
)
from partner_desktop.model.worker.isolation import hold_itself
from partner_desktop.model.worker.model_jobs import (
    Answering,
    Counting,
    Embedding,
    Guarded,
    JobQueue,
    JobSteps,
    Opening,
    OpenModel,
    StopFlag,
)

_ENDED, _GARBLED = 0, 2


class Worker:
    """One model and what is asked of it."""

    def __init__(self, pipes: Pipes) -> None:
        self._pipes = pipes
        self._writer = FrameWriter(pipes)
        self._jobs = JobQueue()
        self._open_model = OpenModel()

    def run(self) -> NoReturn:
        """Say hello and serve until stdin closes."""
        self._writer.say(Hello(protocol=PROTOCOL, pid=os.getpid()))
        self._writer.start()
        threading.Thread(target=self._listen, name="requests", daemon=True).start()
        while True:
            answer = self._jobs.work()
            if answer is not None:
                self._writer.say(answer)

    def _listen(self) -> None:
        status = _GARBLED
        try:
            for body in self._pipes.bodies():
                self._accept(read_request(body))
            status = _ENDED
        except FrameError as error:
            self._writer.say(Failure(kind="protocol", message=str(error)))
            print(error, file=sys.stderr, flush=True)  # noqa: T201 - the app keeps this as the worker's last word
        finally:
            os._exit(status)  # the main thread may be deep in native code

    def _accept(self, request: Request) -> None:
        stop = StopFlag()
        match request:
            case Ping():
                self._writer.say(Pong(id=request.id))
            case Cancel():
                self._jobs.cancel(request.id)
            case Load():
                self._add(request.id, Opening(request, self._open_model, self._writer, stop), stop, rank=0)
            case Embed():
                self._add(
                    request.id, Embedding(request, self._open_model), stop, rank=0 if request.urgent else 1
                )
            case Chat():
                self._add(
                    request.id,
                    Answering(request, self._open_model, self._writer, stop),
                    stop,
                    rank=request.rank,
                )
            case Count():
                self._add(request.id, Counting(request, self._open_model), stop, rank=0)
            case _:
                assert_never(request)

    def _add(self, request_id: int, work: JobSteps, stop: StopFlag, *, rank: int) -> None:
        self._jobs.add(request_id, Guarded(request_id, work), stop, rank=rank)


def main() -> NoReturn:
    """The process."""
    pipes = Pipes()
    behave()
    hold_itself()
    Worker(pipes).run()


if __name__ == "__main__":
    main()
