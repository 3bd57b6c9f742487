"""Answerers: who answers which question, as a table. A mind is one, with a name and replies beside it."""

from __future__ import annotations

from typing import Protocol

from partner_desktop.base.errors import WiringError
from partner_desktop.mind.question import A, Answerer, Question


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
        """The answer, of the type that the question names.

        Raises:
            WiringError: Nobody answers questions of this type.
        """
        row = self._rows.get(type(question))
        if row is not None:
            answer: A = await row.answer(question)
            return answer
        if self._otherwise is None:
            kind = type(question)
            raise WiringError(
                f"No mind answers {question.name}: it needs a row for {kind.__module__}.{kind.__name__}."
            )
        return await self._otherwise(question)
