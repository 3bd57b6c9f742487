"""MessageService: what is said in a conversation, had anew, said differently, and chosen of several ways.

Contract: setting aside and what is owed instead are one transaction, so that a crash leaves the old line or
the new one with its turn. Whoever listens hears of the change before anything that comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from partner_desktop.api.operations import WorkingFolder
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.operation import Caller, OnlyFrom, operation
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import ConversationEvent, TakeEvent
from partner_desktop.domain.message import DialogDay, Line, Message, Role
from partner_desktop.permission.audit import AuditLog
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.agent_runtime import AgentRuntime
from partner_desktop.runtime.attachment_store import AttachmentStore
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.message_versions import (
    TakeChange,
    TakeStore,
    message_in_line,
    read_line,
    take_row,
    turn_inputs,
)
from partner_desktop.runtime.dialog import Dialog, messages_of
from partner_desktop.runtime.exchanges import Exchange, ExchangeRegistry
from partner_desktop.runtime.flow import FlowInput, Source
from partner_desktop.runtime.reception import Reception
from partner_desktop.runtime.turn_queue import add_again
from partner_desktop.storage.database import Connection, Database


class MessageService:
    """`asks_nobody` is told of an exchange in which a server's question reaches no person."""

    def __init__(
        self,
        database: Database,
        dialog: Dialog,
        runtime: AgentRuntime,
        reception: Reception,
        exchanges: ExchangeRegistry,
        channels: ChannelRegistry,
        audit: AuditLog,
        attachments: AttachmentStore,
        *,
        say_ended: Callable[[ActionRecord], None],
        asks_nobody: Callable[[str], None],
        clock: Clock,
    ) -> None:
        self._database = database
        self._dialog = dialog
        self._runtime = runtime
        self._reception = reception
        self._exchanges = exchanges
        self._channels = channels
        self._takes = TakeStore(audit)
        self._attachments = attachments
        self._say_ended = say_ended
        self._asks_nobody = asks_nobody
        self._clock = clock

    @operation(Caller.CLIENT)
    async def list(
        self,
        conversation_id: str,
        *,
        before: int | None = None,
        after: int | None = None,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
    ) -> Sequence[Message]:
        """A page, oldest first; the newest, if nothing else is said.

        `before` is the position that it ends at, `after` the one behind which it begins.
        """
        return await self._dialog.messages(conversation_id, before=before, after=after, limit=limit)

    @operation(Caller.ATTACHED)
    async def days(self, conversation_id: str) -> Sequence[DialogDay]:
        """The days on which something was said in a conversation, the first first."""
        return await self._dialog.days(conversation_id)

    @operation(Caller.ATTACHED)
    async def get(self, message_id: str) -> Message:
        """One message that is shown, wherever it stands.

        Raises:
            UsageError: There is none, or it was set aside or deleted.
        """
        (found,) = await self._database.read(lambda db: messages_of(db, [message_in_line(db, message_id)]))
        return found

    @operation(Caller.CLIENT)
    async def send(
        self,
        text: str,
        *,
        conversation_id: str | None = None,
        source: Annotated[str, OnlyFrom(Caller.LOCAL)] = "window",
        cwd: Annotated[WorkingFolder, OnlyFrom(Caller.ATTACHED)] = "",
        standing: Annotated[ApprovalMode, OnlyFrom(Caller.ATTACHED)] = ApprovalMode.ASK,
        exchange_id: Annotated[str, OnlyFrom(Caller.LOCAL)] = "",
        pictures: Annotated[Sequence[Path], OnlyFrom(Caller.ATTACHED)] = (),
        attachments: Annotated[Sequence[Path], OnlyFrom(Caller.ATTACHED)] = (),
        talks: Annotated[Sequence[str], OnlyFrom(Caller.ATTACHED)] = (),
    ) -> Message:
        """Take a message: it is on disk when this returns, and its turn is queued.

        Without a conversation it begins one. Only the window and a terminal can put a server's question to
        a person. Of `pictures` (PNG, JPEG, WebP, GIF; four, of 20 MB each at most) copies are kept.
        `attachments` are files and folders that the words are about, `talks` the ids of conversations: twenty
        of both at most, and nothing is copied.

        Raises:
            UsageError: It is empty or too long, a picture is none, what is attached is not there, or the
                conversation does not exist.
            StorageError: It could not be saved; nothing happened.
        """
        if not Source(source, conversation_id or "").is_person:
            exchange_id = exchange_id or new_id()
            self._asks_nobody(exchange_id)
        return await self._reception.send(
            text,
            conversation_id=conversation_id,
            source=source,
            cwd=cwd,
            standing=standing,
            exchange_id=exchange_id,
            pictures=pictures,
            attachments=await self._attachments.described(attachments, talks),
        )

    # Anew.

    @operation(Caller.ATTACHED)
    async def line(self, conversation_id: str) -> Line:
        """The forks of the line that is shown, and what can be had anew in it."""
        return await self._database.read(lambda db: read_line(db, conversation_id))

    @operation(Caller.ATTACHED)
    async def regenerate(self, reply_id: str) -> None:
        """Have an answer anew, and nothing but the answer: no action is understood, proposed or run.

        Raises:
            UsageError: It is no answer of words alone, or something goes on there.
        """
        conversation_id = await self._place_of(reply_id)
        exchange = self._exchanges.open(conversation_id)
        release = exchange.hold()
        try:
            await uninterrupted(self._regenerate(reply_id, exchange))
        finally:
            release()

    async def _regenerate(self, reply_id: str, exchange: Exchange) -> None:
        now = self._clock.now()

        def work(db: Connection) -> tuple[TakeChange, list[Message]]:
            reply = message_in_line(db, reply_id)
            inputs = turn_inputs(db, reply)
            change = self._takes.begin_anew(db, reply, now=now)
            for message in inputs:
                add_again(db, message, exchange_id=exchange.id, now=now)
            return change, inputs

        change, inputs = await self._database.write(work)
        self._tell(exchange.conversation_id, change)
        for message in inputs:
            self._runtime.submit(
                FlowInput(
                    Source(message.source or "window", message.conversation_id),
                    message.created_at,
                    exchange,
                    text=message.text,
                    message_id=message.id,
                    words_only=True,
                    pictures=message.pictures,
                    attachments=message.attachments,
                )
            )

    @operation(Caller.ATTACHED)
    async def edit(
        self,
        message_id: str,
        text: str,
        *,
        source: Annotated[str, OnlyFrom(Caller.LOCAL)] = "window",
        cwd: WorkingFolder = "",
    ) -> Message:
        """Say something else in place of a message: it and all that followed are set aside.

        What came with it comes with the new one, too.

        Raises:
            UsageError: It is no message of the person's in the line, the text is none, or something goes on.
        """
        conversation_id = await self._place_of(message_id)
        old_message = await self.get(message_id)
        now, changes = self._clock.now(), list[TakeChange]()

        def put_aside(db: Connection, new: Message) -> None:
            old = message_in_line(db, message_id)
            if old["role"] != Role.USER.value:
                raise UsageError("api.only_own_words")
            changes.append(self._takes.begin_anew(db, old, now=now, keep=new.id))

        return await self._reception.send(
            text,
            conversation_id=conversation_id,
            source=source,
            cwd=cwd,
            standing=ApprovalMode.ASK,
            exchange_id="",
            carried=old_message.pictures,
            attachments=old_message.attachments,
            in_place_of=put_aside,
            on_kept=lambda: self._tell(conversation_id, changes[0]),
        )

    @operation(Caller.ATTACHED)
    async def choose(self, take_id: str) -> None:
        """Show another of the ways in which a conversation went on.

        Raises:
            UsageError: There is no such take in view, or something goes on there.
        """
        row = await self._database.read(lambda db: take_row(db, take_id))
        conversation_id = row["conversation_id"]
        self._refuse_while_busy(conversation_id)
        await uninterrupted(self._choose(take_id, conversation_id))

    async def _choose(self, take_id: str, conversation_id: str) -> None:
        now = self._clock.now()
        change = await self._database.write(
            lambda db: self._takes.bring_back(db, take_row(db, take_id), now=now)
        )
        if change is not None:
            self._tell(conversation_id, change)

    async def _place_of(self, message_id: str) -> str:
        """The conversation of a message in the line, in which nothing goes on."""
        row = await self._database.read(lambda db: message_in_line(db, message_id))
        conversation_id = str(row["conversation_id"])
        self._refuse_while_busy(conversation_id)
        return conversation_id

    def _refuse_while_busy(self, conversation_id: str) -> None:
        if self._runtime.busy(conversation_id):
            raise UsageError("runtime.answering")

    def _tell(self, conversation_id: str, change: TakeChange) -> None:
        self._channels.publish(
            TakeEvent(
                conversation_id=conversation_id,
                from_position=change.from_position,
                first_position=change.first_position,
            )
        )
        if change.retitled is not None:
            self._channels.publish(
                ConversationEvent(conversation_id=conversation_id, conversation=change.retitled)
            )
        for record in change.ended:
            self._say_ended(record)
