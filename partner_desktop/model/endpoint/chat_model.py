"""The ChatModel behind an OpenAI-compatible server.

Contract: as `model/chat.py`, but that a few calls go out at once, as servers can compute them. Plain answers
stream. Structured ones are held back until they are whole, because a server that ignores the schema
is asked again in another manner. What comes out of here is a `ModelError` or none. An offer of tools
(`ChatRequest.call`) is passed over: the schema goes into `response_format`, and the chat template is the
server's to apply.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import field, replace
from difflib import get_close_matches

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ConfigError, ContextOverflowError, ModelError, SchemaError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.model_status import ModelState, ModelStatus
from partner_desktop.model.chat import ChatEvent, ChatRequest
from partner_desktop.model.endpoint.address import is_overheard, shown_address, tidy_address
from partner_desktop.model.endpoint.body import Turns, Wire, lay
from partner_desktop.model.endpoint.constraint import DialectMemory
from partner_desktop.model.endpoint.endpoint_call import EndpointCall
from partner_desktop.model.endpoint.failure import EndpointError, EndpointName, broke_off, foreign
from partner_desktop.model.settings import EndpointModel

#: The list of models is a small page; a server that takes longer for it is not well.
LIST_S = 15.0
_GLANCE_S = 3.0
_CLOSE_S = 2.0


@dataclass(frozen=True)
class _Line:
    """What a call needs, made with the first one."""

    wire: Wire
    place: EndpointName
    key: str = field(repr=False)
    key_trouble: ConfigError | None = None
    """Why the key could not be read; told where the server asks for one."""


class EndpointChatModel:
    """One endpoint of the settings. `key`: asked when the line is laid; empty for a server without one."""

    def __init__(
        self,
        settings: EndpointModel,
        *,
        key: Callable[[], Awaitable[str]],
        clock: Clock,
        dialects: DialectMemory,
    ) -> None:
        self._settings, self._key, self._clock, self._dialects = settings, key, clock, dialects
        self._laying = asyncio.Lock()
        self._turns = Turns()
        self._line: _Line | None = None
        self._left: list[_Line] = []
        """Those that calls under way may still speak over, though no new one does."""
        self._model = settings.model
        self._context_tokens = settings.context_tokens
        self._state: ModelState = "idle"
        self._reason = self._note = ""
        self._listed: tuple[str, ...] | None = None
        self._glanced = False
        self._calls = 0
        self._tokens_per_s = 0.0

    @property
    def name(self) -> str:
        return self._settings.name

    @property
    def listed(self) -> tuple[str, ...]:
        """The models that the server listed, once it was asked."""
        return self._listed or ()

    @property
    def reached(self) -> bool:
        """Whether it has answered with a list, be it empty."""
        return self._listed is not None

    def status(self) -> ModelStatus:
        """See `ChatModel.status`."""
        return ModelStatus(
            self.name,
            "endpoint",
            shown_address(self._settings.base_url),
            self._state,
            reason=self._reason,
            description=self._model,
            context_tokens=self._context_tokens,
            tokens_per_s=self._tokens_per_s,
            busy=self._calls > 0,
            note=self._note,
        )

    async def load(self) -> None:
        """See that the server answers, and take its first model where none is named."""
        self._state, self._reason = "loading", ""
        try:
            line = await self._laid()
            await self._look(line)
        except ModelError as error:
            await self._failed(error)
            raise
        except asyncio.CancelledError:
            self._state = "idle"
            raise
        self._state = "ready"

    async def unload(self) -> None:
        """Its memory is elsewhere, but the key is asked for anew; what it is saying goes on."""
        if self._calls:
            self._left += [self._line] if self._line is not None else []
            self._line = None
        else:
            await self._drop()
        self._state, self._reason = "idle", ""

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """See `ChatModel.chat`."""
        self._calls += 1
        try:
            line = await self._laid()
            await self._know(line)
            asking = EndpointCall(
                line.wire,
                replace(line.place, model=self._model),
                self._dialects,
                clock=self._clock,
                secret=line.key,
                answer_s=self._settings.answer_seconds,
                vision=self._settings.vision,
            )
            async with (
                self._turns.turn(request.priority),
                aclosing(asking.events(request, context_tokens=self._context_tokens)) as events,
            ):
                async for event in events:
                    yield event
            self._state, self._reason = "ready", ""
            self._tokens_per_s = asking.tokens_per_s or self._tokens_per_s
        except EndpointError as error:
            told = await self._told(error)
            await self._failed(told)
            raise told from error.__cause__
        except (ContextOverflowError, SchemaError):
            raise
        except ModelError as error:
            await self._failed(error)
            raise
        finally:
            self._calls -= 1
            if not self._calls:
                await self._close_left()

    async def count(self, texts: Sequence[str]) -> list[int]:
        """Raises `ModelError`: the protocol has no such call."""
        raise ModelError("model.counts_no_tokens", name=self.name, texts=len(texts))

    async def shutdown(self) -> None:
        """Close the connections; idempotent."""
        await self._close_left()
        await self._drop()

    async def _laid(self) -> _Line:
        async with self._laying:
            if self._line is None:
                self._line = await self._lay()
            return self._line

    async def _lay(self) -> _Line:
        address = tidy_address(self._settings.base_url)
        trouble: ConfigError | None = None
        try:
            key = (await self._key()).strip()
        except ConfigError as error:
            key, trouble = "", error  # most servers of one's own need none
        if not (key.isascii() and key.isprintable()):
            raise ModelError("model.odd_key", name=self.name)
        if key and is_overheard(address) and not self._settings.insecure:
            raise ModelError("model.key_overheard", name=self.name, address=shown_address(address))
        place = EndpointName(self.name, address, self._model, bool(key))
        wire = await lay(
            place, key, connect_s=self._settings.connect_seconds, answer_s=self._settings.answer_seconds
        )
        return _Line(wire, place, key, trouble)

    async def _drop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            await _close(line)

    async def _close_left(self) -> None:
        while self._left:
            await _close(self._left.pop())

    async def _know(self, line: _Line) -> None:
        """Which model, and how much it holds where the server tells: a call needs the first alone."""
        if not self._model:
            await self._look(line)
        elif not (self._context_tokens or self._glanced):
            self._glanced = True
            with suppress(ModelError, TimeoutError):
                async with asyncio.timeout(min(_GLANCE_S, self._settings.answer_seconds)):
                    await self._look(line)

    async def _look(self, line: _Line) -> None:
        try:
            async with asyncio.timeout(LIST_S):
                found = await listed(line.wire, line.place)
        except TimeoutError:
            raise ModelError("model.list_late", place=line.place, seconds=LIST_S) from None
        except EndpointError as error:
            if not (self._model and error.refusal.status in (404, 405, 501)):
                raise
            found = ()  # it answers; servers need not list what they have
        self._listed = tuple(one.name for one in found)
        if not self._model and not found:
            raise ModelError("model.lists_none", place=line.place)
        self._take(found)

    def _take(self, found: Sequence[ListedModel]) -> None:
        self._model = self._model or found[0].name
        mine = next((one for one in found if one.name == self._model), None)
        self._context_tokens = self._settings.context_tokens or (mine.context_tokens if mine else 0)
        self._note = "" if mine or not found else sentence_of("model.not_listed", model=self._model)

    async def _told(self, error: EndpointError) -> EndpointError:
        """The error, with what else helps: the names that there are, or why there was no key."""
        line = self._line
        if line is None:
            return error
        more: object = None
        status = error.refusal.status
        if status in (401, 403) and line.key_trouble:
            more = line.key_trouble
        elif status == 404 or error.refusal.words.unknown_model:
            more = await self._names(line)
        if more is None:
            return error
        return EndpointError(
            "model.and_more",
            error=error,
            more=more,
            kind=error.kind,
            again=error.again,
            refusal=error.refusal,
        )

    async def _names(self, line: _Line) -> LazySentence | None:
        try:
            async with asyncio.timeout(LIST_S):
                return nearest(self._model, [one.name for one in await listed(line.wire, line.place)])
        except (ModelError, TimeoutError):
            return None

    async def _failed(self, error: ModelError) -> None:
        """What the server refuses because of one request says nothing about the next."""
        status = error.refusal.status if isinstance(error, EndpointError) else 0
        if status not in (400, 413, 422, 429):
            self._state, self._reason = "failed", str(error)
        if status in (401, 403):
            await self._drop()  # the next call asks for the key again


async def _close(line: _Line) -> None:
    with suppress(TimeoutError):  # the sockets end with the process at the latest
        async with asyncio.timeout(_CLOSE_S):
            await line.wire.close()


_MOST_BYTES = 8 * 1024 * 1024
_MOST_MODELS = 2_000
#: vLLM; OpenRouter and LM Studio; others.
_HOLDS = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")


@dataclass(frozen=True)
class ListedModel:
    """One model of a server. `context_tokens`: 0 where it does not say."""

    name: str
    context_tokens: int = 0


async def listed(wire: Wire, place: EndpointName) -> tuple[ListedModel, ...]:
    """All of them, in the server's order.

    Raises:
        ModelError: It does not answer, or not with a list.
    """
    answer = await wire.get("/models")
    body = bytearray()
    try:
        async with aclosing(answer.bytes()) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > _MOST_BYTES:
                    raise broke_off(
                        place, LazySentence("model.sent_more_than_list"), LazySentence("model.take_another")
                    )
    finally:
        await answer.close()
    return _models(bytes(body), place)


def nearest(wanted: str, names: Sequence[str]) -> LazySentence | None:
    """A sentence with the names that it may have meant."""
    found = get_close_matches(wanted, names, n=3, cutoff=0.4) or list(names[:3])
    if not found:
        return None
    others = len(names) > len(found)
    return LazySentence("model.lists_and_others" if others else "model.lists", names=", ".join(found))


def _models(body: bytes, place: EndpointName) -> tuple[ListedModel, ...]:
    if body.lstrip().startswith(b"<"):
        raise foreign(place, LazySentence("model.web_page"))
    try:
        raw: Json = json.loads(body)
    except (ValueError, RecursionError):
        raise foreign(place, LazySentence("model.not_json")) from None
    data = raw.get("data") if isinstance(raw, dict) else None
    if not isinstance(data, list):
        raise foreign(place, LazySentence("model.no_list"))
    models = (_model(one) for one in data[:_MOST_MODELS])
    return tuple(model for model in models if model is not None)


def _model(one: Json) -> ListedModel | None:
    name = one.get("id") if isinstance(one, dict) else None
    if (
        not isinstance(one, dict)
        or not isinstance(name, str)
        or not name.isprintable()
        or not 0 < len(name) <= 300
    ):
        return None
    meta = one.get("meta")
    told = {**(meta if isinstance(meta, dict) else {}), **one}
    sizes = [size for key in _HOLDS if isinstance(size := told.get(key), int) and 0 < size <= 1 << 24]
    return ListedModel(name, sizes[0] if sizes else 0)
