"""Trial: the script of a waiting card runs once, held, before anything is decided about the card.

Contract: it runs through the permission engine and the runner like any run, under an approval of exactly
this: in the sandbox, without network, without any path of the person's, for a short time, in a workspace that
is thrown away. The card goes on waiting, and no turn tells of it. Without a sandbox nothing is tried.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from partner_desktop.abilities.builtin.own_abilities import GENERATE
from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.abilities.new_script import NewScript, ScriptReader
from partner_desktop.abilities.script_writer import build
from partner_desktop.action.plans.card_version import status_word
from partner_desktop.action.plans.facts import request_for
from partner_desktop.action.store import ActionStore
from partner_desktop.base import private
from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import system_reason
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import (
    AbilityPermissions,
    MetaAction,
    MetaActionInfo,
    Route,
    RunnerResponse,
)
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.permission.request import Decision, Outcome
from partner_desktop.runner.client import RunnerClient
from partner_desktop.runner.sandbox_probe import SandboxProbe
from partner_desktop.storage.database import Database

#: A script that is tried should show what it does at once.
TRIAL_S = 20.0
#: What a trial's folder among those of the runs begins with.
_FOLDER = "trial-"
_TRIED = "tried out"


@dataclass(frozen=True)
class Trials:
    """Of one Partner. `runs`: the folder of the runs; `probe`: what is known of the sandbox now."""

    catalog: AbilityCatalog
    runner: RunnerClient
    engine: PermissionEngine
    store: ActionStore
    audit: AuditLog
    database: Database
    runs: Path
    probe: Callable[[], SandboxProbe]
    reader: ScriptReader

    async def try_out(self, action_id: str, params: JsonObject | None) -> RunnerResponse:
        """Run what a card shows, with the arguments that stand on it; see the module.

        Raises:
            UsageError: The card no longer waits, there is no script to try, no sandbox, or policy refuses it.
        """
        record = await self.store.get(action_id)
        if record.status is not ActionStatus.WAITING:
            raise UsageError("acts.try_settled", title=record.title, status=status_word(record))
        denial = self.engine.denial(record.key)  # of the card itself, which may only propose the script
        if denial:
            raise UsageError("acts.not_tried", reason=denial)
        probe = self.probe()
        if not probe.available:
            raise UsageError("acts.try_no_sandbox", reason=probe.reason)
        trial_id = f"{_FOLDER}{new_id()}"
        try:
            info, arguments = await self._script(record, self.runs / trial_id, params)
            return await self._run(replace(record, id=trial_id, params=arguments), info)
        finally:
            await uninterrupted(asyncio.to_thread(shutil.rmtree, self.runs / trial_id, ignore_errors=True))

    async def launch(self) -> None:
        """Remove what a trial left that Partner's end cut off."""
        await asyncio.to_thread(_clear, self.runs)

    async def shutdown(self) -> None:
        """A trial belongs to whoever asked for it."""

    async def _script(
        self, record: ActionRecord, folder: Path, params: JsonObject | None
    ) -> tuple[MetaActionInfo, JsonObject]:
        """What is to be tried, and its arguments."""
        given = record.params if params is None else params
        if record.key == GENERATE:
            script = await self.reader.read(given)
            return await asyncio.to_thread(_proposed, script, folder / "ability"), {}
        info = self.catalog.require(record.key)
        if info.source is None or info.plan is not None:
            raise UsageError("acts.try_no_script", title=info.title)
        if info.content_hash != record.content_hash:
            raise UsageError("acts.try_edited", title=info.title)
        return info, {name: value for name, value in given.items() if name in info.properties()}

    async def _run(self, record: ActionRecord, info: MetaActionInfo) -> RunnerResponse:
        held = replace(
            info, route=Route.ORIGIN, permissions=AbilityPermissions(), timeout_s=min(info.timeout_s, TRIAL_S)
        )
        isolation = self.runner.isolation(held)
        if not isolation.sandboxed:  # the settings changed while the script was looked at
            raise UsageError("acts.try_no_sandbox", reason=isolation.reason)
        trial = replace(
            record, key=info.key, title=info.title, content_hash=info.content_hash, isolation=isolation
        )
        decision = await self.engine.approve(request_for(trial, held), scope="once", reason=_TRIED)
        if decision.outcome is not Outcome.ALLOW:
            raise UsageError("acts.not_tried", reason=decision.reason)
        await self._note(decision, isolation.summary)
        call = MetaAction(id=trial.id, info=held, params=trial.params, conversation_id=trial.conversation_id)
        try:
            await self.runner.submit(call, decision)
        finally:
            await uninterrupted(self._note_end(call))
        assert call.response is not None, "the runner always settles a call"
        return replace(call.response, stdout_path=None)  # it goes with the workspace

    async def _note(self, decision: Decision, isolation: str) -> None:
        await self.database.write(
            lambda db: self.audit.run(db, decision, isolation=f"{_TRIED} · {isolation}")
        )

    async def _note_end(self, call: MetaAction) -> None:
        response = call.response
        outcome = (
            "cancelled"
            if response is None or response.cancelled
            else "succeeded"
            if response.ok
            else "failed"
        )
        try:
            await self.database.write(
                lambda db: self.audit.result(db, call.id, call.info.key, outcome=outcome, reason=_TRIED)
            )
        except StorageError:
            return  # it ran, and what it showed is what was asked for


def _proposed(script: NewScript, folder: Path) -> MetaActionInfo:
    """Blocking. The ability that the card would make, in a folder of its own."""
    private.make_folder(folder)
    try:
        read = build(folder, script, stem=script.name)
    except OSError as error:
        raise UsageError("acts.try_unwritten", reason=system_reason(error)) from error
    source = read.info.source
    assert source is not None, "it was built from a script"
    return replace(read.info, source=source.resolve())


def _clear(runs: Path) -> None:
    for folder in runs.glob(f"{_FOLDER}*"):
        shutil.rmtree(folder, ignore_errors=True)
