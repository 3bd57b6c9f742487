"""Minds made for tests: they understand as the starter mind does, and answer as a test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable

from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.question import Answerer, EvaluateIntent, IntentEvaluation, ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind

#: What a reply is made of: text, or a gate that it waits at.
Piece = str | asyncio.Event


def starter_with(*rows: Answerer) -> StarterMind:
    """The starter mind, but for what these rows answer."""
    mind = StarterMind()
    mind.add(*rows)
    return mind


class ScriptedMind(Answerers):
    """`script` gives the pieces of the answer; without it the starter mind answers, as it does all questions
    that no row is added for."""

    name = "scripted"

    def __init__(self, script: Callable[[ReplyRequest], Iterable[Piece]] | None = None) -> None:
        self.starter = StarterMind()
        super().__init__(EvaluateIntent.answered_by(self.evaluate_intent), otherwise=self.starter.ask)
        self.script = script
        self.asked: list[ReplyRequest] = []
        self.evaluated: list[str] = []
        self.before_evaluation: asyncio.Event | None = None
        self.waits = asyncio.Event()
        """Set while an answer waits at a gate."""

    async def evaluate_intent(self, question: EvaluateIntent) -> IntentEvaluation:
        self.evaluated.append(question.text)
        if self.before_evaluation is not None:
            await self.before_evaluation.wait()
        return await self.starter.ask(question)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        self.asked.append(request)
        if self.script is None:
            async for word in self.starter.reply(request):
                yield word
            return
        for piece in self.script(request):
            if isinstance(piece, str):
                yield piece
            else:
                self.waits.set()
                await piece.wait()
                self.waits.clear()
