"""WritersRunner: no script is given a place in which another one may write at that moment.

What writes there could swap the place for another one while it is being opened, and what both changed could
not be told apart afterwards. Files that are opened alone are written side by side, as ever.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import PurePath

from partner_desktop.action.runner.call import Call
from partner_desktop.action.runner.client import RunnerClient, WrappedRunner
from partner_desktop.domain.action import PathUse
from partner_desktop.domain.meta_action import Route, RunnerResponse

_WAITS = "It waits for the end of {title}, which may write there."


@dataclass(frozen=True)
class _Turn:
    title: str
    paths: tuple[PathUse, ...]


class WritersRunner(WrappedRunner):
    """In order: who comes later waits until nobody before it writes at its places, or above them.

    Outside of the undo journal, so that what is noted before a run is how the one before it left things.
    """

    def __init__(self, wrapped: RunnerClient) -> None:
        super().__init__(wrapped)
        self._turns: list[_Turn] = []
        self._ended = asyncio.Event()

    async def run(self, call: Call) -> RunnerResponse:
        info = call.meta_action.info
        if info.route is Route.BUILTIN or not call.paths:
            return await super().run(call)
        mine = _Turn(info.title, call.paths)
        self._turns.append(mine)
        try:
            while title := self._in_the_way(mine):
                call.on_progress(0, None, _WAITS.format(title=title))
                await self._ended.wait()
            return await super().run(call)
        finally:
            self._turns = [turn for turn in self._turns if turn is not mine]
            self._ended.set()
            self._ended = asyncio.Event()

    def _in_the_way(self, mine: _Turn) -> str:
        """What somebody is called who writes there; empty: nobody does."""
        for turn in self._turns:
            if turn is mine:
                break
            written = [use.path for use in turn.paths if use.access == "write" and _is_folder(use)]
            if any(_holds(folder, use.path) for folder in written for use in mine.paths):
                return turn.title
        return ""


def _is_folder(use: PathUse) -> bool:
    """Also one that the run makes. A file that is mounted alone cannot be replaced from inside."""
    return len(use.seen) != len(("device", "inode")) or not PurePath(use.path).suffix


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
