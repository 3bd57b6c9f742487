"""ActionService: what was proposed and run, and everything that a person decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from partner_desktop.action.approvals import Approvals
from partner_desktop.action.dry_run import Trials
from partner_desktop.action.manual_actions import ManualActions
from partner_desktop.action.plans.card_version import Shown, card_version
from partner_desktop.action.runs.executor import ActionExecutor
from partner_desktop.action.runs.plan_runner import PlanRunner
from partner_desktop.action.runs.run_files import RunFiles
from partner_desktop.action.store import ActionStore
from partner_desktop.action.undo.undo_service import UndoService
from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.operation import Caller, OnlyFrom, Sent, operation
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.command_session import Stream
from partner_desktop.domain.evidence import Intervened
from partner_desktop.domain.intervention import Intervention, PlanEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.domain.permission import Scope
from partner_desktop.permission.audit_reader import AuditReader

#: Among so many of the newest an id is completed.
_SEARCHED = 1_000


@dataclass(frozen=True)
class ActionStory:
    """What an action was, step by step."""

    action: ActionRecord
    steps: tuple[ActionRecord, ...]
    decisions: tuple[AuditEntry, ...]
    version: str = ""
    """What a yes to it is to, while it waits: `shown` of `actions.approve`."""


class ActionService:
    """A single action and a chain of steps are decided on in the same way."""

    def __init__(
        self,
        store: ActionStore,
        desk: ManualActions,
        approvals: Approvals,
        executor: ActionExecutor,
        plan_runner: PlanRunner,
        *,
        trials: Trials,
        taking_back: UndoService,
        run_files: RunFiles,
        audit: AuditReader,
    ) -> None:
        self._store = store
        self._desk = desk
        self._approvals = approvals
        self._executor = executor
        self._plan_runner = plan_runner
        self._trials = trials
        self._taking_back = taking_back
        self._run_files = run_files
        self._audit = audit

    @operation(Caller.ATTACHED)
    async def list(self, *, limit: Annotated[int, Field(ge=1, le=1_000)] = 100) -> Sequence[ActionRecord]:
        """Newest first."""
        return await self._store.newest(limit=limit)

    @operation(Caller.ATTACHED)
    async def get(self, action_id: str) -> ActionRecord:
        """One action.

        Raises:
            UsageError: It does not exist.
        """
        return await self._store.get(action_id)

    @operation(Caller.ATTACHED)
    async def find(self, beginning: str) -> ActionRecord:
        """The one whose id is this, or begins so; with `last` the newest.

        Raises:
            UsageError: There is none, or several.
        """
        known = await self._store.newest(limit=_SEARCHED)
        found = [one for one in known if beginning and one.id.startswith(beginning)]
        found = known[:1] if beginning == "last" else found
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError("api.several_actions", beginning=beginning[:80])
        return await self._store.get(beginning)  # one that is older, or a step of a chain

    @operation(Caller.ATTACHED)
    async def story(self, action_id: str) -> ActionStory:
        """An action with its steps and all that was decided about them.

        Raises:
            UsageError: It does not exist.
        """
        record = await self._store.get(action_id)
        chain = record.chain
        steps = await self._store.steps_of(action_id) if chain is not None else []
        ids = (action_id, *(step.id for step in chain.steps)) if chain is not None else (action_id,)
        entries = [entry for one in ids for entry in await self._audit.of_action(one)]
        decisions = tuple(sorted(entries, key=lambda each: each.position))
        version = card_version(record) if record.status == "waiting" else ""
        return ActionStory(record, tuple(steps), decisions, version)

    @operation(Caller.CLIENT)
    async def approve(
        self,
        action_id: str,
        *,
        scope: Annotated[Scope, OnlyFrom(Caller.ATTACHED)] = "once",
        params: Annotated[JsonObject | None, OnlyFrom(Caller.LOCAL)] = None,
        shown: Annotated[Shown, Sent(str)] = None,
        caller: Annotated[Caller, OnlyFrom(Caller.LOCAL)] = Caller.LOCAL,
    ) -> None:
        """Run a waiting action, with the parameters as edited (`None`: as proposed).

        A stranger's yes is to this run and to no other: it makes no schedule. `shown`: as its card was when
        the person decided, or the `version` of its ProposalEvent; a card that shows something else by now is
        refused, and proposed anew.

        Raises:
            UsageError: It no longer waits, was edited, or a parameter does not fit; or it is to be done
                later, and a stranger said yes.
        """
        with self._desk.exchange_of(await self._store.get(action_id)) as exchange:
            await self._approvals.approve(
                action_id,
                scope=scope,
                params=params,
                exchange=exchange,
                shown=shown,
                by_person=caller is not Caller.CLIENT,
            )

    @operation(Caller.CLIENT)
    async def reject(self, action_id: str) -> None:
        """Turn a waiting action down.

        Raises:
            UsageError: It is settled already.
        """
        with self._desk.exchange_of(await self._store.get(action_id)):
            await self._approvals.reject(action_id)

    @operation(Caller.ATTACHED)
    async def cancel(self, action_id: str) -> None:
        """End a running action and its processes."""
        # Whoever asks may be cancelled itself, at its next await: the run ends all the same.
        await uninterrupted(self._plan_runner.cancel(action_id))

    @operation()
    async def run_again(self, action_id: str) -> None:
        """Propose an ended action once more, in its conversation.

        Raises:
            UsageError: Its ability is gone.
        """
        await self._desk.run_again(action_id)

    @operation()
    async def try_out(self, action_id: str, *, params: JsonObject | None = None) -> RunnerResponse:
        """Run the script of a waiting card in the sandbox, without network, path or consequence.

        Of a card that proposes a new ability it is the proposed source, without arguments; else the ability's
        own. `params`: what stands on the card by now.

        Raises:
            UsageError: The card no longer waits, there is no script to try, or no sandbox to try it in.
        """
        return await self._trials.try_out(action_id, params)

    @operation(Caller.ATTACHED)
    def output(self, action_id: str) -> dict[Stream, str]:
        """The end of what a run under way has printed, for a card that comes into view."""
        return self._executor.printed.so_far(action_id)

    @operation(Caller.ATTACHED)
    async def undo(self, action_id: str) -> str:
        """Take back what a run did to the person's files; the sentence to show.

        Raises:
            UsageError: It cannot be taken back (any more); the sentence names what went on changing.
        """
        return await self._taking_back.take_back(action_id)

    @operation(Caller.ATTACHED)
    async def keep_files(self, action_id: str, folder: Path) -> str:
        """Copy what a run left in its workspace into a folder, under names that are free there; the sentence.

        Raises:
            UsageError: There is nothing to keep, or it cannot be copied.
        """
        return await self._run_files.keep(action_id, folder)

    # Of several steps.

    @operation(Caller.ATTACHED)
    async def steps(self, action_id: str) -> Sequence[ActionRecord]:
        """What the steps of a chain have become, in the order in which they were begun."""
        return await self._store.steps_of(action_id)

    @operation()
    async def edit_chain(self, action_id: str, edit: PlanEdit) -> None:
        """Reorder, drop or change the steps of a chain that waits; its card shows them anew and asks again.

        Raises:
            UsageError: It no longer waits, or cannot be so; nothing changed.
        """
        await self._approvals.edit_chain(action_id, edit)

    @operation()
    async def intervene(self, action_id: str, interventions: Sequence[Intervention]) -> Intervened:
        """Change a chain that is under way.

        Raises:
            UsageError: It is no chain, or is over.
        """
        return await self._plan_runner.intervene(action_id, interventions, by="person")

    @operation(Caller.ATTACHED)
    async def decisions(self, action_id: str) -> Sequence[AuditEntry]:
        """All that the audit log holds of an action, oldest first."""
        return await self._audit.of_action(action_id)
