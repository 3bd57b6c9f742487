"""What a backup leaves when its process is killed: a copy of the database, and half a file.

A home and the folder of a backup can hold what is the person's, so only what is surely a backup's is removed.

A database that cannot be read is kept, replaced by the newest backup, and explained.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from partner_desktop.base.errors import CorruptError
from partner_desktop.base.messages import LazySentence
from partner_desktop.base.paths import display_path
from partner_desktop.base.private import building_beside
from partner_desktop.base.processes import process_runs

SCRATCH_PREFIX: Final = ".backup-"

#: As `mkdtemp` names it.
_SCRATCH = re.compile(r"\.backup-[a-z0-9_]{8}")
_HELD = frozenset({"partner.db", "partner.db-journal", "partner.db-wal", "partner.db-shm"})
_PART_BEGINS = (b"", b"PK")


def part_of(target: Path) -> Path:
    """Where the file is written before it gets its name."""
    return building_beside(target, mark=f"{os.getpid()}-", ending=".part")


def remove_scratch(root: Path) -> None:
    """Remove what backups of this home left. The caller holds the home's lock, and none is being written."""
    for folder in root.glob(f"{SCRATCH_PREFIX}*"):
        with suppress(OSError):
            if _SCRATCH.fullmatch(folder.name) and _is_own(folder) and folder.is_dir():
                _remove_folder(folder)


def remove_parts(target: Path) -> None:
    """Remove the halves that killed processes left of a backup with this name."""
    shape = re.compile(re.escape(f".{target.name}.") + r"(\d{1,9})(?:-[0-9a-f]{8})?\.part")
    with suppress(OSError):
        for path in target.parent.iterdir():
            found = shape.fullmatch(path.name)
            if found and not process_runs(int(found[1])) and _is_own(path) and _is_half(path):
                path.unlink(missing_ok=True)


def _remove_folder(folder: Path) -> None:
    held = list(folder.iterdir())
    if {path.name for path in held} <= _HELD:
        for path in held:
            path.unlink()
        folder.rmdir()


def _is_own(path: Path) -> bool:
    return not path.is_symlink() and path.stat().st_uid == os.getuid()


def _is_half(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(2) in _PART_BEGINS


#: Above this size the full check at opening would be felt; SQLite still checks each page it reads.
_CHECK_LIMIT_BYTES = 64 * 1024 * 1024


def check(connection: sqlite3.Connection) -> None:
    """Read enough of the file to know that it is a sound database.

    Raises:
        CorruptError: It is not.
    """
    try:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        size_bytes = pages * connection.execute("PRAGMA page_size").fetchone()[0]
        if size_bytes > _CHECK_LIMIT_BYTES:
            return
        verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise CorruptError("common.told", text=error) from error
    if verdict != "ok":
        raise CorruptError("common.told", text=str(verdict).splitlines()[0])


def set_database_aside(path: Path, *, now: datetime) -> Path:
    """Rename the unreadable file and its WAL files, so that nothing of it is lost."""
    stamp = now.strftime("%Y%m%d-%H%M%S")
    kept = path.with_name(f"{path.name}.corrupt-{stamp}")
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(kept.with_name(kept.name + suffix))
    return kept


def restore_newest(path: Path, backups: Path) -> Path | None:
    """Copy the newest sound backup into place; `None` when there is none."""
    for backup in sorted(backups.glob("partner-*.db"), key=lambda item: item.stat().st_mtime, reverse=True):
        try:
            connection = sqlite3.connect(backup.absolute().as_uri() + "?mode=ro", uri=True)
            try:
                check(connection)
            finally:
                connection.close()
        except (CorruptError, sqlite3.Error):
            continue
        shutil.copy2(backup, path)
        return backup
    return None


def report(error: CorruptError, *, kept: Path, restored: Path | None) -> LazySentence:
    """The sentence for the person."""
    rest = LazySentence("storage.began_empty")
    if restored is not None:
        rest = LazySentence("storage.went_back", restored=display_path(restored))
    return LazySentence("storage.set_aside", error=error, kept=display_path(kept), rest=rest)
