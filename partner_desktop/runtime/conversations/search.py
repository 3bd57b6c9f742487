"""Search in everything that was said, and in the titles.

Nothing typed is FTS syntax: every word goes into the question as a quoted phrase.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from functools import lru_cache
from typing import Literal, TypeAlias

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.domain.message import ConversationHit, Excerpt, Role
from partner_desktop.runtime.dialog import conversation_of
from partner_desktop.storage.database import Connection, Database, Row
from partner_desktop.storage.search_text import UNSPACED, spaced

#: Of the messages that fit, the newest this many are ranked: a letter that is in every message stays fast.
_MOST_MESSAGES = 1_000
_MOST_TITLES = 200
#: What the index cannot find (signs, parts of words) is looked for in this many of the newest messages.
_LITERAL_SPAN = 20_000

#: Where a message is one that the person may see, in a conversation that is there; `{within}`: and is wanted.
_THERE = """
JOIN conversations AS c ON c.id = m.conversation_id AND c.deleted_at IS NULL
WHERE m.state <> 'not_replied' AND m.take = '' {within}
"""
_MESSAGES = f"""
SELECT conversation_id, position FROM (
    SELECT m.conversation_id, m.position, bm25(message_search) AS score FROM message_search AS hits
    JOIN messages AS m ON m.position = hits.rowid {_THERE}
    AND message_search MATCH :match ORDER BY hits.rowid DESC LIMIT :most
) ORDER BY score, position DESC
"""  # noqa: S608 - words of ours
_TITLES = """
SELECT t.conversation_id FROM title_search AS t
JOIN conversations AS c ON c.id = t.conversation_id AND c.deleted_at IS NULL
WHERE title_search MATCH :match {within} ORDER BY bm25(title_search), c.updated_at DESC LIMIT :most_titles
"""
_LITERAL_MESSAGES = f"""
SELECT m.conversation_id, m.position FROM messages AS m {_THERE}
AND m.position > (SELECT coalesce(max(position), 0) FROM messages) - :span
AND m.text LIKE :like ESCAPE '\\' ORDER BY m.position DESC LIMIT :most
"""  # noqa: S608 - words of ours
_LITERAL_TITLES = """
SELECT c.id AS conversation_id FROM conversations AS c
WHERE c.deleted_at IS NULL AND c.title LIKE :like ESCAPE '\\' {within}
ORDER BY c.updated_at DESC LIMIT :most_titles
"""
#: Where nothing is looked for but what a message is.
_ANY_MESSAGES = f"""
SELECT m.conversation_id, m.position FROM messages AS m {_THERE} AND m.role <> 'action'
ORDER BY m.position DESC LIMIT :most
"""  # noqa: S608 - words of ours

Speaker: TypeAlias = Literal["", "person", "partner"]


@dataclass(frozen=True)
class SearchScope:
    """What a search is narrowed to; as it is made: to nothing."""

    conversation_id: str = ""
    """In this one: every message that fits is a hit."""
    archived: bool | None = None
    """Only in conversations that are, or are not."""
    said_by: Speaker = ""
    since: date | None = None
    """On this day, where this machine stands, or later."""
    attached: bool = False
    """Only with a file, a folder, a conversation or a picture."""

    @property
    def of_messages(self) -> bool:
        """Whether it says what no title can be."""
        return bool(self.said_by or self.since or self.attached)

    @property
    def of_conversations(self) -> str:
        """The condition on conversations, as SQL of ours."""
        parts = ["AND c.id = :conversation_id"] if self.conversation_id else []
        return " ".join([*parts, "AND c.archived = :archived"] if self.archived is not None else parts)

    @property
    def condition(self) -> str:
        """The condition on messages and their conversations, as SQL of ours."""
        parts = [self.of_conversations]
        if self.said_by:
            parts.append("AND m.role = :role")
        if self.since is not None:
            parts.append("AND julianday(m.created_at) >= julianday(:since)")
        if self.attached:
            parts.append(
                "AND (m.pictures <> '' OR EXISTS (SELECT 1 FROM attachments WHERE message_id = m.id))"
            )
        return " ".join(parts)

    @property
    def values(self) -> dict[str, str | bool | None]:
        """What the conditions name."""
        role = Role.USER if self.said_by == "person" else Role.PARTNER
        day = self.since or date.min
        since = datetime(max(day.year, 1970), day.month, day.day).astimezone()  # earlier, no zone is known
        return {
            "conversation_id": self.conversation_id,
            "archived": self.archived,
            "role": role.value,
            "since": since.isoformat(),
        }


EVERYWHERE = SearchScope()


@dataclass
class _Found:
    """What was found of one conversation; the best message came first."""

    conversation_id: str
    position: int = 0
    count: int = 0


class ConversationSearch:
    """Asks the index; a text of any form is a question, never an error."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, text: str, *, within: SearchScope = EVERYWHERE, limit: int) -> list[ConversationHit]:
        """The conversations that fit, best first; those whose title fits stand before the others.

        Without a text, what the scope alone says of messages, the newest first.
        """
        query = SearchQuery.of(text)
        if not query.literal and not within.of_messages:
            return []
        return await self._database.read(lambda db: _find(db, query, within, limit))


def _find(db: Connection, query: SearchQuery, within: SearchScope, limit: int) -> list[ConversationHit]:
    plain = query.literal.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    values = {
        **within.values,
        "match": query.match,
        "like": f"%{plain}%",
        "most": _MOST_MESSAGES,
        "most_titles": 0 if within.of_messages or within.conversation_id else _MOST_TITLES,
        "span": _LITERAL_SPAN,
    }

    def ask(titles: str, messages: str) -> list[_Found]:
        named = db.execute(titles.format(within=within.of_conversations), values).fetchall() if titles else []
        said = db.execute(messages.format(within=within.condition), values).fetchall()
        return _grouped(named, said, apart=bool(within.conversation_id))

    pattern, found = query.pattern, ask(_TITLES, _MESSAGES) if query.match else []
    if not query.literal:
        found = ask("", _ANY_MESSAGES)
    elif not found:
        pattern, found = query.letters, ask(_LITERAL_TITLES, _LITERAL_MESSAGES)
    return [_hit(db, one, pattern) for one in found[:limit]]


def _grouped(titles: list[Row], messages: list[Row], *, apart: bool) -> list[_Found]:
    """By their conversations; `apart`: each message for itself."""
    if apart:
        return [_Found(row["conversation_id"], row["position"], 1) for row in messages]
    found = {str(row["conversation_id"]): _Found(row["conversation_id"]) for row in titles}
    for row in messages:
        one = found.setdefault(row["conversation_id"], _Found(row["conversation_id"]))
        one.position = one.position or row["position"]
        one.count += 1
    return [*found.values()]


def _hit(db: Connection, found: _Found, pattern: re.Pattern[str]) -> ConversationHit:
    conversation = conversation_of(
        db.execute("SELECT * FROM conversations WHERE id = ?", (found.conversation_id,)).fetchone()
    )
    title = marked(conversation.title, pattern)
    if not found.position:
        return ConversationHit(conversation, title)
    row = db.execute(
        "SELECT id, text, created_at FROM messages WHERE position = ?", (found.position,)
    ).fetchone()
    return ConversationHit(
        conversation,
        title,
        excerpt=excerpt(row["text"], pattern),
        message_id=row["id"],
        position=found.position,
        count=found.count,
        said_at=datetime.fromisoformat(row["created_at"]),
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
