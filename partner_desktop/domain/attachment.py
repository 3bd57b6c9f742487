"""Attachment: a file, a folder or a talk that came with a message. Nothing of it is copied: it is a name for
what lies elsewhere, which words can mean, and whose text stands among what a reply knows.
"""

from __future__ import annotations

import re
from enum import StrEnum

from partner_desktop.base.late_dataclass import dataclass

#: Of one message.
MOST_ATTACHED = 20
#: Of a larger file nothing is read; what can be done with its path can be done all the same.
MOST_READ_BYTES = 50 * 1024 * 1024


class AttachmentKind(StrEnum):
    """What it is, as far as its name and its first bytes tell."""

    TEXT = "text"
    """Words, code, tables: whatever can be read as it is."""
    DOCUMENT = "document"
    """Its text has to be taken out of it (PDF, DOCX)."""
    PICTURE = "picture"
    FOLDER = "folder"
    TALK = "talk"
    """Another conversation."""
    OTHER = "other"


class Unread(StrEnum):
    """Why no text of something was taken, or not all of it."""

    NONE = ""
    LONG = "long"
    """Only the beginning was taken."""
    TOO_LARGE = "too_large"
    ENCRYPTED = "encrypted"
    SCANNED = "scanned"
    """There are pages, and no text on them."""
    BROKEN = "broken"
    SLOW = "slow"
    """It took too long, or too much memory."""
    SECRET = "secret"  # noqa: S105 - a reason, no password
    """It lies where secrets lie."""
    GONE = "gone"
    NO_READER = "no_reader"
    """Nothing here can read it safely."""


@dataclass(frozen=True)
class Attachment:
    """One thing that came with a message."""

    name: str
    """As the person is shown it; of a talk its title."""
    kind: AttachmentKind
    path: str = ""
    """Absolute, without links; empty: it is a talk."""
    conversation_id: str = ""
    """Of a talk."""
    size_bytes: int = 0
    """0: of a folder or a talk."""
    mime: str = ""
    """By its name; empty: not known."""
    taken_characters: int = 0
    """How much of its text was taken, of how much there is."""
    all_characters: int = 0
    unread: Unread = Unread.NONE

    @property
    def is_readable(self) -> bool:
        """Whether there may be a text in it."""
        return self.kind in (AttachmentKind.TEXT, AttachmentKind.DOCUMENT, AttachmentKind.TALK)


@dataclass(frozen=True)
class Attachable:
    """Something that could be attached, in a list to choose from."""

    name: str
    kind: AttachmentKind
    path: str = ""
    conversation_id: str = ""
    place: str = ""
    """Where it lies, in a few words; empty: a talk."""


_MENTION = re.compile(r"(?:^|(?<=[\s(（，,、]))@([^\s@]{0,80})$")


def mention_in(text: str) -> str | None:
    """What is written behind an `@` at the end of a text, up to the caret; `None`: there is none."""
    found = _MENTION.search(text)
    return found[1] if found is not None else None
