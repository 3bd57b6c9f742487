"""The files of one folder, each read once a version. Blocking; used from one thread at a time.

A file is known by its signature (inode, size, times), so that what did not change is not read again. A
broken version keeps what its last good one said, with the fault, until the file is deleted.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from partner_desktop.base import log
from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.ability import AbilityFault
from partner_desktop.runner.ability_content import is_noise

_log = log.area("folders")

MAX_BYTES = 1_000_000

T = TypeVar("T")


@dataclass(frozen=True)
class SignedFile(Generic[T]):
    """One file as it was last seen."""

    path: Path
    signature: tuple[int, ...]
    good: T | None
    """What its last good version says."""
    fault: AbilityFault | None = None


class SignedFiles(Generic[T]):
    """`wanted` chooses by name; `read` turns a file's bytes into what they say.

    `read` is given what the last good version said, and raises DescriptorError for what it cannot use.
    """

    def __init__(
        self, folder: Path, *, wanted: Callable[[str], bool], read: Callable[[Path, bytes, T | None], T]
    ) -> None:
        self._folder = folder
        self._wanted = wanted
        self._read = read
        self._known: dict[Path, SignedFile[T]] = {}

    def look(self) -> tuple[list[SignedFile[T]], AbilityFault | None]:
        """Every file, by name, and what is wrong with the folder itself."""
        try:
            paths = sorted(
                path for path in self._folder.iterdir() if self._wanted(path.name) and not is_noise(path.name)
            )
        except FileNotFoundError:
            paths = []
        except OSError as error:
            if isinstance(error, NotADirectoryError) and not self._folder.parent.is_dir():
                return [], None  # the fault is that of the folder above, and is told there
            # It may be readable again in a moment: nothing that runs is ended for that.
            fault = AbilityFault(f"the folder cannot be read ({error.strerror})", self._folder)
            return list(self._known.values()), fault
        seen = (self._file(path) for path in paths)
        self._known = {file.path: file for file in seen if file is not None}
        return list(self._known.values()), None

    def _file(self, path: Path) -> SignedFile[T] | None:
        known = self._known.get(path)
        before = known.good if known is not None else None
        signature: tuple[int, ...] = ()
        try:
            info = path.lstat()
            if stat.S_ISDIR(info.st_mode):
                return None
            signature = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)
            if known is not None and known.signature == signature:
                return known
            return SignedFile(path, signature, self._read(path, _content(path), before))
        except FileNotFoundError:
            return None  # gone between listing and reading: the next event tells
        except DescriptorError as error:
            fault = AbilityFault(str(error), path, error.line)
        except OSError as error:
            fault = AbilityFault(f"it cannot be read ({error.strerror})", path)
        except Exception:  # noqa: BLE001 - one odd file never hides the others
            _log.warning("a file could not be read", exc_info=True)
            fault = AbilityFault("it cannot be read (the log has the details)", path)
        return SignedFile(path, signature, before, fault)


def _content(path: Path) -> bytes:
    """The bytes of a regular file of a sane size, never of what a link leads to."""
    try:
        file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise DescriptorError("it is a link; put the file itself there") from error
        raise
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise DescriptorError("it is no regular file; put a file there")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise DescriptorError("it is larger than 1 MB; a list of servers, or a description, is shorter")
    return data


def as_text(data: bytes) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        DescriptorError: It is not UTF-8; `line` is set.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise DescriptorError("it is not valid UTF-8; save it as UTF-8", line=line) from error
