"""What memory keeps and finds: turns, the slices and units that they lie in, and what is recalled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.message import TurnRef

#: Who spoke, where it is no name of an import.
PERSON, PARTNER = "user", "partner"

#: Why a turn was recalled: its words, its meaning, when it was said or speaks of, who said it, what it is
#: about, or what stands beside it.
Reason = Literal["words", "meaning", "date", "speaker", "topic", "neighbour"]


@dataclass(frozen=True)
class RememberedTurn:
    """One message as it was said, and its place."""

    message_id: str
    conversation_id: str
    title: str
    """Of the conversation."""
    position: int
    speaker: str
    """`user`, `partner`, or a name from an import."""
    text: str
    at: datetime


@dataclass(frozen=True)
class RecalledTurn:
    """A turn that fits a question."""

    turn: RememberedTurn
    score: float
    """Comparable within one recall."""
    reasons: tuple[Reason, ...]
    signals: Mapping[str, float] = field(default_factory=dict)
    """What the score was made of (`memory/ranking.py`)."""


@dataclass(frozen=True)
class RecalledPassage:
    """A hit with the turns around it, half-open by position; what is put before a mind or a person."""

    hit: RecalledTurn
    turns: tuple[RememberedTurn, ...]
    """In order; the hit is among them."""
    slice_id: str = ""
    """The slice that the hit lies in, where its dialog is over."""
    pinned: bool = False


@dataclass(frozen=True)
class FollowUp:
    """A question about a passage that was shown."""

    kind: Literal["place", "detail", "more", "other"]
    """When, where and by whom it was said; something in it; what else was said of it; another thing."""
    wanted: str = ""
    """That other thing."""
    message_id: str = ""
    """Of the message that the passage was shown for."""


@dataclass(frozen=True)
class RecallQuery:
    """What is looked for in what was said."""

    question: str
    conversation_id: str = ""
    """Where to keep to; empty: everywhere."""
    turn: TurnRef | None = None
    """In which it is asked: only what was said before counts, and whoever asks the same in it shares it."""
    unasked: bool = False
    """Nobody asked to look it up: only a plain statement that fits for sure comes back."""
    follow_up: FollowUp | None = None
    """Where the question is about what was shown last."""
    limit: int = 25
    now: datetime | None = None
    """The moment that `last Tuesday` counts from; now, where none is given."""


@dataclass(frozen=True)
class Recall:
    """What a question brought back, best first."""

    question: str
    confidence: float
    """0 to 1: that something of it was said at all."""
    turns: tuple[RecalledTurn, ...] = ()
    passages: tuple[RecalledPassage, ...] = ()
    """Of the best of `turns`; empty below the threshold."""
    looked_for: bool = True
    """Whether the question names anything to look for: `what did you say?` does not."""
    by_meaning: bool = False
    """Whether vectors were compared; by words and dates alone otherwise."""


#: Why a stretch of dialog is over: it was long, nobody spoke for a time, or the person wanted it so. Empty:
#: it was brought in as it is.
RollReason = Literal["", "length", "idle", "asked"]


@dataclass(frozen=True)
class MemoryUnit:
    """A stretch of dialog that is over: `[first, past)` of its conversation's positions."""

    id: str
    conversation_id: str
    first: int
    past: int
    at: datetime
    origin: str = ""
    """Where it was brought in from; empty for what was said here."""
    summary: str = ""
    """What stands for it in a prompt; empty: it was not made yet, or no longer holds."""
    messages: int = 0
    """How many it holds, where they were counted."""
    reason: RollReason = ""
    rolled_at: datetime | None = None
    """When it was rolled up; `None` for what was brought in."""

    @property
    def ends_session(self) -> bool:
        """Whether what was said after it begins anew, with nothing of it but the summary."""
        return self.reason in ("idle", "asked")


@dataclass(frozen=True)
class UnrolledDialog:
    """What of a conversation is in no unit yet: `[first, past)`, and its turns in order.

    It ends before a message that is still being written.
    """

    first: int
    past: int
    turns: tuple[RememberedTurn, ...]


@dataclass(frozen=True)
class UnitSummaries:
    """What is kept beside the words of a unit."""

    unit: str
    slices: tuple[str, ...]
    """One each, in order."""
    compressed: Mapping[int, str] = field(default_factory=dict)
    """Position → a long message, shortened at the ends of sentences."""


@dataclass(frozen=True)
class MemorySlice:
    """A part of a unit, `[first, past)`, with what it is worth by itself."""

    id: str
    unit_id: str
    conversation_id: str
    first: int
    past: int
    at: datetime
    summary: str = ""
    activation: float = 0.55
    diffusion: float = 0.35
    independence: float = 0.5
    """From the context it was said in."""
    pinned: bool = False
    topics: tuple[str, ...] = ()
    """Paths, `A->B->C`."""
    title: str = ""
    """Of the conversation."""
    opening: str = ""
    """The beginning of its first turn, on one line."""
    messages: int = 0


@dataclass(frozen=True)
class OpenedSlice:
    """A slice with its messages, exactly as they were said."""

    slice: MemorySlice
    turns: tuple[RememberedTurn, ...]


@dataclass(frozen=True)
class ChatImport:
    """How far an import of chats is, or was when Partner closed."""

    id: str
    path: str
    state: Literal["running", "stopped", "done", "failed"]
    seen: int = 0
    """Chats of the file that were looked at: where a restart goes on."""
    chats: int = 0
    """Of them: those that were brought in."""
    turns: int = 0
    known: int = 0
    """Chats that were there already."""
    left_out: int = 0
    """Lines and chats that could not be read."""
    share: float = 0.0
    """0 to 1 of the file."""
    problem: str = ""
    """The first thing that was left out and why, or why it ended."""
    forgotten: int = 0
    """Chats that were left out because they hold what the person had forgotten."""
    with_forgotten: bool = False
    """Whether these come in, too."""


@dataclass(frozen=True)
class MemoryStatus:
    """What can be recalled now."""

    turns: int
    """That can be found by words."""
    by_meaning: int
    """Of them: that can be found by meaning too."""
    unread: int = 0
    """Messages that are kept and not looked at yet."""
    slices: int = 0
    pinned: int = 0
    meaning: Literal["", "off", "missing", "unread"] = ""
    """Why meaning is not compared, or not with every turn; empty: it is."""
    note: str = ""
    """The same in a sentence, or why nothing can be read; empty: all is well."""
