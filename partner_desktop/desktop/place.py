"""A place to talk: a conversation, or a new chat that becomes one with its first message."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=False)
class Place:
    """Compared by identity: two new chats are two places."""

    conversation_id: str = ""
    draft: str = ""
    """What was typed here and not sent."""
