"""Builtins that write: a new file, more at the end of one, a new folder.

A file appears whole or not at all; what is added is there as a whole or not at all. Each call asks.
"""

from __future__ import annotations

import os
from pathlib import Path

from partner_desktop.abilities.builtin.file_access import (
    StopEvent,
    as_approved,
    file_error,
    file_kind,
    new_place,
    off_loop,
    open_exactly,
    require_file,
    size_text,
)
from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import sentence_of
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.files.atomic import write_new, write_whole

#: Bytes that one call writes.
_MOST_BYTES = 16 * 1024 * 1024


class WritingBuiltins:
    """`files::write`, `files::append` and `files::make_folder`."""

    def definitions(self) -> Builtins:
        return {"files::write": _write, "files::append": _append, "files::make_folder": _make_folder}


def _bytes_of(text: str) -> bytes:
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        raise TellMindError(sentence_of("files.half_character")) from error
    if len(data) > _MOST_BYTES:
        raise TellMindError(
            sentence_of("files.too_long", size=size_text(len(data)), most=size_text(_MOST_BYTES))
        )
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
        raise AskHumanError(sentence_of("files.kept", path=display_path(path)))


async def _append(call: BuiltinCall) -> RunnerResponse:
    path, data = call.path("file"), _bytes_of(call.text("text"))

    def work(_: StopEvent) -> RunnerResponse:
        new_place(path)
        if os.path.lexists(path):
            _add(path, data)
        else:
            with file_error(path, "written"):
                write_new(path, _line(data))
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
            left = memoryview((b"\n" if begun else b"") + _line(data))
            try:
                while left:
                    left = left[os.write(handle, left) :]
                os.fsync(handle)
            except OSError:
                os.ftruncate(handle, size_bytes)
                raise


def _line(data: bytes) -> bytes:
    return data if data.endswith(b"\n") else data + b"\n"


async def _make_folder(call: BuiltinCall) -> RunnerResponse:
    path = call.path("folder")

    def work(_: StopEvent) -> RunnerResponse:
        as_approved(path)
        if os.path.lexists(path):
            kind = file_kind(path.lstat().st_mode)
            raise AskHumanError(sentence_of("files.there_already", path=display_path(path), kind=kind))
        new_place(path)
        with file_error(path, "made"):
            path.mkdir()
        return done(sentence_of("files.made_folder", path=display_path(path)))

    return await off_loop(work)
