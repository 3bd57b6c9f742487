"""The desktop's trash: the one door to send2trash. Blocking, for use off the loop."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def move_to_trash(path: Path) -> None:
    """Put a file or folder where the desktop's own trash shows it, with the place it came from.

    Raises:
        OSError: It is not there, or nothing here has a trash for it; it is where it was.
    """
    from send2trash import send2trash  # noqa: PLC0415 - rarely needed, and it looks for the desktop's libraries

    send2trash(path)


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
