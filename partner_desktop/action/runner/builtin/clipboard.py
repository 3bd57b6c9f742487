"""`clipboard::read` and `clipboard::write`, through the window, or through the desktop's own programs.

What lies on the clipboard came from another program and may be a password: reading it changes nothing, and
still asks.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from typing import Protocol

from partner_desktop.action.runner.builtin.registry import BuiltinCall, BuiltinDefinition
from partner_desktop.action.runner.launch_spec import LaunchSpec
from partner_desktop.action.runner.process import run_process
from partner_desktop.base.errors import AskHumanError, TellMindError
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route, RunnerResponse

_TIMEOUT_S = 5.0
_MOST_CHARACTERS = 64 * 1024
_NO_CLIPBOARD = (
    "There is no clipboard to reach from here: open Partner's window, or install wl-clipboard, xclip or xsel."
)
#: Reads, writes; the variable that says whether there is such a desktop (empty: one look for it is enough).
_PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-paste", "--no-newline"), ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard", "-o"), ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--output"), ("xsel", "--clipboard", "--input")),
    ("", ("pbpaste",), ("pbcopy",)),
)


class ClipboardDoor(Protocol):
    """The clipboard of a window; called on the loop, and returns at once."""

    def read(self) -> str | None:
        """The text on it; `None` where there is none, or something else."""
        ...

    def write(self, text: str) -> None: ...


class Clipboard:
    """The clipboard of this desktop: the window's while there is one."""

    def __init__(self) -> None:
        self._door: ClipboardDoor | None = None

    def use(self, door: ClipboardDoor) -> Callable[[], None]:
        """Go through `door` from now on; returns the undo."""
        self._door = door

        def undo() -> None:
            if self._door is door:
                self._door = None

        return undo

    def definitions(self) -> Sequence[BuiltinDefinition]:
        return (BuiltinDefinition(_READ, self._read), BuiltinDefinition(_WRITE, self._write))

    async def _read(self, call: BuiltinCall) -> RunnerResponse:
        text = self._door.read() if self._door is not None else await _pasted(call)
        if not text:
            return RunnerResponse(ok=True, data={"summary": "There is no text on the clipboard."})
        cut = len(text) > _MOST_CHARACTERS
        return RunnerResponse(ok=True, stdout=text[:_MOST_CHARACTERS], truncated=cut)

    async def _write(self, call: BuiltinCall) -> RunnerResponse:
        text = call.text("text")
        try:
            data = text.encode()
        except UnicodeEncodeError as error:
            raise TellMindError(
                "The text holds half a character (a lone surrogate); write it again."
            ) from error
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
                raise AskHumanError(f"The text did not get onto the clipboard: {outcome.error}")
        return RunnerResponse(ok=True, data={"summary": f"{len(text):,} characters are on the clipboard."})


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
    raise AskHumanError(_NO_CLIPBOARD)


_READ = MetaActionInfo(
    key="builtin::clipboard::read",
    route=Route.BUILTIN,
    label="Read the clipboard",
    description="Read the text on the clipboard",
    aliases=("what is on my clipboard", "paste from the clipboard", "读取剪贴板", "剪贴板里有什么"),
    # It changes nothing; what it reads is other programs'.
    annotations=Annotations(read_only=True, open_world=True),
)

_WRITE = MetaActionInfo(
    key="builtin::clipboard::write",
    route=Route.BUILTIN,
    label="Copy to the clipboard",
    description="Put a text on the clipboard",
    aliases=("copy the text to the clipboard", "put this on my clipboard", "复制到剪贴板", "写入剪贴板"),
    params={
        "type": "object",
        "properties": {
            "text": {
                "type": "string",
                "description": "the text to copy or put there",
                "minLength": 1,
                "maxLength": 1_000_000,
                "x-partner-rest": True,
            }
        },
        "required": ["text"],
    },
    annotations=Annotations(read_only=False, destructive=True, open_world=True),
)
