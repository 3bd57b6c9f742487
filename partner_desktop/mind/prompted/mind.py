"""PromptedMind: the mind that asks a model, with the starter mind before it and behind it.

Before: what words and rules settle surely is not asked. Behind: what the model does not answer, or not in the
form that was asked for, the starter mind does, and the person is told.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime

from partner_desktop.capabilities.model import ModelCapability
from partner_desktop.capabilities.trunk import TrunkCapability
from partner_desktop.mind.answerers import Answerers
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
from partner_desktop.mind.question import (
    CorrectChain,
    EvaluateIntent,
    ExtractIntents,
    ExtractParams,
    GenerateAction,
    JudgeChain,
    JudgeConfirmation,
    Mind,
    PickAbility,
    ReadIntervention,
    ReplyRequest,
)


def _local_now() -> datetime:
    return datetime.now().astimezone()


class PromptedMind(Answerers):
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
        asker = Asker(models, trunk, tell, silence_s=silence_s, answer_s=answer_s)
        super().__init__(
            EvaluateIntent.answered_by(lambda asked: intent.evaluate(asker, starter, asked)),
            PickAbility.answered_by(lambda asked: intent.pick(asker, starter, asked)),
            ExtractParams.answered_by(lambda asked: arguments.extract(asker, starter, asked, now=now)),
            JudgeConfirmation.answered_by(lambda asked: verdict.judge(asker, starter, asked)),
            GenerateAction.answered_by(lambda asked: generation.generate(asker, starter, asked)),
            ExtractIntents.answered_by(lambda asked: stages.extract(asker, starter, asked)),
            CorrectChain.answered_by(lambda asked: correcting.correct(asker, starter, asked)),
            JudgeChain.answered_by(lambda asked: judging.judge(asker, starter, asked)),
            ReadIntervention.answered_by(lambda asked: intervening.read(asker, starter, asked)),
            otherwise=starter.ask,
        )
        self._models = models
        self._speaker = Speaker(models, starter, tell)

    @property
    def name(self) -> str:
        return self._models.serves("reply") or "prompted"

    def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The model's words as they come; see `speaking`."""
        return self._speaker.reply(request)
