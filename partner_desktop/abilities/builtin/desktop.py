"""Builtins around the desktop: open a file or link, show a notification."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from partner_desktop.abilities.builtin.file_access import as_approved
from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.base.text import shown
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.launch_spec import LaunchSpec
from partner_desktop.runner.process import run_process

_SCHEMES = ("http", "https", "mailto")
_OPEN_TIMEOUT_S = 20.0
#: Files that are opened by running them, or what they name.
_STARTERS = frozenset(
    (
        *(".desktop", ".appimage", ".run", ".jar", ".jnlp"),
        *(".exe", ".msi", ".bat", ".cmd", ".com", ".scr", ".lnk"),
        *(".app", ".command", ".terminal", ".workflow"),
    )
)
#: What programs begin with: ELF, a `#!` line, and macOS's kinds.
_PROGRAMS = (b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")

Notify = Callable[[str], None]


class DesktopBuiltins:
    """`open`: hands a file, folder or link to the program that the desktop uses for it. `notify`: shows a
    sentence outside the chat.
    """

    def __init__(self, notify: Notify) -> None:
        self._show = notify

    def definitions(self) -> Builtins:
        return {"open": _open, "notify": self._notify}

    async def _notify(self, call: BuiltinCall) -> RunnerResponse:
        self._show(str(call.params["text"]))
        return done(sentence_of("desktop.notified"))


async def _open(call: BuiltinCall) -> RunnerResponse:
    target = str(call.params["target"])
    try:
        scheme = urlsplit(target).scheme.lower()
    except ValueError as error:
        raise AskHumanError(sentence_of("desktop.no_link", target=target)) from error
    if scheme and len(scheme) > 1 and scheme not in (*_SCHEMES, "file"):
        raise AskHumanError(sentence_of("desktop.scheme", scheme=scheme))
    if scheme not in _SCHEMES:
        target = await asyncio.to_thread(_existing, target, call.cwd)
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if opener is None:
        raise TellMindError(sentence_of("desktop.no_opener"))
    spec = LaunchSpec(
        argv=(opener, target), timeout_s=_OPEN_TIMEOUT_S, spill_dir=call.run_folder, hand_over=True
    )
    outcome = await run_process(spec)
    if outcome.exit_code == 0 and not outcome.error:
        return replace(done(sentence_of("desktop.opened", target=target)), exit_code=0)
    told = outcome.error or sentence_of("desktop.not_opened", target=target)
    return RunnerResponse(ok=False, error=told, exit_code=outcome.exit_code)


def _existing(target: str, cwd: str) -> str:
    """Blocking part: the resolved path of what is there."""
    is_url = target.startswith("file://")
    path = Path(os.path.expanduser(unquote(target[7:]) if is_url else target))  # noqa: PTH111 - never raises
    path = Path(cwd or Path.home()) / path
    if not os.path.lexists(path):
        raise AskHumanError(sentence_of("not_found", value=shown(target)))
    as_approved(Path(target))
    path = path.resolve()
    if _would_run(path):
        raise AskHumanError(sentence_of("desktop.would_run", name=shown(path.name)))
    return str(path)


def _would_run(path: Path) -> bool:
    """Whether a desktop runs it where it opens other files. Blocking."""
    if path.suffix.lower() in _STARTERS:
        return True
    try:
        if not (path.is_file() and os.access(path, os.X_OK)):  # on some disks every file counts as executable
            return False
        with path.open("rb") as file:
            return file.read(4).startswith(_PROGRAMS)
    except OSError:
        return False
