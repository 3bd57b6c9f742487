"""FamiliarMind: skips the call that asks a model which ability is meant, where the words are familiar.

Only that question is answered from what was confirmed before, and only where a model would be asked. What
the words give as arguments is read from them as ever, and what may run without a yes is not decided here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from partner_desktop.capabilities import FamiliarCapability
from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.prompted.intent import near
from partner_desktop.mind.question import EvaluateIntent, IntentEvaluation, Mind, ReplyRequest


class FamiliarMind(Answerers):
    """A `Mind` around one that asks a model; `starter` knows what is near."""

    def __init__(self, mind: Mind, starter: Mind, familiar: FamiliarCapability) -> None:
        super().__init__(EvaluateIntent.answered_by(self._evaluate), otherwise=mind.ask)
        self._mind = mind
        self._starter = starter
        self._familiar = familiar

    @property
    def name(self) -> str:
        return self._mind.name

    async def _evaluate(self, asked: EvaluateIntent) -> IntentEvaluation:
        meant = await self._familiar.meant(asked.text, asked.abilities)
        if meant is None:
            return await self._mind.ask(asked)
        known = await self._starter.ask(asked)
        chosen = next((info for info in near(asked.text, known) if info.key == meant.key), None)
        if chosen is None:  # no model is asked anyway, or it is shown other abilities
            return await self._mind.ask(asked)
        await self._familiar.saved(meant, asked.name)
        return replace(known, chosen=chosen, ties=())

    def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        return self._mind.reply(request)
