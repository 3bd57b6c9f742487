"""What other programs are started from (`.git`, editors' settings), in the folders that a run may write to.

What is there stays as it is: it is mounted to be read only, and every folder on the way to it on its own,
since what something is mounted on can be neither renamed nor replaced. What a run makes anew there is put
aside when it has ended, under a name that nothing looks for: nobody's next command starts it unseen, and
nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from partner_desktop.action.runner.mounts import Mount
from partner_desktop.files import exact
from partner_desktop.files.atomic import free_name
from partner_desktop.permission.sensitive import executed_below


class StartedPlaces:
    """Of one run. `written`: what it may write to; what of it is such a place itself was approved as one."""

    def __init__(self, written: Sequence[Path]) -> None:
        self._written = tuple(written)
        self._before: list[Path] | None = None

    def mounts(self) -> list[Mount]:
        """What keeps them as they are. Blocking.

        Raises:
            AskHumanError: There are too many folders to look through.
        """
        self._before = self._find()
        on_the_way = {
            folder
            for place in self._before
            for folder in place.parents
            if any(top in folder.parents for top in self._written)
        }
        return [
            *(Mount(str(folder), writable=True, optional=True) for folder in sorted(on_the_way)),
            *(Mount(str(place), optional=True) for place in self._before),
        ]

    def put_aside(self) -> list[Path]:
        """Give what the run has made there another name; what it was called. Blocking."""
        if self._before is None:  # it was not begun
            return []
        moved = []
        for place in set(self._find()) - set(self._before):
            with suppress(OSError):  # gone again, or not to be moved: then it is told all the same
                exact.rename(str(place), str(free_name(place.parent, f"{place.name.lstrip('.')}.put-aside")))
            moved.append(place)
        return sorted(moved)

    def _find(self) -> list[Path]:
        return [place for top in self._written for place in executed_below(top) if place not in self._written]
