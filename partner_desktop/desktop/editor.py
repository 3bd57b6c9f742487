"""The person's own editor: a file opens in it, at the line where the editor can be told one."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

from PySide6.QtCore import QProcess

from partner_desktop.desktop.opener import open_document

#: Editors with a window of their own, and how each is told a line. Those of the terminal have none here.
_TOLD_A_LINE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("code", "codium", "cursor", "windsurf"), ("--goto", "{path}:{line}")),
    **dict.fromkeys(("subl", "zed"), ("{path}:{line}",)),
    **dict.fromkeys(("gedit", "gnome-text-editor", "xed", "pluma", "geany", "gvim"), ("+{line}", "{path}")),
    **dict.fromkeys(("kate", "kwrite"), ("--line", "{line}", "{path}")),
    "mousepad": ("--line={line}", "{path}"),
}


def open_in_editor(path: Path, line: int | None = None) -> bool:
    """Open a file; whether anything took it. Nothing waits for the editor."""
    command = editor_command(path, line)
    if command:
        started, _ = QProcess.startDetached(command[0], command[1:])
        if started:
            return True
    return open_document(path)


def editor_command(path: Path, line: int | None) -> list[str]:
    """The command of the editor that the person named, when it has a window, or of one that is installed.

    Empty where there is none. The desktop is not asked: it chooses by the file, and may choose to run it.
    """
    for variable in ("VISUAL", "EDITOR"):
        try:
            words = shlex.split(os.environ.get(variable, ""))
        except ValueError:  # a quote is not closed
            continue
        known = _TOLD_A_LINE.get(Path(words[0]).name) if words else None
        program = shutil.which(words[0]) if known else None
        if known and program:
            told = known if line is not None else ("{path}",)
            return [program, *words[1:], *(part.format(path=path, line=line) for part in told)]
    for name, known in _TOLD_A_LINE.items():
        program = shutil.which(name)
        if program:
            told = known if line is not None else ("{path}",)
            return [program, *(part.format(path=path, line=line) for part in told)]
    return ["open", "-t", str(path)] if sys.platform == "darwin" else []
