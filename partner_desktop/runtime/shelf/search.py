"""Search in everything that was said, and in the titles."""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner_desktop.domain.message import ConversationHit
from partner_desktop.runtime.dialog import conversation_of
from partner_desktop.runtime.shelf.excerpt import excerpt, marked
from partner_desktop.runtime.shelf.query import SearchQuery
from partner_desktop.storage.database import Connection, Database, Row

#: Of the messages that fit, the newest this many are ranked: a letter that is in every message stays fast.
_MOST_MESSAGES = 1_000
_MOST_TITLES = 200
#: What the index cannot find (signs, parts of words) is looked for in this many of the newest messages.
_LITERAL_SPAN = 20_000

_MESSAGES = """
SELECT m.conversation_id, m.position, hits.score FROM (
    SELECT rowid, bm25(message_search) AS score FROM message_search
    WHERE message_search MATCH ? ORDER BY rowid DESC LIMIT ?
) AS hits
JOIN messages AS m ON m.position = hits.rowid AND m.state <> 'not_replied' AND m.take = ''
JOIN conversations AS c ON c.id = m.conversation_id AND c.deleted_at IS NULL
ORDER BY hits.score, m.position DESC
"""
_TITLES = """
SELECT t.conversation_id FROM title_search AS t
JOIN conversations AS c ON c.id = t.conversation_id AND c.deleted_at IS NULL
WHERE title_search MATCH ? ORDER BY bm25(title_search), c.updated_at DESC LIMIT ?
"""
_LITERAL_MESSAGES = """
SELECT m.conversation_id, m.position, 0.0 AS score FROM messages AS m
JOIN conversations AS c ON c.id = m.conversation_id AND c.deleted_at IS NULL
WHERE m.position > (SELECT coalesce(max(position), 0) FROM messages) - ? AND m.text LIKE ? ESCAPE '\\'
    AND m.state <> 'not_replied' AND m.take = ''
ORDER BY m.position DESC LIMIT ?
"""
_LITERAL_TITLES = """
SELECT id AS conversation_id FROM conversations
WHERE deleted_at IS NULL AND title LIKE ? ESCAPE '\\' ORDER BY updated_at DESC LIMIT ?
"""


@dataclass
class _Found:
    """What was found of one conversation; the best message came first."""

    position: int = 0
    count: int = 0


class ConversationSearch:
    """Asks the index; a text of any form is a question, never an error."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, text: str, *, limit: int) -> list[ConversationHit]:
        """The conversations that fit, best first; those whose title fits stand before the others."""
        query = SearchQuery.of(text)
        if not query.literal:
            return []
        return await self._database.read(lambda db: _find(db, query, limit))


def _find(db: Connection, query: SearchQuery, limit: int) -> list[ConversationHit]:
    pattern, found = query.pattern, _grouped(*_by_words(db, query))
    if not found:
        pattern, found = query.letters, _grouped(*_by_letters(db, query))
    return [_hit(db, conversation_id, one, pattern) for conversation_id, one in [*found.items()][:limit]]


def _by_words(db: Connection, query: SearchQuery) -> tuple[list[Row], list[Row]]:
    if not query.match:
        return [], []
    titles = db.execute(_TITLES, (query.match, _MOST_TITLES)).fetchall()
    return titles, db.execute(_MESSAGES, (query.match, _MOST_MESSAGES)).fetchall()


def _by_letters(db: Connection, query: SearchQuery) -> tuple[list[Row], list[Row]]:
    plain = query.literal.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    like = f"%{plain}%"
    titles = db.execute(_LITERAL_TITLES, (like, _MOST_TITLES)).fetchall()
    return titles, db.execute(_LITERAL_MESSAGES, (_LITERAL_SPAN, like, _MOST_MESSAGES)).fetchall()


def _grouped(titles: list[Row], messages: list[Row]) -> dict[str, _Found]:
    found = {str(row["conversation_id"]): _Found() for row in titles}
    for row in messages:
        one = found.setdefault(row["conversation_id"], _Found())
        one.position = one.position or row["position"]
        one.count += 1
    return found


def _hit(db: Connection, conversation_id: str, found: _Found, pattern: re.Pattern[str]) -> ConversationHit:
    conversation = conversation_of(
        db.execute("SELECT * FROM conversations WHERE id = ?", (conversation_id,)).fetchone()
    )
    title = marked(conversation.title, pattern)
    if not found.position:
        return ConversationHit(conversation, title)
    row = db.execute("SELECT id, text FROM messages WHERE position = ?", (found.position,)).fetchone()
    return ConversationHit(
        conversation,
        title,
        excerpt=excerpt(row["text"], pattern),
        message_id=row["id"],
        position=found.position,
        count=found.count,
    )
