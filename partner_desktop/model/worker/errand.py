"""One request on its way: what has come of it so far, and its end.

Contract: everything runs on the loop. Pieces that nobody has taken yet are given as one, so that a slow
reader need not run for each.
"""

from __future__ import annotations

import asyncio

from partner_desktop.base.errors import ContextOverflowError, ModelError, SchemaError
from partner_desktop.model.worker.frames import Answer, Failure, Piece


class Errand:
    """Filled by whoever hears the worker, emptied by the one that asked."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._answer: Answer | None = None
        self._fault: Exception | None = None
        self._news = asyncio.Event()

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self._answer is not None or self._fault is not None

    def add(self, piece: Piece) -> None:
        """The next words."""
        self._pieces.append(piece)
        self._news.set()

    def answer(self, answer: Answer) -> None:
        """The final frame."""
        if not self.ended:
            self._answer = answer
            self._news.set()

    def fail(self, error: Exception) -> None:
        """There will be no final frame."""
        if not self.ended:
            self._fault = error
            self._news.set()

    async def next(self) -> Piece | Answer:
        """What came since the last time; the answer comes after all pieces, and is the end.

        Raises:
            ModelError: The request failed, or see `fail`.
        """
        await self._news.wait()
        if self._pieces:
            piece, self._pieces = _as_one(self._pieces), []
            if not self.ended:
                self._news.clear()
            return piece
        if self._fault is not None:
            raise self._fault
        assert self._answer is not None
        if isinstance(self._answer, Failure):
            raise error_of(self._answer)
        return self._answer


def _as_one(pieces: list[Piece]) -> Piece:
    first = pieces[0]
    if len(pieces) == 1:
        return first
    text, tokens = "".join(piece.text for piece in pieces), sum(piece.tokens for piece in pieces)
    return first.model_copy(update={"text": text, "tokens": tokens})


def error_of(failure: Failure) -> ModelError:
    """A failure that the worker tells, as the error that it is here."""
    if failure.kind == "overflow":
        return ContextOverflowError(
            failure.message, prompt_tokens=failure.prompt_tokens, context_tokens=failure.context_tokens
        )
    return SchemaError(failure.message) if failure.kind == "schema" else ModelError(failure.message)
