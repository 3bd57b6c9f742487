"""LocalChatModel: a GGUF file that talks, in a worker process of its own.

Contract: constructing starts nothing and imports nothing heavy. Everything runs on one loop; `on_change`
hears of every change of `status`. The process ends with `unload`, after the idle time, and with `shutdown`:
its memory is back then.
"""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import (
    ModelError,
    OutOfMemoryError,
    ProjectorError,
    UnseenPictureError,
    WorkerLostError,
)
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, sentences_joined
from partner_desktop.base.paths import display_path
from partner_desktop.base.tasks import TaskSet
from partner_desktop.base.trace import NullTracer, Tracer
from partner_desktop.domain.model_status import ModelStatus
from partner_desktop.model.chat import (
    UNSEEN,
    ChatEvent,
    ChatPiece,
    ChatRequest,
    ChatUsage,
    ToolChoice,
    answer_share,
)
from partner_desktop.model.engine import engine_missing, read_engine_status, why_blind
from partner_desktop.model.settings import FileModel, whole_path
from partner_desktop.model.usage import TokenPace

if TYPE_CHECKING:
    from partner_desktop.model.worker.frames import Chat, Count, Loaded, Piece, ToolOffer, Written
    from partner_desktop.model.worker.model_worker import ModelWorker
    from partner_desktop.model.worker.watchdog import RestartPolicy

_WORKER_MODULE = "partner_desktop.model.worker.model_worker"
#: A large model on a slow disk may rest for long between two steps of its load.
_LOAD_S = 300.0


class LocalChatModel:
    """A `ChatModel`. Owns its worker."""

    def __init__(
        self,
        settings: FileModel,
        *,
        clock: Clock,
        tracer: Tracer | None = None,
        on_change: Callable[[], None] = lambda: None,
        policy: RestartPolicy | None = None,
        command: Sequence[str] | None = None,
        others: Callable[[], Mapping[str, Path]] = dict,
        sampling_of: Callable[[Path], Mapping[str, float]] = lambda _path: {},
    ) -> None:
        """`others`: the files of the settings by their names; one may fit where this one does not.

        `sampling_of`: what is recommended for a file that says nothing itself; blocking.
        """
        self._sampling_of, self._recommended = sampling_of, dict[str, float]()
        self._others, self._advice = others, ""
        self._settings = settings
        self._path = whole_path(settings.path)
        self._projector = whole_path(settings.projector) if settings.projector else None
        self._blind = ""
        """Why it could not see the last picture; empty: it could, or there was none."""
        self._harmful: set[str] = set()
        """Pictures under which its process ended: nobody wants to see that with every turn that comes."""
        self._clock, self._tracer = clock, tracer or NullTracer()
        self._changed = on_change
        self._policy, self._command = policy, command
        self._worker: ModelWorker | None = None
        self._loaded: Loaded | None = None
        self._calls = 0
        self._tokens_per_s = 0.0
        self._measured: tuple[int, int] = (0, 0)
        """The process whose memory was measured last, and how much it had."""
        self._tasks = TaskSet(f"memory of {settings.name}")
        self._closed = False

    @property
    def name(self) -> str:
        return self._settings.name

    @property
    def pid(self) -> int | None:
        """The worker's process while there is one, for tests and the curious."""
        return self._worker.pid if self._worker is not None else None

    def status(self) -> ModelStatus:
        """See `ChatModel.status`; short looks at the disk while it is not open."""
        known, worker, blind = self._loaded, self._worker, self._why_blind()
        status = ModelStatus(
            self.name,
            "file",
            str(self._path),
            description=known.description if known else "",
            size_bytes=known.size_bytes if known else 0,
            context_tokens=known.context_tokens if known else self._settings.context_tokens,
            threads=known.threads if known else self._settings.threads,
            gpu_layers=known.gpu_layers if known else max(0, self._settings.gpu_layers),
            tokens_per_s=round(self._tokens_per_s, 1),
            busy=self._calls > 0,
            sees=self._projector is not None and not blind,
            note=" ".join(filter(None, (known.note if known else "", blind))),
        )
        state = worker.state if worker is not None else "idle"
        if worker is not None and state == "ready":
            pid, memory_bytes = self._measured
            known_bytes = memory_bytes if pid == worker.pid else 0
            return replace(status, state="ready", memory_bytes=known_bytes)
        if worker is not None and state == "starting":
            return replace(status, state="loading", progress=worker.progress)
        trouble = self._trouble()
        return replace(status, state="failed" if trouble else "idle", reason=trouble)

    def _trouble(self) -> str:
        """Why it could not be used now, in one sentence; empty if it could."""
        if not self._path.is_file():
            return sentence_of("model.no_file", path=display_path(self._path))
        engine = read_engine_status()
        if engine.state != "ready":
            return str(engine_missing(engine))
        reason = self._worker.reason if self._worker is not None else ""
        return " ".join(filter(None, (reason, self._advice))) if reason else ""

    def _why_blind(self) -> str:
        """Why it cannot see although it should, in one sentence; empty: it can, or is not meant to."""
        return (why_blind(self._projector) or self._blind) if self._projector is not None else ""

    # Life.

    async def load(self) -> None:
        """See `ChatModel.load`. What failed a while ago is tried again at once."""
        worker = await self._supervised()
        worker.forgive()
        self._advice = ""
        try:
            await worker.load()
        except OutOfMemoryError as error:
            raise await self._advised(error) from error

    async def unload(self) -> None:
        """See `ChatModel.unload`."""
        if self._worker is not None:
            await self._worker.unload()

    async def shutdown(self) -> None:
        """See `ChatModel.shutdown`."""
        self._closed = True
        await self._tasks.close()
        if self._worker is not None:
            await self._worker.shutdown()

    async def _supervised(self) -> ModelWorker:
        """The worker's supervisor, made on first use: no start-up has to wait for its imports."""
        if self._worker is None:
            await asyncio.to_thread(importlib.import_module, _WORKER_MODULE)
        if self._closed:
            raise ModelError("model.closing")
        if not await asyncio.to_thread(self._path.is_file):
            await self._give_back()
            raise ModelError("model.no_file", path=display_path(self._path))
        if self._worker is None:
            self._recommended = dict(await asyncio.to_thread(self._sampling_of, self._path))
        self._worker = self._worker or self._make_worker()
        return self._worker

    async def _give_back(self) -> None:
        """What is open of a file that went away holds memory that nobody uses any more."""
        if self._worker is not None and not self._calls:
            await self._worker.unload()
            self._changed()

    def _make_worker(self) -> ModelWorker:
        from partner_desktop.model.worker.model_worker import ModelFile, ModelWorker  # noqa: PLC0415
        from partner_desktop.model.worker.watchdog import RestartPolicy, SilenceLimits  # noqa: PLC0415

        settings = self._settings
        numbers = (settings.context_tokens, settings.threads, settings.gpu_layers)
        file = ModelFile(self._path, "chat", *numbers, projector=self._projector)
        idle_s = 60 * settings.idle_minutes
        return ModelWorker(
            file,
            clock=self._clock,
            policy=self._policy or RestartPolicy(idle_s=idle_s, patience=SilenceLimits(load_s=_LOAD_S)),
            command=self._command,
            tracer=self._tracer,
            on_change=self._look,
        )

    def _look(self) -> None:
        """The worker's state or progress changed."""
        if self._worker is not None:
            self._loaded = self._worker.loaded or self._loaded
            if self._worker.state == "ready" and self._measured[0] != self._worker.pid:
                self._measure()
        self._changed()

    def _measure(self) -> None:
        """See how much memory the process holds now, behind everything else."""
        pid = self._worker.pid if self._worker is not None else None
        if pid is not None and not self._closed:
            self._measured = (pid, self._measured[1] if self._measured[0] == pid else 0)
            self._tasks.start("measure", self._keep_measured(pid))

    async def _keep_measured(self, pid: int) -> None:
        from partner_desktop.model.worker.process_memory import held_bytes  # noqa: PLC0415 - as in `_supervised`

        self._measured = (pid, await asyncio.to_thread(held_bytes, pid))
        self._changed()

    async def _advised(self, error: OutOfMemoryError) -> ModelError:
        """The same error, with what would fit instead."""
        from partner_desktop.model.memory_advice import memory_advice  # noqa: PLC0415 - as in `_supervised`

        failed_tokens = error.context_tokens or self._settings.context_tokens
        look = partial(
            memory_advice,
            self._path,
            self._others(),
            failed_tokens=failed_tokens,
            projector=self._projector,
        )
        self._advice = await asyncio.to_thread(look)
        self._changed()
        return OutOfMemoryError(
            "common.told", text=sentences_joined([str(error), self._advice]), context_tokens=failed_tokens
        )

    # Use.

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """See `ChatModel.chat`."""
        worker = await self._supervised()
        pace = TokenPace(self._clock)
        self._calls += 1
        self._changed()
        try:
            async with aclosing(self._as_far_as_seen(worker, request, pace)) as events:
                async for event in events:
                    yield event
        except OutOfMemoryError as error:
            raise await self._advised(error) from error
        finally:
            self._calls -= 1
            self._tokens_per_s = pace.tokens_per_s or self._tokens_per_s
            if not self._calls:
                self._measure()
            self._changed()

    async def _as_far_as_seen(
        self, worker: ModelWorker, request: ChatRequest, pace: TokenPace
    ) -> AsyncGenerator[ChatEvent, None]:
        """The answer, to the words alone where pictures cannot be seen."""
        unseen = UNSEEN
        if request.has_pictures and self._projector is not None:
            try:
                async with aclosing(self._seeing(worker, request, pace)) as events:
                    async for event in events:
                        yield event
            except UnseenPictureError as error:  # it comes before any word
                unseen = replace(UNSEEN, why=str(error))
            else:
                return
        if request.has_pictures:
            yield unseen
        async with aclosing(self._answered(worker, request.in_words(), pace)) as events:
            async for event in events:
                yield event

    async def _seeing(
        self, worker: ModelWorker, request: ChatRequest, pace: TokenPace
    ) -> AsyncGenerator[ChatEvent, None]:
        """The answer to words and pictures.

        Raises:
            UnseenPictureError: The pictures cannot be seen; there was no word.
        """
        shown = await asyncio.to_thread(_in_base64, request)
        if not self._harmful.isdisjoint(shown.digests):
            raise UnseenPictureError("model.picture_ended_worker")
        try:
            async with aclosing(self._answered(worker, request, pace, shown.texts)) as events:
                async for event in events:
                    yield event
        except ProjectorError as error:
            self._blind = str(error)
            raise
        except WorkerLostError as error:
            self._harmful |= shown.digests
            raise UnseenPictureError("model.picture_ended_worker") from error
        self._blind = ""

    async def _answered(
        self,
        worker: ModelWorker,
        request: ChatRequest,
        pace: TokenPace,
        pictures: Sequence[tuple[str, ...]] | None = None,
    ) -> AsyncGenerator[ChatEvent, None]:
        """The answer; `pictures`: those of each message, none where they are not shown."""
        async with aclosing(worker.stream(partial(self._chat_frame, request, pictures))) as frames:
            async for frame in frames:
                if frame.type == "piece":
                    pace.take(frame.tokens)
                    if frame.text:
                        known = self._usage(frame) if frame.prompt_tokens else None
                        yield ChatPiece(frame.text, tokens=pace.fresh(), known=known)
                elif frame.type == "written":
                    yield self._usage(frame)
                else:
                    raise ModelError("model.no_words", name=self.name)

    def _chat_frame(
        self, request: ChatRequest, pictures: Sequence[tuple[str, ...]] | None, number: int
    ) -> Chat:
        from partner_desktop.model.worker.frames import Chat, PromptMessage  # noqa: PLC0415

        of_file = self._loaded.recommended if self._loaded else {}
        sampling = request.sampling.advised(self._recommended | of_file)
        context = self._loaded.context_tokens if self._loaded else 0
        return Chat(
            id=number,
            messages=tuple(
                PromptMessage(role=one.role, text=_clean(one.text), pictures=shown)
                for one, shown in zip(request.messages, pictures or repeat(()), strict=False)
            ),
            trunk=request.trunk,
            rank=int(request.priority),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
            top_k=sampling.top_k,
            min_p=sampling.min_p,
            repeat_penalty=sampling.repeat_penalty,
            max_tokens=answer_share(context, sampling.max_tokens),
            seed=sampling.seed,
            grammar_schema=None if request.schema is None else _clean(json.dumps(request.schema)),
            offer=None
            if request.call is None or self._settings.tool_format == "off"
            else _offer(request.call),
            stop=tuple(map(_clean, request.stop)),
        )

    def _usage(self, frame: Piece | Written) -> ChatUsage:
        return ChatUsage(
            prompt_tokens=frame.prompt_tokens,
            reused_tokens=frame.reused_tokens,
            output_tokens=frame.output_tokens if frame.type == "written" else 0,
            trunk_tokens=frame.trunk_tokens,
            context_tokens=self._loaded.context_tokens if self._loaded else 0,
            end=frame.end if frame.type == "written" else "cancelled",
            constrained=frame.form if frame.type == "written" else "",
        )

    async def count(self, texts: Sequence[str]) -> list[int]:
        """See `ChatModel.count`."""
        worker = await self._supervised()
        answer = await worker.request(partial(_count_frame, tuple(map(_clean, texts))), timeout_s=None)
        if answer.type != "counted" or len(answer.tokens) != len(texts):
            raise ModelError("model.cannot_count", name=self.name)
        return list(answer.tokens)


@dataclass(frozen=True)
class _Shown:
    """A request's pictures as a frame carries them, those of each message, and what tells them apart."""

    texts: tuple[tuple[str, ...], ...]
    digests: frozenset[str]


def _in_base64(request: ChatRequest) -> _Shown:
    """Takes time."""
    from partner_desktop.model.worker.frames import MOST_PICTURES_BYTES  # noqa: PLC0415 - as in `_supervised`

    all_data = [picture.data for message in request.messages for picture in message.pictures]
    if sum(map(len, all_data)) > MOST_PICTURES_BYTES:
        raise UnseenPictureError("model.pictures_too_large", most=MOST_PICTURES_BYTES >> 20)
    return _Shown(
        tuple(
            tuple(base64.b64encode(picture.data).decode("ascii") for picture in message.pictures)
            for message in request.messages
        ),
        frozenset(sha256(data).hexdigest() for data in all_data),
    )


def _count_frame(texts: tuple[str, ...], number: int) -> Count:
    from partner_desktop.model.worker.frames import Count  # noqa: PLC0415 - as in `_supervised`

    return Count(id=number, texts=texts)


def _offer(choice: ToolChoice) -> ToolOffer:
    from partner_desktop.model.worker.frames import CallableTool, ToolOffer  # noqa: PLC0415 - as in `_supervised`

    return ToolOffer(
        tools=tuple(
            CallableTool(
                name=_clean(tool.name),
                description=_clean(tool.description),
                parameters=_clean(json.dumps(tool.parameters)),
                answer=json.dumps(tool.answer),
            )
            for tool in choice.tools
        ),
        text=_clean(choice.asked),
        otherwise=None if choice.otherwise is None else json.dumps(choice.otherwise),
        arguments=choice.arguments,
    )


def _clean(text: str) -> str:
    """Without lone halves of characters, which UTF-8 cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
