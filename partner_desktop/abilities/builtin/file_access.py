"""The ground that the file builtins stand on: what is at a path, opened without waiting, and why it is not.

Everything here blocks: for use in a thread. Paths were resolved and approved before; what leads elsewhere by
now is refused, so that a link put there meanwhile gives nothing away.
"""

from __future__ import annotations

import asyncio
import errno
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from pathlib import Path
from threading import Event
from typing import BinaryIO, TypeVar

from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import cut, shown

_KINDS = (
    (stat.S_ISDIR, "folder"),
    (stat.S_ISFIFO, "pipe"),
    (stat.S_ISSOCK, "socket"),
    (stat.S_ISCHR, "device"),
    (stat.S_ISBLK, "device"),
    (stat.S_ISLNK, "link"),
)
_REASONS = {
    errno.ENOENT: "gone",
    errno.ENOTDIR: "no_folder",
    errno.EACCES: "rights",
    errno.EPERM: "rights",
    errno.EROFS: "read_only",
    errno.ENOSPC: "full",
    errno.EDQUOT: "quota",
    errno.EFBIG: "too_big",
    errno.ENAMETOOLONG: "long_name",
    errno.ELOOP: "link",
    errno.EEXIST: "taken",
    errno.ENXIO: "unreadable",
    errno.EIO: "disk",
}
#: A folder on the way to a file: where the system knows it, without the right to list it.
_ON_THE_WAY = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK_BYTES = 1024 * 1024


class StoppedError(Exception):
    """Nobody waits for the work any more. No OSError: `shutil` would take that for one file's trouble."""


class StopEvent(Event):
    """Set when nobody waits for the work any more; long work looks at it and ends."""

    def check(self) -> None:
        """Raises: StoppedError: Nobody waits."""
        if self.is_set():
            raise StoppedError


@contextmanager
def file_error(path: Path, doing: str) -> Iterator[None]:
    """Say what the system refused in one sentence: `~/a.txt could not be read: …`. `doing` is one of the
    messages `could_not`.
    """
    try:
        yield
    except OSError as error:
        known = _REASONS.get(error.errno or 0)
        reason = sentence_of(f"reason.{known}") if known else error.strerror or sentence_of("reason.unknown")
        raise AskHumanError(f"could_not.{doing}", path=display_path(path), reason=reason) from error


def as_approved(path: Path) -> None:
    """Raises: AskHumanError: The path leads elsewhere by now."""
    with file_error(path, "reached"):
        if not path.is_absolute() or path.resolve() != path:
            raise AskHumanError("files.leads_elsewhere", path=display_path(path))


def file_kind(mode: int) -> str:
    """`a file`, `a folder`, `a pipe`, …"""
    return sentence_of(f"kind.{next((kind for fits, kind in _KINDS if fits(mode)), 'file')}")


def open_regular(path: Path, doing: str = "read") -> BinaryIO:
    """A regular file, open for reading. A pipe or a device is refused before a byte of it is waited for.

    Raises:
        AskHumanError: It cannot be opened, or is no file.
    """
    as_approved(path)
    with file_error(path, doing):
        handle = open_exactly(path, os.O_RDONLY)
    try:
        require_file(path, os.fstat(handle).st_mode)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def open_exactly(path: Path, flags: int) -> int:
    """Open what lies at a resolved path, step by step: a part of it that has become a link is not followed.

    Raises:
        OSError: It cannot be opened, or leads elsewhere.
    """
    folder = os.open(path.anchor, _ON_THE_WAY)
    try:
        for part in path.parts[1:-1]:
            within = os.open(part, _ON_THE_WAY, dir_fd=folder)
            os.close(folder)
            folder = within
        return os.open(path.name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    finally:
        os.close(folder)


def require_file(path: Path, mode: int) -> None:
    """Raises: AskHumanError: It is no regular file."""
    if not stat.S_ISREG(mode):
        raise AskHumanError("files.not_a_file", path=display_path(path), kind=file_kind(mode))


def require_folder(path: Path) -> None:
    """Raises: AskHumanError: It is no folder."""
    as_approved(path)
    with file_error(path, "looked_at"):
        mode = path.lstat().st_mode
    if not stat.S_ISDIR(mode):
        raise AskHumanError("files.not_a_folder", path=display_path(path), kind=file_kind(mode))


def new_place(path: Path) -> None:
    """Whether something can be made there under that name.

    Raises:
        AskHumanError: The name does not do, or the folder is not there.
    """
    as_approved(path)
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Co") for sign in path.name):
        raise AskHumanError("files.odd_signs", name=cut(shown(path.name), 60))
    if len(os.fsencode(path.name)) > os.pathconf(path.parent, "PC_NAME_MAX") - _BUILDING:
        raise AskHumanError("files.long_name", name=path.name[:60])


#: What `files/atomic.py` adds to a name while the file is written: `.`, `.`, eight signs and `.tmp`.
_BUILDING = 16


def in_pieces(source: BinaryIO, stop: StopEvent) -> Iterator[bytes]:
    """A file's bytes, piece by piece, until somebody stops it."""
    while piece := source.read(_CHUNK_BYTES):
        stop.check()
        yield piece


T = TypeVar("T")


async def off_loop(work: Callable[[StopEvent], T]) -> T:
    """Run `work` in a thread. A cancellation tells it to stop, and is raised when it has: what was half made
    is cleaned up by then.

    Raises:
        Whatever `work` raises.
    """
    stop = StopEvent()
    task = asyncio.get_running_loop().run_in_executor(None, copy_context().run, work, stop)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait([task], timeout=_CLEAN_UP_S)
        if task.done() and not task.cancelled():
            task.exception()  # it was told to stop: how it did is nobody's business
        raise


#: Seconds that stopped work is given to clean up after itself.
_CLEAN_UP_S = 4.0
