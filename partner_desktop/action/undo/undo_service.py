"""What a run may change of the person's files is noted before it and compared after it; and it is taken back.

Contract: what the person, a command or the chat asks to take back of a chain is all steps that changed files,
the latest first; a step that is named by its own id goes alone.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from partner_desktop.action.store import ActionStore
from partner_desktop.action.undo.changes import Changes, WatchedPlaces
from partner_desktop.action.undo.journal import RowState, UndoJournal, UndoRow, set_state
from partner_desktop.action.undo.restoration import HalfDoneError
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of, sentences_joined, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import ActionRecord, Undo, UndoState
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo, Route, RunLeft, RunnerResponse
from partner_desktop.domain.run_facts import Isolation
from partner_desktop.permission.audit import AuditLog
from partner_desktop.runner.call import Call
from partner_desktop.runner.client import RunnerClient, WrappedRunner
from partner_desktop.storage.database import Connection

#: The builtin that takes back.
KEY = "builtin::files::undo"
#: Stands for the id of the newest run that can be taken back.
LAST = "last"
_MOST_NAMES = 20


class UndoService:
    """The newest first: a run whose files another one changed since waits until that one is undone."""

    def __init__(self, journal: UndoJournal, store: ActionStore, audit: AuditLog) -> None:
        self._journal = journal
        self._store = store
        self._audit = audit

    async def take_back(self, action_id: str) -> str:
        """Take back what a run did to files; the sentence.

        Raises:
            UsageError: It cannot be done (any more); the sentence says what was done of it.
        """
        if action_id == LAST:
            row = await self._journal.rows.newest_in_sight()
            if row is None:
                raise UsageError("undo.nothing")
            action_id = (await self._whole(row.action_id)).id
        return await uninterrupted(self._take_back(action_id))

    async def _whole(self, action_id: str) -> ActionRecord:
        """The action, or the chain that it was a step of."""
        record = await self._store.get(action_id)
        return await self._store.get(record.parent_id) if record.parent_id else record

    async def _take_back(self, action_id: str) -> str:
        record = await self._store.get(action_id)
        if record.chain is None:
            return _told(record, [await self._alone(action_id)])
        done: list[Changes] = []
        step_ids = await self._steps(record)
        for step_id in step_ids:
            try:
                done.append(await self._alone(step_id))
            except UsageError as error:
                if not done:
                    raise
                step = record.chain.step(step_id)
                raise UsageError(
                    "undo.stopped_at",
                    done=len(done),
                    count=len(step_ids),
                    title=record.title,
                    step=step.title if step is not None else step_id,
                    why=error,
                ) from error
        return _told(record, done)

    async def _steps(self, record: ActionRecord) -> list[str]:
        """The steps of a chain that can be taken back, the latest first.

        Raises:
            UsageError: There is none, or it is not over.
        """
        if not record.status.ended:
            raise UsageError("undo.still_runs", title=record.title)
        steps = {step.id: step for step in await self._store.steps_of(record.id)}
        rows = await self._journal.rows.possible(record.conversation_id)
        found = [row.action_id for row in reversed(rows) if row.action_id in steps]
        if found:
            return found
        if any(step.undo is not None and step.undo.state is UndoState.DONE for step in steps.values()):
            raise UsageError("undo.taken_back_already", title=record.title)
        raise UsageError("undo.changed_none", title=record.title)

    async def _alone(self, action_id: str) -> Changes:
        async with self._journal.alone:
            record = await self._store.get(action_id)
            row = await self._journal.rows.get(action_id)
            changes = await self._possible(record, row)
            await self._require_quiet(changes)
            why = await asyncio.to_thread(self._journal.disk.why_not, changes)
            if why:
                raise UsageError("common.told", text=why)
            await self._restore(record, changes)
            return changes

    async def _possible(self, record: ActionRecord, row: UndoRow | None) -> Changes:
        undo = record.undo
        if row is not None and row.state is RowState.OPEN:
            raise UsageError("undo.still_runs", title=record.title)
        if undo is not None and undo.state is UndoState.DONE:
            raise UsageError("undo.taken_back_already", title=record.title)
        if undo is None:
            raise UsageError("undo.changed_none_now", title=record.title)
        if row is None or row.state is not RowState.POSSIBLE:
            if undo.note:
                raise UsageError("common.told", text=undo.note)
            raise UsageError("undo.no_more", title=record.title)
        changes = await asyncio.to_thread(self._journal.disk.changes, record.id)
        if changes is None:
            await self._journal.let_go(row, sentence_of("undo.copies_not_there"))
            raise UsageError("undo.copies_gone")
        return changes

    async def _require_quiet(self, changes: Changes) -> None:
        """Nothing is taken back from under a run that writes there."""
        for row in await self._journal.rows.running():
            roots = await asyncio.to_thread(self._journal.disk.roots, row.action_id)
            places = [place for each in changes.changes for place in (each.path, each.now_at) if place]
            if any(
                root == place or root in map(str, Path(place).parents) for place in places for root in roots
            ):
                raise UsageError("undo.busy")

    async def _restore(self, record: ActionRecord, changes: Changes) -> None:
        try:
            await asyncio.to_thread(self._journal.disk.restore, record.id, changes)
        except HalfDoneError as error:
            left = display_path(Path(error.path))
            told = sentence_of("undo.half_done", path=left, reason=error.reason)
            await self._note(record, told, state=None)
            raise UsageError("undo.half_done_rest", told=told) from error
        except OSError as error:
            reason = system_reason(error)
            if record.parent_id:
                raise UsageError("undo.failed_step", reason=reason) from error
            raise UsageError("undo.failed", reason=reason) from error
        await self._note(record, changes.note, state=RowState.DONE)
        await asyncio.to_thread(self._journal.disk.remove, record.id)

    async def _note(self, record: ActionRecord, note: str, *, state: RowState | None) -> None:
        """In one transaction: the card, the journal and the audit log."""

        def change(now: ActionRecord) -> ActionRecord:
            undo = now.undo or Undo(UndoState.POSSIBLE, 0)
            done = UndoState.DONE if state is RowState.DONE else undo.state
            return _unchecked(replace(now, undo=Undo(done, undo.count, note)), record.id)

        def also(db: Connection) -> None:
            if state is not None:
                set_state(db, record.id, state)
            outcome = "done" if state is RowState.DONE else "half"
            self._audit.undone(db, record.id, record.key, outcome=outcome)

        if record.parent_id:
            await self._journal.write(record.parent_id, lambda plan: _unchecked(plan, record.id))
        await self._journal.write(record.id, change, also)

    # For the chat: what "undo that" would take back.

    async def prefill(self, info: MetaActionInfo, params: JsonObject, conversation_id: str) -> JsonObject:
        """The parameters of the builtin that takes back, so that its card names the run and the files.

        Raises:
            UsageError: There is nothing to take back.
        """
        if info.key != KEY:
            return params
        record = await self._meant(str(params.get("run") or ""), conversation_id)
        runs = await self._steps(record) if record.chain is not None else [record.id]
        found = [await asyncio.to_thread(self._journal.disk.changes, run) for run in runs]
        known = [changes for changes in found if changes is not None]
        paths = list(dict.fromkeys(each.path for changes in known for each in changes.possible))
        return {
            "run": record.id,
            "what": record.title,
            "files": _names(paths),
            **await asyncio.to_thread(_places, paths),
        }

    async def _meant(self, action_id: str, conversation_id: str) -> ActionRecord:
        """What is named, or else what was done last: a single action, or all of a chain."""
        if action_id:
            row = await self._journal.rows.get(action_id)
            if row is not None and row.state is RowState.POSSIBLE:
                return await self._store.get(action_id)
            with suppress(UsageError):
                record = await self._store.get(action_id)
                if record.chain is not None and await self._steps(record):
                    return record
        possible = await self._journal.rows.possible(conversation_id)
        if not possible:
            raise UsageError("undo.nothing")
        return await self._whole(possible[-1].action_id)


def _told(record: ActionRecord, done: Sequence[Changes]) -> str:
    """What was taken back, in one sentence: a file that several steps changed is one."""
    notes = [each.note for each in done if each.note and any(change.lost for change in each.changes)]
    if notes:
        note = sentences_joined(dict.fromkeys(notes))
        return sentence_of("undo.partly", title=record.title, note=note)
    paths = {change.path: change for each in done for change in each.changes}
    inside = {path: entry for each in done for path, entry in each.inside.items()}
    files = Changes([*paths.values()], inside).files
    return sentence_of("undo.one" if files == 1 else "undo.some", count=f"{files:,}", title=record.title)


def _unchecked(record: ActionRecord, step_id: str) -> ActionRecord:
    """Without the verdict of what was taken back: it is not there any more to be checked."""
    checked = record.verification
    return record if checked is None else replace(record, verification=checked.without(step_id))


def _names(paths: list[str]) -> str:
    shown = sentence_of("step.comma").join(display_path(Path(path)) for path in paths[:_MOST_NAMES])
    more = len(paths) - _MOST_NAMES
    return sentence_of("undo.and_more", names=shown, count=more) if more > 0 else shown


def _places(paths: list[str]) -> JsonObject:
    """Where they lie: the folder that holds them all and is there, or what lies in the home itself, which is
    never touched as a whole. Blocking.
    """
    home = Path.home()
    folder = Path(os.path.commonpath([os.path.dirname(path) for path in paths])) if paths else home  # noqa: PTH120
    if paths and home.is_relative_to(folder):
        return {"places": list(dict.fromkeys(str(_in_home(Path(path), home)) for path in paths))}
    while not folder.is_dir():
        folder = folder.parent
    return {"folder": str(folder)}


def _in_home(path: Path, home: Path) -> Path:
    """What of a path lies directly in the home; a path elsewhere is what it is."""
    return home / path.relative_to(home).parts[0] if path.is_relative_to(home) else path


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
