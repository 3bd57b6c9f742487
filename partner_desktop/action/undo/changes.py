"""What a run changed, and what is known of the state before it; as it is kept beside the copies."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, field, fields, replace
from pathlib import Path
from typing import Any

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.files.atomic import write_whole
from partner_desktop.files.tree import Kind, TreeEntry

#: In the folder of a journal.
BEFORE, CHANGES, COPIES = "before.json", "changes.json", "copies"


@dataclass(frozen=True)
class WatchedPlaces:
    """The places that a run may change."""

    roots: tuple[str, ...]
    contents: bool = True
    """Whether files are copied; not for what only moves them."""
    moves: tuple[str, str] | None = None
    """It moves this to there, also from disk to disk."""
    trashes: bool = False
    """It puts the one root into the desktop's trash."""
    held: bool = True
    """Nothing but the roots can be changed by it."""


@dataclass
class Before:
    """Everything at the roots before the run."""

    watch: WatchedPlaces
    entries: dict[str, TreeEntry] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    """Path of a file → name of its copy; names of one file share a copy."""
    missing: dict[str, str] = field(default_factory=dict)
    """Path of a file that has no copy → why."""
    unread: list[str] = field(default_factory=list)
    """Folders that could not be read."""


@dataclass(frozen=True)
class PathChange:
    """One path that is different since the run."""

    path: str
    before: TreeEntry | None
    after: TreeEntry | None
    """At `path`; of what was moved, at `now_at`."""
    copy: str = ""
    now_at: str = ""
    """Where the file or the whole folder was moved to."""
    lost: str = ""
    """Why it cannot be brought back; empty: it can."""
    twins: tuple[str, ...] = ()
    """Other names that the file had at these places (hard links)."""


@dataclass
class Changes:
    """All of them, and what lies in folders that were moved as a whole."""

    changes: list[PathChange] = field(default_factory=list)
    inside: dict[str, TreeEntry] = field(default_factory=dict)
    note: str = ""

    @property
    def files(self) -> int:
        """How many files; a folder counts only where it is all there is."""
        found = sum((each.before or each.after or _NOTHING).kind is not Kind.FOLDER for each in self.changes)
        found += sum(entry.kind is not Kind.FOLDER for entry in self.inside.values())
        return found or len(self.changes)

    @property
    def possible(self) -> list[PathChange]:
        return [each for each in self.changes if not each.lost]


_FIELDS = tuple(each.name for each in fields(TreeEntry))
_NOTHING = TreeEntry(Kind.FOLDER, 0, 0, 0, 0, 0, 0, 0)


def write_before(folder: Path, before: Before) -> None:
    """Raises: OSError: It cannot be written."""
    rows = [[path, *_row(entry)] for path, entry in before.entries.items()]
    raw = {**asdict(replace(before, entries={})), "entries": rows}
    write_whole(folder / BEFORE, json.dumps(raw).encode(), private=True)


def read_before(folder: Path) -> Before | None:
    """`None`: it was never whole, so nothing ran."""
    try:
        raw: dict[str, Any] = json.loads((folder / BEFORE).read_bytes())  # Any: JSON of our own making
        watch = raw.pop("watch")
        moves = tuple(watch.pop("moves") or ())
        roots = tuple(watch.pop("roots"))
        known = WatchedPlaces(roots=roots, moves=moves if len(moves) == 2 else None, **watch)
        entries = {row[0]: _entry(row[1:]) for row in raw.pop("entries")}
        return Before(watch=known, entries=entries, **raw)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_changes(folder: Path, changes: Changes) -> None:
    """Raises: OSError: It cannot be written."""
    raw = {
        "changes": [
            {**vars(each), "before": _optional(each.before), "after": _optional(each.after)}
            for each in changes.changes
        ],
        "inside": [[path, *_row(entry)] for path, entry in changes.inside.items()],
        "note": changes.note,
    }
    write_whole(folder / CHANGES, json.dumps(raw).encode(), private=True)


def read_changes(folder: Path) -> Changes | None:
    """`None`: it is not there, or cannot be read."""
    try:
        raw: dict[str, Any] = json.loads((folder / CHANGES).read_bytes())  # Any: JSON of our own making
        return Changes([_change(each) for each in raw["changes"]], _entries(raw["inside"]), raw["note"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _change(raw: dict[str, Any]) -> PathChange:  # Any: JSON of our own making
    ends = {name: _entry(raw[name]) if raw[name] else None for name in ("before", "after")}
    return PathChange(**{**raw, **ends, "twins": tuple(raw["twins"])})


def _entries(rows: Iterable[list[Any]]) -> dict[str, TreeEntry]:  # Any: JSON of our own making
    return {row[0]: _entry(row[1:]) for row in rows}


def _row(entry: TreeEntry) -> list[object]:
    return [getattr(entry, name) for name in _FIELDS]


def _optional(entry: TreeEntry | None) -> list[object] | None:
    return _row(entry) if entry is not None else None


def _entry(row: list[Any]) -> TreeEntry:  # Any: JSON of our own making
    return TreeEntry(Kind(row[0]), *row[1:])
