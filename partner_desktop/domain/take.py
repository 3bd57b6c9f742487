"""Takes: how a conversation went on from one of its messages, once for every time that it was begun anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: `Message.source` of the line that says where a conversation was branched from.
BRANCH = "branch"


@dataclass(frozen=True)
class Fork:
    """A place in the line that is shown from which it goes on in several ways."""

    takes: tuple[str, ...]
    """Ids of the ways, in the order in which they were begun."""
    active: int
    """Which of them is shown, from 0."""
    shown_at: str
    """The message that the choice stands at: the first of the way that is shown, or the one before it."""


@dataclass(frozen=True)
class Line:
    """What can be done anew in the line that is shown."""

    forks: tuple[Fork, ...] = ()
    reply_id: str = ""
    """The latest answer; empty where the person spoke last."""
    again: Literal["", "words", "ask"] = ""
    """How it can be had anew: `words`, the answer alone; `ask`, only with all that the question set off."""
    asked_id: str = ""
    """The person's latest message."""
    asked_text: str = ""
