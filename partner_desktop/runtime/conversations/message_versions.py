"""Sets a part of a conversation aside and brings one back, within a transaction.

Contract: the line keeps everything up to the anchor; what comes after it is set aside as one take, whole.
What waits for the person in it has ended then: no yes can reach a card that nobody sees, not even after it
came back into view. Nothing that runs, or is being answered, is ever set aside.

What can be done anew in a conversation is read by pure queries, within a transaction of others or alone.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal

from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import record_from_text, record_to_text
from partner_desktop.domain.message import BRANCH, Conversation, Fork, Line, Message, MessageState, Role
from partner_desktop.permission.audit import AuditLog
from partner_desktop.runtime.attachment_store import with_attachments
from partner_desktop.runtime.dialog import conversation_of, message_of, title_of
from partner_desktop.runtime.flow import LINE_BY_LINE
from partner_desktop.runtime.turn_queue import is_owed
from partner_desktop.storage.database import Connection, Row

_UNSETTLED = """
SELECT record FROM actions
WHERE conversation_id = :conversation AND status IN ('asking', 'waiting', 'running') AND (
    id IN (SELECT action_id FROM messages
        WHERE conversation_id = :conversation AND take = '' AND position > :anchor AND action_id <> '')
    OR json_extract(record, '$.exchange_id') IN (SELECT exchange_id FROM messages
        WHERE conversation_id = :conversation AND take = '' AND position > :anchor AND exchange_id <> '')
) ORDER BY position
"""


@dataclass(frozen=True)
class TakeChange:
    """What stands from a position on is another now; `ended` are the cards and questions that went."""

    from_position: int
    first_position: int
    """Of the first message that stands there now; 0 while there is none."""
    ended: tuple[ActionRecord, ...]
    retitled: Conversation | None = None
    """With its new title, where that came from what was said first."""


class TakeStore:
    """Every method works within the transaction of its caller."""

    def __init__(self, audit: AuditLog) -> None:
        self._audit = audit

    def begin_anew(self, db: Connection, first: Row, *, now: datetime, keep: str = "") -> TakeChange:
        """Set aside from the message `first` on, all but the message `keep`; what comes next is a new take.

        Raises:
            UsageError: Something runs there, or is being answered.
        """
        conversation_id, anchor = first["conversation_id"], anchor_of(db, first)
        ended = self._clear_away(db, conversation_id, anchor, now, keep)
        if _is_titled_by_first(db, conversation_id, anchor):
            db.execute("UPDATE conversations SET title = '' WHERE id = ?", (conversation_id,))
        active = _active(db, conversation_id, anchor) or _add(db, conversation_id, anchor, 1, now)
        _put_aside(db, conversation_id, anchor, active["id"], keep)
        _add(db, conversation_id, anchor, _newest(db, conversation_id, anchor) + 1, now)
        return TakeChange(anchor + 1, _first_after(db, conversation_id, anchor), ended)

    def bring_back(self, db: Connection, take: Row, *, now: datetime) -> TakeChange | None:
        """Show a take in place of the one that is shown; `None` when it is that one.

        Raises:
            UsageError: Something runs there, or is being answered; or its place is not in the line.
        """
        conversation_id, anchor = take["conversation_id"], take["anchor"]
        if not _in_line(db, anchor):
            raise UsageError("runtime.not_shown")
        active = _active(db, conversation_id, anchor)
        if active is None or active["id"] == take["id"]:
            return None
        ended = self._clear_away(db, conversation_id, anchor, now, "")
        retitle = _is_titled_by_first(db, conversation_id, anchor)
        _put_aside(db, conversation_id, anchor, active["id"], "")
        db.execute("UPDATE messages SET take = '' WHERE take = ?", (take["id"],))
        _make_active(db, take)
        retitled = _retitled(db, conversation_id) if retitle else None
        return TakeChange(anchor + 1, _first_after(db, conversation_id, anchor), ended, retitled)

    def _clear_away(
        self, db: Connection, conversation_id: str, anchor: int, now: datetime, keep: str
    ) -> tuple[ActionRecord, ...]:
        """Nothing after the anchor goes on by itself, and nothing waits."""
        _refuse_while_answering(db, conversation_id, anchor, keep)
        values = {"conversation": conversation_id, "anchor": anchor}
        unsettled = [record_from_text(row["record"]) for row in db.execute(_UNSETTLED, values)]
        running = next((record for record in unsettled if record.status is ActionStatus.RUNNING), None)
        if running is not None:
            raise UsageError("runtime.still_running", title=running.title)
        return tuple(self._end(db, record, now) for record in unsettled)

    def _end(self, db: Connection, record: ActionRecord, now: datetime) -> ActionRecord:
        ended = replace(
            record, status=ActionStatus.REJECTED, error=sentence_of("runtime.set_aside"), finished_at=now
        )
        db.execute(
            "UPDATE actions SET status = ?, record = ? WHERE id = ?",
            (ended.status.value, record_to_text(ended), ended.id),
        )
        if record.status is ActionStatus.WAITING:
            self._audit.set_aside(db, record.id, record.key, content_hash=record.content_hash)
        return ended


def message_in_line(db: Connection, message_id: str) -> Row:
    """The row of a message that is shown.

    Raises:
        UsageError: There is none, or it was set aside or deleted.
    """
    row = db.execute(
        "SELECT m.* FROM messages AS m JOIN conversations AS c ON c.id = m.conversation_id "
        "WHERE m.id = ? AND m.take = '' AND c.deleted_at IS NULL",
        (message_id,),
    ).fetchone()
    if row is None:
        raise UsageError("runtime.message_gone")
    return row  # type: ignore[no-any-return] # sqlite3's own type


def take_row(db: Connection, take_id: str) -> Row:
    """One take.

    Raises:
        UsageError: There is none, or its conversation was deleted.
    """
    row = db.execute(
        "SELECT t.* FROM takes AS t JOIN conversations AS c ON c.id = t.conversation_id "
        "WHERE t.id = ? AND c.deleted_at IS NULL",
        (take_id,),
    ).fetchone()
    if row is None:
        raise UsageError("runtime.part_gone")
    return row  # type: ignore[no-any-return] # sqlite3's own type


def anchor_of(db: Connection, first: Row) -> int:
    """The position of the message before; 0 for the beginning."""
    row = db.execute(
        "SELECT max(position) FROM messages WHERE conversation_id = ? AND take = '' AND position < ?",
        (first["conversation_id"], first["position"]),
    ).fetchone()
    return int(row[0] or 0)


def _refuse_while_answering(db: Connection, conversation_id: str, anchor: int, keep: str) -> None:
    writing = db.execute(
        "SELECT 1 FROM messages WHERE conversation_id = ? AND take = '' AND position > ? "
        "AND state = 'streaming' AND id <> ?",
        (conversation_id, anchor, keep),
    ).fetchone()
    if writing is not None or is_owed(db, conversation_id):
        raise UsageError("runtime.answering")


def _first_after(db: Connection, conversation_id: str, anchor: int) -> int:
    row = db.execute(
        "SELECT min(position) FROM messages WHERE conversation_id = ? AND take = '' AND position > ?",
        (conversation_id, anchor),
    ).fetchone()
    return int(row[0] or 0)


def _first_said(db: Connection, conversation_id: str) -> str:
    row = db.execute(
        "SELECT text FROM messages WHERE conversation_id = ? AND take = '' AND role = 'user' "
        "ORDER BY position LIMIT 1",
        (conversation_id,),
    ).fetchone()
    return str(row["text"]) if row is not None else ""


def _is_titled_by_first(db: Connection, conversation_id: str, anchor: int) -> bool:
    """Whether the title says what was said first, and that is about to change."""
    if anchor:
        return False
    row = db.execute("SELECT title FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    return bool(row["title"] == title_of(_first_said(db, conversation_id)))


def _retitled(db: Connection, conversation_id: str) -> Conversation:
    title = title_of(_first_said(db, conversation_id))
    db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation_id))
    row = db.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    return conversation_of(row)


def _put_aside(db: Connection, conversation_id: str, anchor: int, take_id: str, keep: str) -> None:
    db.execute(
        "UPDATE messages SET take = ? WHERE conversation_id = ? AND take = '' AND position > ? AND id <> ?",
        (take_id, conversation_id, anchor, keep),
    )


def _in_line(db: Connection, anchor: int) -> bool:
    if not anchor:
        return True
    query = "SELECT 1 FROM messages WHERE position = ? AND take = ''"
    return db.execute(query, (anchor,)).fetchone() is not None


def _active(db: Connection, conversation_id: str, anchor: int) -> Row | None:
    row: Row | None = db.execute(
        "SELECT * FROM takes WHERE conversation_id = ? AND anchor = ? AND active = 1",
        (conversation_id, anchor),
    ).fetchone()
    return row


def _newest(db: Connection, conversation_id: str, anchor: int) -> int:
    query = "SELECT max(number) FROM takes WHERE conversation_id = ? AND anchor = ?"
    return int(db.execute(query, (conversation_id, anchor)).fetchone()[0])


def _add(db: Connection, conversation_id: str, anchor: int, number: int, now: datetime) -> Row:
    """A further take, which is the active one of its anchor from now on."""
    take_id = new_id()
    db.execute(
        "INSERT INTO takes (id, conversation_id, anchor, number, active, created_at) "
        "VALUES (?, ?, ?, ?, 1, ?)",
        (take_id, conversation_id, anchor, number, now.isoformat()),
    )
    row = take_row(db, take_id)
    _make_active(db, row)
    return row


def _make_active(db: Connection, take: Row) -> None:
    db.execute(
        "UPDATE takes SET active = (id = ?) WHERE conversation_id = ? AND anchor = ?",
        (take["id"], take["conversation_id"], take["anchor"]),
    )


_AFTER_ALL = 2**62

_FORKS = """
SELECT * FROM takes AS t WHERE conversation_id = ?
AND (anchor = 0 OR EXISTS (SELECT 1 FROM messages AS m WHERE m.position = t.anchor AND m.take = ''))
ORDER BY anchor, number
"""
#: What the person may see of the line.
_SHOWN = "conversation_id = ? AND take = '' AND state <> 'not_replied'"


def read_line(db: Connection, conversation_id: str) -> Line:
    """The forks of the line that is shown, and what its latest answer offers."""
    forks: dict[int, list[Row]] = {}
    for row in db.execute(_FORKS, (conversation_id,)):
        forks.setdefault(row["anchor"], []).append(row)
    asked = _last(db, conversation_id, Role.USER, after=0)
    reply = _last(db, conversation_id, Role.PARTNER, after=asked["position"]) if asked else None
    return Line(
        forks=tuple(_fork(db, conversation_id, anchor, rows) for anchor, rows in forks.items()),
        reply_id=reply["id"] if reply else "",
        again=_again(db, reply) if reply and not reply["speaker"] else "",
        asked_id=asked["id"] if asked else "",
        asked_text=asked["text"] if asked else "",
    )


def turn_inputs(db: Connection, reply: Row) -> list[Message]:
    """What a reply answered, to be answered anew by words alone.

    Raises:
        UsageError: It is no such reply.
    """
    if reply["role"] != Role.PARTNER.value or reply["source"] == BRANCH or reply["speaker"]:
        raise UsageError("runtime.only_answers_anew")
    if reply["state"] == MessageState.STREAMING.value:
        raise UsageError("runtime.still_written")
    if _set_something_off(db, reply):
        raise UsageError("runtime.something_set_off")
    inputs = _said_before(db, reply)
    if not inputs:
        raise UsageError("runtime.answers_nothing")
    return inputs


def _again(db: Connection, reply: Row) -> Literal["words", "ask"]:
    open_ = db.execute(
        "SELECT 1 FROM actions WHERE conversation_id = ? AND status IN ('asking', 'waiting')",
        (reply["conversation_id"],),
    ).fetchone()
    if open_ is not None or _set_something_off(db, reply):
        return "ask"
    return "words" if _said_before(db, reply) else "ask"


def _fork(db: Connection, conversation_id: str, anchor: int, rows: list[Row]) -> Fork:
    """It stands at the first message of its active way; at the one before where that holds nothing yet."""
    shown = (
        db.execute(
            f"SELECT id FROM messages WHERE {_SHOWN} AND role <> 'action' AND position > ? "  # noqa: S608 - a constant
            "ORDER BY position LIMIT 1",
            (conversation_id, anchor),
        ).fetchone()
        or db.execute(
            f"SELECT id FROM messages WHERE {_SHOWN} AND role <> 'action' AND position <= ? "  # noqa: S608 - a constant
            "ORDER BY position DESC LIMIT 1",
            (conversation_id, anchor),
        ).fetchone()
    )
    active = next((place for place, row in enumerate(rows) if row["active"]), 0)
    return Fork(tuple(row["id"] for row in rows), active, shown["id"] if shown else "")


def _last(db: Connection, conversation_id: str, role: Role, *, after: int) -> Row | None:
    row: Row | None = db.execute(
        f"SELECT * FROM messages WHERE {_SHOWN} AND role = ? AND position > ? AND text <> '' AND source <> ? "  # noqa: S608 - a constant
        "ORDER BY position DESC LIMIT 1",
        (conversation_id, role.value, after, BRANCH),
    ).fetchone()
    return row


def _set_something_off(db: Connection, reply: Row) -> bool:
    """Whether a card or a question came of what the reply answers."""
    start, end = _stretch(db, reply)
    conversation_id = reply["conversation_id"]
    row = db.execute(
        "SELECT 1 FROM messages WHERE conversation_id = ? AND take = '' AND position > ? AND position < ? "
        "AND role = 'action' UNION ALL "
        "SELECT 1 FROM actions WHERE conversation_id = ? AND json_extract(record, '$.exchange_id') IN "
        "(SELECT exchange_id FROM messages WHERE conversation_id = ? AND take = '' AND exchange_id <> '' "
        "AND position >= ? AND position < ?) LIMIT 1",
        (conversation_id, start, end, conversation_id, conversation_id, start, end),
    ).fetchone()
    return row is not None


def _stretch(db: Connection, reply: Row) -> tuple[int, int]:
    """From what the person said before a reply to what came next from the person."""
    query = (
        "SELECT {} FROM messages WHERE conversation_id = ? AND take = '' AND role = 'user' AND position {} ?"
    )
    values = (reply["conversation_id"], reply["position"])
    start = db.execute(query.format("max(position)", "<"), values).fetchone()[0]
    end = db.execute(query.format("min(position)", ">"), values).fetchone()[0]
    return start or 0, end or _AFTER_ALL


def _said_before(db: Connection, reply: Row) -> list[Message]:
    """The person's messages right before a reply, oldest first: one turn answered them, where it could."""
    rows = db.execute(
        "SELECT * FROM messages WHERE conversation_id = ? AND take = '' AND position < ? "
        "ORDER BY position DESC LIMIT 100",
        (reply["conversation_id"], reply["position"]),
    )
    found: list[Message] = []
    for row in rows:
        if row["role"] == Role.PARTNER.value and not found:
            continue  # another answer to the same words
        if row["role"] != Role.USER.value or (found and row["source"] != found[0].source):
            break
        found.append(message_of(row))
        if row["source"] in LINE_BY_LINE:
            break
    return with_attachments(db, found[::-1])
