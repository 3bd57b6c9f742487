"""Files that appear whole or not at all; blocking, for use off the loop."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

_MAX_NAMES = 1_000


def copy_into(source: Path, folder: Path) -> Path:
    """Copy a file or a folder into `folder` under its own name, or a new one if that is taken.

    Raises:
        OSError: It cannot be read or written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = free_name(folder, source.name)
    building = folder / f".{target.name}.{os.getpid()}.tmp"
    try:
        if source.is_dir():
            shutil.copytree(source, building)
        else:
            shutil.copy2(source, building)
        building.rename(target)
    finally:
        if building.is_dir():
            shutil.rmtree(building, ignore_errors=True)
        else:
            building.unlink(missing_ok=True)
    return target


def free_name(folder: Path, name: str) -> Path:
    """`name` in `folder`, or `name(1)`, `name(2)`, … before the ending if it is taken."""
    plain = Path(name)
    candidate = folder / name
    for number in range(1, _MAX_NAMES):
        if not os.path.lexists(candidate):
            return candidate
        candidate = folder / f"{plain.stem}({number}){plain.suffix}"
    raise FileExistsError(f"too many files called {name}")


def write_parts(path: Path, parts: Iterable[str]) -> None:
    """Write a text file as UTF-8, piece by piece; what was there is replaced when all of it is written.

    Raises:
        OSError: It cannot be written; what was there is still there.
    """
    target = path.resolve()
    building = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with building.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        building.replace(target)
    finally:
        building.unlink(missing_ok=True)
