"""AbilityService: what can be done here, and what is done with abilities themselves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from partner_desktop.abilities.ability_editor import AbilityEditor, AbilityManager
from partner_desktop.abilities.builtin.own_abilities import GENERATE
from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.action.approvals import Approvals
from partner_desktop.action.manual_actions import ManualActions
from partner_desktop.action.store import ActionStore
from partner_desktop.api.operations import WorkingFolder
from partner_desktop.base.errors import UsageError
from partner_desktop.base.operation import Caller, OnlyFrom, operation
from partner_desktop.domain.ability import Ability, AbilityDraft
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Conversation, Role
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exchanges import ExchangeRegistry


class AbilityService:
    """Each is named by its key, as `local::count_words`."""

    def __init__(
        self,
        catalog: AbilityCatalog,
        manager: AbilityManager,
        editor: AbilityEditor,
        approvals: Approvals,
        desk: ManualActions,
        store: ActionStore,
        dialog: Dialog,
        exchanges: ExchangeRegistry,
    ) -> None:
        self._catalog = catalog
        self._manager = manager
        self._editor = editor
        self._approvals = approvals
        self._desk = desk
        self._store = store
        self._dialog = dialog
        self._exchanges = exchanges

    @operation(Caller.ATTACHED)
    def list(self) -> Sequence[Ability]:
        """Everything that can be done here, and what is broken."""
        return self._catalog.all()

    @operation(Caller.ATTACHED)
    async def run(
        self,
        key: str,
        params: JsonObject,
        *,
        cwd: WorkingFolder,
        standing: ApprovalMode,
        exchange_id: Annotated[str, OnlyFrom(Caller.LOCAL)] = "",
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

    @operation()
    async def offer(self, key: str, *, conversation_id: str, text: str) -> None:
        """Put an ability's card into a conversation, to be filled in there; `text` is what the person said.

        Raises:
            UsageError: There is no such ability or conversation.
        """
        self._catalog.require(key)
        await self._dialog.conversation(conversation_id)
        exchange = self._exchanges.open(conversation_id)
        await self._dialog.append(conversation_id, Role.USER, text, source="window", exchange_id=exchange.id)
        await self._desk.begin(key, {}, exchange, text=text, as_form=True)

    @operation(Caller.ATTACHED)
    async def switch(self, key: str, *, on: bool) -> None:
        """Switch an ability off, or on again; it stays so over edits and restarts.

        Raises:
            UsageError: There is no such ability.
        """
        await self._catalog.switch(key, on=on)

    @operation(Caller.ATTACHED)
    async def draft(self, key: str) -> AbilityDraft:
        """What the form for keeping or editing an ability begins with.

        Raises:
            UsageError: There is no such ability, or it is built in.
        """
        return await self._editor.draft_of(key)

    @operation(Caller.ATTACHED)
    async def persist(self, key: str, draft: AbilityDraft | None = None, *, name: str = "") -> str:
        """Keep a temporary ability for good; its new key, under which it asks again.

        `name`: in place of the draft's; without a draft the ability describes itself.

        Raises:
            UsageError: It is not a temporary one, is broken, or its name or description does not do.
        """
        draft = draft or await self._editor.draft_of(key)
        return await self._manager.persist(key, replace(draft, name=name) if name else draft)

    @operation()
    async def describe(self, key: str, draft: AbilityDraft) -> str:
        """Give an ability folder another description or name; its key.

        Raises:
            UsageError: It is no ability folder, is broken, or its name or description does not do.
        """
        new_key = await self._editor.describe(key, draft)
        if new_key != key:
            await self._approvals.rename(key, new_key)
        return new_key

    @operation(Caller.ATTACHED)
    async def remove(self, key: str) -> None:
        """Move an ability, working or broken, to the desktop's trash.

        Raises:
            UsageError: There is no such ability, it is built in, or nothing here has a trash.
        """
        await self._manager.remove(key)

    @operation()
    async def restore(self, key: str) -> str:
        """Bring back an ability that was removed since Partner started; its key. It asks again.

        Raises:
            UsageError: It was not removed here, or it is in the trash no more.
        """
        return await self._manager.restore(key)

    @operation()
    async def source(self, action_id_or_key: str) -> str:
        """The source of an ability's script, of a card that makes one the code that it proposes; empty for
        other builtins and for what is gone.
        """
        key = action_id_or_key
        if "::" not in key:
            record = await self._store.get(key)
            if record.key == GENERATE:
                return str(record.params.get("code") or "")
            key = record.key
        return await self._editor.source_text(key)

    @operation()
    async def add_script(self, path: Path, *, folder: Literal["dynamic", "tmp"]) -> str:
        """Copy a file into a live folder; the sentence to show.

        Raises:
            UsageError: It cannot be copied.
        """
        return await self._editor.add_script(path, folder=folder)
