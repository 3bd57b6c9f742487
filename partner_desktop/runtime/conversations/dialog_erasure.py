"""DialogErasure: messages that are erased one by one, and the titles that were made of them.

Contract: what is erased is overwritten in the file (`secure_delete`); `clean_search` then makes sure that the
search index holds no word of it, and the write-ahead log goes into the file with `Database.forget_erased`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta

from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.message import Conversation, Role
from partner_desktop.domain.remembered import PARTNER, PERSON, RememberedTurn
from partner_desktop.runtime.dialog import conversation_of, title_of
from partner_desktop.runtime.turn_queue import remove
from partner_desktop.storage.database import Connection, Database, Row, rows_among
from partner_desktop.storage.search_text import spaced

#: Rows that one step erases or reads, pages of the index that one step merges, phrases of one question.
_ROWS, _PAGES, _PHRASES = 200, 64, 40
_DAY = timedelta(days=1)
#: Messages at the end of a conversation.
_LATEST = 40
_SAID = (
    "SELECT m.position, m.id, m.conversation_id, m.role, m.speaker, m.text, m.created_at, m.exchange_id, "
    "m.reasoning, c.title FROM messages AS m JOIN conversations AS c ON c.id = m.conversation_id "
    "WHERE m.role <> 'action' AND (m.text <> '' OR m.reasoning <> '') AND m.state <> 'streaming' "
    "AND c.deleted_at IS NULL "
)
_FOUND = f"{_SAID}AND m.position IN (SELECT rowid FROM message_search WHERE message_search MATCH ?)"  # noqa: S608 - words of ours
#: What a title is made of.
_NAMING = (
    "SELECT id, text FROM messages WHERE conversation_id = ? AND role = 'user' AND take = '' AND text <> '' "
    "ORDER BY position LIMIT 20"
)


class SaidMessages:
    """Finds messages wherever they are: also those that were set aside, and those that no recall finds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_id(self, ids: Collection[str]) -> list[RememberedTurn]:
        """Those of these ids, in order."""
        return await self._in("m.id", list(ids))

    async def of_conversation(self, conversation_id: str) -> list[RememberedTurn]:
        """All of a conversation, in order."""
        return _turns(
            await self._database.rows(
                f"{_SAID}AND m.conversation_id = ? ORDER BY m.position", (conversation_id,)
            )
        )

    async def latest(self, conversation_id: str) -> list[RememberedTurn]:
        """What is shown at the end of a conversation, in order."""
        rows = await self._database.rows(
            f"{_SAID}AND m.conversation_id = ? AND m.take = '' AND m.state <> 'not_replied' "
            "ORDER BY m.position DESC LIMIT ?",
            (conversation_id, _LATEST),
        )
        return _turns(reversed(rows))

    async def since(self, position: int) -> list[RememberedTurn]:
        """Everything from a position on, in order."""
        return _turns(
            await self._database.rows(f"{_SAID}AND m.position >= ? ORDER BY m.position", (position,))
        )

    async def between(self, since: datetime, until: datetime) -> list[RememberedTurn]:
        """Those said within `[since, until)`, in order."""
        # Texts of times in other zones sort a day apart at most.
        query = f"{_SAID}AND m.created_at >= ? AND m.created_at < ? ORDER BY m.position"
        wide = [(since - _DAY).date().isoformat(), (until + 2 * _DAY).date().isoformat()]
        return [each for each in _turns(await self._database.rows(query, wide)) if since <= each.at < until]

    async def answers_to(self, ids: Collection[str]) -> list[RememberedTurn]:
        """What Partner said in the exchanges of some messages of the person's."""
        found = await self.said_in(await self.exchanges_of(ids))
        return [turn for turn in found if turn.message_id not in ids]

    async def said_in(self, exchange_ids: Sequence[str]) -> list[RememberedTurn]:
        """What Partner said in some exchanges, in order."""
        return [turn for turn in await self._in("m.exchange_id", exchange_ids) if turn.speaker != PERSON]

    async def begun_answer(self) -> int | None:
        """The position of the first message that is still being written, where there is one."""
        row = await self._database.row("SELECT min(position) FROM messages WHERE state = 'streaming'")
        return None if row[0] is None else int(row[0])

    async def exchanges_of(self, ids: Collection[str]) -> list[str]:
        """The exchanges that some messages of the person's began."""
        wanted = list(ids)

        def look(db: Connection) -> list[str]:
            query = (
                "SELECT DISTINCT exchange_id FROM messages "
                "WHERE role = 'user' AND exchange_id <> '' AND id IN"
            )
            return [str(row[0]) for row in rows_among(db, query, wanted)]

        return await self._database.read(look)

    async def holding(self, phrases: Sequence[str], holds: Callable[[str], bool]) -> list[RememberedTurn]:
        """Those that the index finds by one of some FTS phrases, and of which the text holds it, in order."""
        found: dict[int, RememberedTurn] = {}
        for start in range(0, len(phrases), _PHRASES):
            asked = " OR ".join(phrases[start : start + _PHRASES])
            rows = await self._database.rows(_FOUND, (asked,))
            new = [row for row in rows if row["position"] not in found]
            found |= await asyncio.to_thread(
                lambda new=new: {row["position"]: _turn(row) for row in new if holds(row["text"])}  # type: ignore[misc]
            )
        return [found[position] for position in sorted(found)]

    async def said_besides(self, turns: Sequence[RememberedTurn]) -> set[str]:
        """Which texts of some messages stand in others, too, to the letter."""
        texts = list(dict.fromkeys(turn.text for turn in turns))
        own = Counter(turn.text for turn in turns)

        def look(db: Connection) -> list[Row]:
            return rows_among(db, "SELECT text FROM messages WHERE role <> 'user' AND text IN", texts)

        there = Counter(str(row["text"]) for row in await self._database.read(look)) if texts else Counter()
        return {text for text in texts if there[text] > own[text]}

    async def thought(self, holds: Callable[[str], bool]) -> list[RememberedTurn]:
        """Those in whose reasoning it stands: no index has that."""
        rows = await self._database.rows(f"{_SAID}AND m.reasoning <> ''")
        return await asyncio.to_thread(lambda: [_turn(row) for row in rows if holds(row["reasoning"])])

    async def _in(self, column: str, values: Sequence[str]) -> list[RememberedTurn]:
        def look(db: Connection) -> list[Row]:
            return rows_among(db, f"{_SAID}AND {column} IN", values)

        return sorted(_turns(await self._database.read(look)), key=lambda turn: turn.position)


def phrase_of(pieces: Sequence[str], *, beginning: bool = False) -> str:
    """An FTS phrase of words that stand in a row; `beginning`: the last may go on."""
    text = spaced(" ".join(pieces)).replace('"', " ")
    return f'"{" ".join(text.split())}"' + ("*" if beginning else "")


class DialogErasure:
    """A `Forgettable`: messages with their cards, titles and folders, and what waits to be answered."""

    async def held(self, database: Database, gone: Forgotten) -> Sequence[HeldWords]:
        """See `Forgettable.held`: the folders whose names say words of it, and the titles that do, but for
        those of messages that stay."""
        rows = await database.rows("SELECT id, title, folder FROM conversations WHERE deleted_at IS NULL")
        said = await asyncio.to_thread(
            lambda: [row for row in rows if row["title"] and gone.holds(row["title"])]
        )
        names = {row["folder"] for row in rows} - {""}
        named = await asyncio.to_thread(lambda: {name for name in names if gone.holds(name)})
        folders = [
            HeldWords("folder", row["id"], row["folder"], row["id"]) for row in rows if row["folder"] in named
        ]
        return folders + [
            HeldWords("title", row["id"], row["title"], row["id"])
            for row in said
            if row["title"]
            not in [
                title_of(each["text"])
                for each in await database.rows(_NAMING, (row["id"],))
                if each["id"] not in gone.message_ids
            ]
        ]

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        wanted = list(gone.message_ids)
        for start in range(0, len(wanted), _ROWS):
            some = wanted[start : start + _ROWS]
            await database.write(lambda db, some=some: _erase(db, some))  # type: ignore[misc]
        for one in await self.held(database, gone):
            if one.kind == "folder":
                await database.execute("UPDATE conversations SET folder = '' WHERE id = ?", (one.id,))
            else:
                await database.write(lambda db, one=one: _retitle(db, one.id, gone.holds))  # type: ignore[misc]


async def emptied(database: Database, conversation_ids: Iterable[str]) -> list[str]:
    """Those of some conversations in which nothing stands any more."""
    query = (
        "SELECT id FROM conversations WHERE NOT EXISTS "
        "(SELECT 1 FROM messages WHERE conversation_id = conversations.id) AND id IN"
    )
    wanted = list(conversation_ids)

    def look(db: Connection) -> list[str]:
        return [str(row[0]) for row in rows_among(db, query, wanted)]

    return await database.read(look)


async def drop_emptied(database: Database, conversation_ids: Iterable[str]) -> None:
    """Take those of some conversations out in which nothing stands any more, in a copy that nobody uses."""
    ids = [(one,) for one in await emptied(database, conversation_ids)]
    await database.write(lambda db: db.executemany("DELETE FROM conversations WHERE id = ?", ids))


def count_there(db: Connection, ids: Sequence[str]) -> int:
    """How many messages of some ids there are."""
    return len(rows_among(db, "SELECT id FROM messages WHERE id IN", ids))


async def conversation_rows(database: Database, conversation_ids: Iterable[str]) -> list[Conversation]:
    """Some conversations as they stand."""
    wanted = list(conversation_ids)

    def look(db: Connection) -> list[Conversation]:
        return [
            conversation_of(row) for row in rows_among(db, "SELECT * FROM conversations WHERE id IN", wanted)
        ]

    return await database.read(look)


async def clean_search(database: Database) -> None:
    """FTS5 only notes what was deleted; merging its segments into one drops the words themselves.

    In steps instead of `optimize`, as https://sqlite.org/fts5.html#the_merge_command describes: the
    negative number begins, and a step that changes fewer than two rows had nothing left to do.
    """
    for index in ("message_search", "title_search"):
        pages = -_PAGES
        while await database.write(_merge_step(index, pages)) >= 2:
            pages = _PAGES


def _merge_step(index: str, pages: int) -> Callable[[Connection], int]:
    def work(db: Connection) -> int:
        before = db.total_changes
        db.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (pages,))  # noqa: S608 - one of two names
        return db.total_changes - before

    return work


async def texts_of_exchange(
    database: Database, conversation_id: str, exchange_id: str, *, but: Collection[str]
) -> list[str]:
    """What the person said that an exchange began with, without the messages of some ids."""
    rows = await database.rows(
        "SELECT id, text FROM messages "
        "WHERE conversation_id = ? AND role = 'user' AND exchange_id = ? AND exchange_id <> ''",
        (conversation_id, exchange_id),
    )
    return [row["text"] for row in rows if row["id"] not in but]


def remove_shown(db: Connection, conversation_id: str, action_id: str) -> None:
    """Take out where an action was shown, and that its outcome is to be told, within a transaction."""
    remove(db, [action_id])
    # No index finds a card but with its place.
    db.execute(
        "DELETE FROM messages WHERE conversation_id = ? AND action_id = ?", (conversation_id, action_id)
    )


def _erase(db: Connection, ids: Sequence[str]) -> None:
    remove(db, ids)
    db.executemany("DELETE FROM messages WHERE id = ?", [(each,) for each in ids])


def _retitle(db: Connection, conversation_id: str, holds: Callable[[str], bool]) -> None:
    """From the first thing said that may be named; empty where there is none, until something is said."""
    rows = db.execute(_NAMING, (conversation_id,)).fetchall()
    title = next((one for one in (title_of(row["text"]) for row in rows) if not holds(one)), "")
    db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation_id))


def _turns(rows: Iterable[Row]) -> list[RememberedTurn]:
    return [_turn(row) for row in rows]


def _turn(row: Row) -> RememberedTurn:
    return RememberedTurn(
        row["id"],
        row["conversation_id"],
        row["title"],
        row["position"],
        row["speaker"] or (PERSON if row["role"] == Role.USER else PARTNER),
        row["text"] or row["reasoning"],
        datetime.fromisoformat(row["created_at"]),
    )
