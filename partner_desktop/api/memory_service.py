"""MemoryService: what was said is found again, opened, pinned, exported, and brought in from elsewhere.

ForgettingService: what was said is forgotten for good, after it was shown; and what backups still hold.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import system_reason
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.paths import display_path
from partner_desktop.base.private import building_beside
from partner_desktop.capabilities import MemoryCapability
from partner_desktop.domain.events import ConversationEvent
from partner_desktop.domain.forgetting import BackupHolding, ForgetOutcome, ForgetPreview, ForgetSelection
from partner_desktop.domain.message import Conversation
from partner_desktop.domain.remembered import (
    ChatImport,
    MemorySlice,
    MemoryStatus,
    MemoryUnit,
    OpenedSlice,
    Recall,
    RecallQuery,
)
from partner_desktop.memory.chat_import import ChatImporting
from partner_desktop.memory.forget_backups import ForgetBackups
from partner_desktop.memory.forget_procedure import Forgetting
from partner_desktop.memory.forgotten import Remembering
from partner_desktop.memory.indexing import TurnIndexing
from partner_desktop.memory.slice_store import SliceStore, as_line
from partner_desktop.rolling.roller import DialogRoller
from partner_desktop.runtime.channel import ChannelRegistry

_LONGEST_QUESTION = 20_000
_SLICES_AT_ONCE = 50


class MemoryService:
    """Everything that is kept of conversations can be asked for here; nothing here changes a message."""

    def __init__(
        self,
        memory: MemoryCapability,
        roller: DialogRoller,
        slices: SliceStore,
        indexing: TurnIndexing,
        importing: ChatImporting,
    ) -> None:
        self._memory = memory
        self._roller = roller
        self._slices = slices
        self._indexing = indexing
        self._importing = importing

    @operation(Caller.ATTACHED)
    async def recall(
        self,
        question: Annotated[str, Field(max_length=_LONGEST_QUESTION)],
        *,
        conversation_id: str = "",
        limit: Annotated[int, Field(ge=1, le=500)] = 25,
        now: datetime | None = None,
    ) -> Recall:
        """What was said that answers a question, best first; passages where something fits well enough.

        `conversation_id` keeps to one conversation; `now` is the moment that `last Tuesday` counts from.

        Raises:
            UsageError: The question is empty.
            StorageError: What is kept cannot be read.
        """
        if not question.strip():
            raise UsageError("api.look_for_what")
        return await self._memory.recall(RecallQuery(question, conversation_id, limit=limit, now=now))

    @operation(Caller.ATTACHED)
    async def status(self) -> MemoryStatus:
        """How much can be recalled now, and what keeps meaning from being compared."""
        status = await self._indexing.status()
        slices, pinned = await self._slices.counts()
        return replace(status, slices=slices, pinned=pinned)

    @operation(Caller.ATTACHED)
    async def slices(
        self,
        *,
        conversation_id: str = "",
        pinned: bool = False,
        topic: str = "",
        before: str = "",
        limit: Annotated[int, Field(ge=1, le=10_000)] = 100,
    ) -> Sequence[MemorySlice]:
        """Slices of dialog that is over, the newest first.

        `topic` is a path that `topics` tells; `before` the id of the last slice of the page before this one.

        Raises:
            UsageError: The slice `before` is gone.
        """
        return await self._slices.all(
            limit=limit, conversation_id=conversation_id, pinned=pinned, topic=topic, before=before
        )

    @operation(Caller.ATTACHED)
    async def units(self, conversation_id: str) -> Sequence[MemoryUnit]:
        """The stretches of a conversation that are over, in order."""
        return await self._slices.counted_units(conversation_id)

    @operation(Caller.ATTACHED)
    async def show(self, slice_id: str) -> OpenedSlice:
        """A slice with its messages, as they were said.

        Raises:
            UsageError: There is none of this id.
        """
        return await self._slices.get(slice_id)

    @operation(Caller.ATTACHED)
    async def topics(self) -> Sequence[tuple[str, int]]:
        """What slices are about, as paths `A->B`, and how many slices each path has."""
        return await self._slices.topics()

    @operation(Caller.ATTACHED)
    async def about(self, topic: str) -> Sequence[tuple[MemorySlice, float]]:
        """The slices of a topic and of those akin to it, at most five, with their scores."""
        return await self._slices.about(topic)

    @operation(Caller.ATTACHED)
    async def pin(self, slice_id: str) -> MemorySlice:
        """Keep a slice: it is put before the mind in every conversation.

        Raises:
            UsageError: There is none of this id.
        """
        return await self._slices.pin(slice_id, pinned=True)

    @operation(Caller.ATTACHED)
    async def unpin(self, slice_id: str) -> MemorySlice:
        """Keep it no longer in sight.

        Raises:
            UsageError: There is none of this id.
        """
        return await self._slices.pin(slice_id, pinned=False)

    @operation(Caller.ATTACHED)
    async def edit_slice(self, slice_id: str, summary: str) -> MemorySlice:
        """Say in other words what a slice is about; its messages stay as they were said.

        Raises:
            UsageError: There is none of this id, or the text is too long.
        """
        return await self._slices.edit(slice_id, summary)

    @operation(Caller.ATTACHED)
    async def roll(self, conversation_id: str) -> MemoryUnit | None:
        """Sum up what was said since a conversation's last unit, all of it; `None`: nothing was.

        Raises:
            UsageError: It keeps changing.
            StorageError: It cannot be saved; nothing of it is there.
        """
        return await self._roller.roll_all(conversation_id)

    @operation(Caller.ATTACHED)
    async def export_to(self, path: Path, *, force: bool = False) -> int:
        """Write all slices to a file of JSON lines, the oldest first, whole or not at all; how many.

        Such a file can be brought in: `import_from`. A file that is there already is replaced with `force`
        only.

        Raises:
            UsageError: The file is there already, or cannot be written.
        """
        try:
            if not force and await asyncio.to_thread(path.is_file):
                raise UsageError("api.file_there", path=display_path(path))
            return await self._export(await asyncio.to_thread(path.resolve))
        except OSError as error:
            raise UsageError(
                "common.unwritable", path=display_path(path), reason=system_reason(error)
            ) from error

    async def _export(self, target: Path) -> int:
        slices = (await self._slices.all(limit=1_000_000))[::-1]
        building = building_beside(target)

        def write(mode: str, lines: Sequence[str]) -> None:
            with building.open(mode, encoding="utf-8") as file:
                file.writelines(lines)
                file.flush()
                os.fsync(file.fileno())

        count = 0
        await asyncio.to_thread(write, "x", ())
        try:
            for start in range(0, len(slices), _SLICES_AT_ONCE):
                lines = []
                for one in slices[start : start + _SLICES_AT_ONCE]:
                    with suppress(UsageError):  # it was erased meanwhile
                        lines.append(as_line(await self._slices.get(one.id)) + "\n")
                await asyncio.to_thread(write, "a", lines)
                count += len(lines)
            await asyncio.to_thread(building.replace, target)
        finally:
            await asyncio.to_thread(building.unlink, missing_ok=True)
        return count

    @operation(Caller.ATTACHED)
    async def import_from(self, path: Path, *, encoding: str = "", forgotten: bool = False) -> ChatImport:
        """Begin to bring in chats that ChatGPT, Claude or Jan exported, or JSON lines; see `imports`.

        The same call goes on with an import that was stopped. Chats that are here already are left; one that
        grew gets what is new. What was forgotten stays out, unless it is asked for (`forgotten`). `encoding`
        is for text that is not UTF-8, as `gb18030`.

        Raises:
            UsageError: It is no export that can be read.
        """
        return await self._importing.start(path, encoding=encoding, forgotten=forgotten)

    @operation(Caller.ATTACHED)
    async def imports(self) -> Sequence[ChatImport]:
        """Every import of chats and how far it is, the newest first."""
        return await self._importing.all()

    @operation(Caller.ATTACHED)
    async def stop_import(self, import_id: str) -> ChatImport:
        """End an import; what is in stays, and the same import can go on later.

        Raises:
            UsageError: No import of this id goes on.
        """
        return await self._importing.stop(import_id)

    @operation(Caller.ATTACHED)
    async def follow_import(self, import_id: str) -> AsyncGenerator[ChatImport, None]:
        """How an import goes on, until it ends.

        Raises:
            UsageError: There is none of this id.
        """
        async for one in self._importing.follow(import_id):
            yield one

    @operation(Caller.ATTACHED)
    async def read_all(self) -> MemoryStatus:
        """Wait until everything that is kept is found by words, and by meaning where there is a model.

        Raises:
            ModelError: The embedding model failed.
        """
        await self._indexing.whole()
        await self._indexing.meaning_read()
        return await self.status()


class ForgettingService:
    """Nothing here is done before it was shown: `forget` takes what `preview` gave."""

    def __init__(
        self,
        forgetting: Forgetting,
        backups: ForgetBackups,
        remembering: Remembering,
        channels: ChannelRegistry,
    ) -> None:
        self._forgetting = forgetting
        self._backups = backups
        self._remembering = remembering
        self._channels = channels

    @operation(Caller.ATTACHED)
    async def preview(self, selection: ForgetSelection) -> ForgetPreview:
        """What would be forgotten, exactly, and where else words of it stand; nothing is done yet.

        Raises:
            UsageError: Nothing is chosen, or what is named is not there.
        """
        return await self._forgetting.look(selection)

    @operation(Caller.ATTACHED)
    async def forget(self, preview_id: str) -> ForgetOutcome:
        """Erase what was shown, and nothing else: what is other than it was shown is shown anew instead.

        Raises:
            UsageError: It was not shown, or too long ago; or there is nothing to forget.
            StorageError: It could not be written down; nothing was erased.
        """
        done = await self._forgetting.forget(preview_id)
        if isinstance(done, ForgetPreview):
            return ForgetOutcome("changed", preview=done)
        return ForgetOutcome("forgotten", done, tuple(await self._backups.holding()))

    @operation(Caller.ATTACHED)
    async def settled(self) -> None:
        """Wait until nothing of what was forgotten is left: turns that knew of it are over."""
        await self._forgetting.settled()

    @operation(Caller.ATTACHED)
    async def backups(self, *, paths: Sequence[Path] = ()) -> Sequence[BackupHolding]:
        """The backups in the home, and those of `paths`, that still hold something of what was forgotten."""
        return await self._backups.holding(paths)

    @operation(Caller.ATTACHED)
    async def clean_backups(self, *, paths: Sequence[Path] = ()) -> Sequence[BackupHolding]:
        """Erase it from them, too; those that it could not be erased from, and why.

        A backup that was cleaned cannot be read by an older Partner any more.
        """
        return await self._backups.clean(paths)

    @operation(Caller.ATTACHED)
    async def do_not_remember(self, conversation_id: str, *, on: bool = True) -> Conversation:
        """Keep a conversation to itself: found from nowhere else, in no slice; `on=False` takes it back.

        Raises:
            UsageError: There is no such conversation.
        """
        conversation = await self._remembering.set(conversation_id, remembered=not on)
        self._channels.publish(ConversationEvent(conversation_id=conversation_id, conversation=conversation))
        return conversation
