"""Builtins that only look: the contents of a folder, and files and folders by name.

A search is bounded in time and in finds. Folders whose name begins with a dot, links to folders, places that
may hold secrets, and what is Partner's own are not entered.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import datetime
from fnmatch import translate
from pathlib import Path

from partner_desktop.abilities.builtin.file_access import StopEvent, off_loop, require_folder
from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import counted_words, sentence_of, size_text, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.permission.sensitive_paths import is_sensitive_place

_LISTED = 200


async def _list_folder(call: BuiltinCall) -> RunnerResponse:
    folder = Path(str(call.params["folder"]))
    return await asyncio.to_thread(_listing, folder)


def _listing(folder: Path) -> RunnerResponse:
    """Blocking part: folders first, then files, by name."""
    if not folder.is_dir():
        raise AskHumanError("files.is_no_folder", path=display_path(folder))
    try:
        found = sorted(folder.iterdir(), key=lambda path: (not path.is_dir(), path.name.casefold()))
    except OSError as error:
        reason = system_reason(error)
        raise AskHumanError("files.not_listed", path=display_path(folder), reason=reason) from error
    visible = [path for path in found if not path.name.startswith(".")]
    lines: list[Json] = [_line(path) for path in visible[:_LISTED]]
    hidden = len(found) - len(visible)
    summary = sentence_of(
        "files.holds_hidden" if hidden else "files.holds",
        path=display_path(folder),
        items=counted_words("item", len(visible)),
        hidden=counted_words("hidden", hidden),
    )
    data: dict[str, Json] = {"summary": summary, "items": lines}
    if len(visible) > _LISTED:
        data["left_out"] = len(visible) - _LISTED
    return RunnerResponse(ok=True, data=data)


def _line(path: Path) -> str:
    name = display_path(Path(path.name))
    try:
        info = path.stat()
    except OSError:
        return sentence_of("files.dead_link", name=name)
    if path.is_dir():
        return f"{name}/"
    changed = datetime.fromtimestamp(info.st_mtime).astimezone()
    return f"{name} · {size_text(info.st_size)} · {changed:%Y-%m-%d}"


_MOST_FOUND = 10_000
_MOST_TIME_S = 5.0
_SHOWN, _LONGEST_TOLD = 200, 160
_WILD = re.compile(r"[*?\[]")
_EITHER = re.compile(r"\{([^{},]+(?:,[^{},]+)+)\}")


@dataclass
class _Search:
    """One walk, nearest folders first."""

    folder: Path
    pattern: re.Pattern[str]
    hidden_wanted: bool
    closed: Sequence[Path]
    """Folders that are not entered."""
    stop: StopEvent
    found: list[str] = field(default_factory=list)
    unreadable: int = 0
    complete: bool = True

    def run(self) -> None:
        deadline_s = time.monotonic() + _MOST_TIME_S
        waiting = deque([self.folder])
        while waiting:
            self.stop.check()
            for entry in self._entries(waiting.popleft()):
                if len(self.found) >= _MOST_FOUND or time.monotonic() > deadline_s:
                    self.complete = False
                    return
                if self.pattern.fullmatch(entry.name):
                    self.found.append(entry.path)
                if self._enters(entry):
                    waiting.append(Path(entry.path))

    def _entries(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                yield from entries
        except OSError:
            self.unreadable += 1

    def _enters(self, entry: os.DirEntry[str]) -> bool:
        if entry.name.startswith(".") and not self.hidden_wanted:
            return False
        try:
            if not entry.is_dir(follow_symlinks=False):
                return False
        except OSError:
            return False
        path = Path(entry.path)
        return path not in self.closed and not is_sensitive_place(path)


class FindingBuiltins:
    """`files::find` and `list_folder`. `closed`: folders that no search enters."""

    def __init__(self, *, closed: Sequence[Path]) -> None:
        self._closed = closed

    def definitions(self) -> Builtins:
        return {"files::find": self._find, "list_folder": _list_folder}

    async def _find(self, call: BuiltinCall) -> RunnerResponse:
        folder, name = call.path("folder"), call.text("pattern")
        return await off_loop(lambda stop: self._searched(folder, name, stop))

    def _searched(self, folder: Path, name: str, stop: StopEvent) -> RunnerResponse:
        require_folder(folder)
        closed = [path.resolve() for path in self._closed]
        search = _Search(folder, _pattern(name), name.startswith("."), closed, stop)
        search.run()
        return _answer(search, name)


def _pattern(name: str) -> re.Pattern[str]:
    """A name with `*`, `?` or `[…]` as it stands, and any of `{a,b}`; a plain word anywhere in the name."""
    either = _EITHER.search(name)
    names = [name] if either is None else [name.replace(either[0], one) for one in either[1].split(",")]
    wild = [translate(one if _WILD.search(one) else f"*{one}*") for one in names]
    return re.compile("|".join(wild), re.IGNORECASE)


def _either(name: str) -> str:
    """Any of some whole names as one says it; kinds stay as they are."""
    either = _EITHER.fullmatch(name)
    return sentence_of("files.or").join(either[1].split(",")) if either is not None else name


def _answer(search: _Search, name: str) -> RunnerResponse:
    count = len(search.found)
    told = sentence_of(
        "files.fits" if count == 1 else "files.fit",
        count=f"{count:,}",
        folder=display_path(search.folder),
        name=_either(name)[:_LONGEST_TOLD],
    )
    if not search.complete:
        told += sentence_of("files.incomplete")
    if search.unreadable:
        told += sentence_of("files.unseen", folders=counted_words("folder", search.unreadable))
    items: list[Json] = [display_path(Path(path)) for path in sorted(search.found)[:_SHOWN]]
    data: dict[str, Json] = {"summary": told, "items": items}
    if count > _SHOWN:
        data["left_out"] = count - _SHOWN
    return RunnerResponse(ok=True, data=data)
