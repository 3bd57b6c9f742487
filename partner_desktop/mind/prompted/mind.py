"""PromptedMind: the mind that asks a model, with the starter mind before it and behind it.

Before: what words and rules settle surely is not asked. Behind: what the model does not answer, or not in the
form that was asked for, the starter mind does, and the person is told.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime

from partner_desktop.capabilities.model import ModelCapability
from partner_desktop.capabilities.trunk import TrunkCapability
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
    Mind,
    PickAbility,
    ReplyRequest,
)
from partner_desktop.mind.prompted import (
    arguments,
    correcting,
    generation,
    intent,
    intervening,
    judging,
    stages,
    verdict,
)
from partner_desktop.mind.prompted.asking import ANSWER_S, SILENCE_S, Asker
from partner_desktop.mind.prompted.speaking import Speaker
from partner_desktop.mind.prompted.told import Tell


def _local_now() -> datetime:
    return datetime.now().astimezone()


class PromptedMind:
    """A `Mind` over a model.

    `tell` brings a sentence before the person; `now` is what `tomorrow` counts from.
    """

    def __init__(
        self,
        models: ModelCapability,
        trunk: TrunkCapability,
        starter: Mind,
        tell: Tell,
        *,
        now: Callable[[], datetime] = _local_now,
        silence_s: float = SILENCE_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        self._models = models
        self._starter = starter
        self._asker = Asker(models, trunk, tell, silence_s=silence_s, answer_s=answer_s)
        self._speaker = Speaker(models, starter, tell)
        self._now = now

    @property
    def name(self) -> str:
        return self._models.serves("reply") or "prompted"

    async def evaluate_intent(self, request: EvaluateIntent) -> IntentEvaluation:
        """Talk or act, on one of the nearest abilities; see `intent`."""
        return await intent.evaluate(self._asker, self._starter, request)

    async def pick_ability(self, request: PickAbility) -> MetaActionInfo | None:
        """By number, place or name without the model; see `intent`."""
        return await intent.pick(self._asker, self._starter, request)

    async def extract_params(self, request: ExtractParams) -> ExtractedParams:
        """The model's values over the starter's; see `arguments`."""
        return await arguments.extract(self._asker, self._starter, request, now=self._now)

    async def judge_confirmation(self, request: JudgeConfirmation) -> Verdict:
        """An approval is never the model's to read; see `verdict`."""
        return await verdict.judge(self._asker, self._starter, request)

    async def generate_action(self, request: GenerateAction) -> GeneratedAction | None:
        """What the person pasted needs no model; else a script in two calls, see `generation`."""
        pasted = await self._starter.generate_action(request)
        if pasted is not None or generation.is_of_paste(request):
            return pasted
        return await generation.generate(self._asker, request)

    async def extract_intents(self, request: ExtractIntents) -> Intents:
        """The starter's stages, or the model's behind cheap gates; see `stages`."""
        return await stages.extract(self._asker, self._starter, request)

    async def correct_chain(self, request: CorrectChain) -> tuple[Intervention, ...]:
        """The model's changes of what is there; see `correcting`."""
        return await correcting.correct(self._asker, self._starter, request)

    async def judge_chain(self, request: JudgeChain) -> ChainVerdict:
        """The starter's no stands; see `judging`."""
        return await judging.judge(self._asker, self._starter, request)

    async def read_intervention(self, request: ReadIntervention) -> WordedIntervention | None:
        """Plain phrases first; an approval is never read here, see `intervening`."""
        return await intervening.read(self._asker, self._starter, request)

    def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The model's words as they come; see `speaking`."""
        return self._speaker.reply(request)
