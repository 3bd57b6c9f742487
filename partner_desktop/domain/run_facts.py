"""Run facts: how much a run could change, what it touches and what holds it, before it begins."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass


class Risk(StrEnum):
    """How much a run could change, least first."""

    READ = "read"
    WRITE = "write"
    SYSTEM = "system"
    """It runs with the user's own rights: nothing holds it."""


#: Of a command line: a shell reads it; an interpreter is given code; it is done as administrator.
Hazard = Literal["", "shell", "code", "admin"]


PathKind: TypeAlias = Literal["file", "folder", ""]


@dataclass(frozen=True)
class PathUse:
    """One path that a run may touch: the argument and the resolved target, as shown on the card."""

    param: str
    path: str
    access: str
    """`read` or `write`."""
    seen: tuple[int, ...] = field(default=(), compare=False)
    """Device and inode of the folder that held it when it was shown, and, if it was a folder, its own. A file
    may be replaced by one of the same name, as editors do; a folder may not. Empty: it was not looked at."""
    known_as: str = ""
    """Its name in the home, where a place that Partner is careful with is linked to it."""
    kind: PathKind = field(default="", compare=False)
    """What its parameter says that it is."""
    is_taken: bool = field(default=False, compare=False)
    """Something lies there already, where something new is to be made or brought."""

    def is_still(self, now: PathUse) -> bool:
        """Whether what is there now is what was shown here, and not another folder of that name."""
        return self == now and now.seen[: len(self.seen)] == self.seen


@dataclass(frozen=True)
class Isolation:
    """What holds a run: the words for the card, and whether it is a real sandbox."""

    sandboxed: bool
    net: bool
    summary: str
    interpreter: str = ""
    server: str = ""
    """The external MCP server that does the work, outside Partner; empty: it runs here."""
    reason: str = ""
    """Why no sandbox holds it, in one sentence, where that can be said."""
    sockets: bool = False
    """It may speak to other programs of this machine by local sockets."""
    foreign: str = ""
    """What a launcher opens of the disk that is neither the system's nor Partner's own: a line each."""
    remote: bool = False
    """That server is reached by an address; a local one runs with the person's own rights."""
    hazard: Hazard = ""
    """What makes a command line worth a closer look than most."""
