"""The worker's jobs: open a model, turn texts into vectors, write an answer, count.

They are done step by step: between two steps the most urgent job is chosen anew.
"""

from __future__ import annotations

import base64
import heapq
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from partner_desktop.model.worker.frames import (
    Answer,
    Chat,
    Count,
    Counted,
    Embed,
    Embedded,
    Failure,
    FrameWriter,
    Load,
    Loaded,
    Loading,
    Piece,
)
from partner_desktop.model.worker.llama.native_log import ModelFaultError

if TYPE_CHECKING:
    from partner_desktop.model.worker.llama.chat_model import LlamaChatModel
    from partner_desktop.model.worker.llama.generation import Generation, Known
    from partner_desktop.model.worker.llama.model_factory import EmbeddingModel

_Model = TypeVar("_Model")


class OpenModel:
    """The one open model, of either kind."""

    def __init__(self) -> None:
        self._model: EmbeddingModel | LlamaChatModel | None = None

    def put(self, model: EmbeddingModel | LlamaChatModel) -> None:
        """It is open."""
        self._model = model

    def clear(self) -> None:
        """Give its memory back."""
        if self._model is not None:
            self._model.close()
        self._model = None

    def embedder(self) -> EmbeddingModel:
        """The open model, that makes embeddings.

        Raises:
            ModelFaultError: None is open, or one of the other kind.
        """
        from partner_desktop.model.worker.llama.model_factory import EmbeddingModel  # noqa: PLC0415 - see llama/

        return self._of(EmbeddingModel, "The model that is loaded makes no embeddings.")

    def chatter(self) -> LlamaChatModel:
        """The open model, that talks.

        Raises:
            ModelFaultError: None is open, or one of the other kind.
        """
        if self._model is None:
            raise ModelFaultError("request", "No model is loaded.")
        from partner_desktop.model.worker.llama.chat_model import LlamaChatModel  # noqa: PLC0415 - see llama/

        return self._of(LlamaChatModel, "The model that is loaded cannot talk.")

    def _of(self, kind: type[_Model], otherwise: str) -> _Model:
        if self._model is None:
            raise ModelFaultError("request", "No model is loaded.")
        if not isinstance(self._model, kind):
            raise ModelFaultError("request", otherwise)
        return self._model


class Opening:
    """A `load`: one step, which the progress callback can end."""

    def __init__(self, request: Load, open_model: OpenModel, writer: FrameWriter, stop: StopFlag) -> None:
        self._request, self._open_model, self._writer, self._stop = request, open_model, writer, stop

    def step(self) -> Answer | None:
        """Open it."""
        self._open_model.clear()  # its memory first
        return self._embedder() if self._request.kind == "embed" else self._chatter()

    def _embedder(self) -> Loaded:
        from partner_desktop.model.worker.llama.model_factory import EmbeddingModel  # noqa: PLC0415 - see llama/

        request = self._request
        model = EmbeddingModel(
            Path(request.path), context_tokens=request.context_tokens, threads=request.threads
        )
        self._open_model.put(model)
        return Loaded(id=request.id, dimensions=model.dimensions, context_tokens=model.context_tokens)

    def _chatter(self) -> Loaded:
        from partner_desktop.model.worker.llama.model_factory import open_chat_model  # noqa: PLC0415 - see llama/

        model = open_chat_model(self._request, tell=self._tell, gave_up=self._stop)
        self._open_model.put(model)
        return model.loaded(self._request.id)

    def _tell(self, progress: float) -> None:
        self._writer.say(Loading(id=self._request.id, progress=progress))

    def close(self) -> None:
        """Nothing is left."""


class Embedding:
    """An `embed`: a text a step, so that an urgent one never waits for a long list."""

    def __init__(self, request: Embed, open_model: OpenModel) -> None:
        self._request, self._open_model = request, open_model
        self._done: list[bytes] = []

    def step(self) -> Answer | None:
        """One text more."""
        model, texts = self._open_model.embedder(), self._request.texts
        if len(self._done) < len(texts):
            self._done.append(model.vector(texts[len(self._done)]))
        if len(self._done) < len(texts):
            return None
        data = base64.b64encode(b"".join(self._done)).decode("ascii")
        return Embedded(id=self._request.id, dimensions=model.dimensions, data=data)

    def close(self) -> None:
        """Nothing is left."""


class Answering:
    """A `chat`: a batch of the prompt or a token a step."""

    def __init__(self, request: Chat, open_model: OpenModel, writer: FrameWriter, stop: StopFlag) -> None:
        self._request, self._open_model, self._writer, self._stop = request, open_model, writer, stop
        self._model: LlamaChatModel | None = None
        self._generation: Generation | None = None

    def step(self) -> Answer | None:
        """Begin, or go on."""
        if self._generation is None:
            self._model = self._open_model.chatter()
            self._generation = self._model.answer(self._request, tell=self._tell, gave_up=self._stop)
        elif self._open_model.chatter() is not self._model:
            raise ModelFaultError("request", "The model was unloaded in the midst of the answer.")
        return self._generation.step()

    def _tell(self, text: str, tokens: int, known: Known | None) -> None:
        if known is None:
            self._writer.piece(self._request.id, text, tokens)
            return
        self._writer.say(
            Piece(
                id=self._request.id,
                text=text,
                tokens=tokens,
                prompt_tokens=known.prompt_tokens,
                reused_tokens=known.reused_tokens,
                trunk_tokens=known.trunk_tokens,
            )
        )

    def close(self) -> None:
        """Free what the answer took."""
        if self._generation is not None:
            self._generation.close()


class Counting:
    """A `count`, in one step."""

    def __init__(self, request: Count, open_model: OpenModel) -> None:
        self._request, self._open_model = request, open_model

    def step(self) -> Answer | None:
        """Count all."""
        model = self._open_model.chatter()
        return Counted(id=self._request.id, tokens=tuple(model.count(text) for text in self._request.texts))

    def close(self) -> None:
        """Nothing is left."""


class Guarded:
    """What goes wrong in a step is the request's answer, and the worker lives on."""

    def __init__(self, request_id: int, work: JobSteps) -> None:
        self._id, self._work = request_id, work
        self.close: Callable[[], None] = work.close

    def step(self) -> Answer | None:
        """The work's step, or what went wrong."""
        try:
            return self._work.step()
        except ModelFaultError as fault:
            return Failure(
                id=self._id,
                kind=fault.kind,
                message=fault.message,
                prompt_tokens=fault.prompt_tokens,
                context_tokens=fault.context_tokens,
                needed_bytes=fault.needed_bytes,
                free_bytes=fault.free_bytes,
            )
        except Exception as error:  # noqa: BLE001 - the bridge between processes: the app raises it
            return Failure(id=self._id, kind="model", message=f"{type(error).__name__}: {error}")


#: Before every rank that can be asked for.
_AT_ONCE = -1


class StopFlag:
    """Whether somebody gave a job up; asked from any thread, also in the midst of a step."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self) -> bool:
        return self.asked


class JobSteps(Protocol):
    """A job's inside."""

    def step(self) -> Answer | None:
        """Do a little of it; the final answer, or `None` when there is more to do. Never raises."""
        ...

    def close(self) -> None:
        """It is over, in whatever way."""
        ...


@dataclass(order=True)
class Job:
    """Sorted by rank, then by arrival."""

    rank: int
    arrived: int
    id: int = field(compare=False)
    work: JobSteps = field(compare=False)
    stop: StopFlag = field(compare=False)


class JobQueue:
    """Filled by the thread that reads the pipe, emptied by the one that works."""

    def __init__(self) -> None:
        self._heap: list[Job] = []
        self._open: dict[int, Job] = {}
        self._arrivals = count()
        self._changed = threading.Condition()

    def add(self, job_id: int, work: JobSteps, stop: StopFlag, *, rank: int) -> None:
        """Append a job, before all of a higher rank."""
        with self._changed:
            job = Job(rank, next(self._arrivals), job_id, work, stop)
            self._open[job_id] = job
            heapq.heappush(self._heap, job)
            self._changed.notify()

    def cancel(self, job_id: int) -> None:
        """Give a job up, also in the midst of a step that asks; one that is not here has been answered.

        It comes first from then on: whoever gave it up need not wait for those before it.
        """
        with self._changed:
            job = self._open.get(job_id)
            if job is not None:
                job.stop.asked = True
                job.rank = _AT_ONCE
                heapq.heapify(self._heap)

    def work(self) -> Answer | None:
        """Wait for a job and do its next step; the final answer of a job that ended with it."""
        job = self._take()
        if job.stop.asked:
            answer: Answer | None = Failure(id=job.id, kind="cancelled", message="It was cancelled.")
        else:
            answer = job.work.step()
        with self._changed:
            if answer is None:
                heapq.heappush(self._heap, job)
            else:
                self._open.pop(job.id, None)
        if answer is not None:
            job.work.close()
        return answer

    def _take(self) -> Job:
        with self._changed:
            while not self._heap:
                self._changed.wait()
            return heapq.heappop(self._heap)
