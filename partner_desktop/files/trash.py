"""The desktop's trash: the one door to send2trash, and the way back. Blocking, for use off the loop.

The way back is known where the trash is a freedesktop one: it notes where each thing came from. Elsewhere the
person takes it out by hand.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.private import building_beside
from partner_desktop.files.atomic import place_beside, sync_tree, take_place

#: Of a note in the trash; one that is longer is not a note.
_NOTE_BYTES = 64 * 1024


@dataclass(frozen=True)
class Trashed:
    """Something that lies in the trash."""

    origin: Path
    """Where it lay."""
    at: Path
    """Where it lies now."""
    note: Path
    """The trash's own note of where it came from."""


def move_to_trash(path: Path) -> Trashed | None:
    """Put a file or folder where the desktop's own trash shows it, with the place it came from.

    Returns:
        Where it lies there; `None` where that cannot be known.

    Raises:
        OSError: It is not there, or nothing here has a trash for it; it is where it was.
    """
    from send2trash import send2trash  # noqa: PLC0415 - rarely needed, and it looks for the desktop's libraries

    origin = path.absolute()
    places = list(_trashes(origin))  # where it lies is told by the file system that it is on
    send2trash(path)
    return _find(origin, places)


def take_back(trashed: Trashed, target: Path) -> None:
    """Move something out of the trash to where nothing lies.

    Raises:
        FileNotFoundError: It is in the trash no more.
        FileExistsError: Something lies at `target`; it is in the trash still.
        OSError: It could not be moved; it is in the trash still.
    """
    if not os.path.lexists(trashed.at) or _noted(trashed.note) != trashed.origin:
        raise FileNotFoundError(f"{trashed.origin.name} is in the trash no more")
    if trashed.at.lstat().st_dev == target.parent.stat().st_dev:
        take_place(trashed.at, target)
    else:
        _carry(trashed.at, target)
    trashed.note.unlink(missing_ok=True)


def _carry(source: Path, target: Path) -> None:
    """From one file system to another: it is there whole before it goes here."""
    place = building_beside(place_beside(target.parent) / target.name)
    place.mkdir()
    try:
        copy = place / target.name
        if source.is_dir():
            shutil.copytree(source, copy, symlinks=True)
        else:
            shutil.copy2(source, copy, follow_symlinks=False)
        sync_tree(place)
        take_place(copy, target)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    if source.is_dir():
        shutil.rmtree(source)
    else:
        source.unlink()


def _trashes(path: Path) -> Iterator[Path]:
    """The folders that a trash for `path` can be, by the freedesktop.org specification."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111 - unknown users
    yield Path(data) / "Trash"
    try:
        from send2trash import plat_other  # noqa: PLC0415 - it settles where the home trash is when first used
    except ImportError:
        return
    yield Path(plat_other.HOMETRASH)
    top = path.parent.resolve()
    while not top.is_mount():
        top = top.parent
    yield top / ".Trash" / str(os.getuid())
    yield top / f".Trash-{os.getuid()}"


def _find(origin: Path, places: list[Path]) -> Trashed | None:
    """What came from there last."""
    found: list[tuple[float, Trashed]] = []
    for place in places:
        for note in _notes(place, origin):
            at = place / "files" / note.name.removesuffix(".trashinfo")
            if _noted(note) == origin and os.path.lexists(at):
                found.append((note.stat().st_mtime, Trashed(origin, at, note)))
    return max(found, key=lambda one: one[0])[1] if found else None


def _notes(place: Path, origin: Path) -> list[Path]:
    """Notes of things that are called like it; the trash adds to a name that it has already."""
    beginning = origin.name.partition(".")[0]
    try:
        return [
            path
            for path in (place / "info").iterdir()
            if path.name.startswith(beginning) and path.name.endswith(".trashinfo")
        ]
    except OSError:
        return []


def _noted(note: Path) -> Path | None:
    """Where the thing came from, as its note says."""
    try:
        if note.stat().st_size > _NOTE_BYTES:
            return None
        lines = note.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    told = next((line.removeprefix("Path=") for line in lines if line.startswith("Path=")), "")
    if not told:
        return None
    path = Path(unquote(told, errors="surrogateescape"))
    return path if path.is_absolute() else _top_of(note) / path


def _top_of(note: Path) -> Path:
    """What a note's path is relative to: the folder that the trash lies in."""
    trash = note.parent.parent
    return trash.parent.parent if trash.parent.name == ".Trash" else trash.parent


def find_in_trash(path: Path, *, dev: int, ino: int) -> Path | None:
    """Where something that lay at `path` is in the trash; `None`: it is not there, or was copied there."""
    for folder in _places(path):
        with suppress(OSError), os.scandir(folder) as items:
            for item in items:
                if item.inode() == ino and os.lstat(item.path).st_dev == dev:
                    return Path(item.path)
    return None


def _places(path: Path) -> Iterator[Path]:
    """The folders of trashes that could hold it: the person's own, and the one of its disk."""
    with suppress(ImportError, AttributeError):
        from send2trash import plat_other  # noqa: PLC0415 - not on every system

        yield Path(plat_other.HOMETRASH) / "files"
    yield Path(os.path.expanduser("~/.Trash"))  # noqa: PTH111 - Path.home() raises where no home is known
    disk = next((folder for folder in path.parents if folder.is_mount()), None)
    if disk is not None:
        yield disk / ".Trash" / str(os.getuid()) / "files"
        yield disk / f".Trash-{os.getuid()}" / "files"


def forget_in_trash(item: Path) -> None:
    """Something was taken out of the trash: its note goes too, where the desktop keeps such."""
    if item.parent.name == "files":
        (item.parent.parent / "info" / f"{item.name}.trashinfo").unlink(missing_ok=True)
