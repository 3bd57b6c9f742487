"""Builtins around the desktop: open a file or link, show a notification, read and write the clipboard.

The clipboard is reached through the window, or through the desktop's own programs. What lies on it came from
another program and may be a password: reading it changes nothing, and still asks.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from partner_desktop.abilities.builtin.file_access import as_approved
from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import shown
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.process_launch import LaunchSpec
from partner_desktop.runner.script_process import run_process

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
        raise AskHumanError("desktop.no_link", target=target) from error
    if scheme and len(scheme) > 1 and scheme not in (*_SCHEMES, "file"):
        raise AskHumanError("desktop.scheme", scheme=scheme)
    if scheme not in _SCHEMES:
        target = await asyncio.to_thread(_existing, target, call.cwd)
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if opener is None:
        raise TellMindError("desktop.no_opener")
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
        raise AskHumanError("not_found", value=shown(target))
    as_approved(Path(target))
    path = path.resolve()
    if _would_run(path):
        raise AskHumanError("desktop.would_run", name=shown(path.name))
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


_TIMEOUT_S = 5.0
_MOST_CHARACTERS = 64 * 1024
#: Reads, writes; the variable that says whether there is such a desktop (empty: one look for it is enough).
_CLIPBOARDS = (
    ("WAYLAND_DISPLAY", ("wl-paste", "--no-newline"), ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-o"), ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--output"), ("xsel", "--clipboard", "--input")),
    ("", ("pbpaste",), ("pbcopy",)),
)


class ClipboardPort(Protocol):
    """The clipboard of a window; called on the loop, and returns at once."""

    def read(self) -> str | None:
        """The text on it; `None` where there is none, or something else."""
        ...

    def write(self, text: str) -> None: ...


class Clipboard:
    """The clipboard of this desktop: the window's while there is one."""

    def __init__(self) -> None:
        self._door: ClipboardPort | None = None

    def use(self, door: ClipboardPort) -> Callable[[], None]:
        """Go through `door` from now on; returns the undo."""
        self._door = door

        def undo() -> None:
            if self._door is door:
                self._door = None

        return undo

    def definitions(self) -> Builtins:
        return {"clipboard::read": self._read, "clipboard::write": self._write}

    async def _read(self, call: BuiltinCall) -> RunnerResponse:
        text = self._door.read() if self._door is not None else await _pasted(call)
        if not text:
            return done(sentence_of("desktop.clipboard_empty"))
        cut = len(text) > _MOST_CHARACTERS
        return RunnerResponse(ok=True, stdout=text[:_MOST_CHARACTERS], truncated=cut)

    async def _write(self, call: BuiltinCall) -> RunnerResponse:
        text = call.text("text")
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            raise TellMindError("files.half_character") from error
        if self._door is not None:
            self._door.write(text)
        else:
            spec = LaunchSpec(
                argv=_program(writes=True),
                spill_dir=call.run_folder,
                stdin=data,
                timeout_s=_TIMEOUT_S,
                hand_over=True,  # xclip and wl-copy live on for as long as the text is there
            )
            outcome = await run_process(spec)
            if outcome.error:
                raise AskHumanError("desktop.clipboard_failed", error=outcome.error)
        return done(sentence_of("desktop.clipboard_holds", count=f"{len(text):,}"))


async def _pasted(call: BuiltinCall) -> str:
    spec = LaunchSpec(argv=_program(writes=False), spill_dir=call.run_folder, timeout_s=_TIMEOUT_S)
    outcome = await run_process(spec)
    # These programs fail where the clipboard is empty or holds a picture.
    return outcome.stdout if outcome.exit_code == 0 else ""


def _program(*, writes: bool) -> tuple[str, ...]:
    for variable, reader, writer in _CLIPBOARDS:
        name, *rest = writer if writes else reader
        found = shutil.which(name) if not variable or os.environ.get(variable) else None
        if found is not None:
            return (found, *rest)
    raise AskHumanError("desktop.no_clipboard")
