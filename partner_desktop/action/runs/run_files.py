"""What runs left in their workspaces: named on the card, kept where the person says, removed with time.

Contract: nothing of it goes without a word: the record says until when it waits (`files_until`), and what is
removed then stands in no list any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from partner_desktop.action.event_publisher import EventPublisher
from partner_desktop.action.settings import ActionSettings
from partner_desktop.action.store import ActionStore
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of, sentences_joined, system_reason
from partner_desktop.base.paths import display_path, expanded_path
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.domain.action import ActionRecord, ActionStatus, RunFile
from partner_desktop.domain.meta_action import RunLeft, RunnerResponse
from partner_desktop.runner.call import Call
from partner_desktop.runner.client import RunnerClient, WrappedRunner
from partner_desktop.runner.run_folders import (
    WORKSPACE,
    keep,
    left_files,
    remove_unused_workspace,
    remove_workspace,
)

#: Runs among which the newest one with files is looked for.
_LOOKED_AT = 200


class RunFiles:
    """A part of the AgentContext. `own`: Partner's own folders, into which nothing is copied."""

    def __init__(
        self,
        runs: Path,
        store: ActionStore,
        publisher: EventPublisher,
        settings: Callable[[], ActionSettings],
        *,
        own: Sequence[Path],
        clock: Clock,
    ) -> None:
        self._runs = runs
        self._store = store
        self._publisher = publisher
        self._settings = settings
        self._own = own
        self._clock = clock
        self._tasks = TaskSet("run files")

    async def launch(self) -> None:
        """Remove what has waited long enough, behind the start."""
        self._tasks.start("sweep", self._sweep())

    async def shutdown(self) -> None:
        await self._tasks.close()

    async def left_by(self, action_id: str) -> RunLeft:
        """The files that a run left, and until when they wait."""
        return self.waiting(await asyncio.to_thread(left_files, self._runs / action_id))

    def waiting(self, files: tuple[RunFile, ...]) -> RunLeft:
        """What a run left just now, and until when it waits."""
        return RunLeft(files=files, files_until=self._clock.now() + self._time if files else None)

    @property
    def _time(self) -> timedelta:
        return timedelta(days=self._settings().files_keep_days)

    async def keep(self, action_id: str, folder: Path) -> str:
        """Copy what a run left into a folder; the sentence.

        Raises:
            UsageError: It runs still, left nothing, or it cannot be copied.
        """
        record = await self._newest() if action_id == "last" else await self._store.get(action_id)
        if record.status is ActionStatus.RUNNING:
            raise UsageError("acts.still_runs", title=record.title)
        return await uninterrupted(asyncio.to_thread(self._keep, record, folder))

    async def _newest(self) -> ActionRecord:
        """The newest run that left files."""
        for record in await self._store.newest(limit=_LOOKED_AT):
            if record.files:
                return record
        raise UsageError("acts.no_files_lately")

    def _keep(self, record: ActionRecord, folder: Path) -> str:
        """Blocking."""
        workspace = self._runs / record.id / WORKSPACE
        if not workspace.is_dir():
            raise UsageError("acts.no_files", title=record.title)
        try:
            target = expanded_path(folder).resolve()
            if any(own.resolve() in (target, *target.parents) for own in self._own):
                raise UsageError("acts.own_folder", path=display_path(target))
            if not target.is_dir():
                raise UsageError("acts.no_folder", path=display_path(target))
            kept, left_out = keep(workspace, target)
        except (OSError, RuntimeError) as error:
            why = system_reason(error) if isinstance(error, OSError) else error
            raise UsageError("acts.not_copied", path=display_path(folder), reason=why) from error
        copied = "acts.copied_one" if kept == 1 else "acts.copied"
        told = [sentence_of(copied, count=kept, path=display_path(target))]
        if left_out:
            told.append(sentence_of("acts.left_out", count=left_out))
        return sentences_joined(told)

    async def _sweep(self) -> None:
        for folder in await asyncio.to_thread(self._workspaces):
            try:
                known = await self._store.get(folder.name)
            except UsageError:  # its conversation was erased
                known = None
            if known is not None and known.files_until is None:
                if known.status.ended:  # Partner's end came before it was cleared away
                    await asyncio.to_thread(remove_unused_workspace, folder)
            elif await self._is_over(folder, known):
                await asyncio.to_thread(remove_workspace, folder)
                record = await self._store.amend(
                    folder.name, lambda record: replace(record, files=(), files_until=None)
                )
                if record is not None:
                    self._publisher.changed(record)

    def _workspaces(self) -> list[Path]:
        """Blocking."""
        try:
            return [folder for folder in self._runs.iterdir() if (folder / WORKSPACE).is_dir()]
        except OSError:
            return []

    async def _is_over(self, folder: Path, record: ActionRecord | None) -> bool:
        now = self._clock.now()
        if record is None or record.files_until is None:
            changed_at = await asyncio.to_thread(lambda: folder.stat().st_mtime)
            return datetime.fromtimestamp(changed_at, UTC) + self._time < now
        return record.files_until < now and not await self._is_awaited(record)

    async def _is_awaited(self, record: ActionRecord) -> bool:
        """Whether a later step of its chain may read it: one that waited out a holiday goes on after it."""
        if not record.parent_id:
            return False
        try:
            return not (await self._store.get(record.parent_id)).status.ended
        except UsageError:
            return False


class FilesRunner(WrappedRunner):
    """Notes what each run left in its workspace, however it ended."""

    def __init__(self, wrapped: RunnerClient, files: RunFiles) -> None:
        super().__init__(wrapped)
        self._run_files = files

    async def run(self, call: Call) -> RunnerResponse:
        action = call.meta_action

        def note(files: tuple[RunFile, ...]) -> None:
            left = self._run_files.waiting(files)
            action.left = replace(action.left, files=left.files, files_until=left.files_until)

        return await super().run(replace(call, on_left=note))

    async def left_by(self, action_id: str) -> RunLeft:
        left = await super().left_by(action_id)
        mine = await self._run_files.left_by(action_id)
        return replace(left, files=mine.files, files_until=mine.files_until)
