"""Conversations and their messages: the turns that they belong to, what a search in them finds, and how a
conversation went on from one of them, once for every time that it was begun anew; and the addresses of
links that lead to one of them.
"""

from __future__ import annotations

import re
from dataclasses import field
from datetime import date, datetime
from enum import StrEnum
from typing import Literal

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.attachment import Attachment

#: Characters of one message.
LONGEST_TEXT = 200_000


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
class MessagePicture:
    """A picture that came with a message. It lies in the home as it came."""

    file: str
    """Its name among the home's pictures; no path."""
    name: str
    """What it was called where it came from."""
    mime: str
    size_bytes: int


@dataclass(frozen=True)
class PictureData:
    """A picture as a model gets it."""

    mime: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Conversation:
    """One thread of talk."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    remembered: bool = True
    """Whether what is said there is found from elsewhere; not with “do not remember”."""
    pinned: bool = False
    """It stands above the others."""
    archived: bool = False
    """Out of the way: listed where the archive is asked for, found by a search; what is said in it brings it
    back."""
    folder: str = ""
    """The name of the folder that it is in; empty: in none."""
    unread: int = 0
    """How many replies came while nobody looked at it."""


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
    speaker: str = ""
    """Who said it where it was neither the person nor Partner: a name, in an imported chat."""
    about: tuple[str, ...] = ()
    """Of Partner's: the ids of the actions that it spoke of."""
    pictures: tuple[MessagePicture, ...] = ()
    """What the person showed with it."""
    attachments: tuple[Attachment, ...] = ()
    """What else came with it: files, folders, other talks."""


@dataclass(frozen=True)
class DialogDay:
    """A day, where this machine stands, on which something was said in a conversation."""

    day: date
    first_position: int
    """Of what was said first on it."""
    count: int
    """How many messages it has."""


def sayable(text: str) -> str:
    """A message's text as it is kept.

    Raises:
        UsageError: There is nothing in it, or it is too long.
    """
    text = text.replace("\x00", "").strip()
    if not text:
        raise UsageError("message.empty")
    if len(text) > LONGEST_TEXT:
        raise UsageError("message.too_long", most=LONGEST_TEXT, length=len(text))
    return text


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
    said_at: datetime | None = None
    """When that message was said."""


@dataclass(frozen=True)
class TurnRef:
    """Enough to find the turn's dialog and to book what its calls cost."""

    conversation_id: str
    turn_id: str
    said: tuple[str, ...] = ()
    """Ids of the messages that the turn answers; the dialog before them is what a prompt begins with."""
    pictures: int = 0
    """How many pictures came with them; only the reply gets these themselves."""


#: What an address begins with that leads to a place in Partner itself, and to nothing outside.
PLACE_SCHEME = "partner:"
_PLACE = re.compile(rf"{PLACE_SCHEME}message/([0-9a-f]{{32}})\?conversation=([0-9a-f]{{32}})")


def place_address(message_id: str, conversation_id: str) -> str:
    """The address of a message, for a link in a reply: the window shows its place in the chat."""
    return f"{PLACE_SCHEME}message/{message_id}?conversation={conversation_id}"


def places_in(text: str) -> list[tuple[str, str]]:
    """The ids of every message, with its conversation's, that a text has the address of."""
    return _PLACE.findall(text)


def read_place_address(address: str) -> tuple[str, str] | None:
    """The ids of the message and of its conversation; `None` where it is no such address.

    Anybody may have written it: what comes out are two ids of the form that ids have, and nothing else.
    """
    found = _PLACE.fullmatch(address)
    return (found[1], found[2]) if found is not None else None


def first_place(text: str) -> tuple[str, str] | None:
    """The ids of the message and of its conversation that the first link of a text leads to."""
    found = _PLACE.search(text)
    return (found[1], found[2]) if found is not None else None
