"""The one door to what the desktop opens: a folder, a document, a link. Nothing else may open anything.

What opens a file decides by the file what to do with it, and with some files that is to run them. So a folder
is a folder when it is opened, whatever somebody called one, and a document is a file of a kind that only
holds data. Everything else is shown by its folder.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import stat
import sys
from pathlib import Path, PurePath

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.notices import Notices
from partner_desktop.desktop.wording import tr

LINKS = ("http", "https", "mailto")
#: Files that programs show and do not run.
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")
_SOUNDS = (".mp3", ".wav", ".ogg", ".oga", ".opus", ".flac", ".m4a", ".aac", ".mp4", ".webm", ".mkv", ".mov")
_TEXTS = (".pdf", ".txt", ".md", ".csv", ".tsv", ".json", ".jsonl", ".toml", ".log")
_DATA = frozenset((*_PICTURES, *_SOUNDS, *_TEXTS))
#: Folders that are programs to the desktop.
_PROGRAMS = frozenset({".app", ".appdir", ".workflow", ".action", ".prefpane", ".pkg", ".scptd"})


def open_folder(path: str | os.PathLike[str]) -> bool:
    """Open a folder, or the nearest one above it where there is none; whether anything took it."""
    place = Path(os.path.abspath(path))  # noqa: PTH100 - links stay what they are
    while place != place.parent and not _is_folder(place):
        place = place.parent
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(place)))


def is_document(path: str | os.PathLike[str]) -> bool:
    """Whether its name is one of a file that only holds data."""
    return PurePath(path).suffix.lower() in _DATA


def open_document(path: str | os.PathLike[str]) -> bool:
    """Open a file that only holds data; another one is not opened. Whether anything took it."""
    try:
        mode = Path(path).lstat().st_mode
    except OSError:
        return False
    if not (is_document(path) and stat.S_ISREG(mode)) or mode & 0o111:
        return False
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def open_link(url: QUrl) -> bool:
    """Open an address of the web or of mail; whether anything took it."""
    return url.isValid() and url.scheme().lower() in LINKS and QDesktopServices.openUrl(url)


def _is_folder(place: Path) -> bool:
    try:
        return stat.S_ISDIR(place.lstat().st_mode) and place.suffix.lower() not in _PROGRAMS
    except OSError:
        return False


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


async def show_in_editor(notices: Notices, path: Path, line: int | None) -> None:
    """Open a file at a line, or say why it could not be."""
    shown = display_path(path)
    if not await asyncio.to_thread(path.exists):
        notices.fault(lambda: tr("{path} is not there any more.").format(path=shown))
    elif not open_in_editor(path, line):
        notices.fault(lambda: tr("Nothing here could open {path}.").format(path=shown))


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


#: More than this fills the window.
_MOST_SHOWN = 1_200
_UNBROKEN = re.compile(r"[^/?&=-]{60}")
_WEB = ("http", "https")


def wire_form(url: QUrl, address: str) -> str:
    """`address`, of which `url` was made, in ASCII."""
    return bytes(url.toEncoded().data()).decode("ascii") if url.isValid() else ascii(address)[1:-1]


def breakable(address: str) -> str:
    """Whole, with places to break in what would else be wider than the window; only endless ones are cut."""
    shown = _UNBROKEN.sub("\\g<0>\u200b", address[:_MOST_SHOWN])
    if len(address) <= _MOST_SHOWN:
        return shown
    more = tr("… and {count} characters more").format(count=len(address) - _MOST_SHOWN)
    return shown + more


def is_web(url: QUrl) -> bool:
    """Whether it leads to a page, and nowhere else."""
    return url.isValid() and url.scheme().lower() in _WEB and bool(url.host())
