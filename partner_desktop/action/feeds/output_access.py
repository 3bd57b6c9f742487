"""StepOutputAccess: which step of a chain may read what which other one left in its workspace.

Contract: facts of the database and the disk alone. A path below a run's workspace is handed to a run that is
a step of the same chain, that the chain says is brought that very parameter by that very run, which has ended
well; to be read, and never by a server outside of Partner nor by a command line. Everything else of Partner's
home stays closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from partner_desktop.action.runs.step_outcomes import bringer_of
from partner_desktop.action.store import ActionStore
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import shown
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Plan
from partner_desktop.domain.run_facts import PathUse
from partner_desktop.language.anaphora import COMMANDS
from partner_desktop.permission.request import PermissionRequest
from partner_desktop.runner.run_folders import WORKSPACE, fault, left_by, not_readable


class StepOutputAccess:
    """Asked by the engine about every run. `runs`: the folder in which each run has one."""

    def __init__(self, store: ActionStore, runs: Path) -> None:
        self._store = store
        self._runs = runs.resolve()

    def workspace(self, action_id: str) -> Path:
        """Where the files of a run lie."""
        return self._runs / action_id / WORKSPACE

    async def handed(self, request: PermissionRequest) -> Mapping[PathUse, str]:
        """What the run may read of what others left, each with why not; anything else is not handed."""
        if request.action_key.startswith(COMMANDS):
            return {}
        left = {
            use: source
            for use in request.paths
            if use.param and use.access == "read" and (source := left_by(Path(use.path), self._runs))
        }
        asked = {(source, use.param) for use, source in left.items()}
        brought = {each for each in asked if await self._brings(each[0], request.action_id, each[1])}
        handed = [use for use, source in left.items() if (source, use.param) in brought]
        if request.isolation.server:
            return {use: sentence_of("acts.no_server", name=shown(Path(use.path).name)) for use in handed}
        return await asyncio.to_thread(_looked_at, handed) if handed else {}

    async def _brings(self, source_id: str, step_id: str, param: str) -> bool:
        """Whether the chain of the one has the other as a step, and says that it is fed by it."""
        try:
            source = await self._store.get(source_id)
            if source.status is not ActionStatus.SUCCEEDED or not source.parent_id:
                return False
            record = await self._store.get(source.parent_id)
        except UsageError:
            return False
        if record.chain is None or record.status.ended:
            return False
        return source_id in _bringers(record.chain, step_id, param)

    async def places(self, record: ActionRecord) -> Mapping[str, Path]:
        """Of a step of a chain: the parameters that other steps bring, with the workspaces of those."""
        if not record.parent_id:
            return {}
        try:
            chain = (await self._store.get(record.parent_id)).chain
        except UsageError:
            return {}
        return {} if chain is None else self.places_of(chain, record.id)

    def places_of(self, chain: Plan, step_id: str) -> Mapping[str, Path]:
        """The same of a step that has no record yet."""
        step = chain.step(step_id)
        params = [feed.param for feed in step.feeds] if step is not None else []
        return {
            param: self.workspace(source) for param in params for source in _bringers(chain, step_id, param)
        }


def _looked_at(uses: Sequence[PathUse]) -> dict[PathUse, str]:
    """Blocking."""
    return {use: not_readable(Path(use.path), why) if (why := fault(Path(use.path))) else "" for use in uses}


def _bringers(chain: Plan, step_id: str, param: str) -> list[str]:
    """The ids of the steps that bring a step this parameter, and that came to their end."""
    step = chain.step(step_id)
    feeds = [feed for feed in step.feeds if feed.param == param] if step is not None else []
    found = [bringer_of(chain, feed) for feed in feeds]
    return [source.id for source in found if source is not None]
