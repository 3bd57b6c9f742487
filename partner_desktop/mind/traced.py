"""TracedMind: any mind, its questions and answers recorded by name, time and counts, never by their words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from time import perf_counter

from partner_desktop.base.trace import Tracer
from partner_desktop.mind.question import A, Counts, Mind, Question, ReplyRequest


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
        except Exception as error:  # every failure is recorded under its name, and goes on to the asker
            outcome = type(error).__name__
            raise
        finally:
            took_ms = _ms_since(begun)
            self._tracer.record(
                "mind", question=question, mind=mind, duration_ms=took_ms, outcome=outcome, **counts
            )


def _ms_since(begun: float) -> float:
    return round((perf_counter() - begun) * 1000, 3)
