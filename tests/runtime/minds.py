"""A mind made for tests: it understands as the starter mind does, and answers as a test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable

from partner_desktop.domain.card_verdict import Verdict
from partner_desktop.domain.intervention import Intervention
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.mind.chain_port import (
    ChainVerdict,
    CorrectChain,
    ExtractIntents,
    Intents,
    JudgeChain,
    ReadIntervention,
    WordedIntervention,
)
from partner_desktop.mind.port import (
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    GenerateAction,
    GeneratedAction,
    IntentEvaluation,
    JudgeConfirmation,
    PickAbility,
    ReplyRequest,
)
from partner_desktop.mind.starter.mind import StarterMind

#: What a reply is made of: text, or a gate that it waits at.
Piece = str | asyncio.Event


class ScriptedMind:
    """`script` gives the pieces of the answer; without it the starter mind answers."""

    name = "scripted"

    def __init__(self, script: Callable[[ReplyRequest], Iterable[Piece]] | None = None) -> None:
        self._starter = StarterMind()
        self.script = script
        self.asked: list[ReplyRequest] = []
        self.evaluated: list[str] = []
        self.before_evaluation: asyncio.Event | None = None
        self.waits = asyncio.Event()
        """Set while an answer waits at a gate."""

    async def evaluate_intent(self, request: EvaluateIntent) -> IntentEvaluation:
        self.evaluated.append(request.text)
        if self.before_evaluation is not None:
            await self.before_evaluation.wait()
        return await self._starter.evaluate_intent(request)

    async def pick_ability(self, request: PickAbility) -> MetaActionInfo | None:
        return await self._starter.pick_ability(request)

    async def extract_params(self, request: ExtractParams) -> ExtractedParams:
        return await self._starter.extract_params(request)

    async def judge_confirmation(self, request: JudgeConfirmation) -> Verdict:
        return await self._starter.judge_confirmation(request)

    async def generate_action(self, request: GenerateAction) -> GeneratedAction | None:
        return await self._starter.generate_action(request)

    async def extract_intents(self, request: ExtractIntents) -> Intents:
        return await self._starter.extract_intents(request)

    async def correct_chain(self, request: CorrectChain) -> tuple[Intervention, ...]:
        return await self._starter.correct_chain(request)

    async def judge_chain(self, request: JudgeChain) -> ChainVerdict:
        return await self._starter.judge_chain(request)

    async def read_intervention(self, request: ReadIntervention) -> WordedIntervention | None:
        return await self._starter.read_intervention(request)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        self.asked.append(request)
        if self.script is None:
            async for word in self._starter.reply(request):
                yield word
            return
        for piece in self.script(request):
            if isinstance(piece, str):
                yield piece
            else:
                self.waits.set()
                await piece.wait()
                self.waits.clear()
