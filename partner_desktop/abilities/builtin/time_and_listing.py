"""Builtins that only look: the time, the contents of a folder."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

from partner_desktop.abilities.builtin.file_access import size_text
from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import counted_words, nth_word, sentence_of
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import RunnerResponse

_SHOWN = 200


class LookingBuiltins:
    """`time` and `list_folder`."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock

    def definitions(self) -> Builtins:
        return {"time": self._time, "list_folder": _list_folder}

    async def _time(self, call: BuiltinCall) -> RunnerResponse:
        del call
        now = self._clock.now().astimezone()
        data: dict[str, Json] = {
            "summary": sentence_of(
                "desktop.time",
                time=f"{now:%H:%M}",
                weekday=nth_word("desktop.weekdays", now.weekday()),
                day=now.day,
                month=nth_word("desktop.months", now.month - 1),
                year=now.year,
            )
        }
        return RunnerResponse(ok=True, data=data)


async def _list_folder(call: BuiltinCall) -> RunnerResponse:
    folder = Path(str(call.params["folder"]))
    return await asyncio.to_thread(_listing, folder)


def _listing(folder: Path) -> RunnerResponse:
    """Blocking part: folders first, then files, by name."""
    if not folder.is_dir():
        raise AskHumanError(sentence_of("files.is_no_folder", path=display_path(folder)))
    try:
        found = sorted(folder.iterdir(), key=lambda path: (not path.is_dir(), path.name.casefold()))
    except OSError as error:
        told = sentence_of("files.not_listed", path=display_path(folder), reason=error.strerror)
        raise AskHumanError(told) from error
    visible = [path for path in found if not path.name.startswith(".")]
    lines: list[Json] = [_line(path) for path in visible[:_SHOWN]]
    hidden = len(found) - len(visible)
    summary = sentence_of(
        "files.holds_hidden" if hidden else "files.holds",
        path=display_path(folder),
        items=counted_words("item", len(visible)),
        hidden=counted_words("hidden", hidden),
    )
    data: dict[str, Json] = {"summary": summary, "items": lines}
    if len(visible) > _SHOWN:
        data["left_out"] = len(visible) - _SHOWN
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
