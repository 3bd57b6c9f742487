"""SwitchingMind: for each question the mind that can answer it now. Models come and go; nothing restarts.

Contract: each mind is made, in a thread, when a question is its own for the first time: a start does not pay
for the imports of the starter mind, nor one without a model for those of the prompted mind.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial

from partner_desktop.base.deferred import Deferred
from partner_desktop.capabilities.model import ModelCapability
from partner_desktop.mind.question import A, Mind, Question, ReplyRequest

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

    async def _for(self, question: str) -> Mind:
        starter = await self._starter.get()
        if not self._models.serves(question):
            return starter
        if self._prompted is None:
            self._prompted = Deferred(partial(self._make_prompted, starter))
        return await self._prompted.get()

    async def ask(self, question: Question[A]) -> A:
        return await (await self._for(question.name)).ask(question)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The answer of whoever replies when it begins; closed when whoever listens stops listening."""
        answer = (await self._for("reply")).reply(request)
        try:
            async for piece in answer:
                yield piece
        finally:
            close = getattr(answer, "aclose", None)  # an iterator need not have it
            if close is not None:
                await close()
