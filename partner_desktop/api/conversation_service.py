"""ConversationService: everything that is done with whole conversations."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.events import ConversationEvent
from partner_desktop.domain.message import Conversation, ConversationHit
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.branch import Branching
from partner_desktop.runtime.conversations.deletion import Deletion
from partner_desktop.runtime.conversations.organizer import (
    ConversationChange,
    ConversationFolder,
    ConversationOrganizer,
)
from partner_desktop.runtime.conversations.search import ConversationSearch, SearchScope, Speaker
from partner_desktop.runtime.dialog import ConversationOrder, Dialog, storable
from partner_desktop.storage.database import Database

LONGEST_TITLE = 200

#: A part of an id that is shorter could mean too many.
_LEAST_ID = 4


#: Of texts in a row, with when they were said: which the person had forgotten.
KnownForgotten = Callable[[Sequence[tuple[str, datetime | None]]], Awaitable[Sequence[bool]]]


class ConversationService:
    """Every change is on disk, and told to all who listen, when its call returns.

    `halt` ends the reply in progress and the running actions of a conversation; `follow` lets a branch have
    what was chosen for the conversation that it comes from.
    """

    def __init__(
        self,
        database: Database,
        dialog: Dialog,
        channels: ChannelRegistry,
        deletion: Deletion,
        *,
        forgotten: KnownForgotten,
        halt: Callable[[str], Awaitable[None]],
        follow: Callable[[str, str], Awaitable[None]],
        clock: Clock,
    ) -> None:
        self._database = database
        self._dialog = dialog
        self._channels = channels
        self._search = ConversationSearch(database)
        self._organizer = ConversationOrganizer(database, channels)
        self.deletion = deletion
        self._forgotten = forgotten
        self._branching = Branching(database, channels, deletion, follow=follow, clock=clock)
        self._halt = halt
        self._clock = clock

    @operation(Caller.CLIENT)
    async def list(
        self,
        *,
        limit: Annotated[int, Field(ge=1, le=10_000)] = 10_000,
        order: ConversationOrder = "used",
        archived: bool | None = False,
        folder: str | None = None,
    ) -> Sequence[Conversation]:
        """Those that are in use, newest first; in another `order`, of one folder, or `archived`: those that
        are (`null`: both)."""
        return await self._dialog.conversations(limit=limit, order=order, archived=archived, folder=folder)

    @operation(Caller.CLIENT)
    async def get(self, conversation_id: str) -> Conversation:
        """One of them.

        Raises:
            UsageError: There is none of this id, or it was deleted.
        """
        return await self._dialog.conversation(conversation_id)

    @operation(Caller.ATTACHED)
    async def find(self, beginning: str) -> Conversation:
        """The one whose id is this, or begins so.

        Raises:
            UsageError: There is none, or several.
        """
        known = await self._dialog.conversations()
        found = [each for each in known if each.id == beginning]
        if not found and len(beginning) >= _LEAST_ID:
            found = [each for each in known if each.id.startswith(beginning)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError("api.several_conversations", count=len(found), beginning=beginning)
        raise UsageError("api.no_conversation", beginning=beginning)

    @operation(Caller.ATTACHED)
    async def create(self, title: str = "") -> Conversation:
        """An empty one; it is listed once something was said in it. Without a title it gets one from that."""
        return await self._dialog.create(title)

    @operation(Caller.CLIENT)
    async def stop(self, conversation_id: str) -> None:
        """End the reply in progress and the running actions of a conversation."""
        await self._halt(conversation_id)

    @operation(Caller.ATTACHED)
    async def rename(self, conversation_id: str, title: str) -> Conversation:
        """Give a title, which then stays.

        Raises:
            UsageError: It is empty or too long, or the conversation does not exist.
        """
        title = " ".join(storable(title.replace("\x00", "")).split())
        if not title:
            raise UsageError("api.empty_title")
        if len(title) > LONGEST_TITLE:
            raise UsageError("api.title_too_long", most=LONGEST_TITLE, length=len(title))
        await self._dialog.conversation(conversation_id)
        conversation = await self._dialog.retitle(conversation_id, title)
        self._tell(conversation)
        return conversation

    @operation(Caller.ATTACHED)
    async def organize(
        self,
        conversation_ids: Sequence[str],
        *,
        pinned: bool | None = None,
        archived: bool | None = None,
        folder: str | None = None,
        unread: bool | None = None,
    ) -> Sequence[Conversation]:
        """Pin conversations, archive them, put them into a folder (an empty name: out of it), mark them as
        read or not: all of them or none. What is not given stays.

        Raises:
            UsageError: One of them does not exist, or the folder's name is too long.
        """
        change = ConversationChange(pinned, archived, folder, unread)
        return await self._organizer.organize(conversation_ids, change)

    @operation(Caller.ATTACHED)
    async def folders(self) -> Sequence[ConversationFolder]:
        """The folders, each with how many conversations are in it."""
        return await self._organizer.folders()

    @operation(Caller.ATTACHED)
    async def rename_folder(self, name: str, new_name: str) -> Sequence[Conversation]:
        """Give a folder another name; with an empty one it is no more, and what was in it is in none.

        Raises:
            UsageError: There is no such folder, or the name is too long.
        """
        return await self._organizer.rename_folder(name, new_name)

    @operation()
    async def look_at(self, conversation_id: str) -> None:
        """Say what the window shows to somebody: what comes there is read; empty: nothing is looked at."""
        await self._dialog.look_at(conversation_id)

    @operation(Caller.ATTACHED)
    async def delete(self, conversation_id: str) -> Conversation:
        """Out of sight at once, erased a little later.

        Raises:
            UsageError: There is none of this id.
        """
        return (await self.deletion.delete([conversation_id]))[0]

    @operation(Caller.ATTACHED)
    async def delete_many(self, conversation_ids: Sequence[str]) -> Sequence[Conversation]:
        """The same with several, all or none.

        Raises:
            UsageError: There is none of one of the ids.
        """
        return await self.deletion.delete(conversation_ids)

    @operation(Caller.ATTACHED)
    async def restore(self, conversation_id: str) -> Conversation:
        """Take a deletion back, while that is possible.

        Raises:
            UsageError: It was not deleted, or is erased already.
        """
        return (await self.deletion.restore([conversation_id]))[0]

    @operation(Caller.ATTACHED)
    async def restore_many(self, conversation_ids: Sequence[str]) -> Sequence[Conversation]:
        """The same with several.

        Raises:
            UsageError: One was not deleted, or is erased already; the others are back.
        """
        return await self.deletion.restore(conversation_ids)

    @operation(Caller.ATTACHED)
    async def search(
        self,
        text: str,
        *,
        conversation_id: str = "",
        archived: bool | None = None,
        said_by: Speaker = "",
        since: date | None = None,
        attached: bool = False,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
    ) -> Sequence[ConversationHit]:
        """The conversations in which something like `text` was said, best first: in all, in those that are
        archived or not, said by one side, on a day or later, with a file or a picture. In one conversation it
        is each message that fits."""
        within = SearchScope(conversation_id, archived, said_by, since, attached)
        return await self._search.find(text, within=within, limit=limit)

    @operation(Caller.ATTACHED)
    async def branch(self, message_id: str) -> Conversation:
        """A new conversation with everything up to a message, in sight when this returns.

        Raises:
            UsageError: The message is not in the line of a conversation, or is still being written.
            StorageError: It could not be saved; nothing of it is there.
        """
        return await self._branching.branch(message_id)

    @operation(Caller.ATTACHED)
    async def export_to(
        self, conversation_id: str, path: Path, *, kind: Literal["markdown", "json"] | None = None
    ) -> None:
        """Write a conversation to a file, which appears whole or not at all.

        Without a `kind`: Markdown where the file's name ends in .md, JSON otherwise.

        Raises:
            UsageError: The conversation does not exist, or the file cannot be written.
        """
        conversation = await self._dialog.conversation(conversation_id)
        await _bring_in("export")
        from partner_desktop.runtime.conversations.export import read_transcript, write_transcript  # noqa: PLC0415

        transcript = await read_transcript(self._database, conversation)
        if kind is None:
            kind = "markdown" if path.suffix.lower() in (".md", ".markdown") else "json"
        await write_transcript(transcript, path, kind, now=self._clock.now())

    @operation(Caller.ATTACHED)
    async def import_from(self, path: Path, *, forgotten: bool = False) -> Conversation:
        """Take an exported JSON file in, as a new conversation.

        Raises:
            UsageError: It is no such file, the sentence says what is wrong; or it holds what was forgotten,
                and `forgotten` does not say that this may come in.
            StorageError: It could not be saved; nothing of it is there.
        """
        await _bring_in("importer")
        from partner_desktop.runtime.conversations.importer import Importer, read_file  # noqa: PLC0415

        file = await asyncio.to_thread(read_file, path)
        if not forgotten:
            known = await self._forgotten([(each.text, each.created_at) for each in file.messages])
            if any(known):
                raise UsageError("api.holds_forgotten", count=sum(known))
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
    await asyncio.to_thread(importlib.import_module, f"partner_desktop.runtime.conversations.{name}")
