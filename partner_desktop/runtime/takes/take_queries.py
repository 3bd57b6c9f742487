"""Reads what can be done anew in a conversation. Pure queries, within a transaction of others or alone."""

from __future__ import annotations

from typing import Literal

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.message import BRANCH, Fork, Line, Message, MessageState, Role
from partner_desktop.runtime.dialog import message_of
from partner_desktop.runtime.flow import LINE_BY_LINE
from partner_desktop.storage.database import Connection, Row

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
    return found[::-1]
