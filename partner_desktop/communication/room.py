"""PromptRooms: how much of what is known goes into a prompt, so that the model can hold it with its answer.

Tokens here are the counter's, an estimate: a part of the room stays free for its error and for what a
template adds, and a prompt that was too long all the same teaches the conversation a smaller room. Shares go
by the model alone, not by what is said: the dialog's window must not move with every message.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace

from partner_desktop.base.errors import ContextOverflowError
from partner_desktop.capabilities.model import ModelCapability, PromptRoom
from partner_desktop.communication.window import FRAME_TOKENS, LENGTHS, MOST_MESSAGES, WindowLimits
from partner_desktop.config.center import ConfigHandle
from partner_desktop.context.settings import ContextSettings
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.context.workspace import ContextWorkspace

#: The question whose model a conversation's prompts are made for.
_QUESTION = "reply"
#: Of the room for a prompt: what the digest may take, and what is kept for context and input.
_DIGEST_PART, _TAIL_PART = 0.15, 0.2
#: Tokens that a tail (context and input, or a question's instruction and schema) hardly ever needs more of;
#: and what it gets where that is no more than this part of the room.
_MOST_TAIL, _LEAST_TAIL, _LARGEST_TAIL_PART = 8_192, 600, 0.3
#: Of the room for a prompt: what one message of the dialog may take.
_MESSAGE_PART = 0.2
#: What a digest may take where nobody knows the room: more than sixty lines of a hundred characters.
_ANY_DIGEST = 100_000
#: Of the room that a model told: used by the first, second, … prompt after one that was too long.
_CAUTION = (0.97, 0.88, 0.75)
#: A model that overflowed and never told what it keeps for the answer: this part of its context.
_ANSWER_PART = 0.25
_KEPT = 256


@dataclass(frozen=True)
class Budgets:
    """What the parts of a prompt may hold, in tokens of `counter`."""

    counter: TokenCounter
    blocks_tokens: int
    """Of the context blocks, however much room there is."""
    dialog_tokens: int
    """Of the retained dialog, however much room there is."""
    most_messages: int = MOST_MESSAGES
    persona_tokens: int = 0
    characters: int = LENGTHS[0]
    """Of one message of the dialog, where its window begins anew."""
    digest_tokens: int = _ANY_DIGEST
    """Of the digest, at most."""
    usable_tokens: int | None = None
    """Of the whole prompt; `None`: nobody knows."""
    model: str = ""
    context_tokens: int = 0
    answer_tokens: int = 0
    lessons: int = 0
    """How often a prompt proved too long."""

    @property
    def key(self) -> tuple[str, int, int]:
        """The same for as long as the same model reads: only then is a beginning worth to be kept."""
        return self.model, self.context_tokens, self.lessons

    def window(self, digest_tokens: int, characters: int) -> WindowLimits:
        """What the dialog's window may hold beside a digest of this length."""
        if self.usable_tokens is None:
            return WindowLimits(self.dialog_tokens, characters, self.most_messages)
        tail = _tail(self.usable_tokens)
        left = self.usable_tokens - self.persona_tokens - digest_tokens - tail - 2 * FRAME_TOKENS
        return WindowLimits(max(0, min(self.dialog_tokens, left)), characters, self.most_messages)


@dataclass
class _Lesson:
    """What an overflow taught: the room in tokens of the estimate."""

    model: str
    context_tokens: int
    answer_tokens: int
    usable_tokens: int
    times: int = 0


class PromptRooms:
    """Asks the models, and remembers by conversation what they did not know."""

    def __init__(
        self,
        workspace: ContextWorkspace,
        settings: ConfigHandle[ContextSettings],
        models: ModelCapability | None = None,
        *,
        most_messages: int = MOST_MESSAGES,
    ) -> None:
        self._estimate = workspace.counter
        """What counts while no model does."""
        self._settings = settings
        self._models = models
        self._most_messages = most_messages
        self._lessons: OrderedDict[str, _Lesson] = OrderedDict()

    @property
    def language(self) -> str:
        """Of the shipped prompts."""
        return self._models.language() if self._models is not None else "en"

    @property
    def persona(self) -> str:
        """What the settings say instead of the shipped text; empty mostly."""
        return self._models.persona(_QUESTION) if self._models is not None else ""

    def budgets(self, conversation_id: str, *, persona: str) -> Budgets:
        """What the conversation's next prompt may hold."""
        room = self._models.room(_QUESTION) if self._models is not None else None
        lesson = self._lesson(conversation_id, room)
        settings = self._settings.value
        if room is None and lesson is None:
            budgets = Budgets(self._estimate, settings.budget_tokens, settings.dialog_tokens)
        else:
            counter = room.counter if room is not None else self._estimate
            budgets = _divided(room, lesson, counter, settings, persona_tokens=counter.count(persona))
        return replace(budgets, most_messages=self._most_messages, characters=_characters(budgets, persona))

    def learn(self, conversation_id: str, error: ContextOverflowError, *, estimated_tokens: int) -> None:
        """A prompt of `estimated_tokens` was too long: its exact length says how long one may be."""
        room = self._models.room(_QUESTION) if self._models is not None else None
        before = self._lesson(conversation_id, room)
        model = room.model if room is not None else ""
        context = error.context_tokens
        answer = room.answer_tokens if room is not None else round(context * _ANSWER_PART)
        times = before.times if before is not None else 0
        fits = min(context - min(answer, context // 2), error.prompt_tokens - 1)
        usable = round(estimated_tokens * fits / max(1, error.prompt_tokens) * _CAUTION[min(times, 2)])
        self._lessons[conversation_id] = _Lesson(model, context, answer, max(0, usable), times + 1)
        if len(self._lessons) > _KEPT:
            self._lessons.popitem(last=False)

    def _lesson(self, conversation_id: str, room: PromptRoom | None) -> _Lesson | None:
        """What is known of this very model."""
        lesson = self._lessons.get(conversation_id)
        if lesson is None or lesson.model != (room.model if room is not None else ""):
            return None
        if room is not None and room.answer_tokens != lesson.answer_tokens:
            return None
        return lesson


def _divided(
    room: PromptRoom | None,
    lesson: _Lesson | None,
    counter: TokenCounter,
    settings: ContextSettings,
    *,
    persona_tokens: int,
) -> Budgets:
    if room is not None and lesson is None:
        context, answer = room.context_tokens, room.answer_tokens
        usable = _usable(context, answer)
    else:
        assert lesson is not None
        context, answer, usable = lesson.context_tokens, lesson.answer_tokens, lesson.usable_tokens
        if room is not None:
            usable = min(usable, _usable(room.context_tokens, room.answer_tokens))
    return Budgets(
        counter,
        settings.budget_tokens,
        settings.dialog_tokens,
        persona_tokens=persona_tokens,
        digest_tokens=round(usable * _DIGEST_PART),
        usable_tokens=usable,
        model=room.model if room is not None else "",
        context_tokens=context,
        answer_tokens=answer,
        lessons=lesson.times if lesson is not None else 0,
    )


def _characters(budgets: Budgets, persona: str) -> int:
    """How much of a message may be carried; how many characters a token has, the persona tells."""
    if budgets.usable_tokens is None:
        return LENGTHS[0]
    characters_per_token = len(persona) / max(1, budgets.persona_tokens)
    most = budgets.usable_tokens * _MESSAGE_PART * characters_per_token
    return next((length for length in LENGTHS if length <= most), LENGTHS[-1])


def _tail(usable_tokens: int) -> int:
    """What stays free of dialog."""
    least = min(_LEAST_TAIL, round(usable_tokens * _LARGEST_TAIL_PART))
    return min(_MOST_TAIL, max(least, round(usable_tokens * _TAIL_PART)))


def _usable(context_tokens: int, answer_tokens: int) -> int:
    """Of a context: what a prompt may take by the estimate."""
    answer = min(answer_tokens, context_tokens // 2)
    return max(0, context_tokens - answer - context_tokens // 32 - 16)
