"""MessageDraft: what was typed in a conversation and not sent yet, with what is to go with it."""

from __future__ import annotations

from datetime import datetime

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.attachment import Attachment

#: Characters that are kept of one: more than a message may hold, as it may have to be made shorter first.
LONGEST_DRAFT = 1_000_000


@dataclass(frozen=True)
class DraftItem:
    """Something that is to go with a message: a picture, a thing by its place, or both."""

    name: str
    picture: str = ""
    """The absolute path of what is sent of a picture; empty: it is none."""
    attachment: Attachment | None = None
    """`None`: it was pasted, and lies nowhere else."""


@dataclass(frozen=True)
class MessageDraft:
    """Of one conversation."""

    conversation_id: str
    """Empty: of the new chat, which is no conversation yet."""
    text: str
    updated_at: datetime
    items: tuple[DraftItem, ...] = ()
