"""The names in a person's home, so that words can mean them: three levels, never what is in a file.

Blocking: for use off the loop, by one thread at a time or several. The first look at a usual home takes some
milliseconds; later ones list only the folders that changed. Hidden folders, those of programs and enormous
ones are not looked into, and no link is followed out of the home.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Collection
from pathlib import Path
from threading import Lock

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.referent import ResultItem
from partner_desktop.domain.surroundings import HomeEntry

#: Levels of names below the home, entries of one folder and of all, and how long one look may take.
_LEVELS, _MOST_IN_FOLDER, _MOST, _MOST_S = 3, 2_000, 20_000, 0.5
#: What programs keep in there is nothing that a person would name.
_OF_PROGRAMS = frozenset(
    {"node_modules", "__pycache__", "site-packages", "venv", "snap", "AppData", "Library"}
)
#: A folder that changed so lately may change again without its time telling.
_UNSETTLED_NS = 50_000_000


@dataclass(frozen=True)
class _Listing:
    mtime_ns: int
    """0: to be listed again."""
    entries: tuple[HomeEntry, ...]


class HomeIndex:
    """Owns nothing that needs closing."""

    def __init__(self, home: Path) -> None:
        self._home = str(home.resolve())
        self._listings: dict[str, _Listing] = {}
        self._entries: tuple[HomeEntry, ...] = ()
        self._lock = Lock()

    @property
    def home(self) -> str:
        """Absolute, without links."""
        return self._home

    def entries(self, cwd: str = "") -> tuple[HomeEntry, ...]:
        """What the home and a working folder hold, folders before what is in them, the nearest first.

        The same object as before where nothing changed.
        """
        with self._lock:
            found = tuple(self._walk(cwd))
            if found != self._entries:
                self._entries = found
            return self._entries

    def measured(self, folders: Collection[str]) -> tuple[ResultItem, ...]:
        """What was last found to lie right in folders, with sizes and times as they are now."""
        return tuple(
            ResultItem(
                entry.path, is_folder=entry.is_folder, size_bytes=stat.st_size, modified_s=stat.st_mtime
            )
            for entry in self._entries
            if os.path.dirname(entry.path) in folders and (stat := _stat(entry.path)) is not None  # noqa: PTH120 - many
        )

    def _walk(self, cwd: str) -> dict[HomeEntry, None]:
        until = time.monotonic() + _MOST_S
        left = deque([(self._home, 1), *((folder, 1) for folder in self._beside(cwd))])
        known, found = self._listings, dict[HomeEntry, None]()
        self._listings = {}
        while left and len(found) < _MOST and time.monotonic() < until:
            folder, level = left.popleft()
            if folder in self._listings:
                continue
            listing = self._listings[folder] = self._listed(folder, known.get(folder))
            for entry in listing.entries[: _MOST - len(found)]:
                found[entry] = None
                if entry.is_folder and level < _LEVELS and not os.path.islink(entry.path):  # noqa: PTH114 - many
                    left.append((entry.path, level + 1))
        return found

    def _beside(self, cwd: str) -> list[str]:
        """The working folder, unless it holds the home."""
        real = os.path.realpath(cwd) if cwd else ""
        return [real] if real and not f"{self._home}/".startswith(real.rstrip("/") + "/") else []

    def _listed(self, folder: str, known: _Listing | None) -> _Listing:
        now_ns = time.time_ns()
        try:
            mtime_ns = os.stat(folder).st_mtime_ns  # noqa: PTH116 - many
            if known is not None and known.mtime_ns == mtime_ns:
                return known
            entries: list[HomeEntry] = []
            with os.scandir(folder) as inside:
                for entry in inside:
                    if entry.name == "pyvenv.cfg" or len(entries) > _MOST_IN_FOLDER:
                        return _Listing(mtime_ns, ())
                    if self._is_named(entry):
                        entries.append(HomeEntry(entry.path, is_folder=entry.is_dir()))
        except OSError:
            return _Listing(0, ())
        settled = now_ns - mtime_ns > _UNSETTLED_NS
        return _Listing(mtime_ns if settled else 0, tuple(sorted(entries, key=lambda each: each.path)))

    def _is_named(self, entry: os.DirEntry[str]) -> bool:
        """Whether a person would name it, and it lies where it is shown."""
        if entry.name.startswith(".") or entry.name in _OF_PROGRAMS or not entry.name.isprintable():
            return False
        real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
        return real == entry.path or (real.startswith(f"{self._home}/") and os.path.exists(real))  # noqa: PTH110


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)  # noqa: PTH116 - many
    except OSError:
        return None
