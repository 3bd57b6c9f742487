"""Copies of single files: blocks are shared where the disk can (a reflink), else byte by byte. Blocking."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import stat
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from partner_desktop.files import no_symlinks

#: `FICLONE` of linux/fs.h: the target shares the source's blocks until one of them is written to.
_FICLONE = 0x40049409
_CHUNK_BYTES = 1024 * 1024


def copy_content(source: int, target: int, check: Callable[[], None]) -> None:
    """Fill an empty file with another one's content; both are open handles, at their beginning.

    Raises:
        OSError: It cannot be read or written.
    """
    if not _cloned(source, target):
        while piece := os.read(source, _CHUNK_BYTES):
            check()
            _write_all(target, piece)
    _copy_marks(source, target)


def copy_members(source: Path, members: Iterable[Path], target: Path) -> None:
    """Make `target` of a file, or a folder of the regular files `members` that lie in the folder `source`.

    Each is reached part by part from where `source` lies: a link on the way is refused, and never followed.

    Raises:
        OSError: One cannot be read or written, or is no regular file; what was made by then stays.
    """
    place = source.parent.resolve() / source.name
    if source.is_dir():
        target.mkdir()
    for member in members:
        relative = member.relative_to(source)
        copy = target / relative
        copy.parent.mkdir(parents=True, exist_ok=True)
        _copy_regular(str(place / relative), str(copy))


def _copy_regular(origin: str, copy: str) -> None:
    reader = no_symlinks.open_file(origin, os.O_RDONLY)
    try:
        info = os.fstat(reader)
        if not stat.S_ISREG(info.st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", origin)
        writer = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            copy_content(reader, writer, lambda: None)
            os.fchmod(writer, info.st_mode & 0o777)
            os.utime(writer, ns=(info.st_atime_ns, info.st_mtime_ns))
        finally:
            os.close(writer)
    finally:
        os.close(reader)


def _cloned(source: int, target: int) -> bool:
    if sys.platform != "linux":
        return False
    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError:  # two disks, or a disk that knows no reflinks
        return False
    return True


def _write_all(target: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(target, left) :]


def _copy_marks(source: int, target: int) -> None:
    """The attributes that people and programs of theirs gave it (tags, where it was downloaded from)."""
    if not hasattr(os, "listxattr"):
        return
    with suppress(OSError):
        for name in os.listxattr(source):
            if name.startswith("user."):
                os.setxattr(target, name, os.getxattr(source, name))


def same_content(one: Path, other: Path, check: Callable[[], None]) -> bool:
    """Whether two regular files hold the same bytes; one that cannot be read is not the same."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(one, flags), "rb") as first, os.fdopen(os.open(other, flags), "rb") as second:
            while True:
                check()
                piece = first.read(_CHUNK_BYTES)
                if piece != second.read(_CHUNK_BYTES):
                    return False
                if not piece:
                    return True
    except OSError:
        return False


def bring_to_disk(folder: Path) -> None:
    """Have everything that was written to the disk of this folder really on it; once for thousands of files.

    Raises:
        OSError: The disk refuses.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if sys.platform == "linux":
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.syncfs(handle) != 0:
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number), str(folder))
        else:
            os.sync()
    finally:
        os.close(handle)
