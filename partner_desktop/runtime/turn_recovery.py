"""TurnRecovery: takes up what an earlier run accepted and did not answer.

Contract: launched last before the gateways open. Entries run in their order, as turns of their old
exchange, with the least privilege. Nothing is done twice: a turn that had answered is settled, one that
had put a card, a question or a run there is told from what stands, not understood anew. An entry whose
turn took Partner down twice is given up with a sentence in its conversation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.events import ReplyEvent
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.message import Message, MessageState, Role
from partner_desktop.runtime.agent_runtime import AgentRuntime
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.dialog import Dialog, messages_of
from partner_desktop.runtime.exchanges import Exchange, ExchangeRegistry
from partner_desktop.runtime.flow import FlowInput, Source
from partner_desktop.runtime.turn_queue import EntryKind, QueueEntry, TurnQueue, remove
from partner_desktop.storage.database import Connection, Database

_log = log.area("queue")

#: Turns that took Partner down this often are not begun again.
MOST_ATTEMPTS = 2
#: A turn that tells what stands must not plan anew.
_SKIP = frozenset({"ActionPlanner"})


class UnfinishedActions(Protocol):
    """What the actions know of a turn that was cut off."""

    async def left_by(self, entry: QueueEntry) -> Sequence[Evidence] | None:
        """What the turn had set off: to be told now (nothing, if it is told elsewhere); `None`: nothing."""
        ...

    async def outcome(self, action_id: str) -> Sequence[Evidence]:
        """An action's outcome; nothing if the action is gone."""
        ...


class TurnRecovery:
    """A part of the AgentContext: it works at launch only."""

    def __init__(
        self,
        queue: TurnQueue,
        database: Database,
        dialog: Dialog,
        runtime: AgentRuntime,
        exchanges: ExchangeRegistry,
        channels: ChannelRegistry,
        aftermath: UnfinishedActions,
        *,
        clock: Clock,
    ) -> None:
        self._queue = queue
        self._database = database
        self._dialog = dialog
        self._runtime = runtime
        self._exchanges = exchanges
        self._channels = channels
        self._aftermath = aftermath
        self._clock = clock
        self._taken_up: list[Exchange] = []

    async def launch(self) -> None:
        for entry in self._queue.left:
            await self._take_up(entry)

    async def shutdown(self) -> None:
        """Its turns are the runtime's."""

    async def idle(self) -> None:
        """Wait until everything that was taken up is over: a short command must not cut it off again."""
        for exchange in self._taken_up:
            await exchange.over.wait()

    def follow(self, exchange: Exchange) -> None:
        """Also wait for this exchange in `idle`."""
        self._taken_up.append(exchange)

    async def _take_up(self, entry: QueueEntry) -> None:
        message = await self._message(entry)
        if await self._answered(entry) or (entry.kind is not EntryKind.TOLD and message is None):
            await self._queue.settle([entry.subject_id])
        elif entry.attempts >= MOST_ATTEMPTS:
            await self._give_up(entry, message)
        elif entry.kind is EntryKind.TOLD:
            await self._tell(entry, await self._aftermath.outcome(entry.subject_id))
        elif entry.kind is EntryKind.AGAIN:
            self._submit(entry, message)
        else:
            left = None if entry.begun_message is None else await self._aftermath.left_by(entry)
            if left is not None:
                await self._tell(entry, left)
            elif message is not None:
                self._submit(entry, message)

    async def _tell(self, entry: QueueEntry, evidence: Sequence[Evidence]) -> None:
        if evidence:
            self._submit(entry, evidence=tuple(evidence))
        else:
            await self._queue.settle([entry.subject_id])

    def _submit(
        self, entry: QueueEntry, message: Message | None = None, *, evidence: tuple[Evidence, ...] = ()
    ) -> None:
        """As a turn like any other; whatever its gateway had asked for, the person is asked."""
        text = message.text if message is not None else ""
        exchange = self._exchanges.open(entry.conversation_id, cwd=entry.cwd, exchange_id=entry.exchange_id)
        source = Source(entry.source if text else "self", entry.conversation_id)
        item = FlowInput(
            source,
            entry.created_at,
            exchange,
            text=text,
            evidence=evidence,
            skip=frozenset() if text else _SKIP,
            words_only=entry.kind is EntryKind.AGAIN,
            message_id=entry.subject_id,
            pictures=message.pictures if message is not None else (),
            attachments=message.attachments if message is not None else (),
        )
        self._runtime.submit(item)
        self.follow(exchange)

    async def _message(self, entry: QueueEntry) -> Message | None:
        def look(db: Connection) -> list[Message]:
            return messages_of(
                db, db.execute("SELECT * FROM messages WHERE id = ?", (entry.subject_id,)).fetchall()
            )

        return next(iter(await self._database.read(look)), None)

    async def _answered(self, entry: QueueEntry) -> bool:
        """Whether the turn that was cut off had come to the end of its reply.

        A stopped reply is none: when the person stops a turn its entry goes, so Partner was closed here.
        """
        if entry.begun_message is None:
            return False
        row = await self._database.row(
            "SELECT 1 FROM messages WHERE conversation_id = ? AND position > ? AND role = ? "
            "AND exchange_id = ? AND state NOT IN (?, ?, ?)",
            (
                entry.conversation_id,
                entry.begun_message,
                Role.PARTNER.value,
                entry.answered_by,
                MessageState.STREAMING.value,
                MessageState.STOPPED.value,
                MessageState.BROKEN_OFF.value,
            ),
        )
        return row is not None

    async def _give_up(self, entry: QueueEntry, message: Message | None) -> None:
        _log.warning("the turn about %s ended Partner twice and is given up", entry.subject_id)
        about = f"“{_short(message.text)}”" if message is not None else sentence_of("runtime.a_result")
        sentence = sentence_of("runtime.given_up", times=MOST_ATTEMPTS, about=about)

        def settled(db: Connection, reply: Message) -> None:
            del reply
            remove(db, [entry.subject_id])

        reply = await self._dialog.append(
            entry.conversation_id, Role.PARTNER, sentence, exchange_id=entry.exchange_id, also=settled
        )
        self._channels.publish(
            ReplyEvent(
                conversation_id=entry.conversation_id,
                exchange_id=entry.exchange_id,
                reply_id=reply.id,
                seq=0,
                content="",
                done=True,
                text=sentence,
                position=reply.position,
            )
        )


def _short(text: str, *, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
