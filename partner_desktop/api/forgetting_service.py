"""ForgettingService: what was said is forgotten for good, after it was shown; and what backups still hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.events import ConversationEvent
from partner_desktop.domain.forgetting import BackupHolding, ForgetOutcome, ForgetPreview, ForgetSelection
from partner_desktop.domain.message import Conversation
from partner_desktop.memory.forget_backups import ForgetBackups
from partner_desktop.memory.forget_procedure import Forgetting
from partner_desktop.memory.remembering import Remembering
from partner_desktop.runtime.channel import ChannelRegistry


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
