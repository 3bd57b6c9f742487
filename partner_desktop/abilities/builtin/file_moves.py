"""Builtins that move things: copy, move or rename, put into the trash.

Nothing that is there is ever replaced, and nothing is deleted for good: what goes, goes to the desktop's
trash. A copy appears under its name when all of it is there. Each call asks.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from partner_desktop.abilities.builtin.file_access import (
    StopEvent,
    as_approved,
    file_error,
    file_kind,
    in_pieces,
    new_place,
    off_loop,
    open_regular,
)
from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.private import building_beside
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.files.atomic import clear_building, take_place
from partner_desktop.files.trash import move_to_trash


class MovingBuiltins:
    """`files::copy`, `files::move` and `files::trash`. `closed`: folders that nothing copies or moves."""

    def __init__(self, *, closed: Sequence[Path]) -> None:
        self._closed = closed

    def definitions(self) -> Builtins:
        return {"files::copy": self._copy, "files::move": self._move, "files::trash": _trash}

    async def _copy(self, call: BuiltinCall) -> RunnerResponse:
        source, target = call.path("source"), call.path("target")

        def work(stop: StopEvent) -> RunnerResponse:
            self._check(source, target)
            left_out = copied(source, target, stop)
            told = sentence_of("files.copied", source=display_path(source), target=display_path(target))
            return done(told + sentence_of("files.left_out", count=left_out) if left_out else told)

        return await off_loop(work)

    async def _move(self, call: BuiltinCall) -> RunnerResponse:
        source, target = call.path("source"), call.path("target")

        def work(stop: StopEvent) -> RunnerResponse:
            self._check(source, target)
            moved(source, target, stop)
            told = sentence_of("files.moved", source=display_path(source), target=display_path(target))
            return done(told)

        return await off_loop(work)

    def _check(self, source: Path, target: Path) -> None:
        as_approved(source)
        new_place(target)
        with file_error(source, "read"):
            mode = source.lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise AskHumanError("files.neither", path=display_path(source), kind=file_kind(mode))
        if target == source or source in target.parents:
            raise AskHumanError("files.into_itself", path=display_path(source))
        if os.path.lexists(target):
            raise AskHumanError("files.taken", path=display_path(target))
        for closed in self._closed:
            if source in (closed.resolve(), *closed.resolve().parents):
                raise AskHumanError("files.own_data", path=display_path(source))


def copied(source: Path, target: Path, stop: StopEvent) -> int:
    """Copy a file or a tree to a new name; how many entries were left out because they are no files.

    Raises:
        AskHumanError: It cannot be copied; nothing is left of the attempt.
    """
    building = building_beside(target)
    left_out = 0

    def each(origin: str, copy: str) -> str:
        nonlocal left_out
        stop.check()
        if stat.S_ISREG(os.lstat(origin).st_mode):
            _copy_file(Path(origin), Path(copy), stop)
        else:
            left_out += 1
        return copy

    try:
        with file_error(source, "copied"):
            if source.is_dir():
                _copy_tree(source, building, each)
            else:
                each(str(source), str(building))
        with file_error(target, "made"):
            take_place(building, target)
    finally:
        clear_building(building)
    return left_out


def _copy_tree(source: Path, building: Path, each: Callable[[str, str], str]) -> None:
    try:
        shutil.copytree(source, building, symlinks=True, copy_function=each)
    except shutil.Error as error:  # it goes on after each failure and tells them together
        places = error.args[0]
        first = display_path(Path(places[0][0])) if places else ""
        more = len(places) - 1
        raise AskHumanError(
            "files.not_copied_more" if more > 0 else "files.not_copied",
            path=display_path(source),
            first=first,
            count=more,
        ) from error


def _copy_file(origin: Path, copy: Path, stop: StopEvent) -> None:
    with open_regular(origin, "copied") as source, copy.open("xb") as target:
        target.writelines(in_pieces(source, stop))
        target.flush()
        os.fsync(target.fileno())
    shutil.copystat(origin, copy)


def moved(source: Path, target: Path, stop: StopEvent) -> None:
    """Move a file or a tree to a new name, also to another disk.

    Raises:
        AskHumanError: It cannot be moved; it is where it was.
    """
    with file_error(source, "moved"):
        try:
            take_place(source, target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
        else:
            return
    # To another disk: it is copied, and the old one goes when the new one is whole.
    if copied(source, target, stop):
        shutil.rmtree(target, ignore_errors=True)
        raise AskHumanError("files.odd_entries", path=display_path(source))
    with file_error(source, "removed"):
        if source.is_dir():
            shutil.rmtree(source)
        else:
            source.unlink()


async def _trash(call: BuiltinCall) -> RunnerResponse:
    path = call.path("path")

    def work(_: StopEvent) -> RunnerResponse:
        as_approved(path)
        if path == Path(path.anchor) or path == Path.home():
            raise AskHumanError("files.never_trashed", path=display_path(path))
        with file_error(path, "trashed"):
            path.lstat()
            move_to_trash(path)
        return done(sentence_of("files.trashed", path=display_path(path)))

    return await off_loop(work)
