"""UndoableRunner: what a run may change of the person's files is noted before it, and compared after it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from partner_desktop.action.undo.changes import WatchedPlaces
from partner_desktop.action.undo.journal import UndoJournal
from partner_desktop.action.undo.undo_service import KEY
from partner_desktop.base.spoken import sentence_of
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import Undo, UndoState
from partner_desktop.domain.meta_action import Route, RunLeft, RunnerResponse
from partner_desktop.domain.run_facts import Isolation
from partner_desktop.runner.call import Call
from partner_desktop.runner.client import RunnerClient, WrappedRunner

_MOVE, _TRASH = "builtin::files::move", "builtin::files::trash"


class UndoableRunner(WrappedRunner):
    """Inside the permission wrapper: nothing is noted for what is not allowed; outside of retries."""

    def __init__(self, wrapped: RunnerClient, journal: UndoJournal) -> None:
        super().__init__(wrapped)
        self._journal = journal

    async def run(self, call: Call) -> RunnerResponse:
        info, action = call.meta_action.info, call.meta_action
        watch = watch_of(call, self.isolation(info)) if self._journal.enabled else None
        if watch is None:
            return await super().run(call)
        problem = await self._journal.begin(action.id, action.conversation_id, watch)
        try:
            return await super().run(call)
        finally:
            # However it ended: also what was cancelled or failed half-way wants to be taken back.
            undo = await uninterrupted(self._journal.end(action.id))
            if problem:
                undo = Undo(UndoState.GONE, 0, sentence_of("undo.cannot", why=problem))
            action.left = replace(action.left, undo=undo)

    async def left_by(self, action_id: str) -> RunLeft:
        left = await super().left_by(action_id)
        return replace(left, undo=await self._journal.end(action_id, cut_off=True))


def watch_of(call: Call, isolation: Isolation) -> WatchedPlaces | None:
    """The places that the run may change; `None`: none that could be named.

    What another server does is not watched: it is held to no path, so that an undo would be half a truth.
    """
    roots = _outermost([use.path for use in call.paths if use.access == "write"])
    info = call.meta_action.info
    if not roots or isolation.server or info.key == KEY:
        return None
    if info.route is not Route.BUILTIN:
        return WatchedPlaces(roots, held=isolation.sandboxed)
    if info.key == _MOVE:
        source, target = (str(call.meta_action.params.get(name)) for name in ("source", "target"))
        return WatchedPlaces(roots, contents=False, moves=(source, target))
    return WatchedPlaces(roots, contents=info.key != _TRASH, trashes=info.key == _TRASH)


def _outermost(paths: list[str]) -> tuple[str, ...]:
    """Without those that lie in another one."""
    known = set(paths)
    return tuple(
        path
        for path in dict.fromkeys(paths)
        if not any(str(folder) in known for folder in Path(path).parents)
    )
