"""A folder and a text file of the person that are really there, for the examples to name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from partner_desktop.base.paths import display_path

_TEXT_ENDINGS = frozenset((".txt", ".md", ".markdown", ".rst", ".org"))
#: Names that need no quotation marks.
_PLAIN = re.compile(r"[\w.\-]+")
#: A folder is looked through so far.
_MOST_ENTRIES = 2000
_LARGEST_BYTES = 1_000_000


@dataclass(frozen=True)
class KnownPaths:
    """As a person writes them; empty where there is none."""

    folder: str = ""
    file: str = ""


def own_folders() -> list[Path]:
    """Where the person keeps documents and downloads, whatever the system calls these folders."""
    places = QStandardPaths.StandardLocation
    named = [
        QStandardPaths.writableLocation(place)
        for place in (places.DocumentsLocation, places.DownloadLocation)
    ]
    # A system without such folders names the home itself: nobody wants all of it tidied as an example.
    return [Path(name) for name in named if name and Path(name) != Path.home()]


def look_for_paths(folders: Sequence[Path]) -> KnownPaths:
    """The first folder, and the first text file that lies directly in one. Blocks: not for the event loop."""
    there = [folder for folder in folders if folder.is_dir() and os.access(folder, os.R_OK | os.X_OK)]
    texts = (file for folder in there for file in _texts(folder))
    folder, file = next(iter(there), None), next(texts, None)
    return KnownPaths(_written(folder) if folder else "", _written(file) if file else "")


def _texts(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        names = [entry.name for entry, _ in zip(entries, range(_MOST_ENTRIES), strict=False)]
    for name in sorted(names):
        file = folder / name
        if file.suffix.lower() in _TEXT_ENDINGS and _PLAIN.fullmatch(name) and _is_text(file):
            yield file


def _is_text(file: Path) -> bool:
    try:
        if not file.is_file() or not 0 < file.stat().st_size <= _LARGEST_BYTES:
            return False
        with file.open("rb") as stream:
            return b"\0" not in stream.read(1024)
    except OSError:
        return False


def _written(path: Path) -> str:
    shown = display_path(path)
    return f'"{shown}"' if " " in shown else shown
