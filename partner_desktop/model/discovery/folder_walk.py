"""A bounded walk through a folder that belongs to somebody else: reads names, opens nothing. Blocking."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from partner_desktop.base.errors import ModelError
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.paths import display_path

#: A folder of models has hundreds of entries; somebody's home has more, and is told so.
MOST_ENTRIES = 120_000
MOST_DEPTH = 10
#: Nothing of a model lies there.
_PASSED_OVER = frozenset(
    (".git", ".locks", ".no_exist", "__pycache__", "node_modules", "refs", "site-packages", ".venv", ".cache")
)


class GivenUpError(Exception):
    """Whoever waited waits no longer."""


class FolderWalk:
    """`step` is called at each entry, and raises where nobody waits any more.

    Links are followed as their owner laid them, and no folder is entered twice, so none goes in circles.
    """

    def __init__(self, step: Callable[[], None], *, most_entries: int = MOST_ENTRIES) -> None:
        self._step, self._left = step, most_entries
        self._seen: set[tuple[int, int]] = set()
        self.notes: list[str] = []

    def files(self, folder: Path, *, without: Collection[str] = ()) -> Iterator[Path]:
        """All files below, by folder and in the order of their names; `without` names folders to pass over.

        Raises:
            ModelError: The folder itself cannot be read.
        """
        waiting = [(folder, 0)]
        while waiting:
            current, depth = waiting.pop()
            try:
                if not self._is_new(current):
                    continue
                entries = self._entries(current)
            except OSError as error:
                if current == folder:
                    raise _closed(folder, error) from error
                self.notes.append(str(_closed(current, error)))
                continue
            below = []
            for entry in entries:
                if _is_folder(entry):
                    if depth < MOST_DEPTH and entry.name not in _PASSED_OVER and entry.name not in without:
                        below.append((Path(entry.path), depth + 1))
                else:
                    yield Path(entry.path)
            waiting += reversed(below)
            if self._left <= 0:
                self.notes.append(sentence_of("finds.folder_too_large", folder=display_path(folder)))
                return

    def _is_new(self, folder: Path) -> bool:
        self._step()
        seen = folder.stat()
        key = (seen.st_dev, seen.st_ino)
        if key in self._seen and seen.st_ino:  # some systems have no numbers
            return False
        self._seen.add(key)
        return True

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        found = []
        with os.scandir(folder) as entries:
            for entry in entries:
                self._step()
                self._left -= 1
                if self._left <= 0:
                    break
                found.append(entry)
        return sorted(found, key=lambda entry: entry.name)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _closed(folder: Path, error: OSError) -> ModelError:
    return ModelError("finds.folder_closed", folder=display_path(folder), reason=system_reason(error))
