"""The retained dialog: which messages a prompt carries, so that most turns only append to it.

A window stays where it once began, and moves in whole steps when it holds too much: in between, the prompt's
beginning stays the same to the letter, and a model that has read it once need not read it again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.domain.snapshot import PromptPart

#: Messages that a prompt carries at most, and how many of them leave at a time.
MOST_MESSAGES = 72
STEP = 12
#: Characters of one message, by how much room there is; of a longer one beginning and end are carried.
LENGTHS = (4_000, 1_600, 640, 240)
#: Tokens that a model's template puts around a message.
FRAME_TOKENS = 8
#: Where a step would leave next to nothing, the window keeps this part of its room: it must not move at once.
_SLACK = 0.5
_CACHED = 4_096

_ROLES = {Role.USER: "user", Role.PARTNER: "assistant"}


def carried(text: str, most: int = LENGTHS[0]) -> str:
    """A message's words as a prompt carries them. A stored snapshot relies on it: the same for good."""
    if len(text) <= most:
        return text
    half = (most - 40) // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters left out …]\n{text[-half:]}"


def carried_forms(text: str) -> Iterator[str]:
    """Every form in which a prompt may carry these words, the longest first."""
    return (carried(text, most) for most in LENGTHS)


def said_before(messages: Sequence[Message], said: Collection[str]) -> list[Message]:
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


class DialogWindow:
    """Chooses and counts; counts are kept by message."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[tuple[str, int, str], int] = OrderedDict()

    def parts(
        self, messages: Sequence[Message], *, begin: str, limits: WindowLimits, counter: TokenCounter
    ) -> list[PromptPart]:
        """One part a message, oldest first, from the message `begin` on or from a later one.

        Empty or unknown: from as far back as there is room.
        """
        sayable = [one for one in messages if is_carried(one)]
        known = next((place for place, one in enumerate(sayable) if one.id == begin), 0)
        parts = [self._part(one, limits.characters, counter) for one in sayable[known:]]
        left, start = cost_of(parts), 0
        while left > limits.tokens or len(parts) - start > limits.messages:
            left -= cost_of(parts[start : start + STEP])
            start += STEP
        if start and left < _SLACK * limits.tokens:
            newest = _newest(parts, round(_SLACK * limits.tokens))
            if len(parts) - start < len(newest) <= limits.messages - STEP:
                return newest
        return parts[start:]

    def _part(self, message: Message, characters: int, counter: TokenCounter) -> PromptPart:
        text = carried(message.text, characters)
        key = (message.id, hash(text), counter.name)
        tokens = self._tokens.get(key)
        if tokens is None:
            tokens = self._tokens[key] = counter.count(text)
            if len(self._tokens) > _CACHED:
                self._tokens.popitem(last=False)
        return PromptPart(_ROLES[message.role], "dialog", text, tokens, message_id=message.id)


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
