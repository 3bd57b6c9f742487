"""What a run may change and did: what lay there before it, listed and copied, and how it is kept.

A snapshot is blocking, for use off the loop. Small files are copied first, so that most of them are covered;
copies share their blocks with the originals where the disk can do that. Links are noted, never followed.
Everything is on the disk when `take` returns: after a power cut the copies are there, whatever the run had
begun.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, field, fields, replace
from pathlib import Path
from typing import Any

from partner_desktop.base import private
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.files.atomic import write_whole
from partner_desktop.files.file_copy import bring_to_disk, copy_content
from partner_desktop.files.tree import Kind, TreeEntry, alike, look, scan

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


_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class SnapshotLimits:
    """What one snapshot may take."""

    copies_bytes: int
    entries: int


def take(
    folder: Path,
    watch: WatchedPlaces,
    limits: SnapshotLimits,
    *,
    closed: Collection[str],
    check: Callable[[], None],
) -> int:
    """Note and copy everything at the roots into a new folder; how many bytes the copies hold.

    Raises:
        TooManyError: There are more entries than the limit.
        OSError: It cannot be written.
    """
    private.make_folder(folder / COPIES)
    tree = scan(watch.roots, closed=closed, most=limits.entries, check=check)
    before = Before(watch, tree.entries, unread=tree.unread)
    kept_bytes = _Copier(folder, before, check).work(limits.copies_bytes) if watch.contents else 0
    write_before(folder, before)
    bring_to_disk(folder)
    return kept_bytes


class _Copier:
    def __init__(self, folder: Path, before: Before, check: Callable[[], None]) -> None:
        self._folder = folder
        self._before = before
        self._check = check
        self._by_inode: dict[tuple[int, int], str] = {}

    def work(self, copies_bytes: int) -> int:
        # The person's disk is not filled up for a copy that may never be needed.
        room = min(copies_bytes, shutil.disk_usage(self._folder).free // 2)
        left = room
        files = [(path, entry) for path, entry in self._before.entries.items() if entry.kind is Kind.FILE]
        for path, entry in sorted(files, key=lambda item: item[1].size_bytes):
            self._check()
            known = self._by_inode.get(entry.inode)
            if known is not None:
                self._before.copies[path] = known
            elif entry.size_bytes > left:
                self._before.missing[path] = sentence_of("undo.too_large")
            elif self._copy(path, entry):
                left -= entry.size_bytes
        return room - left

    def _copy(self, path: str, entry: TreeEntry) -> bool:
        name = f"{len(self._by_inode):06d}"
        copy = self._folder / COPIES / name
        try:
            source = os.open(path, _READING)
        except OSError:
            self._before.missing[path] = sentence_of("undo.unreadable")
            return False
        try:
            target = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            try:
                copy_content(source, target, self._check)
            finally:
                os.close(target)
        finally:
            os.close(source)
        if not alike(look(path), entry) or copy.stat().st_size != entry.size_bytes:
            copy.unlink()
            self._before.missing[path] = sentence_of("undo.written_to")
            return False
        self._before.copies[path] = self._by_inode[entry.inode] = name
        return True
