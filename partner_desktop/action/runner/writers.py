"""WritersRunner: no script is given a place in which another one may write at that moment.

What writes there could swap the place for another one while it is being opened, and what both changed could
not be told apart afterwards. Files that are opened alone are written side by side, as ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from partner_desktop.action.runner.call import Call
from partner_desktop.action.runner.client import RunnerClient, WrappedRunner
from partner_desktop.domain.meta_action import Route, RunnerResponse
from partner_desktop.domain.run_facts import PathUse

_WAITS = "It waits for the end of {title}, which works there."


@dataclass(frozen=True)
class _Turn:
    title: str
    places: tuple[str, ...]
    """Of its paths, and of a program that is not the system's."""
    written: tuple[str, ...]
    """The folders among them in which it may put something in the place of something else."""


class WritersRunner(WrappedRunner):
    """In order: who comes later waits until nobody before it writes at its places or above them, and until
    nobody before it works in a folder that it may write to itself.

    Outside of the undo journal, so that what is noted before a run is how the one before it left things.
    """

    def __init__(self, wrapped: RunnerClient) -> None:
        super().__init__(wrapped)
        self._turns: list[_Turn] = []
        self._ended = asyncio.Event()

    async def run(self, call: Call) -> RunnerResponse:
        info = call.meta_action.info
        if info.route is Route.BUILTIN or not (call.paths or info.opens):
            return await super().run(call)
        program = info.launcher[:1] if info.opens else ()
        read = (*(use.path for use in call.paths), *info.opens, *program)
        written = [use.path for use in call.paths if use.access == "write" and _is_folder(use)]
        mine = _Turn(info.title, read, tuple(written))
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
        """What somebody is called who is to come first; empty: nobody is."""
        for turn in self._turns:
            if turn is mine:
                break
            if _meet(turn.written, mine.places) or _meet(mine.written, turn.places):
                return turn.title
        return ""


def _is_folder(use: PathUse) -> bool:
    """Also one that the run makes. A file that is mounted alone cannot be replaced from inside."""
    return len(use.seen) != len(("device", "inode")) or not PurePath(use.path).suffix


def _meet(folders: Sequence[str], places: Sequence[str]) -> bool:
    return any(f"{place}/".startswith(folder.rstrip("/") + "/") for folder in folders for place in places)
