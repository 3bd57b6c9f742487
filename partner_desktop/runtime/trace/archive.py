"""The files of a trace: `active.jsonl`, and numbered ones that are full, compressed as soon as possible.

Contract: everything here blocks; it is for the writer's own thread, and for commands. A crash between any two
steps leaves files that the next `compress` brings in order; no record is in two files of different numbers.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import shutil
from datetime import datetime, timedelta
from pathlib import Path

ACTIVE = "active.jsonl"
_PLAIN, _PACKED, _BUILDING = ".jsonl", ".jsonl.gz", ".tmp"
_DIGITS = 8
_PRIVATE = 0o600


def archives(folder: Path) -> list[Path]:
    """The full files, oldest first; of one number the compressed one, which is whole."""
    found: dict[int, Path] = {}
    for path in _files(folder):
        number = _number(path)
        if number is not None and (number not in found or path.name.endswith(_PACKED)):
            found[number] = path
    return [found[number] for number in sorted(found)]


def trace_files(folder: Path) -> list[Path]:
    """Every file that can be read, oldest first."""
    active = folder / ACTIVE
    return [*archives(folder), *([active] if active.is_file() else [])]


def set_file_aside(folder: Path) -> None:
    """Give the active file the next number.

    Raises:
        OSError: It cannot be renamed; it is as it was.
    """
    newest = max((_number(path) or 0 for path in archives(folder)), default=0)
    (folder / ACTIVE).rename(folder / f"{newest + 1:0{_DIGITS}d}{_PLAIN}")


def compress(folder: Path) -> None:
    """Compress what is full and not yet compressed, and clear away what a crash left half-way.

    Raises:
        OSError: There is no room, or no right; what could not be compressed is as it was.
    """
    for path in _files(folder):
        if path.name.endswith(_BUILDING):
            path.unlink(missing_ok=True)
    for path in _files(folder):
        if _number(path) is not None and path.name.endswith(_PLAIN):
            packed = path.with_name(path.name + ".gz")
            if not packed.exists():
                _pack(path, packed)
            path.unlink()


def _pack(path: Path, packed: Path) -> None:
    building = packed.with_name(packed.name + _BUILDING)
    try:
        handle = os.open(building, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        with path.open("rb") as source, os.fdopen(handle, "wb") as raw, gzip.open(raw, "wb", 6) as target:
            shutil.copyfileobj(source, target)
        modified = path.stat().st_mtime
        os.utime(building, (modified, modified))
        building.rename(packed)
    finally:
        building.unlink(missing_ok=True)


def prune(folder: Path, *, keep_bytes: int, keep_days: int, now: datetime) -> None:
    """Remove the full files that are too old, and then the oldest until the rest fits.

    Raises:
        OSError: One cannot be removed.
    """
    oldest_s = (now - timedelta(days=keep_days)).timestamp()
    held = 0
    for path in reversed(archives(folder)):
        info = path.stat()
        held += info.st_size
        if info.st_mtime < oldest_s or held > keep_bytes:
            path.unlink(missing_ok=True)


def _files(folder: Path) -> list[Path]:
    with contextlib.suppress(FileNotFoundError):
        return sorted(path for path in folder.iterdir() if not path.is_symlink())
    return []


def _number(path: Path) -> int | None:
    """The number of a full file; `None` for anything else."""
    stem, _, ending = path.name.partition(".")
    known = stem.isascii() and stem.isdigit() and f".{ending}" in (_PLAIN, _PACKED)
    return int(stem) if known else None
