"""Conversations and their messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from partner_desktop.base.errors import UsageError

#: Characters of one message.
_MAX_TEXT = 200_000


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    PARTNER = "partner"
    ACTION = "action"
    """Not words: the place of an action's card in the conversation."""


class MessageState(StrEnum):
    """Whether the text is whole."""

    DONE = "done"
    STREAMING = "streaming"
    STOPPED = "stopped"
    """The person stopped it; what had come is kept."""
    BROKEN_OFF = "broken_off"
    """It ended in the middle: the model did, or Partner itself."""
    CUT = "cut"
    """It reached the longest length that a reply may have."""
    NOT_REPLIED = "not_replied"
    """The mind's note that it had nothing to say: kept for the mind, never shown to the person."""


@dataclass(frozen=True)
class Conversation:
    """One thread of talk."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class Message:
    """One entry of a conversation, in the order of `position`."""

    id: str
    conversation_id: str
    role: Role
    text: str
    created_at: datetime
    position: int = 0
    """Grows over the whole database; later means larger."""
    state: MessageState = MessageState.DONE
    action_id: str = ""
    """With role ACTION: the action shown there."""
    source: str = ""
    """The gateway it came through: `window`, `terminal`."""
    reasoning: str = ""
    """What a model thought before it spoke; shown folded; in no prompt, no search, no Markdown export."""
    about: tuple[str, ...] = ()
    """Of Partner's: the ids of the actions that it spoke of."""


def sayable(text: str) -> str:
    """A message's text as it is kept.

    Raises:
        UsageError: There is nothing in it, or it is too long.
    """
    text = text.replace("\x00", "").strip()
    if not text:
        raise UsageError("There is nothing in this message.")
    if len(text) > _MAX_TEXT:
        raise UsageError(f"A message can hold {_MAX_TEXT:,} characters; this one has {len(text):,}.")
    return text
