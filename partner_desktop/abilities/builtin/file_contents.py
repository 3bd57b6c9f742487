"""Builtins that read files and that write them.

What only looks runs without a question, except where `permission/sensitive_paths.py` knows of secrets. What
writes asks each time: a file appears whole or not at all; what is added is there as a whole or not at all.
"""

from __future__ import annotations

import codecs
import mimetypes
import os
import stat
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from partner_desktop.abilities.builtin.file_access import (
    StopEvent,
    as_approved,
    file_error,
    file_kind,
    new_place,
    off_loop,
    open_exactly,
    open_regular,
    require_file,
)
from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, size_text
from partner_desktop.base.paths import display_path
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.files.atomic import write_new, write_whole

#: Bytes of a file that one call returns.
MOST_BYTES = 64 * 1024
#: Bytes of a file in which one call looks for something.
_MOST_SEARCHED = 1024 * 1024
#: Lines that are told of a file, and characters of one; a shorter text may be told whole.
_MOST_LINES, _LONGEST_LINE, _LONGEST_TOLD, _SHORT = 5, 400, 80, 300
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
#: More undecodable bytes than this part: it is no text.
_MOST_BROKEN = 0.1


@dataclass(frozen=True)
class _Piece:
    """A part of a file: `data` begins at `offset` of `size_bytes`."""

    data: bytes
    offset: int
    size_bytes: int

    @property
    def end(self) -> int:
        return self.offset + len(self.data)


class ReadingBuiltins:
    """`files::read`, `files::look_up` and `files::info`."""

    def definitions(self) -> Builtins:
        return {"files::read": _read, "files::look_up": _look_up, "files::info": _info}


async def _read(call: BuiltinCall) -> RunnerResponse:
    path, offset = call.path("file"), call.number("offset", 0)
    return await off_loop(lambda _: _told_of(path, _piece(path, offset)))


async def _look_up(call: BuiltinCall) -> RunnerResponse:
    path, about = call.path("file"), call.text("about")
    return await off_loop(lambda _: _said_of(path, _piece(path, 0, _MOST_SEARCHED), about))


def _piece(path: Path, offset: int, most: int = MOST_BYTES) -> _Piece:
    with open_regular(path) as file, file_error(path, "read"):
        size_bytes = os.fstat(file.fileno()).st_size
        file.seek(min(offset, size_bytes))
        return _Piece(file.read(most), min(offset, size_bytes), size_bytes)


def _told_of(path: Path, piece: _Piece) -> RunnerResponse:
    shown = display_path(path)
    text = _text_of(piece)
    if text is None:
        data: dict[str, Json] = {
            "summary": sentence_of(
                "files.no_text", path=shown, what=_guess(path), size=size_text(piece.size_bytes)
            ),
            "size_bytes": piece.size_bytes,
        }
        return RunnerResponse(ok=True, data=data)
    if not piece.data:
        return done(sentence_of("files.nothing_there", path=shown))
    if piece.offset == 0 and piece.end >= piece.size_bytes:
        return RunnerResponse(ok=True, stdout=text)
    data = {
        "summary": sentence_of(
            "files.piece",
            start=f"{piece.offset:,}",
            end=f"{piece.end:,}",
            path=shown,
            size=f"{piece.size_bytes:,}",
        ),
        "text": text,
    }
    if piece.end < piece.size_bytes:
        data["next_offset"] = piece.end
    return RunnerResponse(ok=True, stdout=text, data=data, truncated=True, stdout_path=path)


def _said_of(path: Path, piece: _Piece, about: str) -> RunnerResponse:
    """Only what of the text is about something; honest where nothing is."""
    from partner_desktop.language.file_questions import relevant_lines  # noqa: PLC0415 - not at the start

    text = _text_of(piece)
    if text is None or not piece.data:
        return _told_of(path, piece)
    shown = display_path(path)
    found = relevant_lines(text, about)
    told = [line[:_LONGEST_LINE] + "…" * (len(line) > _LONGEST_LINE) for line in found[:_MOST_LINES]]
    begun = piece.end < piece.size_bytes
    summary = sentence_of("files.says", path=shown)
    if not found and begun:
        size = size_text(piece.end)
        summary = sentence_of("files.begins_with_nothing", path=shown, about=about[:80], size=size)
    elif not found:
        summary = sentence_of("files.says_nothing", path=shown, about=about[:80])
        if len(text) <= _SHORT:
            summary += sentence_of("files.says_instead", text=" ".join(text.split()))
    if found and begun:
        summary += sentence_of("files.only_begun", size=size_text(piece.end))
    data: dict[str, Json] = {"summary": summary, **({"items": [*told]} if told else {})}
    if len(found) > len(told):
        data["left_out"] = len(found) - len(told)
    return RunnerResponse(ok=True, data=data)


def _text_of(piece: _Piece) -> str | None:
    """The bytes as text; `None` where they are none. A character cut in two at an edge is left out."""
    data = piece.data
    mark = next((name for mark, name in _MARKS if piece.offset == 0 and data.startswith(mark)), "")
    if not mark and b"\0" in data:
        return None
    text = data.decode(mark or "utf-8", "replace")
    broken = text.count("�")
    if broken > len(text) * _MOST_BROKEN:
        return None
    return text.strip("�") if broken else text


def _guess(path: Path) -> str:
    kind = mimetypes.guess_type(path.name)[0] or ""
    known = kind and not kind.startswith("text/")
    return sentence_of("files.of_type", type=kind) if known else sentence_of("files.binary")


async def _info(call: BuiltinCall) -> RunnerResponse:
    paths = [call.path(name) for name in ("path", "other") if call.text(name)]
    return await off_loop(lambda _: _facts(*paths) if len(paths) == 1 else _compared(paths))


def _compared(paths: Sequence[Path]) -> RunnerResponse:
    """Blocking part: which of two files is bigger, and which newer."""
    found: list[tuple[int, float, str]] = []
    for path in paths:
        as_approved(path)
        with file_error(path, "looked_at"):
            facts = path.stat()
        if not stat.S_ISREG(facts.st_mode):
            raise AskHumanError("files.not_a_file", path=display_path(path), kind=file_kind(facts.st_mode))
        found.append((facts.st_size, facts.st_mtime, display_path(path)))
    smaller, bigger = sorted(found)
    newer = max(found, key=lambda each: each[1])
    summary = sentence_of(
        "files.compared" if bigger[0] > smaller[0] else "files.as_big",
        bigger=bigger[2],
        size=size_text(bigger[0]),
        smaller=smaller[2],
        smaller_size=size_text(smaller[0]),
        by=size_text(bigger[0] - smaller[0]),
        newer=newer[2],
        day=f"{datetime.fromtimestamp(newer[1]).astimezone():%Y-%m-%d %H:%M}",
    )
    return done(summary)


def _facts(path: Path) -> RunnerResponse:
    as_approved(path)
    with file_error(path, "looked_at"):
        found = path.lstat()
    changed = datetime.fromtimestamp(found.st_mtime).astimezone()
    kind = file_kind(found.st_mode)
    regular = stat.S_ISREG(found.st_mode)
    data: dict[str, Json] = {
        "summary": sentence_of(
            "files.facts_of_file" if regular else "files.facts",
            path=display_path(path),
            kind=kind,
            size=size_text(found.st_size),
            day=f"{changed:%Y-%m-%d %H:%M}",
        ),
        **({"size_bytes": found.st_size} if regular else {}),  # of a folder, that is none of what is in it
        "type": mimetypes.guess_type(path.name)[0] or kind.removeprefix("a "),
        "changed": changed.isoformat(timespec="seconds"),
        "rights": stat.filemode(found.st_mode),
    }
    return RunnerResponse(ok=True, data=data)


#: Bytes that one call writes.
_MOST_BYTES = 16 * 1024 * 1024


class WritingBuiltins:
    """`files::write`, `files::append`, `files::remove_line` and `files::make_folder`."""

    def definitions(self) -> Builtins:
        return {
            "files::write": _write,
            "files::append": _append,
            "files::remove_line": _remove_line,
            "files::make_folder": _make_folder,
        }


def _bytes_of(text: str) -> bytes:
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise TellMindError("files.half_character") from error
    if len(data) > _MOST_BYTES:
        raise TellMindError("files.too_long", size=size_text(len(data)), most=size_text(_MOST_BYTES))
    return data


async def _write(call: BuiltinCall) -> RunnerResponse:
    path, data = call.path("file"), _bytes_of(call.text("text"))
    replaces = call.params.get("overwrite") is True

    def work(_: StopEvent) -> RunnerResponse:
        new_place(path)
        there = os.path.lexists(path)
        if there:
            _require_writable(path, replaces=replaces)
        with file_error(path, "written"):
            if there:
                write_whole(path, data)
            else:
                write_new(path, data)
        told = "files.wrote_over" if there else "files.wrote"
        return done(sentence_of(told, path=display_path(path), size=size_text(len(data))))

    return await off_loop(work)


def _require_writable(path: Path, *, replaces: bool) -> None:
    with file_error(path, "written"):
        require_file(path, path.lstat().st_mode)
        os.close(os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC))
    if not replaces:
        raise AskHumanError("files.kept", path=display_path(path))


async def _append(call: BuiltinCall) -> RunnerResponse:
    path, data = call.path("file"), _bytes_of(call.text("text"))

    def work(_: StopEvent) -> RunnerResponse:
        new_place(path)
        if os.path.lexists(path):
            _add(path, data)
        else:
            with file_error(path, "written"):
                write_new(path, _written_line(data))
        return done(sentence_of("files.added", size=size_text(len(data)), path=display_path(path)))

    return await off_loop(work)


def _add(path: Path, data: bytes) -> None:
    """On a line of its own; a disk that fills up meanwhile leaves the file as it was."""
    with file_error(path, "written"):
        require_file(path, path.lstat().st_mode)
        handle = open_exactly(path, os.O_RDWR)
        with os.fdopen(handle, "r+b", buffering=0) as file:
            require_file(path, os.fstat(handle).st_mode)
            size_bytes = file.seek(0, os.SEEK_END)
            begun = size_bytes > 0 and os.pread(handle, 1, size_bytes - 1) != b"\n"
            left = memoryview((b"\n" if begun else b"") + _written_line(data))
            try:
                while left:
                    left = left[os.write(handle, left) :]
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, size_bytes)
                raise


def _written_line(data: bytes) -> bytes:
    return data if data.endswith(b"\n") else data + b"\n"


async def _remove_line(call: BuiltinCall) -> RunnerResponse:
    path, wanted = call.path("file"), [line for line in call.text("lines").splitlines() if line.strip()]

    def work(_: StopEvent) -> RunnerResponse:
        new_place(path)
        lines = _lines_of(path)
        gone = {_line_meant(path, lines, each) for each in wanted}
        with file_error(path, "written"):
            write_whole(path, "".join(line for at, line in enumerate(lines) if at not in gone).encode())
        told = sentence_of("files.or_line").join(lines[at].strip() for at in sorted(gone))
        return done(sentence_of("files.line_removed", path=display_path(path), lines=told))

    return await off_loop(work)


def _lines_of(path: Path) -> list[str]:
    """All lines of a text with their ends.

    Raises:
        AskHumanError: It is no text, or too long to be written anew.
    """
    _require_writable(path, replaces=True)
    with open_regular(path) as file, file_error(path, "read"):
        size_bytes = os.fstat(file.fileno()).st_size
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise AskHumanError("files.too_long", size=size_text(size_bytes), most=size_text(_MOST_BYTES))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        kind = sentence_of("files.binary")
        raise AskHumanError(
            "files.no_text", path=display_path(path), what=kind, size=size_text(len(data))
        ) from error
    return text.splitlines(keepends=True)


def _line_meant(path: Path, lines: Sequence[str], wanted: str) -> int:
    """The one line that is meant.

    Raises:
        AskHumanError: None is, or several may be: they are told, as are those that say more than that.
    """
    from partner_desktop.language.list_orders import fitting_lines, lines_with  # noqa: PLC0415 - not at the start

    found = fitting_lines(lines, wanted)
    if len(found) == 1:
        return found[0]
    found = found or lines_with(lines, wanted)
    there = found or range(len(lines))
    told = sentence_of("files.or_line").join(
        [lines[at].strip()[:_LONGEST_TOLD] for at in there if lines[at].strip()][:_MOST_LINES]
    )
    raise AskHumanError(
        "files.several_lines" if found else "files.no_line", path=display_path(path), line=wanted, lines=told
    )


async def _make_folder(call: BuiltinCall) -> RunnerResponse:
    path = call.path("folder")

    def work(_: StopEvent) -> RunnerResponse:
        as_approved(path)
        if os.path.lexists(path):
            kind = file_kind(path.lstat().st_mode)
            raise AskHumanError("files.there_already", path=display_path(path), kind=kind)
        new_place(path)
        with file_error(path, "made"):
            path.mkdir()
        return done(sentence_of("files.made_folder", path=display_path(path)))

    return await off_loop(work)
