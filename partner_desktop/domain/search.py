"""What a search in the conversations finds."""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.domain.message import Conversation


@dataclass(frozen=True)
class Excerpt:
    """A short piece of a text, on one line."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    """Where in `text` the hits are: start and end, in order."""


@dataclass(frozen=True)
class ConversationHit:
    """One conversation in which something was found."""

    conversation: Conversation
    title: Excerpt
    """The whole title."""
    excerpt: Excerpt | None = None
    """From the message that fits best; `None` when only the title does."""
    message_id: str = ""
    position: int = 0
    """Of that message."""
    count: int = 0
    """How many messages fit (of the newest thousand that do)."""
