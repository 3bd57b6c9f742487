"""What lies at the places that a run may change, before it runs: a list of all, and copies within a limit.

Blocking, for use off the loop. Small files are copied first, so that most of them are covered; copies share
their blocks with the originals where the disk can do that. Links are noted, never followed. Everything is on
the disk when `take` returns: after a power cut the copies are there, whatever the run had begun.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection
from pathlib import Path

from partner_desktop.action.undo.changes import COPIES, Before, WatchedPlaces, write_before
from partner_desktop.base import private
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.files.file_copy import bring_to_disk, copy_content
from partner_desktop.files.tree import Kind, TreeEntry, alike, look, scan

TOO_LARGE = "too much to be copied before"
UNREADABLE = "it could not be read before"
_READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_BUSY = "it was written to while it was copied"


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
                self._before.missing[path] = TOO_LARGE
            elif self._copy(path, entry):
                left -= entry.size_bytes
        return room - left

    def _copy(self, path: str, entry: TreeEntry) -> bool:
        name = f"{len(self._by_inode):06d}"
        copy = self._folder / COPIES / name
        try:
            source = os.open(path, _READING)
        except OSError:
            self._before.missing[path] = UNREADABLE
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
            self._before.missing[path] = _BUSY
            return False
        self._before.copies[path] = self._by_inode[entry.inode] = name
        return True
