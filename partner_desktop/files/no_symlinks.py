"""Changes at exact places: no part of a path is a link that is followed. Blocking, for use off the loop.

Each step is taken from a handle of its folder, which was reached part by part: what somebody puts in the way
meanwhile makes a step fail, it never leads elsewhere.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass

_BY_PATH = getattr(os, "O_PATH", os.O_RDONLY) | os.O_NOFOLLOW | os.O_CLOEXEC
_ON_THE_WAY = _BY_PATH | os.O_DIRECTORY

#: What a file or folder is, whatever it is called: device and inode.
Identity = tuple[int, int]


@dataclass(frozen=True)
class OpenPlace:
    """A file or folder that was reached part by part, and is held open: `handle` is the caller's to close."""

    path: str
    handle: int
    way: tuple[Identity, ...]
    """Of every folder from the root on, itself last."""
    is_folder: bool

    @property
    def identity(self) -> Identity:
        return self.way[-1]


def open_place(path: str, *, below: int | None = None) -> OpenPlace:
    """Hold a place without reading it. `below`: a handle of the folder that stands for the root.

    Raises:
        OSError: It is not there, or it is a link or lies behind one (`..` counts as one).
    """
    parts = Path(path).parts
    if ".." in parts:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    handle = os.open("/", _ON_THE_WAY) if below is None else os.dup(below)
    try:
        found = os.fstat(handle)
        way = [(found.st_dev, found.st_ino)]
        for number, part in enumerate(parts[1:], 2):
            within = os.open(part, _BY_PATH if number == len(parts) else _ON_THE_WAY, dir_fd=handle)
            os.close(handle)
            handle = within
            found = os.fstat(handle)
            way.append((found.st_dev, found.st_ino))
        if stat.S_ISLNK(found.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    except BaseException:
        os.close(handle)
        raise
    return OpenPlace(path, handle, tuple(way), stat.S_ISDIR(found.st_mode))


def identity_of(path: str) -> Identity | None:
    """Of a place that is no link and lies behind none; `None` of any other, and of what is not there."""
    try:
        place = open_place(path)
    except (OSError, ValueError):
        return None
    os.close(place.handle)
    return place.identity


@contextmanager
def folder_of(path: str) -> Iterator[tuple[int, str]]:
    """A handle of the folder that holds a path, and its name in there.

    Raises:
        OSError: It cannot be reached, or a part of the way is a link.
    """
    parts = Path(path).parts
    handle = os.open(parts[0], _ON_THE_WAY)
    try:
        for part in parts[1:-1]:
            within = os.open(part, _ON_THE_WAY, dir_fd=handle)
            os.close(handle)
            handle = within
        yield handle, parts[-1]
    finally:
        os.close(handle)


def rename(source: str, target: str) -> None:
    """Give something another name on the same disk; a file that has it is replaced.

    Raises:
        OSError: It cannot be done; both are as they were.
    """
    with folder_of(source) as (old, name):
        if os.path.dirname(source) == os.path.dirname(target):  # noqa: PTH120 - thousands
            os.rename(name, os.path.basename(target), src_dir_fd=old, dst_dir_fd=old)  # noqa: PTH119
            return
        with folder_of(target) as (new, new_name):
            os.rename(name, new_name, src_dir_fd=old, dst_dir_fd=new)


def make_folder_in(path: str) -> None:
    with folder_of(path) as (folder, name):
        os.mkdir(name, 0o700, dir_fd=folder)


def make_link(path: str, target: str) -> None:
    with folder_of(path) as (folder, name):
        os.symlink(target, name, dir_fd=folder)


def link(source: str, path: str) -> None:
    """Give a file one more name."""
    with folder_of(source) as (old, name), folder_of(path) as (new, new_name):
        os.link(name, new_name, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False)


def remove_file(path: str) -> None:
    """Remove a file, a link or a special file, for good."""
    with folder_of(path) as (folder, name):
        os.unlink(name, dir_fd=folder)


def remove_empty(path: str) -> None:
    """Remove a folder that holds nothing."""
    with folder_of(path) as (folder, name):
        os.rmdir(name, dir_fd=folder)


def open_file(path: str, flags: int) -> int:
    """A handle of a file; a new one is closed to others."""
    flags |= os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with folder_of(path) as (folder, name):
        return os.open(name, flags, 0o600, dir_fd=folder)


def set_folder(path: str, *, mode: int, mtime_ns: int | None = None) -> None:
    """Give a folder its rights, and its time of change."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    with folder_of(path) as (folder, name):
        handle = os.open(name, flags, dir_fd=folder)
    try:
        os.fchmod(handle, mode)
        if mtime_ns is not None:
            os.utime(handle, ns=(mtime_ns, mtime_ns))
    finally:
        os.close(handle)
