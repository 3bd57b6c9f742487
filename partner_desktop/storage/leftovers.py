"""What a backup leaves when its process is killed: a copy of the database, and half a file.

A home and the folder of a backup can hold what is the person's, so only what is surely a backup's is removed.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from partner_desktop.base.private import building_beside

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
            if found and not _runs(int(found[1])) and _is_own(path) and _is_half(path):
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


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
