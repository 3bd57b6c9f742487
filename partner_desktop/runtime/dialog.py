"""Dialog: conversations and messages in the database. Implements CognitionCapability, with `turns`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import Literal, TypeAlias

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.attachment import Attachment
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.events import ConversationEvent, MessageEvent
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.message import (
    Conversation,
    DialogDay,
    Message,
    MessagePicture,
    MessageState,
    Role,
)
from partner_desktop.runtime.attachment_store import insert_attached, with_attachments
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.storage.database import Connection, Database, Row

#: Characters of the first message that become the title.
_TITLE_LENGTH = 60

#: What stands first: what was used last, what was made last, or by the title.
ConversationOrder: TypeAlias = Literal["used", "made", "name"]
SelfTurn = Callable[[Sequence[Evidence], str, str, frozenset[str]], None]
#: Work that belongs into the transaction which keeps a message.
Also = Callable[[Connection, Message], None]


class Dialog:
    """The door to what was said. Every change is on disk when its call returns."""

    def __init__(self, database: Database, channels: ChannelRegistry, *, clock: Clock) -> None:
        self._database = database
        self._channels = channels
        self._clock = clock
        self._start_turn: SelfTurn | None = None
        self._looked_at = ""

    def turns_by(self, start: SelfTurn) -> None:
        """Set how a self turn is started; wired once by the app."""
        self._start_turn = start

    async def create(self, title: str = "") -> Conversation:
        """Begin a conversation; without a title it gets one from the first thing said."""
        now, title = self._clock.now(), title_of(storable(title))
        conversation = Conversation(id=new_id(), title=title, created_at=now, updated_at=now)
        await self._database.execute(
            "INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?, ?, ?, ?)",
            (conversation.id, title, now.isoformat(), now.isoformat()),
        )
        self._channels.publish(ConversationEvent(conversation_id=conversation.id, conversation=conversation))
        return conversation

    async def conversations(
        self,
        *,
        limit: int = 10_000,
        order: ConversationOrder = "used",
        archived: bool | None = None,
        folder: str | None = None,
    ) -> list[Conversation]:
        """The conversations that hold anything; `archived`, `folder`: only such."""
        orders = {"used": "updated_at DESC", "made": "created_at DESC", "name": "title COLLATE NOCASE, id"}
        rows = await self._database.rows(
            "SELECT * FROM conversations WHERE deleted_at IS NULL AND archived = coalesce(?, archived) "  # noqa: S608 - one of three
            "AND folder = coalesce(?, folder) AND EXISTS "
            "(SELECT 1 FROM messages WHERE conversation_id = conversations.id AND take = '') "
            f"ORDER BY {orders[order]} LIMIT ?",
            (archived, folder, limit),
        )
        return [conversation_of(row) for row in rows]

    async def look_at(self, conversation_id: str) -> None:
        """The person looks at a conversation from now on, empty: at none; what came in it is read."""
        self._looked_at = conversation_id

        def work(db: Connection) -> Conversation | None:
            changed = db.execute(
                "UPDATE conversations SET unread = 0 WHERE id = ? AND unread > 0", (conversation_id,)
            )
            return _row_of(db, conversation_id) if changed.rowcount else None

        if conversation_id:
            self._tell(await self._database.write(work))

    def _tell(self, conversation: Conversation | None) -> None:
        if conversation is not None:
            self._channels.publish(
                ConversationEvent(conversation_id=conversation.id, conversation=conversation)
            )

    async def conversation(self, conversation_id: str) -> Conversation:
        row = await self._database.row("SELECT * FROM conversations WHERE id = ?", (conversation_id,))
        if row is None:
            raise UsageError("runtime.no_conversation", conversation_id=conversation_id)
        if row["deleted_at"] is not None:
            raise UsageError("runtime.conversation_deleted")
        return conversation_of(row)

    async def retitle(self, conversation_id: str, title: str) -> Conversation:
        """Give a title.

        Raises:
            UsageError: There is none of this id, or it was deleted.
        """
        await self._database.execute(
            "UPDATE conversations SET title = ? WHERE id = ?", (title, conversation_id)
        )
        return await self.conversation(conversation_id)

    async def retitle_if(self, conversation_id: str, before: str, title: str) -> None:
        """Give a title, where it still has the one from before; nobody asked for it, and all hear of it."""

        def work(db: Connection) -> Conversation | None:
            changed = db.execute(
                "UPDATE conversations SET title = ? WHERE id = ? AND title = ?",
                (title_of(storable(title)), conversation_id, before),
            )
            return _row_of(db, conversation_id) if changed.rowcount else None

        self._tell(await self._database.write(work))

    async def remember(self, conversation_id: str, *, remembered: bool) -> Conversation:
        """Say whether what is said there is found from elsewhere.

        Raises:
            UsageError: There is none of this id, or it was deleted.
        """
        await self._database.execute(
            "UPDATE conversations SET remembered = ? WHERE id = ?", (remembered, conversation_id)
        )
        return await self.conversation(conversation_id)

    async def append(
        self,
        conversation_id: str,
        role: Role,
        text: str,
        *,
        state: MessageState = MessageState.DONE,
        action_id: str = "",
        source: str = "",
        exchange_id: str = "",
        pictures: Sequence[MessagePicture] = (),
        attachments: Sequence[Attachment] = (),
        also: Also | None = None,
        on_kept: Callable[[], None] | None = None,
    ) -> Message:
        """Add a message; `also` is written with it, `on_kept` called before anyone hears of it."""
        text = storable(text)
        message = Message(
            id=new_id(),
            conversation_id=conversation_id,
            role=role,
            text=text,
            created_at=self._clock.now(),
            state=state,
            action_id=action_id,
            source=source,
            pictures=tuple(pictures),
            attachments=tuple(attachments),
        )
        position, changed = await self._database.write(
            lambda db: _insert(db, message, exchange_id=exchange_id, also=also, looked_at=self._looked_at)
        )
        message = replace(message, position=position)
        if on_kept is not None:
            on_kept()
        self._tell(changed)
        if role is not Role.PARTNER:  # replies are announced by their own events
            self._channels.publish(
                MessageEvent(conversation_id=conversation_id, exchange_id=exchange_id, message=message)
            )
        return message

    async def revise(
        self,
        message_id: str,
        *,
        text: str,
        state: MessageState,
        reasoning: str | None = None,
        about: Sequence[str] = (),
    ) -> None:
        # A long reply is checkpointed every second: its text is looked through on the database's thread.
        def work(db: Connection) -> Conversation | None:
            before = db.execute(
                "SELECT state, conversation_id, exchange_id FROM messages WHERE id = ?", (message_id,)
            ).fetchone()
            db.execute(
                "UPDATE messages SET text = ?, state = ?, reasoning = coalesce(?, reasoning), about = ? "
                "WHERE id = ?",
                (
                    storable(text),
                    state.value,
                    None if reasoning is None else storable(reasoning),
                    " ".join(about),
                    message_id,
                ),
            )
            ends = before is not None and before["state"] == MessageState.STREAMING.value and state in _WHOLE
            if not ends or before["conversation_id"] == self._looked_at:
                return None
            return _count_unread(db, before["conversation_id"], before["exchange_id"])

        self._tell(await self._database.write(work))

    async def withdraw(self, message_id: str) -> None:
        def work(db: Connection) -> Conversation | None:
            row = db.execute("SELECT * FROM messages WHERE id = ?", (message_id,)).fetchone()
            changed = _uncount_unread(db, row) if row is not None else None
            db.execute("DELETE FROM messages WHERE id = ?", (message_id,))
            return changed

        self._tell(await self._database.write(work))

    async def messages(
        self, conversation_id: str, *, before: int | None, after: int | None = None, limit: int
    ) -> list[Message]:
        """A page of what the person may see, oldest first.

        `before` is the position that it ends at, `after` the one behind which it begins; without them it is
        the newest.
        """
        after_it = after if after is not None else -1
        before_it = before if before is not None else 2**62
        return await self._page(
            "position > ? AND position < ? AND state <> ?",
            (after_it, before_it, MessageState.NOT_REPLIED.value),
            conversation_id,
            limit,
            forwards=after is not None and before is None,
        )

    async def days(self, conversation_id: str) -> list[DialogDay]:
        """The days on which something was said, the first first."""
        rows = await self._database.rows(
            "SELECT date(created_at, 'localtime') AS day, min(position), count(*) FROM messages "
            "WHERE conversation_id = ? AND take = '' AND state <> ? GROUP BY day ORDER BY day",
            (conversation_id, MessageState.NOT_REPLIED.value),
        )
        return [DialogDay(date.fromisoformat(row[0]), int(row[1]), int(row[2])) for row in rows if row[0]]

    async def recent(self, conversation_id: str, *, limit: int) -> list[Message]:
        return await self._page("true", (), conversation_id, limit)

    async def _page(
        self,
        which: str,
        values: tuple[int | str, ...],
        conversation_id: str,
        limit: int,
        *,
        forwards: bool = False,
    ) -> list[Message]:
        query = (
            f"SELECT * FROM messages WHERE conversation_id = ? AND take = '' AND {which} "  # noqa: S608 - words of ours
            f"ORDER BY position {'ASC' if forwards else 'DESC'} LIMIT ?"
        )

        def look(db: Connection) -> list[Message]:
            rows = db.execute(query, (conversation_id, *values, limit)).fetchall()
            return messages_of(db, rows if forwards else rows[::-1])

        return await self._database.read(look)

    async def count(self, conversation_id: str) -> int:
        row = await self._database.row(
            "SELECT count(*) FROM messages WHERE conversation_id = ? AND take = ''", (conversation_id,)
        )
        return int(row[0])

    async def count_said(self, conversation_id: str, *, before: str, since: int = 0) -> int:
        row = await self._database.row(
            "SELECT count(*) FROM messages WHERE conversation_id = ? AND take = '' AND role <> ? "
            "AND text <> '' AND position < (SELECT position FROM messages WHERE id = ?) AND position >= ?",
            (conversation_id, Role.ACTION.value, before, since),
        )
        return int(row[0])

    async def launch(self) -> None:
        """After a crash: replies that were being written are marked as broken off, empty ones go."""

        def mend(db: Connection) -> None:
            streaming, broken = MessageState.STREAMING.value, MessageState.BROKEN_OFF.value
            db.execute("DELETE FROM messages WHERE state = ? AND text = '' AND reasoning = ''", (streaming,))
            db.execute("UPDATE messages SET state = ? WHERE state = ?", (broken, streaming))

        await self._database.write(mend)

    async def shutdown(self) -> None:
        """Nothing stays open: every call was a transaction of its own."""

    def initiate_turn(
        self, evidence: Sequence[Evidence], *, conversation_id: str, exchange_id: str, skip: frozenset[str]
    ) -> None:
        if self._start_turn is not None:
            self._start_turn(evidence, conversation_id, exchange_id, skip)


def _insert(
    db: Connection, message: Message, *, exchange_id: str, also: Also | None, looked_at: str
) -> tuple[int, Conversation | None]:
    """Insert, move the conversation up, and give it its title from the first thing said; the conversation,
    where more than its time is otherwise."""
    cursor = db.execute(
        "INSERT INTO messages "
        "(id, conversation_id, role, text, state, action_id, source, created_at, exchange_id, pictures) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            message.id,
            message.conversation_id,
            message.role.value,
            message.text,
            message.state.value,
            message.action_id,
            message.source,
            message.created_at.isoformat(),
            exchange_id,
            json.dumps([asdict(picture) for picture in message.pictures]) if message.pictures else "",
        ),
    )
    if message.attachments:
        insert_attached(db, message.id, message.attachments)
    if also is not None:
        also(db, message)
    now = message.created_at.isoformat()
    db.execute("UPDATE conversations SET updated_at = ? WHERE id = ?", (now, message.conversation_id))
    changed = None
    if message.role is Role.USER:
        came = db.execute(
            "UPDATE conversations SET title = iif(title = '', ?, title), archived = 0 "
            "WHERE id = ? AND (title = '' OR archived)",
            (title_of(message.text), message.conversation_id),
        )
        changed = _row_of(db, message.conversation_id) if came.rowcount else None
    elif message.role is Role.PARTNER and message.state in _WHOLE and message.conversation_id != looked_at:
        changed = _count_unread(db, message.conversation_id, exchange_id)
    return int(cursor.lastrowid or 0), changed


#: In which a reply says all that it will say to the person.
_WHOLE = (MessageState.DONE, MessageState.STOPPED, MessageState.BROKEN_OFF, MessageState.CUT)
#: What is asked in a terminal or by a program is answered there, before the eyes of whoever asked.
_ASKED_ELSEWHERE = """
SELECT exchange_id = ?2 AND ?2 <> '' AND source NOT IN ('', 'window') FROM messages
WHERE conversation_id = ?1 AND take = '' AND role = 'user' ORDER BY position DESC LIMIT 1
"""


def _is_asked_elsewhere(db: Connection, conversation_id: str, exchange_id: str) -> bool:
    asked = db.execute(_ASKED_ELSEWHERE, (conversation_id, exchange_id)).fetchone()
    return asked is not None and bool(asked[0])


def _count_unread(db: Connection, conversation_id: str, exchange_id: str) -> Conversation | None:
    """A reply came that nobody looked at: it is counted, and leaves the archive; `None` where it was seen."""
    if _is_asked_elsewhere(db, conversation_id, exchange_id):
        return None
    db.execute("UPDATE conversations SET unread = unread + 1, archived = 0 WHERE id = ?", (conversation_id,))
    return _row_of(db, conversation_id)


#: Of the replies, the newest are the ones that were counted.
_UNCOUNT = """
UPDATE conversations SET unread = unread - 1 WHERE id = ?1 AND unread >= (SELECT count(*) FROM messages
WHERE conversation_id = ?1 AND take = '' AND role = 'partner' AND position >= ?2
AND state IN (?3, ?4, ?5, ?6))
"""


def _uncount_unread(db: Connection, row: Row) -> Conversation | None:
    """A whole reply is taken back: where it was counted, it is no more; `None` where it was not."""
    conversation_id, whole = str(row["conversation_id"]), [state.value for state in _WHOLE]
    if row["role"] != Role.PARTNER.value or row["state"] not in whole:
        return None
    if _is_asked_elsewhere(db, conversation_id, row["exchange_id"]):
        return None
    changed = db.execute(_UNCOUNT, (conversation_id, row["position"], *whole))
    return _row_of(db, conversation_id) if changed.rowcount else None


def _row_of(db: Connection, conversation_id: str) -> Conversation | None:
    row = db.execute(
        "SELECT * FROM conversations WHERE id = ? AND deleted_at IS NULL", (conversation_id,)
    ).fetchone()
    return conversation_of(row) if row is not None else None


def storable(text: str) -> str:
    """SQLite keeps UTF-8 only; half a character becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def title_of(text: str) -> str:
    """A title from the first line of a message."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1].rstrip() + "…"


def conversation_of(row: Row) -> Conversation:
    """A row of the conversations table."""
    flags = {name: bool(row[name]) for name in ("remembered", "pinned", "archived")}
    return decoded(Conversation, dict(row), **flags)


def message_of(row: Row) -> Message:
    """A row of the messages table; what it came with stands in another, see `messages_of`."""
    pictures = pictures_of(row["pictures"])
    return decoded(Message, dict(row), about=tuple(row["about"].split()), pictures=pictures)


def messages_of(db: Connection, rows: Sequence[Row]) -> list[Message]:
    """Rows of the messages table, each with what it came with."""
    return with_attachments(db, [message_of(row) for row in rows])


def pictures_of(document: str) -> tuple[MessagePicture, ...]:
    """The pictures that a row names."""
    return tuple(decoded(MessagePicture, each) for each in json.loads(document)) if document else ()
