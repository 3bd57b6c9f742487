"""Search in everything that was said, and in the titles.

Nothing typed is FTS syntax: every word goes into the question as a quoted phrase.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.message import ConversationHit, Excerpt
from partner_desktop.runtime.dialog import conversation_of
from partner_desktop.storage.database import Connection, Database, Row
from partner_desktop.storage.search_text import UNSPACED, spaced

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


#: Characters before the first hit, and in all.
_BEFORE = 36
_LENGTH = 160


def marked(text: str, pattern: re.Pattern[str]) -> Excerpt:
    """The whole text on one line, with its hits."""
    line = " ".join(text.split())
    found = (match.span() for match in pattern.finditer(fold(line)))
    return Excerpt(line, tuple(span for span in found if span[0] < span[1]))


def excerpt(text: str, pattern: re.Pattern[str]) -> Excerpt:
    """A line around the first hit; the beginning where the eye's pattern finds less than the index."""
    first = pattern.search(fold(text))
    at = first.start() if first is not None else 0
    start = _word_start(text, max(0, at - _BEFORE), at)
    end = start + _LENGTH
    piece = text[start:end].strip()
    return marked(("…" if start else "") + piece + ("…" if end < len(text) else ""), pattern)


def _word_start(text: str, start: int, at: int) -> int:
    """Not in the middle of a word, where one begins before the hit."""
    if start == 0:
        return 0
    space = text.find(" ", start, at)
    return start if space < 0 else space + 1


#: More words than this only cost time.
_MOST_WORDS = 16
_MOST_CHARACTERS = 400

_UNSPACED = late(f"[{UNSPACED}]")
_WORDS = late(rf"[{UNSPACED}]|[^\W_{UNSPACED}]+")
#: Not in the middle of a word; a character of an unspaced script before it is none of it.
_STARTS = rf"(?<![^\W_{UNSPACED}])"
_MARKS = "[\u0300-\u036f]*"


@dataclass(frozen=True)
class SearchQuery:
    """`match` is empty when nothing typed is a word; `literal` is empty when nothing was typed."""

    literal: str
    match: str
    """An FTS5 expression: every word by its beginning, stretches without spaces anywhere."""
    pattern: re.Pattern[str]
    """Finds the hits of `match` in folded text."""
    letters: re.Pattern[str]
    """Finds `literal` in folded text, in the middle of words too."""

    @classmethod
    def of(cls, text: str) -> SearchQuery:
        """Any text at all."""
        typed = text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
        literal = " ".join(typed[:_MOST_CHARACTERS].split())
        chunks = [chunk for chunk in literal.split()[:_MOST_WORDS] if _WORDS.search(chunk)]
        letters = re.compile(re.escape(fold(literal)))
        return cls(literal, " ".join(map(_phrase, chunks)), _pattern(chunks), letters)


def _phrase(chunk: str) -> str:
    """A quoted phrase; its last word may go on, unless a sign ends it (`c++` is not every word with c)."""
    quoted = '"' + spaced(chunk).replace('"', '""') + '"'
    return quoted + "*" if chunk[-1].isalnum() else quoted


def _pattern(chunks: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(_chunk_pattern, chunks), key=len, reverse=True)) or r"(?!)")


def _chunk_pattern(chunk: str) -> str:
    words = _WORDS.findall(fold(chunk))
    pattern = "" if _UNSPACED.match(words[0]) else _STARTS
    for number, word in enumerate(words):
        pattern += r"[\W_]*" if number else ""
        pattern += _MARKS.join(map(re.escape, word))
    return pattern + _MARKS


def fold(text: str) -> str:
    """Small letters without accents, each character in its old place."""
    return text.lower() if text.isascii() else "".join(map(_fold_one, text))


@lru_cache(maxsize=4096)
def _fold_one(character: str) -> str:
    parts = unicodedata.normalize("NFD", character)
    base = parts[0] if len(parts) > 1 and unicodedata.combining(parts[1]) else character
    return base.lower()[0]
