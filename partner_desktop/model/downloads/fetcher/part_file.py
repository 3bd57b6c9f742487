"""A file on its way: written by one thread, hashed by another from what stands in it, and told of.

Contract: bytes are appended only, so whatever an end leaves is the beginning of the file. The hash is
reckoned from the file itself: after a restart it begins anew while the network goes on where it was.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self

from partner_desktop.model.downloads.fetch_messages import HubTroubleError

#: Left free for everything else that this machine does.
RESERVE_BYTES = 256 * 1024 * 1024
_HASH_BYTES = 1024 * 1024
#: So much is written between two looks at the free space.
_LOOK_BYTES = 64 * 1024 * 1024
#: What was written meanwhile goes to the disk, so that little is left for the end.
_SYNC_S = 5.0
_MAGIC = b"GGUF"


class PartFile:
    """Closed when it is left; the file stays."""

    def __init__(self, path: Path, *, size_bytes: int, source: str) -> None:
        """`source`: which bytes these are; what was begun of others begins anew."""
        self._path, self._size = path, size_bytes
        self._note = _note_of(path)
        self._source = source
        self.etag = ""
        """Of the server that gave what is there."""
        kept = self._kept()
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
        self._file = os.open(path, flags if kept else flags | os.O_TRUNC, 0o600)
        self.done = os.fstat(self._file).st_size
        if self.done > size_bytes:
            self.restart()
        self._looked = self.done
        self._news = threading.Condition()
        self._told = self.done
        """Up to where those who wait have been told."""
        self._over = threading.Event()
        self._hasher = _Hasher(self._file, self)
        self._syncer = threading.Thread(target=self._keep_syncing, name="sync", daemon=True)
        self._syncer.start()

    def _kept(self) -> bool:
        try:
            said = json.loads(self._note.read_text(encoding="utf-8"))
            kept = isinstance(said, dict) and said.get("source") == self._source
            self.etag = str(said.get("etag", "")) if kept else ""
        except (OSError, ValueError):
            return False
        return kept

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.finish()
        self._hasher.give_up()
        self._syncer.join()
        os.close(self._file)

    def comes_from(self, etag: str) -> None:
        """What is written next belongs to this; noted down before, so that a restart knows."""
        self.etag = etag
        building = self._note.with_name(self._note.name + ".new")
        building.write_text(json.dumps({"source": self._source, "etag": etag}), encoding="utf-8")
        building.replace(self._note)

    def restart(self) -> None:
        """Begin anew."""
        os.ftruncate(self._file, 0)
        self.done = self._looked = self._told = 0
        hasher = getattr(self, "_hasher", None)
        if hasher is not None:
            hasher.give_up()
            self._hasher = _Hasher(self._file, self)

    def write(self, chunk: bytes | memoryview) -> None:
        """Append.

        Raises:
            HubTroubleError: More comes than there is to come, it is no model, or the disk is full.
        """
        if self.done + len(chunk) > self._size:
            raise HubTroubleError(
                "wrong_size", file=self._path.stem, wanted=self._size, found=self.done + len(chunk)
            )
        if self.done < len(_MAGIC):
            self._check_magic(chunk)
        if self.done - self._looked >= _LOOK_BYTES:
            self._looked = self.done
            require_room(self._path.parent, self._size - self.done)
        rest = memoryview(chunk)
        try:
            while rest:
                written = os.pwrite(self._file, rest, self.done)
                rest = rest[written:]
                self._reached(self.done + written)
        except OSError as error:
            raise disk_trouble(error, self._path.parent, self._size - self.done) from error

    def _check_magic(self, chunk: bytes | memoryview) -> None:
        """A page to log in to a network, or what else is no model, is told at once."""
        begin = (os.pread(self._file, self.done, 0) + bytes(chunk[:4]))[: len(_MAGIC)]
        if not _MAGIC.startswith(begin):
            raise HubTroubleError("not_gguf", file=self._path.stem)

    def _reached(self, done: int) -> None:
        """Those who wait are woken where there is something to do: each waking stops the writing."""
        self.done = done
        if done - self._told >= _HASH_BYTES:
            with self._news:
                self._told = done
                self._news.notify_all()

    def finish(self) -> None:
        """Nothing more will come."""
        with self._news:
            self._over.set()
            self._news.notify_all()

    def wait_for(self, place: int, *, given_up: Callable[[], bool]) -> int:
        """How much stands there, once it is enough to go on at `place`, or all, or nobody wants it."""
        with self._news:
            while self.done - place < _HASH_BYTES and not self._over.is_set() and not given_up():
                self._news.wait()
            return self.done

    def _keep_syncing(self) -> None:
        while not self._over.wait(_SYNC_S):
            with suppress(OSError):  # the app's, once all is here, tells
                os.fdatasync(self._file)

    def nudge(self) -> None:
        """Let the hasher look."""
        with self._news:
            self._news.notify_all()

    def digest(self) -> str:
        """SHA-256 of the whole file, in hex, once it is reckoned.

        Raises:
            HubTroubleError: It cannot be read.
        """
        self.finish()
        return self._hasher.result()


class _Hasher:
    """Follows what is written, on a thread of its own; `hashlib` lets others work meanwhile."""

    def __init__(self, file: int, part: PartFile) -> None:
        self._file, self._part = file, part
        self._hash = hashlib.sha256()
        self._given_up = False
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._run, name="hash", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        buffer = memoryview(bytearray(_HASH_BYTES))
        place = 0
        while not self._given_up:
            end = self._part.wait_for(place, given_up=lambda: self._given_up)
            if place >= end:
                return
            while place < end and not self._given_up:
                try:
                    got = os.preadv(self._file, [buffer[: min(_HASH_BYTES, end - place)]], place)
                except OSError as error:
                    self._failure = error
                    return
                if not got:
                    return
                self._hash.update(buffer[:got])
                place += got

    def give_up(self) -> None:
        self._given_up = True
        self._part.nudge()
        self._thread.join()

    def result(self) -> str:
        self._thread.join()
        if self._failure is not None:
            raise HubTroubleError("disk", reason=self._failure.strerror or str(self._failure))
        return self._hash.hexdigest()


def _note_of(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def forget(part: Path, names: Iterable[str]) -> None:
    """Take a part away, note and all, and first whatever of these names is the same file.

    A crash in between leaves the part, so that the next start comes here again.
    """
    for name in map(Path, names):
        with suppress(OSError):
            if name.samefile(part):
                name.unlink()
    for path in (part, _note_of(part)):
        with suppress(OSError):
            path.unlink()


def require_room(folder: Path, needed_bytes: int) -> None:
    """See that so much, and something beside it, is free.

    Raises:
        HubTroubleError: It is not.
    """
    try:
        found = os.statvfs(folder)
    except OSError as error:
        raise disk_trouble(error, folder, needed_bytes) from error
    free = found.f_bavail * found.f_frsize
    if free < needed_bytes + RESERVE_BYTES:
        raise HubTroubleError("disk_full", needed=needed_bytes + RESERVE_BYTES, free=free)


def disk_trouble(error: OSError, folder: Path, needed_bytes: int) -> HubTroubleError:
    """What the disk said, as ours."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        free = 0
        with suppress(OSError):
            found = os.statvfs(folder)
            free = found.f_bavail * found.f_frsize
        return HubTroubleError("disk_full", needed=needed_bytes, free=free)
    return HubTroubleError("disk", reason=error.strerror or str(error))
