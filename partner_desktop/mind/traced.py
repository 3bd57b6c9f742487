"""TracedMind: any mind, its questions and answers recorded by name, time and counts, never by their words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from time import perf_counter
from typing import Self

from partner_desktop.base.trace import Tracer
from partner_desktop.mind.port import Mind, ReplyRequest
from partner_desktop.mind.question import A, Counts, Question


class _Call:
    """One question under way; it is recorded when the block ends, with what was counted by then."""

    def __init__(self, tracer: Tracer, question: str, mind: str, counts: Counts) -> None:
        self._tracer, self._question, self._mind = tracer, question, mind
        self.counts = counts
        self._begun = perf_counter()

    def ms(self) -> float:
        """Milliseconds since it was asked."""
        return round((perf_counter() - self._begun) * 1000, 3)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        outcome = "ok" if kind is None else kind.__name__
        if kind is not None and not issubclass(kind, Exception):
            outcome = "cancelled"
        self._tracer.record(
            "mind",
            question=self._question,
            mind=self._mind,
            duration_ms=self.ms(),
            outcome=outcome,
            **self.counts,
        )


class TracedMind:
    """A `Mind` around another one."""

    def __init__(self, mind: Mind, tracer: Tracer) -> None:
        self._mind = mind
        self._tracer = tracer

    @property
    def name(self) -> str:
        return self._mind.name

    def _asked(self, question: str, counts: Counts) -> _Call:
        return _Call(self._tracer, question, self._mind.name, counts)

    async def ask(self, question: Question[A]) -> A:
        with self._asked(question.name, question.counts()) as call:
            answer = await self._mind.ask(question)
            call.counts |= question.counts_of(answer)
            return answer

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The other mind's pieces as they come; it is closed when whoever listens stops listening."""
        counts: Counts = {"evidence": len(request.evidence), "abilities": len(request.abilities)}
        call = self._asked("reply", counts)
        answer = self._mind.reply(request)
        pieces = characters = 0
        with call:
            try:
                async for piece in answer:
                    if not pieces:
                        call.counts["first_ms"] = call.ms()
                    pieces, characters = pieces + 1, characters + len(piece)
                    yield piece
            finally:
                call.counts |= {"pieces": pieces, "characters": characters}
                close = getattr(answer, "aclose", None)  # an iterator need not have it
                if close is not None:
                    await close()
