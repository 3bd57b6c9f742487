"""Builtins that only look: the time, the contents of a folder."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

from partner_desktop.action.runner.builtin.file_access import size_text
from partner_desktop.action.runner.builtin.registry import BuiltinCall, Builtins
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import AskHumanError
from partner_desktop.base.paths import display_path
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
        data: dict[str, Json] = {"summary": f"It is {now:%H:%M} on {now:%A}, {now.day} {now:%B %Y}."}
        return RunnerResponse(ok=True, data=data)


async def _list_folder(call: BuiltinCall) -> RunnerResponse:
    folder = Path(str(call.params["folder"]))
    return await asyncio.to_thread(_listing, folder)


def _listing(folder: Path) -> RunnerResponse:
    """Blocking part: folders first, then files, by name."""
    if not folder.is_dir():
        raise AskHumanError(f"{display_path(folder)} is not a folder.")
    try:
        found = sorted(folder.iterdir(), key=lambda path: (not path.is_dir(), path.name.casefold()))
    except OSError as error:
        raise AskHumanError(f"{display_path(folder)} cannot be listed ({error.strerror}).") from error
    visible = [path for path in found if not path.name.startswith(".")]
    lines: list[Json] = [_line(path) for path in visible[:_SHOWN]]
    summary = f"{display_path(folder)} holds {_counted(len(visible), 'item')}"
    hidden = len(found) - len(visible)
    summary += f" and {_counted(hidden, 'hidden one')}." if hidden else "."
    data: dict[str, Json] = {"summary": summary, "items": lines}
    if len(visible) > _SHOWN:
        data["left_out"] = len(visible) - _SHOWN
    return RunnerResponse(ok=True, data=data)


def _line(path: Path) -> str:
    name = display_path(Path(path.name))
    try:
        info = path.stat()
    except OSError:
        return f"{name} (a link that leads nowhere)"
    if path.is_dir():
        return f"{name}/"
    changed = datetime.fromtimestamp(info.st_mtime).astimezone()
    return f"{name} · {size_text(info.st_size)} · {changed:%Y-%m-%d}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
