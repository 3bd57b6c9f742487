"""Answerers: who answers which question, as a table; a mind is one, with a name and replies beside it. And
what stands around a mind: TracedMind records its questions and answers by name, time and counts, never by
their words; SwitchingMind has for each question the mind that can answer it now.

Contract: models come and go; nothing restarts. Each mind is made, in a thread, when a question is its own
for the first time: a start does not pay for the imports of the starter mind, nor one without a model for
those of the prompted mind.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import Protocol, cast

from partner_desktop.base.errors import WiringError
from partner_desktop.base.tasks import Deferred
from partner_desktop.base.trace import Tracer
from partner_desktop.capabilities import ModelCapability
from partner_desktop.mind.question import A, Answerer, Counts, Mind, Question, ReplyRequest


class Ask(Protocol):
    """A question put to a mind."""

    async def __call__(self, question: Question[A], /) -> A: ...


class Answerers:
    """A table from question type to answerer: all of a mind but its name and its replies.

    `otherwise` answers what the table has no row for.
    """

    def __init__(self, *rows: Answerer, otherwise: Ask | None = None) -> None:
        self._rows = {row.kind: row for row in rows}
        self._otherwise = otherwise

    def add(self, *rows: Answerer) -> None:
        """More rows; of two for one type the later counts."""
        self._rows |= {row.kind: row for row in rows}

    async def ask(self, question: Question[A]) -> A:
        """The answer, of the type that the question names; `None` to an optional one that has no row.

        Raises:
            WiringError: Nobody answers questions of this type.
        """
        row = self._rows.get(type(question))
        if row is not None:
            answer: A = await row.answer(question)
            return answer
        if self._otherwise is None and question.optional:
            return cast("A", None)
        if self._otherwise is None:
            kind = type(question)
            raise WiringError(
                f"No mind answers {question.name}: it needs a row for {kind.__module__}.{kind.__name__}."
            )
        return await self._otherwise(question)


class TracedMind:
    """A `Mind` around another one."""

    def __init__(self, mind: Mind, tracer: Tracer) -> None:
        self._mind = mind
        self._tracer = tracer

    @property
    def name(self) -> str:
        return self._mind.name

    async def ask(self, question: Question[A]) -> A:
        with self._call(question.name, question.counts()) as counts:
            answer = await self._mind.ask(question)
            counts.update(question.counts_of(answer))
            return answer

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The other mind's pieces as they come; it is closed when whoever listens stops listening."""
        told: Counts = {"evidence": len(request.evidence), "abilities": len(request.abilities)}
        answer = self._mind.reply(request)
        begun = perf_counter()
        pieces = characters = 0
        with self._call("reply", told) as counts:
            try:
                async for piece in answer:
                    if not pieces:
                        counts["first_ms"] = _ms_since(begun)
                    pieces, characters = pieces + 1, characters + len(piece)
                    yield piece
            finally:
                counts.update(pieces=pieces, characters=characters)
                close = getattr(answer, "aclose", None)  # an iterator need not have it
                if close is not None:
                    await close()

    @contextmanager
    def _call(self, question: str, counts: Counts) -> Iterator[Counts]:
        """One question under way; it is recorded when the block ends, with what was counted by then."""
        mind, begun, outcome = self._mind.name, perf_counter(), "cancelled"
        try:
            yield counts
            outcome = "ok"
        except Exception as error:
            outcome = type(error).__name__
            raise
        finally:
            took_ms = _ms_since(begun)
            self._tracer.record(
                "mind", question=question, mind=mind, duration_ms=took_ms, outcome=outcome, **counts
            )


def _ms_since(begun: float) -> float:
    return round((perf_counter() - begun) * 1000, 3)


#: What the starter mind is called, also before it is made.
STARTER = "starter"


class SwitchingMind:
    """A `Mind` of two: the one that `prompted` makes, around the starter mind, answers what a model serves;
    the one that `starter` makes all else."""

    def __init__(
        self, starter: Callable[[], Mind], prompted: Callable[[Mind], Mind], models: ModelCapability
    ) -> None:
        self._starter = Deferred(starter)
        self._make_prompted = prompted
        self._prompted: Deferred[Mind] | None = None
        self._models = models

    @property
    def name(self) -> str:
        """Who replies now: a model by its name, or the starter mind."""
        return self._models.serves("reply") or STARTER

    async def _for(self, question: str, conversation_id: str) -> Mind:
        starter = await self._starter.get()
        if not self._models.serves(question, conversation_id):
            return starter
        if self._prompted is None:
            self._prompted = Deferred(partial(self._make_prompted, starter))
        return await self._prompted.get()

    async def ask(self, question: Question[A]) -> A:
        return await (await self._for(question.name, question.conversation_id)).ask(question)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The answer of whoever replies when it begins; closed when whoever listens stops listening."""
        conversation_id = request.turn.conversation_id if request.turn is not None else ""
        answer = (await self._for("reply", conversation_id)).reply(request)
        try:
            async for piece in answer:
                yield piece
        finally:
            close = getattr(answer, "aclose", None)  # an iterator need not have it
            if close is not None:
                await close()
