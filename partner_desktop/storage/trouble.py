"""Why SQLite refused, as a sentence for the person: by its error code and by a look at the disk."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from partner_desktop.base.errors import DiskFullError, StorageError
from partner_desktop.base.paths import display_path

#: Less room than this, and an error in writing is the full disk's (its files grow by whole pages).
_NO_ROOM_BYTES = 64 * 1024

_CAUSES = {
    sqlite3.SQLITE_BUSY: "another program holds the database; close it",
    sqlite3.SQLITE_LOCKED: "another program holds the database; close it",
    sqlite3.SQLITE_READONLY: "its file or folder is not writable; check the rights",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened; check the folder and its rights",
    sqlite3.SQLITE_IOERR: "the disk reported an error; check the disk",
    sqlite3.SQLITE_CORRUPT: "its file is damaged; Partner goes back to a backup at the next start",
    sqlite3.SQLITE_NOTADB: "its file is damaged; Partner goes back to a backup at the next start",
}


def refused(error: Exception, path: Path, *, lead: str) -> StorageError:
    """The error to raise from `error`; `lead` says what did not happen."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _no_room(path)):
        return DiskFullError(
            f"{lead} the disk is full. Free some space where {display_path(path.parent)} lies and try again."
        )
    if code in _CAUSES:
        return StorageError(f"{lead} {_CAUSES[code]} ({error}).")
    return StorageError(f"{lead} the database refused ({error}).")


def _no_room(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _NO_ROOM_BYTES
    except OSError:
        return False
