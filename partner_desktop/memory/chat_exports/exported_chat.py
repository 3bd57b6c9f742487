"""A chat as an export holds it, and how one is put together from values that may be anything.

The files that an export consists of are read where they lie and never unpacked; blocking. What may be read
is bounded before it is read: a zip by its table of contents, its members by size and ratio, links by the
folder. Archives in archives are not opened.
"""

from __future__ import annotations

import codecs
import io
import math
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.patterns import late
from partner_desktop.base.text import cut, shown
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import LONGEST_TEXT, Role
from partner_desktop.runtime.dialog import storable

ChatOrigin: TypeAlias = Literal["chatgpt", "claude", "jan", "jsonl"]
#: How exports name who speaks. Whoever else speaks (the system, a tool) is no part of what was said.
SPEAKING_ROLES = {"user": Role.USER, "human": Role.USER, "assistant": Role.PARTNER, "partner": Role.PARTNER}
_LONGEST_NAME = 200
_MOST_PROBLEMS = 50
#: Below it, a time is in seconds (up to the year 5138); from it on, in milliseconds (from 1973).
_SECONDS_END = 1e11


@dataclass(frozen=True)
class ExportedTurn:
    """What somebody said."""

    role: Role
    """USER or PARTNER."""
    speaker: str
    """A name where the export has one; empty: the person, or the assistant."""
    text: str
    """Never empty, fit to be stored, and no longer than a message may be."""
    at: datetime | None
    """Aware; `None` where the export has no time, or none that can be read."""


@dataclass(frozen=True)
class ExportedChat:
    """A conversation of an export, or a part of a long one: parts come in order and have one `key`."""

    title: str
    turns: tuple[ExportedTurn, ...]
    origin: ChatOrigin
    key: str
    """Its id in the export, where it has one; the same whenever the export is read."""
    problems: tuple[str, ...]
    """A sentence for each thing of this chat that was left out."""


class ChatDraft:
    """A chat while its turns are read; notes what cannot be taken."""

    def __init__(self, origin: ChatOrigin, key: str, title: Json) -> None:
        self._origin = origin
        self._key = key
        self._title = name_in_one_line(title)
        self._turns: list[ExportedTurn] = []
        self._texts: dict[str, int] = {}
        self._problems: list[str] = []
        self._untold = 0

    def note(self, problem: str) -> None:
        """Note a problem; past the first fifty they are only counted."""
        if len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(problem)
        else:
            self._untold += 1

    def add(
        self, where: str, role: Role, text: str, at: Json, *, speaker: str = "", message_id: Json = None
    ) -> None:
        """Add a turn; one without words is none. `where` begins the sentence of a problem: `Line 3`."""
        text = text.replace("\x00", "").strip()
        if not text:
            return
        text = storable(text)
        if isinstance(message_id, str | int):
            name, said = str(message_id), hash(text)
            if self._texts.get(name) == said:
                self.note(f"{where} repeats an earlier one; it was left out.")
                return
            self._texts[name] = said
        if len(text) > LONGEST_TEXT:
            self.note(f"{where} is longer than {LONGEST_TEXT:,} characters; the rest of it was left out.")
            text = text[:LONGEST_TEXT].rstrip()
        moment = moment_of(at)
        if moment is None and at not in (None, "", 0):
            told = (
                cut(name_in_one_line(str(at)), 40)
                if isinstance(at, str | int | float)
                else "no text or number"
            )
            self.note(f"{where} has a time that cannot be read ({told}); it is kept without one.")
        self._turns.append(ExportedTurn(role, speaker, text, moment))

    def chat(self) -> ExportedChat:
        """What was put together."""
        more = [f"Further problems, not listed: {self._untold:,}."] if self._untold else []
        problems = (*self._problems, *more)
        return ExportedChat(self._title, tuple(self._turns), self._origin, self._key, problems)


def name_in_one_line(value: Json) -> str:
    """A name or title as it can be stored; empty where it is none."""
    if not isinstance(value, str):
        return ""
    return cut(" ".join(storable(value[:10_000].replace("\x00", "")).split()), _LONGEST_NAME)


def joined_texts(texts: Iterable[Json]) -> str:
    """The pieces of one message that are text, a paragraph each."""
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def moment_of(value: Json) -> datetime | None:
    """The moment of ISO 8601 (without a zone: the local one), or of seconds or milliseconds since 1970."""
    try:
        if isinstance(value, str):
            value = value.strip()
            if len(value) <= 8 or not value.replace(".", "", 1).isdecimal():
                return _within_calendar(datetime.fromisoformat(value).astimezone(UTC))
        elif isinstance(value, bool) or not isinstance(value, int | float):
            return None
        seconds = float(value)
        if not math.isfinite(seconds) or not seconds:
            return None
        if abs(seconds) >= _SECONDS_END:
            seconds /= 1000
        return _within_calendar(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return None


def _within_calendar(moment: datetime) -> datetime | None:
    """In local time, a moment at the ends of the calendar would fall off them."""
    return moment if 1900 <= moment.year < 9999 else None


_PIECE_BYTES = 64 * 1024
_MOST_FILES = 100_000
_MOST_BYTES = 8 * 2**30
#: `zipfile` reads the table of a zip in one piece, and makes an object of each of its entries.
_LARGEST_TABLE = 8 * 2**20
#: Chats pack to a tenth or a thirtieth; what packs better is made to fill something.
_HIGHEST_RATIO, _SMALLEST_BOMB = 250, 10 * 2**20
_LIST = late(r"(?:.*/)?conversations(?:-(\d{1,9}))?\.json")
_THREAD = late(r"(?:.*/)?threads/([^/]+)/(thread\.json|messages\.jsonl)")
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, RuntimeError)


class _Source(Protocol):
    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


class ExportFiles:
    """What is read of an export; `problems` tells what is not."""

    def __init__(self, encoding: str | None) -> None:
        self.alone = False
        """Whether it is one file, and that whatever its name is."""
        self.problems: list[str] = []
        self.total_bytes = 0
        self.read_bytes = 0
        self._encoding = encoding
        self._sources: dict[str, Callable[[], _Source]] = {}

    def put(self, name: str, size_bytes: int, source: Callable[[], _Source]) -> None:
        """Add a file."""
        self._sources[name] = source
        self.total_bytes += size_bytes

    def open(self, name: str) -> io.BufferedReader:
        """Open one; its bytes are UTF-8, whatever they are in the file.

        Raises:
            OSError: It cannot be read; reading on raises it too.
        """
        try:
            source = self._sources[name]()
        except _DAMAGED as error:
            raise OSError(f"the zip file is damaged: {error}") from error
        return io.BufferedReader(_Utf8(source, self, self._encoding), _PIECE_BYTES)

    def lists(self) -> list[str]:
        """What may be a list of conversations, in the order of their numbers."""
        if self.alone:
            return list(self._sources)
        found = {name: match for name in self._sources if (match := _LIST.fullmatch(name))}
        return sorted(found, key=lambda name: (int(found[name][1] or -1), name))

    def threads(self) -> dict[str, dict[str, str]]:
        """Jan's threads in order: the names of their files by `thread.json` and `messages.jsonl`."""
        found: dict[str, dict[str, str]] = {}
        for name in sorted(self._sources):
            if match := _THREAD.fullmatch(name):
                found.setdefault(match[1], {})[match[2]] = name
        return found


@contextmanager
def open_export(path: Path, encoding: str | None) -> Iterator[ExportFiles]:
    """The files of the export at `path`, for as long as the context lasts.

    Raises:
        UsageError: It cannot be an export; the sentence says why.
    """
    name, files = display_path(path), ExportFiles(encoding)
    if "\0" in str(path):
        raise UsageError("memory.no_file_name", name=name)
    try:
        if path.is_dir():
            _put_folder(path, files)
            yield files
            return
        with _open_regular(path) as raw:
            head = raw.read(4)
            if head[:2] == b"\x1f\x8b":
                raise UsageError("memory.gzip", name=name)
            if head not in (b"PK\x03\x04", b"PK\x05\x06"):
                files.alone = True
                files.put(path.name, os.fstat(raw.fileno()).st_size, partial(_open_regular, path))
                yield files
                return
            with _open_archive(name, raw) as archive:
                _put_members(name, archive, files)
                yield files
    except OSError as error:
        raise UsageError("common.unreadable", path=name, reason=system_reason(error)) from error


class _ShortReads(io.FileIO):
    """A file of which nobody takes much at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _LARGEST_TABLE:
            raise UsageError("memory.lists_too_many", path=display_path(Path(self.name)))
        return super().read(size)


def _open_regular(path: Path, flags: int = 0) -> _ShortReads:
    # Without O_NONBLOCK, a pipe would be waited for without an end.
    raw = _ShortReads(path, opener=lambda name, mode: os.open(name, mode | flags | os.O_NONBLOCK))
    if not stat.S_ISREG(os.fstat(raw.fileno()).st_mode):
        raw.close()
        raise UsageError("memory.no_file", path=display_path(path))
    return raw


def _open_archive(name: str, raw: _ShortReads) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(raw)
    except _DAMAGED as error:
        raise UsageError("memory.damaged_zip", name=name, error=error) from error


def _open_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Source:
    return archive.open(member)


def _put_members(name: str, archive: zipfile.ZipFile, files: ExportFiles) -> None:
    for member in archive.infolist():
        if not (_LIST.fullmatch(member.filename) or _THREAD.fullmatch(member.filename)):
            continue
        size, inside = member.file_size, f"{shown(member.filename)} in {name}"
        if size > _SMALLEST_BOMB and size > member.compress_size * _HIGHEST_RATIO:
            raise UsageError("memory.nearly_nothing", inside=inside, size=size)
        if member.flag_bits & 1:
            raise UsageError("memory.encrypted", inside=inside)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UsageError("memory.packed_unusually", inside=inside)
        files.put(member.filename, size, partial(_open_member, archive, member))
    if files.total_bytes > _MOST_BYTES:
        raise UsageError("memory.unpacks_too_large", name=name, most=_MOST_BYTES // 2**30)


def _put_folder(path: Path, files: ExportFiles) -> None:
    root = path.resolve()
    threads = path / "threads" if (path / "threads").is_dir() else path
    folders = sorted(islice(threads.iterdir(), _MOST_FILES + 1))
    if len(folders) > _MOST_FILES:
        raise UsageError("memory.too_many_files", path=display_path(threads), most=_MOST_FILES)
    for folder in folders:
        for plain in ("thread.json", "messages.jsonl"):
            # `Path.resolve` raises where links go round in a circle.
            name, real = f"threads/{folder.name}/{plain}", Path(os.path.realpath(folder / plain))
            try:
                facts = real.stat()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                files.problems.append(f"{shown(name)} cannot be read ({error.strerror}); it was left out.")
                continue
            if not real.is_relative_to(root):
                files.problems.append(f"{shown(name)} lies outside of the folder; it was left out.")
            elif stat.S_ISREG(facts.st_mode):
                files.put(name, facts.st_size, partial(_open_regular, real, os.O_NOFOLLOW))


class _Utf8(io.RawIOBase):
    """The bytes of a file as UTF-8, whatever its byte order mark or `encoding` says that they are.

    Of what is not in a named encoding, a sign is left for each place; in UTF-8 that nobody named, the bytes.
    """

    def __init__(self, source: _Source, files: ExportFiles, encoding: str | None) -> None:
        self._source = source
        self._files = files
        self._decoder: codecs.IncrementalDecoder | None = None
        head = self._piece()
        if encoding is None and head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            encoding = "utf-16"
        if encoding is not None:
            self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._left = self._decoded(head).removeprefix(codecs.BOM_UTF8)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # what BufferedReader passes
        while not self._left:
            piece = self._piece()
            self._left = self._decoded(piece)
            if not piece and not self._left:
                return 0
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size

    def close(self) -> None:
        self._source.close()
        super().close()

    def _piece(self) -> bytes:
        try:
            piece = self._source.read(_PIECE_BYTES)
        except _DAMAGED as error:
            raise OSError(f"the zip file is damaged: {error}") from error
        self._files.read_bytes += len(piece)
        return piece

    def _decoded(self, piece: bytes) -> bytes:
        if self._decoder is None:
            return piece
        try:
            return self._decoder.decode(piece, final=not piece).encode("utf-8", "replace")
        except ValueError as error:  # some encodings know no replacement
            raise OSError(f"it is in another encoding: {error}") from error
