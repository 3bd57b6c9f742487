"""The part of the app's public face that is about actions and abilities; `app.Partner` inherits it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Literal

from partner_desktop.action.ability_keeper import AbilityKeeper
from partner_desktop.action.approvals import Approvals
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.chain.runner import ChainRunner
from partner_desktop.action.desk import ActionDesk
from partner_desktop.action.executor import ActionExecutor
from partner_desktop.action.runner.builtin.generate import GENERATE
from partner_desktop.action.shown import Shown
from partner_desktop.action.store import ActionStore
from partner_desktop.action.workbench import Workbench
from partner_desktop.base.errors import UsageError
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.audit import AuditEntry, AuditQuery, AuditWords
from partner_desktop.domain.draft import AbilityDraft
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Conversation, Role
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.request import Scope, StandingAnswer
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exchanges import ExchangeBook


class ActionFace:
    """Whoever inherits builds the parts."""

    _approvals: Approvals
    _audit: AuditLog
    _catalog: AbilityCatalog
    _desk: ActionDesk
    _dialog: Dialog
    _exchanges: ExchangeBook
    _chains: ChainRunner
    _executor: ActionExecutor
    _keeper: AbilityKeeper
    _store: ActionStore
    _workbench: Workbench

    def abilities(self) -> list[Ability]:
        """Everything that can be done here, and what is broken."""
        return self._catalog.all()

    async def actions(self, *, limit: int = 100) -> list[ActionRecord]:
        """Newest first."""
        return await self._store.newest(limit=limit)

    async def action(self, action_id: str) -> ActionRecord:
        """One action.

        Raises:
            UsageError: It does not exist.
        """
        return await self._store.get(action_id)

    async def approve(
        self,
        action_id: str,
        *,
        scope: Scope,
        params: JsonObject | None = None,
        shown: Shown = None,
    ) -> None:
        """Run a waiting action, with the parameters as edited (`None`: as proposed).

        `shown`: as its card was when the person decided, or the `version` of its ProposalEvent; a card that
        shows something else by now is refused, and proposed anew.

        Raises:
            UsageError: It no longer waits, was edited, or a parameter does not fit.
        """
        await self._desk.approve(action_id, scope=scope, params=params, shown=shown)

    async def reject(self, action_id: str) -> None:
        """Turn a waiting action down.

        Raises:
            UsageError: It is settled already.
        """
        await self._desk.reject(action_id)

    async def cancel(self, action_id: str) -> None:
        """End a running action and its processes."""
        # Whoever asks may be cancelled itself, at its next await: the run ends all the same.
        await uninterrupted(self._cancel(action_id))

    async def _cancel(self, action_id: str) -> None:
        await self._executor.cancel(action_id)
        await self._chains.cancel(action_id)

    async def run_again(self, action_id: str) -> None:
        """Propose an ended action once more, in its conversation.

        Raises:
            UsageError: Its ability is gone.
        """
        await self._desk.run_again(action_id)

    async def run_ability(
        self,
        key: str,
        params: JsonObject,
        *,
        cwd: str,
        standing: StandingAnswer,
        exchange_id: str,
        conversation_id: str = "",
        title: str = "",
        program: str = "",
    ) -> None:
        """Propose an ability by its key, in a conversation; where it is gone, in a new one of this title.

        `program`: who asks, where it is another program; it has grants of its own.

        Raises:
            UsageError: There is no such ability.
        """
        text = f"{self._catalog.require(key).title}: {key}"
        conversation = await self._conversation(conversation_id, title)
        exchange = self._exchanges.open(
            conversation.id, standing=standing, cwd=cwd, exchange_id=exchange_id, program=program
        )
        await self._dialog.append(
            conversation.id,
            Role.USER,
            text,
            source="terminal" if exchange.told else "program",
            exchange_id=exchange.id,
        )
        await self._desk.begin(key, params, exchange, text=text)

    async def _conversation(self, conversation_id: str, title: str) -> Conversation:
        if conversation_id:
            with suppress(UsageError):
                return await self._dialog.conversation(conversation_id)
        return await self._dialog.create(title)

    async def offer_ability(self, key: str, *, conversation_id: str, text: str) -> None:
        """Put an ability's card into a conversation, to be filled in there; `text` is what the person said.

        Raises:
            UsageError: There is no such ability or conversation.
        """
        self._catalog.require(key)
        await self._dialog.conversation(conversation_id)
        exchange = self._exchanges.open(conversation_id)
        await self._dialog.append(conversation_id, Role.USER, text, source="window", exchange_id=exchange.id)
        await self._desk.begin(key, {}, exchange, text=text, as_form=True)

    # Abilities themselves.

    async def switch_ability(self, key: str, *, on: bool) -> None:
        """Switch an ability off, or on again; it stays so over edits and restarts.

        Raises:
            UsageError: There is no such ability.
        """
        await self._catalog.switch(key, on=on)

    async def draft_of(self, key: str) -> AbilityDraft:
        """What the form for keeping or editing an ability begins with.

        Raises:
            UsageError: There is no such ability, or it is built in.
        """
        return await self._workbench.draft_of(key)

    async def persist_ability(self, key: str, draft: AbilityDraft) -> str:
        """Keep a temporary ability for good; its new key, under which it asks again.

        Raises:
            UsageError: It is not a temporary one, is broken, or its name or description does not do.
        """
        return await self._keeper.persist(key, draft)

    async def describe_ability(self, key: str, draft: AbilityDraft) -> str:
        """Give an ability folder another description or name; its key.

        Raises:
            UsageError: It is no ability folder, is broken, or its name or description does not do.
        """
        new_key = await self._workbench.describe(key, draft)
        if new_key != key:
            await self._approvals.rename(key, new_key)
        return new_key

    async def remove_ability(self, key: str) -> None:
        """Move an ability, working or broken, to the desktop's trash.

        Raises:
            UsageError: There is no such ability, it is built in, or nothing here has a trash.
        """
        await self._keeper.remove(key)

    async def source_text(self, action_id_or_key: str) -> str:
        """The source of an ability's script, of a card that makes one the code that it proposes; empty for
        other builtins and for what is gone.
        """
        key = action_id_or_key
        if "::" not in key:
            record = await self._store.get(key)
            if record.key == GENERATE:
                return str(record.params.get("code") or "")
            key = record.key
        return await self._workbench.source_text(key)

    async def add_script(self, path: Path, *, folder: Literal["dynamic", "tmp"]) -> str:
        """Copy a file into a live folder; the sentence to show.

        Raises:
            UsageError: It cannot be copied.
        """
        return await self._workbench.add_script(path, folder=folder)

    # What was decided and run.

    async def audit(self, *, limit: int = 200, action: str = "") -> list[AuditEntry]:
        """The newest entries of the audit log, oldest of them first."""
        return await self._audit.entries(limit=limit, action=action)

    async def audit_page(
        self, query: AuditQuery, *, before: int | None = None, limit: int = 100
    ) -> list[AuditEntry]:
        """The newest entries that fit, newest first; with `before` those below that position."""
        return await self._audit.reader.page(query, before=before, limit=limit)

    def audit_pages(
        self, query: AuditQuery, *, limit: int | None = None
    ) -> AsyncGenerator[list[AuditEntry], None]:
        """The newest `limit` entries that fit (`None`: all of them), oldest first, a page at a time."""
        return self._audit.reader.pages(query, limit=limit)

    async def audit_words(self) -> AuditWords:
        """The kinds and outcomes that the audit log can be looked through by."""
        return await self._audit.reader.words()

    async def export_audit(
        self, query: AuditQuery, path: Path, *, limit: int | None = None, force: bool = False
    ) -> int:
        """Write the entries that fit into a file, oldest first; how many. Its ending says the form.

        Raises:
            UsageError: The name does not do, or the file is there already (and not `force`).
            PartnerError: It could not be written; nothing was left behind.
        """
        from partner_desktop.permission.audit_export import export  # noqa: PLC0415 - rarely needed

        return await export(self._audit.reader, query, path, limit=limit, force=force)
