"""PromptBudgets: how much of what is known goes into a prompt, so that the model can hold it with its
answer; and the retained dialog: which messages a prompt carries, so that most turns only append to it.

Tokens here are the counter's, an estimate: a part of the room stays free for its error and for what a
template adds, and a prompt that was too long all the same teaches the conversation a smaller room. Shares
go by the model alone, not by what is said: the dialog's window must not move with every message.

A window stays where it once began, and moves in whole steps when it holds too much: in between, the
prompt's beginning stays the same to the letter, and a model that has read it once need not read it again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from partner_desktop.base.errors import ContextOverflowError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.recent import Recent
from partner_desktop.base.text_compression import compressed
from partner_desktop.capabilities import ContextWindow, ModelCapability
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.tokens import TokenCounter
from partner_desktop.context.workspace import ContextWorkspace
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.domain.snapshot import PromptPart

#: Messages that a prompt carries at most, and how many of them leave at a time. A dialog is rolled before it
#: has so many: more come only where that is late, or fails.
MOST_MESSAGES = 96
STEP = 12
#: Characters of one message, by how much room there is; of a longer one beginning and end are carried.
LENGTHS = (4_000, 1_600, 640, 240)
#: Tokens that a model's template puts around a message.
FRAME_TOKENS = 8
#: Where a step would leave next to nothing, the window keeps this part of its room: it must not move at once.
_SLACK = 0.5
_CACHED = 1_024

_ROLES = {Role.USER: "user", Role.PARTNER: "assistant"}


def carried(text: str, most: int = LENGTHS[0]) -> str:
    """A message's words as a prompt carries them. A stored snapshot relies on it: the same for good."""
    if len(text) <= most:
        return text
    half = (most - 40) // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters left out …]\n{text[-half:]}"


def carried_forms(text: str) -> Iterator[str]:
    """Every form in which a prompt may carry these words, the longest first."""
    shorter = compressed(text)
    return (carried(form, most) for form in (text, shorter) for most in LENGTHS)


def dialog_before(messages: Sequence[Message], said: Collection[str]) -> list[Message]:
    """The messages before the first of those that a turn answers; all of them where nobody spoke."""
    first = next((place for place, message in enumerate(messages) if message.id in said), len(messages))
    return list(messages[:first])


@dataclass(frozen=True)
class WindowLimits:
    """What a window may hold."""

    tokens: int
    characters: int = LENGTHS[0]
    """Of one message."""
    messages: int = MOST_MESSAGES
    rolled_at: datetime | None = None
    """Long messages from before then are carried shortened at the ends of sentences."""


class DialogWindow:
    """Chooses and counts; counts are kept by message."""

    def __init__(self) -> None:
        self._tokens: Recent[tuple[str, int, str], int] = Recent(_CACHED)

    def parts(
        self, messages: Sequence[Message], *, begin: str, limits: WindowLimits, counter: TokenCounter
    ) -> list[PromptPart]:
        """One part a message, oldest first, from the message `begin` on or from a later one.

        Empty or unknown: from as far back as there is room.
        """
        sayable = [one for one in messages if is_carried(one)]
        known = next((place for place, one in enumerate(sayable) if one.id == begin), 0)
        parts = [self._part(one, limits, counter) for one in sayable[known:]]
        left, start = cost_of(parts), 0
        while left > limits.tokens or len(parts) - start > limits.messages:
            left -= cost_of(parts[start : start + STEP])
            start += STEP
        if start and left < _SLACK * limits.tokens:
            newest = _newest(parts, round(_SLACK * limits.tokens))
            if len(parts) - start < len(newest) <= limits.messages - STEP:
                return newest
        return parts[start:]

    def _part(self, message: Message, limits: WindowLimits, counter: TokenCounter) -> PromptPart:
        kept = limits.rolled_at is not None and message.created_at <= limits.rolled_at
        text = carried(compressed(message.text) if kept else message.text, limits.characters)
        tokens = self.tokens(message.id, text, counter)
        return PromptPart(_ROLES[message.role], "dialog", text, tokens, message_id=message.id)

    def tokens(self, message_id: str, text: str, counter: TokenCounter) -> int:
        """What a message takes in one of its forms."""
        key = (message_id, hash(text), counter.name)
        tokens = self._tokens.get(key)
        if tokens is None:
            tokens = self._tokens[key] = counter.count(text)
        return tokens


def cost_of(parts: Iterable[PromptPart]) -> int:
    """Tokens of parts, with what a template puts around each."""
    return sum(part.tokens + FRAME_TOKENS for part in parts)


def is_carried(message: Message) -> bool:
    """Whether a message has words that a prompt can hold."""
    return message.role in _ROLES and bool(message.text) and message.state is not MessageState.STREAMING


def _newest(parts: list[PromptPart], room_tokens: int) -> list[PromptPart]:
    """As many as fit, the newest of them."""
    start = len(parts)
    while start and parts[start - 1].tokens + FRAME_TOKENS <= room_tokens:
        start -= 1
        room_tokens -= parts[start].tokens + FRAME_TOKENS
    return parts[start:]


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
    overflows: int = 0
    """How often a prompt proved too long."""

    @property
    def key(self) -> tuple[str, int, int]:
        """The same for as long as the same model reads: only then is a beginning worth to be kept."""
        return self.model, self.context_tokens, self.overflows

    def window(self, digest_tokens: int, characters: int) -> WindowLimits:
        """What the dialog may hold beside a digest of this length: messages, and summaries of older ones."""
        if self.usable_tokens is None:
            return WindowLimits(self.dialog_tokens, characters, self.most_messages)
        tail = _tail(self.usable_tokens)
        left = self.usable_tokens - self.persona_tokens - digest_tokens - tail - 2 * FRAME_TOKENS
        return WindowLimits(max(0, min(self.dialog_tokens, left)), characters, self.most_messages)


@dataclass
class _Overflow:
    """What an overflow taught: the room in tokens of the estimate."""

    model: str
    context_tokens: int
    answer_tokens: int
    usable_tokens: int
    times: int = 0


class PromptBudgets:
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
        self._overflows: Recent[str, _Overflow] = Recent(_KEPT)

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
        context_window = self._window_of(conversation_id)
        overflow = self._overflow(conversation_id, context_window)
        settings = self._settings.value
        if context_window is None and overflow is None:
            budgets = Budgets(self._estimate, settings.budget_tokens, settings.dialog_tokens)
        else:
            counter = context_window.counter if context_window is not None else self._estimate
            budgets = _divided(
                context_window, overflow, counter, settings, persona_tokens=counter.count(persona)
            )
        return replace(budgets, most_messages=self._most_messages, characters=_characters(budgets, persona))

    def learn(self, conversation_id: str, error: ContextOverflowError, *, estimated_tokens: int) -> None:
        """A prompt of `estimated_tokens` was too long: its exact length says how long one may be."""
        context_window = self._window_of(conversation_id)
        before = self._overflow(conversation_id, context_window)
        model = context_window.model if context_window is not None else ""
        context = error.context_tokens
        answer = context_window.answer_tokens if context_window is not None else round(context * _ANSWER_PART)
        times = before.times if before is not None else 0
        fits = min(context - min(answer, context // 2), error.prompt_tokens - 1)
        usable = round(estimated_tokens * fits / max(1, error.prompt_tokens) * _CAUTION[min(times, 2)])
        self._overflows[conversation_id] = _Overflow(model, context, answer, max(0, usable), times + 1)

    def _window_of(self, conversation_id: str) -> ContextWindow | None:
        return self._models.context_window(_QUESTION, conversation_id) if self._models is not None else None

    def _overflow(self, conversation_id: str, context_window: ContextWindow | None) -> _Overflow | None:
        """What is known of this very model."""
        overflow = self._overflows.get(conversation_id)
        if overflow is None or overflow.model != (context_window.model if context_window is not None else ""):
            return None
        if context_window is not None and context_window.answer_tokens != overflow.answer_tokens:
            return None
        return overflow


def _divided(
    context_window: ContextWindow | None,
    overflow: _Overflow | None,
    counter: TokenCounter,
    settings: ContextSettings,
    *,
    persona_tokens: int,
) -> Budgets:
    if context_window is not None and overflow is None:
        context, answer = context_window.context_tokens, context_window.answer_tokens
        usable = _usable(context, answer)
    else:
        assert overflow is not None
        context, answer, usable = overflow.context_tokens, overflow.answer_tokens, overflow.usable_tokens
        if context_window is not None:
            usable = min(usable, _usable(context_window.context_tokens, context_window.answer_tokens))
    return Budgets(
        counter,
        settings.budget_tokens,
        settings.dialog_tokens,
        persona_tokens=persona_tokens,
        digest_tokens=round(usable * _DIGEST_PART),
        usable_tokens=usable,
        model=context_window.model if context_window is not None else "",
        context_tokens=context,
        answer_tokens=answer,
        overflows=overflow.times if overflow is not None else 0,
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
