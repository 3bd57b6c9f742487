"""PromptedMind: the mind that asks a model, with the starter mind before it and behind it.

Before: what words and rules settle surely is not asked. Behind: what the model does not answer, or not in the
form that was asked for, the starter mind does, and the person is told. A reply is told as it comes from the
model, thoughts from words.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from datetime import datetime

from partner_desktop.base import log
from partner_desktop.base.errors import ContextOverflowError, ModelError
from partner_desktop.capabilities import ModelCapability, PrefixCapability
from partner_desktop.mind.act import ReadOpenWords
from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.prompted import (
    arguments,
    changes,
    generation,
    intent,
    judge,
    memories,
    open_words,
)
from partner_desktop.mind.prompted.answers import ThoughtGate
from partner_desktop.mind.prompted.asker import ANSWER_S, SILENCE_S, Asker
from partner_desktop.mind.prompted.prompts import Tell, arranged, sentence
from partner_desktop.mind.question import (
    CorrectChain,
    Cut,
    EvaluateIntent,
    ExtractIntents,
    ExtractParams,
    FindEntities,
    GenerateAction,
    JudgeChain,
    JudgeConfirmation,
    JudgeSlices,
    Mind,
    PickAbility,
    ReadIntervention,
    ReadSelfTalk,
    ReplyRequest,
    Summarise,
    Thought,
)
from partner_desktop.model.chat import ChatPiece

_QUESTION = "reply"
_log = log.area("mind")


async def _talks_itself(asked: ReadSelfTalk) -> None:
    """A model answers what is said to it; there is nothing to be told for it."""


def _local_now() -> datetime:
    return datetime.now().astimezone()


class PromptedMind(Answerers):
    """A `Mind` over a model.

    `tell` brings a sentence before the person; `now` is what `tomorrow` counts from.
    """

    def __init__(
        self,
        models: ModelCapability,
        prefix: PrefixCapability,
        starter: Mind,
        tell: Tell,
        *,
        now: Callable[[], datetime] = _local_now,
        silence_s: float = SILENCE_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        asker = Asker(models, prefix, tell, silence_s=silence_s, answer_s=answer_s)
        super().__init__(
            EvaluateIntent.answered_by(lambda asked: intent.evaluate(asker, starter, asked)),
            PickAbility.answered_by(lambda asked: intent.pick(asker, starter, asked)),
            ExtractParams.answered_by(lambda asked: arguments.extract(asker, starter, asked, now=now)),
            JudgeConfirmation.answered_by(lambda asked: judge.judge_words(asker, starter, asked)),
            GenerateAction.answered_by(lambda asked: generation.generate(asker, starter, asked)),
            ExtractIntents.answered_by(lambda asked: intent.extract_stages(asker, starter, asked)),
            CorrectChain.answered_by(lambda asked: changes.correct(asker, starter, asked)),
            JudgeChain.answered_by(lambda asked: judge.judge(asker, starter, asked)),
            JudgeSlices.answered_by(lambda asked: memories.judge_slices(asker, starter, asked)),
            FindEntities.answered_by(lambda asked: memories.find_entities(asker, starter, asked)),
            ReadIntervention.answered_by(lambda asked: changes.read(asker, starter, asked)),
            ReadOpenWords.answered_by(lambda asked: open_words.read_open(asker, starter, asked, now=now)),
            Summarise.answered_by(lambda asked: memories.summarise_by_model(asker, starter, asked)),
            ReadSelfTalk.answered_by(_talks_itself),
            otherwise=starter.ask,
        )
        self._models, self._starter, self._tell = models, starter, tell

    @property
    def name(self) -> str:
        return self._models.serves("reply") or "prompted"

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The model's words as they come, the prompt sent word by word as the request has it.

        Thoughts come as `Thought`, and a `Cut` at the greatest length. No word, only thoughts or nothing: the
        starter mind's answer.

        Raises:
            ContextOverflowError: The prompt is too long; nothing was said.
            ModelError: The model failed after words had come.
        """
        spoken, lead = False, ""
        try:
            async with aclosing(self._pieces(request)) as pieces:
                async for piece in pieces:
                    spoken = spoken or not isinstance(piece, (Thought, Cut))
                    if spoken or not isinstance(piece, Cut):  # where no word came, another answers
                        yield piece
        except ContextOverflowError:
            raise
        except ModelError as error:
            if spoken:
                raise
            _log.warning("the model did not reply: %s", error)
            lead = self._sentence("reply_failed", reason=str(error)) + "\n\n"
        if spoken:
            return
        if lead:
            yield lead
        else:
            self._tell(_QUESTION, self._sentence("empty_reply"))
        async for piece in self._starter.reply(request):
            yield piece

    async def _pieces(self, request: ReplyRequest) -> AsyncGenerator[str, None]:
        prompt, gate, cut = arranged(request.prompt), ThoughtGate(), False
        call = self._models.call(_QUESTION, prompt.messages, trunk=prompt.trunk, turn=request.turn)
        async with aclosing(call):
            async for event in call:
                if isinstance(event, ChatPiece):
                    aside = [Thought(event.text)] if event.text else []
                    for piece in aside if event.reasoning else gate.take(event.text):
                        yield piece
                elif event.end in ("failed", "cancelled"):
                    raise ModelError("mind.broke_off")
                else:
                    cut = event.end == "length"
        for piece in gate.end():
            yield piece
        if cut:
            yield Cut()

    def _sentence(self, name: str, reason: str = "") -> str:
        return sentence(name, self._models.language(), question=_QUESTION, reason=reason)
