"""Forgetting: what is chosen, what would go with it, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import date, datetime
from pathlib import Path
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.remembered import RememberedTurn

#: Why a message goes: it was chosen, it answers one that was, it says words of one again, or it asked for it.
ForgetReason = Literal["chosen", "answer", "quote", "order"]

#: Where words stand beside the messages.
HeldKind = Literal[
    "title",
    "folder",
    "slice",
    "unit",
    "entity",
    "context",
    "action",
    "permission",
    "import",
    "intent",
    "schedule",
    "draft",
]


@dataclass(frozen=True)
class ForgetSelection:
    """What is to be forgotten: the messages that fit everything which is given here."""

    message_ids: tuple[str, ...] = ()
    slice_ids: tuple[str, ...] = ()
    topic: str = ""
    """A path `A->B`, or the end of one."""
    day: date | None = None
    """In the person's time zone."""
    entity_id: str = ""
    conversation_id: str = ""
    words: str = ""
    """All of them stand in the message, in whatever form."""
    quotes: bool = True
    """With the messages that answer a chosen one, or say its words again."""


@dataclass(frozen=True)
class ForgetItem:
    """A message that would go."""

    turn: RememberedTurn
    reason: ForgetReason


@dataclass(frozen=True)
class HeldWords:
    """A place beside the messages where their words stand; it goes with them, unless it says why not."""

    kind: HeldKind
    id: str
    shown: str = ""
    """The beginning of it, for a person."""
    conversation_id: str = ""
    stays: str = ""
    """Why it does not go; empty: it goes."""


@dataclass(frozen=True)
class ForgetPreview:
    """What would be forgotten, exactly; nothing is done yet."""

    id: str
    """Seals what is listed here: when anything of it changed, `forget` shows it anew instead."""
    selection: ForgetSelection
    count: int
    """Messages that would go."""
    conversations: int
    """That they stand in."""
    items: tuple[ForgetItem, ...] = ()
    """The first of the messages, in order."""
    held: tuple[HeldWords, ...] = ()
    """The first of the places that go with them."""
    held_counts: Mapping[HeldKind, int] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    """What has words of it and stays, a sentence each."""


@dataclass(frozen=True)
class BackupHolding:
    """A backup, and how much of what was forgotten still stands in it."""

    path: Path
    at: datetime
    messages: int
    """Forgotten ones that it holds."""
    problem: str = ""
    """Why it could not be looked at; empty: it could."""


@dataclass(frozen=True)
class ForgetOutcome:
    """What became of a forgetting."""

    state: Literal["forgotten", "changed"]
    """`changed`: nothing was done, because something is other than it was shown; see `preview`."""
    messages: int = 0
    backups: tuple[BackupHolding, ...] = ()
    """Those that still hold something of it."""
    preview: ForgetPreview | None = None


@dataclass(frozen=True)
class Forgotten:
    """What is erased, for whoever keeps something that was made of it."""

    message_ids: frozenset[str]
    positions: frozenset[int]
    conversation_ids: frozenset[str]
    """That they stood in."""
    exchange_ids: frozenset[str]
    """That the person's of them began: what was done because of them bears these."""
    ids: frozenset[str]
    """Of the places that were found before (`HeldWords.id`)."""
    holds: Callable[[str], bool]
    """Whether a text says words of it; takes its time with long ones."""
    mentions: Callable[[str], bool]
    """The same, or it names somebody who is known from nothing else: for what can be spared."""
