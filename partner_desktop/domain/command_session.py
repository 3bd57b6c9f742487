"""A command in the background: `command::start` begins it, and it goes on while the talk does."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

Stream = Literal["stdout", "stderr"]


class SessionState(StrEnum):
    """running → ended | failed | cancelled | lost."""

    RUNNING = "running"
    ENDED = "ended"
    """With exit code 0."""
    FAILED = "failed"
    CANCELLED = "cancelled"
    LOST = "lost"
    """Partner ended while it ran, and it was ended with it."""


@dataclass(frozen=True)
class CommandSession:
    """What is known of it; the output is read apart, by offset."""

    id: str
    """The `executionId`."""
    description: str
    argv: tuple[str, ...]
    cwd: str
    conversation_id: str
    action_id: str
    """The action that began it."""
    state: SessionState
    started_at: datetime
    ended_at: datetime | None = None
    exit_code: int | None = None
    stdout_bytes: int = 0
    stderr_bytes: int = 0
    error: str = ""
    """One sentence, when it did not end well."""


@dataclass(frozen=True)
class SessionOutput:
    """A piece of one stream."""

    text: str
    """UTF-8, without control characters."""
    next_offset: int
    """In bytes of the stream as it came; where the next piece begins."""
    eof: bool
    """The command has ended, and nothing more is to come."""
    lost_bytes: int = 0
    """What stood at the offset and is kept no more; the text begins after it."""
