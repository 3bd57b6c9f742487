"""What was decided and run, as it is asked for and as it is told: rows without the person's text."""

from __future__ import annotations

from datetime import datetime

from partner_desktop.base.late_dataclass import dataclass

#: What a row can be about, first things first. A part that writes others adds them here.
KINDS = ("decision", "run", "resume", "result", "undo", "settings", "forget", "firing")
#: How it can have come out: of decisions, of runs, of results.
OUTCOMES = (
    "allow", "ask", "deny", "started",
    "succeeded", "failed", "cancelled", "interrupted", "rejected", "expired", "done", "half",
    "missed", "skipped",
)  # fmt: skip


@dataclass(frozen=True)
class AuditEntry:
    """One row; `at` is ISO 8601 in UTC."""

    at: str
    kind: str
    """`decision`, `run`, `resume`, `result`, or what another part wrote."""
    action_id: str
    action_key: str
    content_hash: str
    """Of script and descriptor."""
    params_hash: str
    """Of the arguments; they themselves are not here."""
    outcome: str
    scope: str
    by_whom: str
    reason: str
    position: int = 0
    """Its place in the log, from 1."""


@dataclass(frozen=True)
class AuditQuery:
    """Which rows; what is empty does not narrow."""

    action: str = ""
    """A part of the action's key, in any case; a space is as good as an underscore."""
    kind: str = ""
    outcome: str = ""
    since: datetime | None = None
    """From this moment on."""
    until: datetime | None = None
    """Before this moment."""


@dataclass(frozen=True)
class AuditWords:
    """The kinds and outcomes that one can look for, those that the log holds among them."""

    kinds: tuple[str, ...] = KINDS
    outcomes: tuple[str, ...] = OUTCOMES
