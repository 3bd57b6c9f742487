"""What Partner writes for itself is closed to others (files 0600, folders 0700), whatever the umask says.

A home can be a folder of the person's that others may read, so the home's own rights are not enough. What
Partner writes for the person (an export, an ability, what a script makes) keeps the person's usual rights.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

_FILE, _FOLDER = 0o600, 0o700
_OTHERS = 0o077


def opener(path: str, flags: int) -> int:
    """For `open(…, opener=opener)`: a file that this makes is closed to others from its first byte."""
    return os.open(path, flags | os.O_CLOEXEC, _FILE)


def building_beside(target: Path, *, mark: str = "", ending: str = ".tmp") -> Path:
    """Where to build what shall get the name of `target` in the end; to be opened with mode `x`.

    Nobody can guess it: in a folder of everybody's, a link under that name would be written through.

    Raises:
        IsADirectoryError: It has no name, as `/`.
    """
    if not target.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    return target.with_name(f".{target.name}.{mark}{os.urandom(4).hex()}{ending}")


def write_text(path: Path, text: str) -> None:
    """Write a file of Partner's own, as UTF-8; one that is there is closed to others first.

    Raises:
        OSError: It cannot be written.
    """
    close(path)
    with open(path, "w", encoding="utf-8", opener=opener) as file:
        file.write(text)


def claim(path: Path) -> None:
    """Have an empty file there before somebody else's code makes it with open rights; never raises.

    A file that is there is not opened: letting go of it would let go of SQLite's locks on it as well.
    """
    with suppress(OSError):  # whoever opens it next has the better sentence
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _FILE))
        except FileExistsError:
            close(path)


def close(path: Path) -> None:
    """Take the rights of others from a file that is ours, where there is one; never raises."""
    with suppress(OSError):
        info = path.stat()
        if info.st_mode & _OTHERS and info.st_uid == os.getuid():
            path.chmod(info.st_mode & 0o777 & ~_OTHERS)


def make_folder(path: Path) -> None:
    """Make a folder and those above it that are missing; what is there keeps its rights.

    Raises:
        OSError: It cannot be made.
    """
    try:
        path.mkdir(mode=_FOLDER)
    except FileNotFoundError:
        # `parents=True` would make those above with the umask's rights.
        make_folder(path.parent)
        path.mkdir(mode=_FOLDER, exist_ok=True)
    except FileExistsError:
        path.mkdir(exist_ok=True)  # says so, where a file is in the way
