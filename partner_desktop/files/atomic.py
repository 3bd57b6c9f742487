"""Files that appear whole or not at all; blocking, for use off the loop."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from partner_desktop.base.private import building_beside, opener
from partner_desktop.files.file_copy import copy_members

_MAX_NAMES = 1_000


def copy_into(source: Path, folder: Path, members: Iterable[Path]) -> Path:
    """Copy a file, or of a folder the files `members`, into `folder` under its own name, or a new one if that
    is taken. No link in it is followed, whoever puts it there while it is copied.

    Raises:
        OSError: It cannot be read or written, or a link or a pipe is in the way; nothing was copied.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = free_name(folder, source.name)
    building = building_beside(place_beside(folder) / target.name)
    try:
        copy_members(source, members, building)
        take_place(building, target)
    finally:
        clear_building(building)
    return target


def clear_building(building: Path) -> None:
    """What was not given its name goes, be it a file or a folder."""
    if building.is_dir() and not building.is_symlink():
        shutil.rmtree(building, ignore_errors=True)
    else:
        building.unlink(missing_ok=True)


def place_beside(folder: Path) -> Path:
    """Where to build what shall appear in `folder` by one rename: beside it, else in it.

    Beside it nobody watches: a tree that grows within a watched folder confuses watchdog's list of watches.
    """
    beside = folder.parent
    near = beside.stat().st_dev == folder.stat().st_dev and os.access(beside, os.W_OK)
    return beside if near else folder


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
    with (
        _building(target) as building,
        building.open("x", encoding="utf-8", errors="replace", newline="\n") as file,
    ):
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())


def write_whole(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file so that it holds either its old bytes or all of the new ones, even after a power cut.

    One that was there keeps its rights; a new one has the usual ones, or is closed to others (`private`).

    Raises:
        OSError: It cannot be written; the old one is as it was.
    """
    with _building(path) as building:
        _write(building, data, private=private)
        if path.exists():
            shutil.copymode(path, building)


def _write(building: Path, data: bytes, *, private: bool) -> None:
    with open(building, "xb", opener=opener if private else None) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _building(target: Path) -> Iterator[Path]:
    """A file beside the target that takes its place in the end, or goes."""
    building = building_beside(target)
    try:
        yield building
        building.replace(target)
    finally:
        building.unlink(missing_ok=True)


def sync_tree(folder: Path) -> None:
    """Bring everything in a folder to the disk, the folder's own list last."""
    for place, _names, leaves in os.walk(folder, topdown=False):
        for path in (*(Path(place) / leaf for leaf in leaves), Path(place)):
            sync_path(path, os.O_NOFOLLOW | os.O_NONBLOCK)


def sync_path(path: Path, flags: int = 0) -> None:
    """Bring what a file holds to the disk, or a folder's own list: what was given a name there keeps it."""
    handle = os.open(path, os.O_RDONLY | flags)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_new(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file that is not there yet, whole or not at all; closed to others if `private`.

    Raises:
        FileExistsError: Something of that name is there; it is as it was.
        OSError: It cannot be written; nothing is there.
    """
    building = building_beside(path)
    try:
        _write(building, data, private=private)
        take_place(building, path)
    finally:
        building.unlink(missing_ok=True)


def take_place(building: Path, target: Path) -> None:
    """Give what was built its name, unless something has that name by now.

    A file gets it by a link, which never replaces anything; a folder, or a disk without links, by a rename
    after a look.

    Raises:
        FileExistsError: Something of that name is there.
        OSError: It cannot get it.
    """
    if not building.is_dir() or building.is_symlink():
        try:
            os.link(building, target, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:
            pass  # this disk knows no links
        else:
            _let_go(building, target)
            return
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    building.rename(target)


def _let_go(old: Path, new: Path) -> None:
    """Take the old name from a file that has two; where that fails, it keeps only the old one."""
    try:
        old.unlink()
    except OSError:
        new.unlink()
        raise
