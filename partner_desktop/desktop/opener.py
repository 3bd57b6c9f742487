"""The one door to what the desktop opens: a folder, a document, a link. Nothing else may open anything.

What opens a file decides by the file what to do with it, and with some files that is to run them. So a folder
is a folder when it is opened, whatever somebody called one, and a document is a file of a kind that only
holds data. Everything else is shown by its folder.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePath

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

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
