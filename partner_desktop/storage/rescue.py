"""What happens to a database that cannot be read: kept, replaced by the newest backup, explained."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import datetime
from pathlib import Path

from partner_desktop.base.errors import CorruptError
from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import LazySentence

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
