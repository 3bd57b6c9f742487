"""The index of what was said is of the dialog as it is now, whatever happens to its file and the model."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ModelError, StorageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ConversationGoneEvent, Event, NoticeEvent
from partner_desktop.domain.remembered import RememberedTurn
from partner_desktop.language.recollection import read_cue
from partner_desktop.memory.indexing import ChangeJournal, TurnIndexing
from partner_desktop.memory.turn_index import TurnIndex, TurnQuery
from partner_desktop.model.embedder import Embedder, EmbeddingStatus
from partner_desktop.runtime.turn_reader import TurnReader
from partner_desktop.storage import migrations
from partner_desktop.storage.database import Database
from tests.memory.chats import MARCH, brought_in, living, texts, trips, turn, written
from tests.model.test_cached_embedder import CountingEmbedder
from tests.support import FakeClock, Watcher

if TYPE_CHECKING:
    from partner_desktop.model.embedder import Vectors

pytestmark = pytest.mark.integration

#: No other word of the tests is like this one; what is looked for is the middle of it.
RARE = "qyxozzquartzelf"
MIDDLE = b"ozzquartz"


def told(watcher: Watcher) -> list[str]:
    """What memory had to say."""
    notices = [event for event in watcher.events if isinstance(event, NoticeEvent)]
    return [event.text for event in notices if event.about == "memory:index"]


async def said(partner: Partner, watcher: Watcher, text: str) -> str:
    """Say something in a new conversation, to its end; the conversation's id."""
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=None)
    await watcher.done()
    return message.conversation_id


# What is erased.


def files_with(root: Path, piece: bytes) -> list[str]:
    """The databases of a home, and their logs, that hold some bytes."""
    places = [path for path in root.rglob("*.db*") if "backups" not in path.parts]
    return sorted(path.name for path in places if piece in path.read_bytes())


async def test_nothing_of_what_was_erased_is_left_in_any_file_while_partner_runs(
    partner: Partner, watcher: Watcher, home: Home, tmp_path: Path
) -> None:
    await brought_in(partner, written(tmp_path / "trips.jsonl", trips(range(30))))
    lines = [
        turn(f"The {RARE} is in box {number}, {RARE}{number}.", conversation="boxes") for number in range(40)
    ]
    await brought_in(partner, written(tmp_path / "boxes.jsonl", lines))
    other = await said(partner, watcher, f"hello {RARE} of mine")
    line = await partner.messages.list(other)
    watcher.events.clear()
    await partner.messages.edit(line[0].id, "hello again")
    await watcher.done()
    assert (await partner.memory.recall(RARE)).turns
    await partner.memory.roll(other)
    assert "memory.db" in {name.removesuffix("-wal") for name in files_with(home.root, MIDDLE)}
    partner.conversations.deletion.undo_s = 0.0
    erased = [each for each in await partner.conversations.list() if not each.title.startswith("Trip")]
    assert len(erased) == 2
    for one in erased:
        watcher.events.clear()
        await partner.conversations.delete(one.id)
        await watcher.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
    assert (await partner.memory.read_all()).turns == 60
    assert files_with(home.root, MIDDLE) == []
    assert texts(await partner.memory.recall("ferry to island7"))[0] == "I booked the ferry to island7."
    assert texts(await partner.memory.recall(RARE)) == []


async def test_what_was_erased_last_is_gone_when_partner_is_closed(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with living(used_home, action_dir) as (partner, _):
        lines = [turn(f"The {RARE} is in box {number}.") for number in range(40)]
        await brought_in(partner, written(tmp_path / "boxes.jsonl", lines))
        assert (await partner.memory.recall(RARE)).turns
        (one,) = await partner.conversations.list()
        await partner.conversations.delete(one.id)
    assert files_with(used_home.root, MIDDLE) == []
    async with living(used_home, action_dir) as (partner, watcher):
        assert (await partner.memory.read_all()).turns == 0
        assert told(watcher) == []


async def test_what_is_deleted_is_not_recalled_from_then_on_and_is_when_it_is_back(
    partner: Partner, tmp_path: Path
) -> None:
    await brought_in(partner, written(tmp_path / "trips.jsonl", trips(range(4))))
    asked = "ferry to island2"
    one = next(each for each in await partner.conversations.list() if each.title == "Trip 2")
    for _ in range(5):
        assert texts(await partner.memory.recall(asked))[0] == "I booked the ferry to island2."
        recalls = [asyncio.create_task(partner.memory.recall(asked)) for _ in range(8)]
        await partner.conversations.delete(one.id)
        recalls += [asyncio.create_task(partner.memory.recall(asked))]
        for recall in await asyncio.gather(*recalls):
            shown = [each for passage in recall.passages for each in passage.turns]
            assert all(each.conversation_id for each in shown)
        last = await partner.memory.recall(asked)
        assert one.id not in {each.turn.conversation_id for each in last.turns}
        assert (await partner.memory.status()).turns == 6
        await partner.conversations.restore(one.id)
    assert (await partner.memory.status()).turns == 8


# What happens to the file.


def edited(statement: str) -> Callable[[Path, bytes], None]:
    def work(index: Path, older: bytes) -> None:
        del older
        with closing(sqlite3.connect(index)) as db:
            db.execute(statement)
            db.commit()

    return work


def older_than_the_journal(index: Path, older: bytes) -> None:
    """What changed since that index is written down no more."""
    index.write_bytes(older)
    with closing(sqlite3.connect(index.parents[1] / "partner.db")) as database, database:
        database.execute("DELETE FROM memory_changes")


DAMAGE: dict[str, Callable[[Path, bytes], object]] = {
    "garbage": lambda index, older: index.write_bytes(b"no index " * 999),
    "nothing": lambda index, older: index.write_bytes(b""),
    "gone": lambda index, older: index.unlink(),
    "of another version": edited("PRAGMA user_version = 99"),
    "of another database": edited("UPDATE facts SET value = 'another' WHERE name = 'mark'"),
    "older": older_than_the_journal,
}
ANEW = "What was said is read anew: its index belonged to another state of the database."


@pytest.mark.parametrize("name", DAMAGE)
async def test_an_index_that_is_not_of_this_dialog_is_made_anew_and_told(
    used_home: Home, action_dir: Path, tmp_path: Path, name: str
) -> None:
    index = used_home.root / "cache" / "memory.db"
    async with living(used_home, action_dir) as (partner, watcher):
        await brought_in(partner, written(tmp_path / "a.jsonl", trips(range(3))))
        await partner.memory.read_all()
    older = index.read_bytes()
    async with living(used_home, action_dir) as (partner, watcher):
        await brought_in(partner, written(tmp_path / "b.jsonl", trips(range(3, 6))))
        await partner.memory.read_all()
        assert told(watcher) == []
    DAMAGE[name](index, older)
    async with living(used_home, action_dir) as (partner, watcher):
        assert (await partner.memory.read_all()).turns == 12
        assert texts(await partner.memory.recall("ferry to island4"))[0] == "I booked the ferry to island4."
        assert told(watcher) == [ANEW]
    async with living(used_home, action_dir) as (partner, watcher):
        assert (await partner.memory.read_all()).turns == 12
        assert told(watcher) == []


async def test_an_older_index_takes_in_what_it_missed(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    index = used_home.root / "cache" / "memory.db"
    async with living(used_home, action_dir) as (partner, _):
        await brought_in(partner, written(tmp_path / "a.jsonl", trips(range(3))))
        await partner.memory.read_all()
    older = index.read_bytes()
    async with living(used_home, action_dir) as (partner, _):
        await brought_in(partner, written(tmp_path / "b.jsonl", trips(range(3, 6))))
        await partner.memory.read_all()
    index.write_bytes(older)
    async with living(used_home, action_dir) as (partner, watcher):
        assert (await partner.memory.read_all()).turns == 12
        assert texts(await partner.memory.recall("ferry to island4"))[0] == "I booked the ferry to island4."
        assert told(watcher) == []


async def test_an_index_that_is_ahead_of_a_restored_backup_is_made_anew_and_told(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with living(used_home, action_dir) as (partner, _):
        await brought_in(partner, written(tmp_path / "a.jsonl", trips(range(3))))
        await partner.memory.read_all()
    shutil.copyfile(used_home.database, tmp_path / "backup.db")
    async with living(used_home, action_dir) as (partner, _):
        await brought_in(partner, written(tmp_path / "b.jsonl", trips(range(3, 6))))
        await partner.memory.read_all()
    for leftover in used_home.root.glob(used_home.database.name + "*"):
        leftover.unlink()
    shutil.copyfile(tmp_path / "backup.db", used_home.database)
    async with living(used_home, action_dir) as (partner, watcher):
        assert (await partner.memory.read_all()).turns == 6
        assert told(watcher) == [ANEW]
        found = await partner.memory.recall("ferry to island4")
        assert "I booked the ferry to island4." not in texts(found)
        await brought_in(partner, tmp_path / "b.jsonl")
        assert texts(await partner.memory.recall("ferry to island4"))[0] == "I booked the ferry to island4."


async def test_an_index_that_does_not_agree_with_the_messages_shows_nothing_wrong_and_is_made_anew(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with living(used_home, action_dir) as (partner, _):
        await brought_in(partner, written(tmp_path / "a.jsonl", trips(range(6))))
        await partner.memory.read_all()
    with closing(sqlite3.connect(used_home.root / "cache" / "memory.db")) as db:
        first, second = (
            row[0] for row in db.execute("SELECT rowid FROM words WHERE words MATCH 'island1 OR island2'")
        )
        rows = dict(
            db.execute("SELECT rowid, terms FROM words WHERE rowid IN (?, ?)", (first, second)).fetchall()
        )
        for position, other in ((first, second), (second, first)):
            db.execute("UPDATE words SET terms = ? WHERE rowid = ?", (rows[other], position))
            db.execute("UPDATE turns SET digest = x'00' WHERE position = ?", (position,))
        db.commit()
    async with living(used_home, action_dir) as (partner, watcher):
        found = texts(await partner.memory.recall("ferry to island1"))
        assert "I booked the ferry to island2." not in found
        assert told(watcher) == ["What was said is read anew: its index did not agree with the messages."]
        assert (await partner.memory.read_all()).turns == 12
        assert texts(await partner.memory.recall("ferry to island1"))[0] == "I booked the ferry to island1."


@pytest.mark.parametrize("first", ["something is said", "something is asked"])
async def test_an_index_that_breaks_while_it_is_used_is_made_anew_and_told(
    used_home: Home, action_dir: Path, tmp_path: Path, first: str
) -> None:
    async with living(used_home, action_dir) as (partner, watcher):
        await brought_in(partner, written(tmp_path / "a.jsonl", trips(range(6))))
        await partner.memory.recall("ferry to island1")
        with closing(sqlite3.connect(used_home.root / "cache" / "memory.db")) as db:
            db.execute("PRAGMA writable_schema = ON")
            db.execute("UPDATE sqlite_schema SET sql = 'no sense' WHERE name = 'turns'")
            db.commit()
            db.execute("PRAGMA schema_version = 999")
        if first == "something is said":
            await said(partner, watcher, "hello there")
        await partner.memory.recall("ferry to island1")
        assert (await partner.memory.read_all()).turns == 12 + 2 * (first == "something is said")
        assert texts(await partner.memory.recall("ferry to island5"))[0] == "I booked the ferry to island5."
        assert told(watcher) == [ANEW]


async def test_an_index_that_cannot_be_written_is_said_and_hinders_no_talk(
    used_home: Home, action_dir: Path
) -> None:
    (used_home.root / "cache").mkdir(exist_ok=True)
    for leftover in (used_home.root / "cache").glob("memory.db*"):
        leftover.unlink()
    (used_home.root / "cache" / "memory.db").mkdir()
    async with living(used_home, action_dir) as (partner, watcher):
        one = await said(partner, watcher, "hello there")
        assert len(await partner.messages.list(one)) == 2
        with pytest.raises(StorageError, match=r"memory\.db cannot be used"):
            await partner.memory.recall("hello")
    (used_home.root / "cache" / "memory.db").rmdir()
    async with living(used_home, action_dir) as (partner, watcher):
        assert "hello there" in texts(await partner.memory.recall("hello"))


# Homes that are older than memory.


def old_home(home: Home, count: int) -> None:
    """A home of a Partner that had no memory, with `count` messages that are shown, and some that are not."""
    (home.root / "backups").mkdir(mode=0o700, parents=True)
    older = {number: sql for number, sql in migrations.shipped_steps().items() if number < 19}
    with closing(sqlite3.connect(home.database, isolation_level=None)) as db:
        db.row_factory = sqlite3.Row
        now = SystemClock().now()
        migrations.migrate(db, path=home.database, backups=home.root / "backups", now=now, steps=older)
        db.execute("BEGIN")
        for name, deleted in (("kept", None), ("gone", MARCH.isoformat())):
            db.execute(
                "INSERT INTO conversations (id, title, created_at, updated_at, deleted_at) "
                "VALUES (:name, :name, :at, :at, :deleted)",
                {"name": name, "at": MARCH.isoformat(), "deleted": deleted},
            )
        rows = [("kept", f"ConversationController number{each} holds jam.", "") for each in range(count)]
        rows += [
            ("gone", "ConversationController number1 is deleted.", ""),
            ("kept", "ConversationController number1 was set aside.", "take"),
        ]
        db.executemany(
            "INSERT INTO messages (id, conversation_id, role, text, state, created_at, take) "
            "VALUES (hex(randomblob(8)), ?, 'user', ?, 'done', ?, ?)",
            [(name, text, MARCH.isoformat(), take) for name, text, take in rows],
        )
        db.execute("COMMIT")


async def test_an_older_home_is_read_at_its_first_start_behind_what_is_said_meanwhile(
    home: Home, action_dir: Path
) -> None:
    old_home(home, 700)
    async with living(home, action_dir) as (partner, watcher):
        early = await partner.memory.status()
        assert early.turns + early.unread >= 700
        one = await said(partner, watcher, "hello, the cellar is dry")
        assert "hello, the cellar is dry" in texts(await partner.memory.recall("dry cellar"))
        whole = await partner.memory.read_all()
        assert (whole.turns, whole.unread) == (702, 0)
        assert texts(await partner.memory.recall("what is on shelf number699?"))[0] == (
            "ConversationController number699 holds jam."
        )
        on_first = texts(await partner.memory.recall("shelf number1"))
        assert "ConversationController number1 holds jam." in on_first
        assert not {
            "ConversationController number1 is deleted.",
            "ConversationController number1 was set aside.",
        } & set(on_first)
        assert told(watcher) == []
        assert one


class WatchedReader(TurnReader):
    """Tells where it was asked to read on from, and has a disk that fails after some batches."""

    def __init__(self, database: Database, *, batches: int = 1_000) -> None:
        super().__init__(database)
        self.asked: list[int] = []
        self.portions: list[int] = []
        """Characters that came at once."""
        self._left = batches

    async def after(self, position: int, limit: int, *, most_characters: int = 2**62) -> list[RememberedTurn]:
        if not self._left:
            raise StorageError("The disk is gone.")
        self._left -= 1
        self.asked.append(position)
        turns = await super().after(position, limit, most_characters=most_characters)
        self.portions.append(sum(len(turn.text) for turn in turns))
        return turns

    async def first_at(
        self, positions: Sequence[int], *, most_characters: int
    ) -> tuple[list[RememberedTurn], int]:
        turns, looked = await super().first_at(positions, most_characters=most_characters)
        self.portions.append(sum(len(turn.text) for turn in turns))
        return turns, looked


@asynccontextmanager
async def opened(home: Home) -> AsyncIterator[Database]:
    database = Database(home.database, backups=home.root / "backups", clock=SystemClock())
    await database.launch()
    try:
        yield database
    finally:
        await database.shutdown()


class Indexed:
    """The index of a database, without the rest of Partner."""

    def __init__(
        self,
        home: Home,
        database: Database,
        embedder: Embedder | None = None,
        *,
        reader: TurnReader | None = None,
    ) -> None:
        self.notices: list[str] = []
        self.index = TurnIndex(home.root / "cache" / "memory.db")
        self.indexing = TurnIndexing(
            self.index, ChangeJournal(database), reader or TurnReader(database), embedder, self._hear
        )

    def _hear(self, event: Event) -> None:
        assert isinstance(event, NoticeEvent)
        self.notices.append(event.text)


async def test_the_reading_of_an_older_home_goes_on_where_it_was_cut_off(home: Home) -> None:
    old_home(home, 1_000)
    async with opened(home) as database:
        torn = Indexed(home, database, reader=WatchedReader(database, batches=2))
        with pytest.raises(StorageError, match="The disk is gone"):
            await torn.indexing.whole()
        await torn.indexing.shutdown()
        reader = WatchedReader(database)
        one = Indexed(home, database, reader=reader)
        assert 0 < (await one.indexing.status()).turns < 1_000
        assert (await one.indexing.status()).unread > 0
        await one.indexing.whole()
        assert (await one.indexing.status()).turns == 1_000
        assert min(reader.asked) > 0, "it began anew"
        assert one.notices == []
        await one.indexing.shutdown()


#: Of which one alone is most of a portion.
LONG = 200_000


def long_text(number: int) -> str:
    return f"The {number}th lamp is green. " + "And so on it goes. " * (LONG // 19)


async def test_what_is_long_is_read_in_small_portions_and_behind_the_window(home: Home) -> None:
    old_home(home, 0)
    async with opened(home) as database:
        await put(database, range(6), text=long_text)
        reader = WatchedReader(database)
        one = Indexed(home, database, reader=reader)
        await one.indexing.whole()
        walked = one.index.background.ran
        await put(database, range(6, 12), text=long_text)
        await one.indexing.whole()
        assert (await one.indexing.status()).turns == 12
        assert max(reader.portions) < 3 * LONG, "a question waits for more than a portion"
        assert 0 < walked < one.index.background.ran, "the window's own process reads them"
        found = await one.index.search(TurnQuery(read_cue("the 7th lamp")), None, limit=1)
        assert found
        assert (await reader.at([found[0].position]))[found[0].position].text.startswith("The 7th lamp")
        await put(database, [12])
        read = one.index.background.ran
        await one.indexing.whole()
        assert one.index.background.ran == read, "for a sentence no process is started"
        await one.indexing.shutdown()


# The model of meaning.


def short_text(number: int) -> str:
    return f"The {number}th lamp is green."


async def put(database: Database, numbers: Iterable[int], *, text: Callable[[int], str] = short_text) -> None:
    """Messages, as somebody says them."""
    rows = [(text(number), MARCH.isoformat()) for number in numbers]
    await database.write(
        lambda db: db.executemany(
            "INSERT INTO messages (id, conversation_id, role, text, state, created_at) "
            "VALUES (hex(randomblob(8)), 'kept', 'user', ?, 'done', ?)",
            rows,
        )
    )


class Fainting(CountingEmbedder):
    """Answers a few times, then no more."""

    left = 2

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        if not self.left:
            raise ModelError("The worker died.")
        self.left -= 1
        return await super().embed(texts, urgent=urgent)


class Absent(CountingEmbedder):
    """No model is there."""

    def status(self) -> EmbeddingStatus:
        return EmbeddingStatus("absent", "The embedding model is not here.")


async def test_vectors_are_of_one_model_kept_over_restarts_and_made_anew_of_another(home: Home) -> None:
    old_home(home, 0)
    async with opened(home) as database:
        first = CountingEmbedder("first")
        one = Indexed(home, database, first)
        await one.indexing.whole()
        await put(database, range(50))
        await one.indexing.meaning_read()
        status = await one.indexing.status()
        assert (status.turns, status.by_meaning, len(first.asked), status.note) == (50, 50, 50, "")
        await one.indexing.shutdown()

        again = CountingEmbedder("first")
        reader = WatchedReader(database)
        one = Indexed(home, database, again, reader=reader)
        await put(database, range(50, 55))
        await one.indexing.meaning_read()
        assert reader.asked == [], "what was read is read again"
        assert sorted(again.asked) == [f"The {number}th lamp is green." for number in range(50, 55)]
        await one.indexing.shutdown()

        fainting = Fainting("second")
        one = Indexed(home, database, fainting)
        status = await one.indexing.status()
        assert (status.turns, status.by_meaning) == (55, 0)
        assert status.note == "55 turns are found by words alone until their meaning is read."
        assert one.notices == ["The embedding model is another one: the meaning of 55 turns is read anew."]
        with pytest.raises(ModelError, match="The worker died"):
            await one.indexing.meaning_read()
        half = (await one.indexing.status()).by_meaning
        assert 0 < half < 55
        await one.indexing.shutdown()

        second = CountingEmbedder("second")
        one = Indexed(home, database, second)
        await one.indexing.meaning_read()
        assert (await one.indexing.status()).by_meaning == 55
        assert len(second.asked) == 55 - half
        assert one.notices == []
        await one.indexing.shutdown()

        one = Indexed(home, database, Absent("second"))
        await one.indexing.meaning_read()
        status = await one.indexing.status()
        assert status.note == "Turns are found by words and dates alone. The embedding model is not here."
        await one.indexing.shutdown()


async def test_meaning_finds_what_was_said_in_other_words_and_words_do_until_it_is_there(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    lines = [
        turn("My sister moved to a cottage by the sea.", conversation="family"),
        turn("The invoice of the dentist is paid.", conversation="money"),
        turn("We ate pancakes with blueberries.", conversation="food"),
    ]
    async with living(used_home, action_dir) as (partner, _):
        await brought_in(partner, written(tmp_path / "chat.jsonl", lines))
        by_words = await partner.memory.recall("who lives at the beach house?")
        assert not by_words.by_meaning
        assert by_words.passages == ()
    async with living(used_home, action_dir, meaning=True) as (partner, _):
        status = await partner.memory.read_all()
        assert (status.turns, status.by_meaning, status.note) == (3, 3, "")
        found = await partner.memory.recall("who lives at the beach house?")
        assert found.by_meaning
        assert texts(found)[0] == "My sister moved to a cottage by the sea."
        assert "meaning" in found.turns[0].reasons


# What is said, and when.

ODD = {
    "🏝️👩‍👩‍👧 beach": "🏝️ beach?",
    "שלום עולם, המגדלור גבוה": "המגדלור?",
    "هذا البحر أزرق": "البحر",
    "Ｆｕｌｌ width ﬁsh": "full width fish",
    "naïve café Ångström": "angstrom cafe",
    "上周二去了苏州的拙政园": "拙政园在哪里？",
    "東京タワーは高い": "タワー",
    "서울에 갔다": "서울",
    "word " * 19_000 + RARE: RARE,
    "x" * 100_000: "x" * 300,
    '"quoted" AND (NEAR) * ^ -: terms': 'NEAR AND "quoted" *',
    "a\u202egnp.exe\u2066 hidden": "hidden exe",
}
NOTHING = ["?!…", "\ud800", "\0", "🏝️", "the of and", "的了吗", "''", "\u202e\u2066", "%_%", "a" * 20_000]


async def test_whatever_is_said_is_found_by_its_words_and_no_question_breaks_the_search(
    partner: Partner, tmp_path: Path
) -> None:
    lines = [turn(text, conversation=f"c{number}") for number, text in enumerate(ODD)]
    await brought_in(partner, written(tmp_path / "odd.jsonl", lines))
    for text, asked in ODD.items():
        if text.startswith("xx"):
            await partner.memory.recall(asked)
        else:
            assert texts(await partner.memory.recall(asked))[0] == text.strip(), asked
    for asked in NOTHING:
        assert (await partner.memory.recall(asked, conversation_id="\ud800")).turns == ()
        await partner.memory.recall(asked)


async def test_a_clock_that_was_set_back_loses_nothing_and_today_is_what_it_says(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    behind = FakeClock(MARCH + timedelta(days=10))
    days = [turn("The tide was high.", at=(MARCH + timedelta(days=9)).isoformat())]
    async with living(used_home, action_dir, clock=behind) as (partner, _):
        await brought_in(partner, written(tmp_path / "sea.jsonl", days))
        behind.move(timedelta(days=-9))
        later = [turn("The tide was low.", at=behind.now().isoformat())]
        await brought_in(partner, written(tmp_path / "ebb.jsonl", later))
        assert set(texts(await partner.memory.recall("tide"))) == {"The tide was high.", "The tide was low."}
        assert texts(await partner.memory.recall("what did I say about the tide today?"))[0] == (
            "The tide was low."
        )
        far = await partner.memory.recall("tide", now=MARCH - timedelta(days=900))
        assert len(far.turns) == 2
        assert len(await partner.memory.slices()) == 2
