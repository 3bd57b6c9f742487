"""What lies in folders: one entry a path, links never followed; blocking, for use off the loop."""

from __future__ import annotations

import os
import stat
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import field
from enum import StrEnum
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass


class Kind(StrEnum):
    """What an entry is."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    SPECIAL = "special"
    """A pipe, a socket or a device."""


@dataclass(frozen=True)
class TreeEntry:
    """One file, folder or link, as `lstat` tells."""

    kind: Kind
    mode: int
    """The permission bits."""
    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    dev: int
    ino: int
    links: int
    target: str = ""
    """Where a link leads."""

    @property
    def inode(self) -> tuple[int, int]:
        return (self.dev, self.ino)


@dataclass
class Tree:
    """What was found, and which folders could not be read."""

    entries: dict[str, TreeEntry] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)


class TooManyError(Exception):
    """There is more than was asked for."""


def look(path: str | Path) -> TreeEntry | None:
    """What lies there; `None`: nothing, or nobody can tell.

    Raises:
        OSError: It cannot be looked at.
    """
    try:
        info = os.lstat(path)
        target = os.readlink(path) if stat.S_ISLNK(info.st_mode) else ""  # noqa: PTH115 - its own text
    except (FileNotFoundError, NotADirectoryError):
        return None
    return TreeEntry(
        _kind(info.st_mode),
        stat.S_IMODE(info.st_mode),
        info.st_size,
        info.st_mtime_ns,
        info.st_ctime_ns,
        info.st_dev,
        info.st_ino,
        info.st_nlink,
        target,
    )


def _kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return Kind.FILE
    if stat.S_ISDIR(mode):
        return Kind.FOLDER
    return Kind.LINK if stat.S_ISLNK(mode) else Kind.SPECIAL


def alike(one: TreeEntry | None, other: TreeEntry | None) -> bool:
    """Whether both are the same for a person: what it is, its rights, a file's size and time of change."""
    if one is None or other is None:
        return one is other
    if one.kind is not other.kind:
        return False
    if one.kind is Kind.LINK:
        return one.target == other.target
    if one.mode != other.mode:
        return False
    if one.kind is Kind.FILE:
        return (one.size_bytes, one.mtime_ns) == (other.size_bytes, other.mtime_ns)
    return one.kind is Kind.FOLDER or one.inode == other.inode


def scan(roots: Sequence[str], *, closed: Collection[str], most: int, check: Callable[[], None]) -> Tree:
    """Everything at and below the roots but for the closed folders; `check` ends it by raising.

    Raises:
        TooManyError: There are more than `most` entries.
    """
    tree = Tree()
    for root in roots:
        for path in _walk(root, closed, tree):
            check()
            try:
                entry = look(path)
            except OSError:
                tree.unread.append(path)
                continue
            if entry is not None:
                tree.entries[path] = entry
            if len(tree.entries) > most:
                raise TooManyError
    return tree


def _walk(root: str, closed: Collection[str], tree: Tree) -> Iterator[str]:
    left = [root]
    while left:
        path = left.pop()
        if path in closed:
            continue
        yield path
        entry = tree.entries.get(path)
        if entry is None or entry.kind is not Kind.FOLDER:
            continue
        try:
            left.extend(os.path.join(path, name) for name in os.listdir(path))  # noqa: PTH118, PTH208 - thousands
        except OSError:
            tree.unread.append(path)


def below(names: Sequence[str], folder: str) -> Iterator[str]:
    """The names below a folder, out of sorted ones."""
    prefix = folder.rstrip("/") + "/"
    for index in range(bisect_left(names, prefix), len(names)):
        if not names[index].startswith(prefix):
            return
        yield names[index]
