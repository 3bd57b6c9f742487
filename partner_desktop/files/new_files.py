"""The files that lie in a folder itself, whole or still coming. Blocking: for use off the loop.

Left out are folders, links and what is hidden, and the names under which programs keep what is not whole yet;
with such a name beside it, the name without its ending is not whole either: browsers make it empty at first.
"""

from __future__ import annotations

import os
import stat
from fnmatch import fnmatchcase

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.files.tree import TooManyError

#: So many fitting names are told apart in one folder.
MOST_NAMES = 10_000
#: Entries of a folder that are looked at, whatever they are called.
_MOST_ENTRIES = 200_000
#: How the names end of what a program is still writing.
_COMING = (".part", ".partial", ".crdownload", ".tmp", ".temp", ".download", ".opdownload", ".filepart")


@dataclass(frozen=True)
class LandedFile:
    """What tells whether a file is still being written."""

    size_bytes: int
    changed_ns: int
    inode: int


def fitting_files(folder: str, pattern: str) -> dict[bytes, LandedFile]:
    """The fitting files by their names, as the disk has them.

    Raises:
        OSError: The folder is not there, or cannot be read.
        TooManyError: More than `MOST_NAMES` fit.
    """
    found: dict[bytes, LandedFile] = {}
    coming: set[str] = set()
    wanted = pattern.casefold()
    with os.scandir(folder) as entries:
        for number, entry in enumerate(entries):
            if number >= _MOST_ENTRIES or len(found) > MOST_NAMES:
                raise TooManyError
            name = entry.name.casefold()
            if name.endswith(_COMING):
                coming.add(name.rpartition(".")[0])
            elif not _is_left_out(name) and fnmatchcase(name, wanted):
                file = _look(entry)
                if file is not None:
                    found[os.fsencode(entry.name)] = file
    if len(found) > MOST_NAMES:
        raise TooManyError
    return {name: file for name, file in found.items() if os.fsdecode(name).casefold() not in coming}


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name.endswith("~")


def _look(entry: os.DirEntry[str]) -> LandedFile | None:
    try:
        info = entry.stat(follow_symlinks=False)
    except OSError:
        return None  # it went as it was looked at
    if not stat.S_ISREG(info.st_mode):
        return None
    return LandedFile(info.st_size, info.st_mtime_ns, info.st_ino)


def landed_path(folder: str, name: bytes) -> str:
    """The file itself, whatever links lead to its folder; empty where its name is no text."""
    path = os.path.join(os.path.realpath(folder), os.fsdecode(name))  # noqa: PTH118 - not all names are text
    try:
        path.encode()
    except UnicodeEncodeError:
        return ""
    return path


def is_regular(path: str) -> bool:
    """Whether a file is there itself, and no link."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False
