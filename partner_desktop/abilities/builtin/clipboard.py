"""`clipboard::read` and `clipboard::write`, through the window, or through the desktop's own programs.

What lies on the clipboard came from another program and may be a password: reading it changes nothing, and
still asks.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import Protocol

from partner_desktop.abilities.builtin.registry import BuiltinCall, Builtins, done
from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.launch_spec import LaunchSpec
from partner_desktop.runner.process import run_process

_TIMEOUT_S = 5.0
_MOST_CHARACTERS = 64 * 1024
#: Reads, writes; the variable that says whether there is such a desktop (empty: one look for it is enough).
_PROGRAMS = (
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
            raise TellMindError(sentence_of("files.half_character")) from error
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
                raise AskHumanError(sentence_of("desktop.clipboard_failed", error=outcome.error))
        return done(sentence_of("desktop.clipboard_holds", count=f"{len(text):,}"))


async def _pasted(call: BuiltinCall) -> str:
    spec = LaunchSpec(argv=_program(writes=False), spill_dir=call.run_folder, timeout_s=_TIMEOUT_S)
    outcome = await run_process(spec)
    # These programs fail where the clipboard is empty or holds a picture.
    return outcome.stdout if outcome.exit_code == 0 else ""


def _program(*, writes: bool) -> tuple[str, ...]:
    for variable, reader, writer in _PROGRAMS:
        name, *rest = writer if writes else reader
        found = shutil.which(name) if not variable or os.environ.get(variable) else None
        if found is not None:
            return (found, *rest)
    raise AskHumanError(sentence_of("desktop.no_clipboard"))
