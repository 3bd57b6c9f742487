"""Reception: takes what comes in. A message and its place in the queue are on disk before it is heard of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from partner_desktop.base.clock import Clock
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.attachment import Attachment
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.message import Message, MessagePicture, Role, sayable
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.agent_runtime import AgentRuntime
from partner_desktop.runtime.conversations.picture_files import PictureFiles
from partner_desktop.runtime.dialog import Also, Dialog
from partner_desktop.runtime.exchanges import Exchange, ExchangeRegistry
from partner_desktop.runtime.flow import FlowInput, Source
from partner_desktop.runtime.turn_queue import TurnQueue
from partner_desktop.storage.database import Connection


class Reception:
    """The way into the runtime, for gateways and for Partner itself."""

    def __init__(
        self,
        dialog: Dialog,
        runtime: AgentRuntime,
        exchanges: ExchangeRegistry,
        *,
        queue: TurnQueue,
        pictures: PictureFiles,
        clock: Clock,
    ) -> None:
        self._queue = queue
        self._pictures = pictures
        self._dialog = dialog
        self._runtime = runtime
        self._exchanges = exchanges
        self._clock = clock

    async def send(
        self,
        text: str,
        *,
        conversation_id: str | None,
        source: str,
        cwd: str,
        standing: ApprovalMode,
        exchange_id: str,
        pictures: Sequence[Path] = (),
        carried: Sequence[MessagePicture] = (),
        attachments: Sequence[Attachment] = (),
        in_place_of: Also | None = None,
        on_kept: Callable[[], None] | None = None,
    ) -> Message:
        """Take a message; without a conversation it begins one.

        `pictures` are copied first, `carried` are there already. `in_place_of` sets aside, in its
        transaction, what it takes the place of; `on_kept` is called then.

        Raises:
            UsageError: It is empty or too long, a picture is none, or the conversation does not exist.
            StorageError: It could not be saved; nothing happened.
        """
        text = sayable(text)
        async with self._pictures.kept(pictures) as kept:
            return await self._send(
                text,
                conversation_id=conversation_id,
                source=source,
                cwd=cwd,
                standing=standing,
                exchange_id=exchange_id,
                pictures=(*carried, *kept),
                attachments=attachments,
                in_place_of=in_place_of,
                on_kept=on_kept,
            )

    async def _send(
        self,
        text: str,
        *,
        conversation_id: str | None,
        source: str,
        cwd: str,
        standing: ApprovalMode,
        exchange_id: str,
        pictures: Sequence[MessagePicture],
        attachments: Sequence[Attachment],
        in_place_of: Also | None,
        on_kept: Callable[[], None] | None,
    ) -> Message:
        conversation = (
            await self._dialog.conversation(conversation_id)
            if conversation_id
            else await self._dialog.create()
        )
        exchange = self._exchanges.open(conversation.id, standing=standing, cwd=cwd, exchange_id=exchange_id)
        release = exchange.hold()
        try:
            # What is on disk gets its turn, though its sender went away while it was written.
            return await uninterrupted(
                self._accept(
                    text,
                    source=source,
                    exchange=exchange,
                    pictures=pictures,
                    attachments=attachments,
                    in_place_of=in_place_of,
                    on_kept=on_kept,
                )
            )
        finally:
            release()

    async def _accept(
        self,
        text: str,
        *,
        source: str,
        exchange: Exchange,
        pictures: Sequence[MessagePicture],
        attachments: Sequence[Attachment],
        in_place_of: Also | None,
        on_kept: Callable[[], None] | None,
    ) -> Message:
        def also(db: Connection, new: Message) -> None:
            if in_place_of is not None:  # first: what ends with it is none of the new turn's doing
                in_place_of(db, new)
            self._queue.accept(db, new, exchange_id=exchange.id, cwd=exchange.cwd)

        message = await self._dialog.append(
            exchange.conversation_id,
            Role.USER,
            text,
            source=source,
            exchange_id=exchange.id,
            pictures=pictures,
            attachments=attachments,
            also=also,
            on_kept=on_kept,
        )
        origin = Source(source, message.conversation_id)
        self._runtime.submit(
            FlowInput(
                origin,
                message.created_at,
                exchange,
                text=message.text,
                message_id=message.id,
                pictures=message.pictures,
                attachments=message.attachments,
            )
        )
        return message

    def self_turn(
        self, evidence: Sequence[Evidence], conversation_id: str, exchange_id: str, skip: frozenset[str]
    ) -> None:
        """Queue a turn that Partner starts itself."""
        exchange = self._exchanges.open(conversation_id, exchange_id=exchange_id)
        source = Source("self", conversation_id)
        item = FlowInput(source, self._clock.now(), exchange, evidence=tuple(evidence), skip=skip)
        self._runtime.submit(item)
