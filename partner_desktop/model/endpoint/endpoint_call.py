"""One question to a server: in the manner that it takes, found step by step and remembered."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Literal

from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import LazySentence
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_call import CallEnd
from partner_desktop.model.chat import UNSEEN, ChatEvent, ChatPiece, ChatRequest, ChatUsage
from partner_desktop.model.endpoint.answer_reader import AnswerReader, Cost, Delta
from partner_desktop.model.endpoint.body import Answer, Wire, body_of
from partner_desktop.model.endpoint.constraint import (
    Constraint,
    Dialect,
    DialectMemory,
    Rung,
    constraint,
    guesses,
    hinted,
    is_json,
    lower,
    tidied,
)
from partner_desktop.model.endpoint.failure import EndpointError, EndpointName, broke_off, went_silent
from partner_desktop.model.settings import Vision

#: No token is longer on average; a server that goes on after it ignores the limit.
_CHARACTERS_A_TOKEN = 16
_SPARE_CHARACTERS = 4_096
_MOST_DIALECTS = 10
_REFUSALS = frozenset({400, 404, 405, 415, 422, 500, 501})
_TOO_LARGE = 413
_HELD_BY: dict[Rung, Literal["schema", "json", "prompt"]] = {
    "schema": "schema",
    "json_schema": "json",
    "json": "json",
    "prompt": "prompt",
}


@dataclass(frozen=True)
class _Whole:
    """An answer that was held back."""

    text: str
    reasoning: str
    finish: str


class EndpointCall:
    """`tokens_per_s` is known afterwards."""

    def __init__(
        self,
        wire: Wire,
        place: EndpointName,
        dialects: DialectMemory,
        *,
        clock: Clock,
        secret: str,
        answer_s: float,
        vision: Vision = "auto",
    ) -> None:
        self._wire, self._place, self._dialects = wire, place, dialects
        self._clock, self._secret, self._answer_s = clock, secret, answer_s
        self._vision = vision
        self._cost = Cost()
        self._first_s = 0.0
        self.tokens_per_s = 0.0

    async def events(self, request: ChatRequest, *, context_tokens: int) -> AsyncGenerator[ChatEvent, None]:
        """See `ChatModel.chat`."""
        form = await asyncio.to_thread(constraint, request.schema) if request.schema is not None else None
        known = await self._dialects.dialect(self._place.address, self._place.model)
        sees = known.pictures if self._vision == "auto" else self._vision == "yes"
        shows = request.has_pictures
        ways = _Ways(replace(known, pictures=sees), structured=form is not None, shows=shows)
        begun = False
        while True:
            asked = self._whole(request, ways, form) if form else self._plain(request, ways)
            try:
                async with aclosing(asked) as events:
                    async for event in events:
                        if shows and not begun and not ways.dialect.pictures:
                            yield UNSEEN
                        begun = True
                        yield self._with(event, context_tokens) if isinstance(event, ChatUsage) else event
            except EndpointError as error:
                if begun or not ways.after(error):
                    raise (error if begun else ways.told(error)) from error.__cause__
                continue
            if begun:
                return
            ways.ignored()

    async def _plain(self, request: ChatRequest, ways: _Ways) -> AsyncGenerator[ChatEvent, None]:
        finish = "stop"
        async with aclosing(self._deltas(request, ways, None)) as deltas:
            async for delta in deltas:
                await self._remember(ways)
                finish = delta.finish or finish
                if delta.reasoning:
                    yield ChatPiece(delta.reasoning, reasoning=True)
                if delta.text:
                    yield ChatPiece(delta.text)
        yield ChatUsage(end=_end(finish))

    async def _whole(
        self, request: ChatRequest, ways: _Ways, form: Constraint
    ) -> AsyncGenerator[ChatEvent, None]:
        """Nothing at all where the server ignored what it was asked to keep to."""
        async with aclosing(self._deltas(request, ways, form)) as deltas:
            said = [delta async for delta in deltas]
        finish = next((delta.finish for delta in reversed(said) if delta.finish), "stop")
        whole = _Whole("".join(d.text for d in said), "".join(d.reasoning for d in said), finish)
        kept = await asyncio.to_thread(form.answer, whole.text)
        if kept is None and await asyncio.to_thread(_ignored, whole, ways.dialect.rung, form):
            return
        await self._remember(ways)
        if whole.reasoning:
            yield ChatPiece(whole.reasoning, reasoning=True)
        text = kept if kept is not None else tidied(whole.text)
        if text:
            yield ChatPiece(text, tokens=max(1, self._cost.output_tokens))
        yield ChatUsage(end=_end(finish), constrained=_HELD_BY[ways.dialect.rung])

    async def _deltas(
        self, request: ChatRequest, ways: _Ways, form: Constraint | None
    ) -> AsyncGenerator[Delta, None]:
        """What the server says, with its costs added up; cut where it ignores the limit."""
        limit = request.sampling.max_tokens
        make = partial(body_of, request, model=self._place.model, dialect=ways.dialect, constraint=form)
        body = await asyncio.to_thread(make) if request.has_pictures else make()
        reader = AnswerReader(self._place, limit, self._secret)
        left = _SPARE_CHARACTERS + _CHARACTERS_A_TOKEN * limit
        text, thought, cost = SurrogatePairs(), SurrogatePairs(), Cost()
        async with answered(
            self._wire,
            body,
            reader,
            clock=self._clock,
            answer_s=self._answer_s,
            patient=not ways.refused,
        ) as deltas:
            async for delta in deltas:
                cost = delta.cost or cost
                left -= len(delta.text) + len(delta.reasoning)
                self._first_s = self._first_s or self._clock.monotonic_s()
                if left < 0:
                    yield Delta(finish="length")
                    break
                yield Delta(text.whole(delta.text), thought.whole(delta.reasoning), delta.finish)
        self._add(cost)

    def _add(self, cost: Cost) -> None:
        took_s = self._clock.monotonic_s() - self._first_s
        if cost.output_tokens > 1 and took_s > 0:
            self.tokens_per_s = (cost.output_tokens - 1) / took_s
        before = self._cost
        self._cost = Cost(
            before.prompt_tokens + cost.prompt_tokens,
            before.reused_tokens + cost.reused_tokens,
            before.output_tokens + cost.output_tokens,
        )

    def _with(self, usage: ChatUsage, context_tokens: int) -> ChatUsage:
        cost = self._cost
        return ChatUsage(
            cost.prompt_tokens,
            cost.reused_tokens,
            cost.output_tokens,
            context_tokens=context_tokens,
            end=usage.end,
            constrained=usage.constrained,
        )

    async def _remember(self, ways: _Ways) -> None:
        """The server took it, so it is how it wants to be asked."""
        if ways.changed:
            ways.changed = False
            dialect = ways.dialect
            if self._vision != "auto" or ways.too_large:  # nothing was found out about its eyes
                known = await self._dialects.dialect(self._place.address, self._place.model)
                dialect = replace(dialect, pictures=known.pictures)
            await self._dialects.keep(self._place.address, self._place.model, dialect)


class _Ways:
    """The manners that are tried, one after another, until the server takes one."""

    def __init__(self, dialect: Dialect, *, structured: bool, shows: bool) -> None:
        self.dialect = dialect
        self.changed = False
        self.too_large = False
        """The server refused the length of a request with pictures."""
        self._shows = shows
        self._first: EndpointError | None = None
        self._structured = structured
        self._tried = {dialect}
        self._guesses: Iterator[Dialect] = guesses(dialect, structured=structured, shows=shows)

    def after(self, error: EndpointError) -> bool:
        """Whether there is another way after a refusal; `dialect` is then it."""
        if error.kind == "empty" and self.dialect.stream:
            # Asked for the whole, it may say what went wrong.
            self.dialect = replace(self.dialect, stream=False)
            return True
        if not self._concerns(error):
            return False
        self._first = self._first or error
        self.too_large = self.too_large or error.refusal.status == _TOO_LARGE
        param = error.refusal.words.param
        hint = hinted(self.dialect, param, structured=self._structured, shows=self._shows)
        return self._take(hint) or any(self._take(guess) for guess in self._guesses)

    @property
    def refused(self) -> bool:
        """Whether the server has refused this question already, in another form."""
        return self._first is not None

    def told(self, error: EndpointError) -> EndpointError:
        """The one to tell: the first refusal, where leaving things out did not help."""
        return self._first if self._first and self._concerns(error) else error

    def _concerns(self, error: EndpointError) -> bool:
        """Whether the server may have refused the manner, not the request."""
        status = error.refusal.status
        if error.refusal.words.unknown_model:
            return False
        if self._shows and self.dialect.pictures and status in (*_REFUSALS, _TOO_LARGE):
            return True
        if status not in _REFUSALS:
            return False
        return self._structured or status not in (404, 405, 500)

    def ignored(self) -> None:
        """The server took it and kept to nothing: one rung down."""
        below = lower(self.dialect)
        if below is None:
            raise AssertionError("the lowest rung keeps whatever comes")
        self.dialect, self.changed = below, True
        self._guesses = guesses(below, structured=True, shows=self._shows)

    def _take(self, dialect: Dialect | None) -> bool:
        if dialect is None or dialect in self._tried or len(self._tried) >= _MOST_DIALECTS:
            return False
        self._tried.add(dialect)
        self.dialect, self.changed = dialect, True
        return True


def _ignored(whole: _Whole, rung: Rung, form: Constraint) -> bool:
    """Whether an answer shows that its server does not hold models to a schema.

    One that was cut short or filtered shows nothing; JSON mode alone promises JSON, not which; and no server
    holds models to every rule of a schema.
    """
    if rung == "prompt" or whole.finish in ("length", "content_filter", "refusal"):
        return False
    return not (is_json(whole.text) if rung == "json" else form.shapes(whole.text))


def _end(finish: str) -> CallEnd:
    return "length" if finish in ("length", "max_tokens") else "stop"


TRIES = 3
FIRST_PAUSE_S = 0.5
#: A server that wants to be left alone longer is not waited for.
LONGEST_PAUSE_S = 20.0
#: After its last word an answer may still tell what it cost, and after that it should end, so that the
#: connection can be used again; not every server does.
_AFTERWORD_S = 5.0
_END_S = 0.1


async def heard(wire: Wire, body: JsonObject, *, clock: Clock, patient: bool) -> Answer:
    """The head of the answer. What may pass is tried again; from here on nothing is.

    A server that has failed three times over the same question in another form is not given so much patience.

    Raises:
        ModelError: It was refused, or not reached.
    """
    for number in range(1, TRIES + 1):
        try:
            return await wire.post("/chat/completions", body)
        except EndpointError as error:
            pause_s = error.refusal.wait_s or FIRST_PAUSE_S * 2 ** (number - 1)
            hopeless = error.refusal.status == 500 and not patient
            if hopeless or not error.again or number == TRIES or pause_s > LONGEST_PAUSE_S:
                raise
        await clock.sleep(pause_s)
    raise AssertionError("the last try returns or raises")


@asynccontextmanager
async def answered(
    wire: Wire, body: JsonObject, reader: AnswerReader, *, clock: Clock, answer_s: float, patient: bool = True
) -> AsyncIterator[AsyncGenerator[Delta, None]]:
    """The deltas of an answer; leaving closes the connection, wherever it was left."""
    answer = await heard(wire, body, clock=clock, patient=patient)
    try:
        async with (
            aclosing(answer.bytes()) as chunks,
            aclosing(reader.deltas(chunks)) as deltas,
            aclosing(_in_time(deltas, reader.place, answer_s=answer_s)) as timed,
        ):
            yield timed
    finally:
        await answer.close()


async def _in_time(
    deltas: AsyncGenerator[Delta, None], place: EndpointName, *, answer_s: float
) -> AsyncGenerator[Delta, None]:
    """Each delta in time. What a server sends to keep the line open is no word.

    Raises:
        EndpointError: It fell silent, or ended before its answer did.
    """
    delta = await _next(deltas, place, answer_s=answer_s, begun=False)
    finished = False
    while delta is not None:
        finished = finished or delta.last or bool(delta.finish)
        last = delta.last
        yield delta
        if delta.finish == "error":
            break
        if finished:
            delta = await _afterword(deltas, limit_s=_END_S if last else min(answer_s, _AFTERWORD_S))
        else:
            delta = await _next(deltas, place, answer_s=answer_s, begun=True)
    if not finished or (delta is not None and delta.finish == "error"):
        raise broke_off(place, LazySentence("model.broke_off"))


async def _next(
    deltas: AsyncGenerator[Delta, None], place: EndpointName, *, answer_s: float, begun: bool
) -> Delta | None:
    try:
        async with asyncio.timeout(answer_s):
            return await anext(deltas, None)
    except TimeoutError:
        raise went_silent(place, answer_s=answer_s, begun=begun) from None


async def _afterword(deltas: AsyncGenerator[Delta, None], *, limit_s: float) -> Delta | None:
    """What comes after the answer is whole: welcome, and no reason to fail."""
    try:
        async with asyncio.timeout(limit_s):
            return await anext(deltas, None)
    except (TimeoutError, EndpointError):
        return None


_HALF = re.compile("[\ud800-\udfff]")
_FIRST_HALF_AT_END = re.compile("[\ud800-\udbff]$")


class SurrogatePairs:
    """Puts the halves of neighbouring pieces together."""

    def __init__(self) -> None:
        self._held = ""

    def whole(self, text: str) -> str:
        """The piece without halves; a first half at its end waits for the next piece."""
        if not self._held and _HALF.search(text) is None:
            return text
        text = self._held + text
        self._held = ""
        if _FIRST_HALF_AT_END.search(text):
            text, self._held = text[:-1], text[-1]
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
