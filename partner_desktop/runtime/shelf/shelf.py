"""ConversationShelf: everything that is done with whole conversations. The app exposes it."""

from __future__ import annotations

import asyncio
import importlib
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.events import ConversationEvent
from partner_desktop.domain.message import Conversation
from partner_desktop.domain.search import ConversationHit
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.dialog import Dialog, storable
from partner_desktop.runtime.shelf.deletion import Deletion
from partner_desktop.runtime.shelf.search import ConversationSearch
from partner_desktop.storage.database import Database

LONGEST_TITLE = 200

ExportKind: TypeAlias = Literal["markdown", "json"]


class ConversationShelf:
    """Every change is on disk, and told to all who listen, when its call returns."""

    def __init__(
        self,
        database: Database,
        dialog: Dialog,
        channels: ChannelRegistry,
        deletion: Deletion,
        *,
        clock: Clock,
    ) -> None:
        self._database = database
        self._dialog = dialog
        self._channels = channels
        self._search = ConversationSearch(database)
        self._clock = clock
        self.deletion = deletion

    async def rename(self, conversation_id: str, title: str) -> Conversation:
        """Give a title, which then stays.

        Raises:
            UsageError: It is empty or too long, or the conversation does not exist.
        """
        title = " ".join(storable(title.replace("\x00", "")).split())
        if not title:
            raise UsageError("A title cannot be empty.")
        if len(title) > LONGEST_TITLE:
            raise UsageError(f"A title can hold {LONGEST_TITLE} characters; this one has {len(title)}.")
        await self._dialog.conversation(conversation_id)
        await self._database.write(
            lambda db: db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation_id))
        )
        conversation = await self._dialog.conversation(conversation_id)
        self._tell(conversation)
        return conversation

    async def delete(self, conversation_id: str) -> Conversation:
        """See `Deletion.delete`."""
        return await self.deletion.delete(conversation_id)

    async def restore(self, conversation_id: str) -> Conversation:
        """See `Deletion.restore`."""
        return await self.deletion.restore(conversation_id)

    async def search(self, text: str, *, limit: int) -> list[ConversationHit]:
        """See `ConversationSearch.find`."""
        return await self._search.find(text, limit=limit)

    async def export_to(self, conversation_id: str, path: Path, kind: ExportKind) -> None:
        """Write a conversation to a file, which appears whole or not at all.

        Raises:
            UsageError: The conversation does not exist, or the file cannot be written.
        """
        conversation = await self._dialog.conversation(conversation_id)
        await _bring_in("export")
        from partner_desktop.runtime.shelf.export import read_transcript, write_transcript  # noqa: PLC0415

        transcript = await read_transcript(self._database, conversation)
        await write_transcript(transcript, path, kind, now=self._clock.now())

    async def import_from(self, path: Path) -> Conversation:
        """Take an exported JSON file in, as a new conversation.

        Raises:
            UsageError: It is no such file; the sentence says what is wrong.
            StorageError: It could not be saved; nothing of it is there.
        """
        await _bring_in("importing")
        from partner_desktop.runtime.shelf.importing import Importer  # noqa: PLC0415
        from partner_desktop.runtime.shelf.reading import read_file  # noqa: PLC0415

        file = await asyncio.to_thread(read_file, path)
        importer = Importer(self._database, file, now=self._clock.now())
        try:
            conversation = await importer.write()
        except BaseException:
            with suppress(RuntimeError):  # we are closing: the next start erases it
                self.deletion.erase_soon(importer.conversation.id)
            raise
        self._tell(conversation)
        return conversation

    def _tell(self, conversation: Conversation) -> None:
        self._channels.publish(ConversationEvent(conversation_id=conversation.id, conversation=conversation))


async def _bring_in(name: str) -> None:
    """What writes and checks files comes in with the first one, in a thread: nothing waits for it."""
    await asyncio.to_thread(importlib.import_module, f"partner_desktop.runtime.shelf.{name}")
