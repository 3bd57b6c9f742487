"""What a mind can be asked: a question is a frozen type that names the type of its answer.

A new question is one such type, an answerer in each mind that knows a better answer than the mind behind it,
and for a prompted mind its prompt. Nothing else needs to know of it: what stands around a mind wraps `ask`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar

from partner_desktop.base.errors import WiringError
from partner_desktop.base.trace import Scalar

A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)
#: Numbers, a yes or a no, a word of ours: what may be kept of a question, never what was said.
Counts: TypeAlias = dict[str, Scalar]


class Question(Generic[A_co]):
    """Base of the frozen dataclasses that a mind can be asked; `A_co` is the type of the answer."""

    name: ClassVar[str]
    """What prompts, settings and traces call it: `EvaluateIntent` is `evaluate_intent`."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.name = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()

    def counts(self) -> Counts:
        """What a trace keeps of it."""
        return {}

    def counts_of(self, answer: Any) -> Counts:  # noqa: ANN401 - an `A_co`, which no parameter may be
        """What a trace keeps of its answer."""
        return {}

    @classmethod
    def answered_by(cls, answer: Callable[[Self], Awaitable[A_co]]) -> Answerer:
        """A row of an `Answerers`; the types of question and answer are held together here."""
        return Answerer(cls, answer)


@dataclass(frozen=True)
class Answerer:
    """Who answers the questions of a type; made by `Question.answered_by`, which knows their types."""

    kind: type[Question[Any]]
    answer: Callable[[Any], Awaitable[Any]]


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
