"""The retained dialog: which messages a prompt carries, so that most turns only append to it.

The window begins at a multiple of `_STEP` messages and moves in whole steps: in between, the prompt's
beginning stays the same to the letter, and a model that has read it once need not read it again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from partner_desktop.context.tokens import TokenCounter
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.runtime.flow import FlowInput

#: Messages that a prompt carries at most.
MOST_MESSAGES = 72
_STEP = 12
#: Characters of one message; of a longer one its beginning and its end are carried.
MOST_CHARACTERS = 4_000
_CACHED = 4_096

_ROLES = {Role.USER: "user", Role.PARTNER: "assistant"}


def carried(text: str, most: int = MOST_CHARACTERS) -> str:
    """A message's words as a prompt carries them. A stored snapshot relies on it: the same for good."""
    if len(text) <= most:
        return text
    half = (most - 40) // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters left out …]\n{text[-half:]}"


def said_before(messages: Sequence[Message], inputs: Sequence[FlowInput]) -> list[Message]:
    """The messages before the first of a turn's inputs; all of them in a turn that nobody spoke in."""
    said = {item.message_id for item in inputs if item.text}
    first = next((place for place, message in enumerate(messages) if message.id in said), len(messages))
    return list(messages[:first])


class DialogWindow:
    """Chooses and counts; counts are kept by message."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[tuple[str, int, str], int] = OrderedDict()

    def parts(
        self, messages: Sequence[Message], *, first: int, budget_tokens: int, counter: TokenCounter
    ) -> list[PromptPart]:
        """One part a message, oldest first. `first` is the place of `messages[0]` in the whole dialog."""
        parts = [
            (first + place, self._part(message, counter))
            for place, message in enumerate(messages)
            if message.role in _ROLES and message.text and message.state is not MessageState.STREAMING
        ]
        start = first + -first % _STEP
        total = sum(part.tokens for place, part in parts if place >= start)
        while total > budget_tokens:
            total -= sum(part.tokens for place, part in parts if start <= place < start + _STEP)
            start += _STEP
        return [part for place, part in parts if place >= start]

    def _part(self, message: Message, counter: TokenCounter) -> PromptPart:
        text = carried(message.text)
        key = (message.id, hash(text), counter.name)
        tokens = self._tokens.get(key)
        if tokens is None:
            tokens = self._tokens[key] = counter.count(text)
            if len(self._tokens) > _CACHED:
                self._tokens.popitem(last=False)
        return PromptPart(_ROLES[message.role], "dialog", text, tokens, message_id=message.id)
