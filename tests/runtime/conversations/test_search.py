"""Search: what was said is found by what a person types, whatever that is."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from partner_desktop.base.clock import SystemClock
from partner_desktop.domain.attachment import Attachment, AttachmentKind
from partner_desktop.domain.message import ConversationHit, Excerpt, MessageState, Role
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.conversations.search import EVERYWHERE, ConversationSearch, SearchScope
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.storage import migrations
from partner_desktop.storage.database import Database


class Talks:
    """A dialog on a real database, and the search over it."""

    def __init__(self, folder: Path) -> None:
        (folder / "backups").mkdir(exist_ok=True)
        self.path = folder / "partner.db"
        self.database = Database(self.path, backups=folder / "backups", clock=SystemClock())
        self.dialog = Dialog(self.database, ChannelRegistry(), clock=SystemClock())
        self._search = ConversationSearch(self.database)

    async def say(self, *texts: str, conversation_id: str = "") -> str:
        """A conversation in which this was said; its id."""
        one = conversation_id or (await self.dialog.create()).id
        for number, text in enumerate(texts):
            await self.dialog.append(one, Role.PARTNER if number % 2 else Role.USER, text)
        return one

    async def find(
        self, text: str, *, within: SearchScope = EVERYWHERE, limit: int = 50
    ) -> list[ConversationHit]:
        return await self._search.find(text, within=within, limit=limit)

    async def found(self, text: str) -> list[str]:
        """The titles."""
        return [hit.conversation.title for hit in await self.find(text)]


@pytest.fixture
async def talks(tmp_path: Path) -> AsyncIterator[Talks]:
    one = Talks(tmp_path)
    await one.database.launch()
    yield one
    await one.database.shutdown()


def bold(excerpt: Excerpt | None) -> list[str]:
    """The marked pieces."""
    assert excerpt is not None
    return [excerpt.text[start:end] for start, end in excerpt.marks]


@pytest.mark.promise("desktop.conversations")
@pytest.mark.parametrize(
    ("typed", "marked"),
    [
        ("zebra", ["Zebra"]),
        ("zeb", ["Zeb"]),
        ("ZEBRA cross", ["Zebra", "cross"]),
        ("cross zebra", ["Zebra", "cross"]),
        ("cafe", ["Café"]),
        ("well-known", ["well known"]),
        ("rossing", ["rossing"]),  # no word begins so: found by its letters
        ("🎉", ["🎉"]),
        ("50%", ["50"]),
    ],
)
async def test_words_are_found_by_their_beginnings_and_marked(
    talks: Talks, typed: str, marked: list[str]
) -> None:
    await talks.say("About birds", "The Zebra\n crossing near the Café is well known 🎉, at 50% off")
    await talks.say("Nothing of the kind", "nothing")
    (hit,) = await talks.find(typed)
    assert hit.conversation.title == "About birds"
    assert bold(hit.excerpt) == marked
    assert "\n" not in (hit.excerpt.text if hit.excerpt else "")


@pytest.mark.promise("desktop.conversations")
@pytest.mark.parametrize(
    "typed", ["整", "整理", "下载文件", "把下载文件夹按类型整理一下", "ファイル", "한국", "PDF文件"]
)
async def test_chinese_japanese_and_korean_are_found_by_any_stretch(talks: Talks, typed: str) -> None:
    await talks.say("one", "请把下载文件夹按类型整理一下，还有PDF文件。ファイルを見る。한국어")
    await talks.say("two", "今天天气很好")
    (hit,) = await talks.find(typed)
    assert hit.conversation.title == "one"
    assert bold(hit.excerpt) == [typed]


async def test_chinese_words_are_found_apart_in_any_order(talks: Talks) -> None:
    await talks.say("one", "请把下载文件夹按类型整理一下")
    await talks.say("two", "整理房间")
    (hit,) = await talks.find("整理 下载")
    assert hit.conversation.title == "one"
    assert bold(hit.excerpt) == ["下载", "整理"]


async def test_titles_are_found_and_stand_first(talks: Talks) -> None:
    await talks.say("hello", "the harvest was good, harvest, harvest")
    named = await talks.say("Harvest plans", "sure")
    hits = await talks.find("harv")
    assert len(hits) == 2
    assert hits[0].conversation.id == named
    assert bold(hits[0].title) == ["Harv"]


async def test_hits_are_grouped_by_conversation_and_the_best_message_is_shown(talks: Talks) -> None:
    filler = "many other words stand here and there and everywhere, " * 8
    one = await talks.say("start", f"{filler} plum {filler}", "again", "plum plum plum")
    (hit,) = await talks.find("plum")
    assert (hit.conversation.id, hit.count) == (one, 2)
    assert hit.excerpt is not None
    assert hit.excerpt.text == "plum plum plum"
    messages = await talks.dialog.messages(one, before=None, limit=9)
    assert (hit.message_id, hit.position) == (messages[-1].id, messages[-1].position)


async def test_the_excerpt_of_a_long_message_is_the_part_around_the_hit(talks: Talks) -> None:
    await talks.say("long", "before " * 3000 + "needle " + "after " * 3000)
    (hit,) = await talks.find("needle")
    assert hit.excerpt is not None
    assert len(hit.excerpt.text) < 200
    assert hit.excerpt.text.startswith("…before")
    assert hit.excerpt.text.endswith("…")
    assert bold(hit.excerpt) == ["needle"]


async def test_the_index_follows_what_is_revised_renamed_and_broken_off(talks: Talks) -> None:
    one = (await talks.dialog.create()).id
    streaming = await talks.dialog.append(one, Role.PARTNER, "papa", state=MessageState.STREAMING)
    await talks.dialog.revise(streaming.id, text="papaya", state=MessageState.DONE)
    assert len(await talks.find("papaya")) == 1
    await talks.dialog.revise(streaming.id, text="mango", state=MessageState.DONE)
    assert await talks.find("papaya") == []
    left = await talks.dialog.append(one, Role.PARTNER, "quince", state=MessageState.STREAMING)
    await talks.dialog.launch()
    (hit,) = await talks.find("quince")
    assert hit.message_id == left.id


async def test_a_deleted_conversation_is_found_no_more(talks: Talks) -> None:
    one = await talks.say("secret cherries", "cherries it is")
    await talks.database.write(
        lambda db: db.execute("UPDATE conversations SET deleted_at = '2030' WHERE id = ?", (one,))
    )
    assert await talks.find("cherries") == []
    assert await talks.find("herrie") == [], "not by its letters either"


@pytest.mark.promise("desktop.conversations")
async def test_a_search_is_narrowed(talks: Talks) -> None:
    one = await talks.say("an apple from me", "an apple from Partner")
    two = await talks.say("apple pie", "no fruit at all")
    await talks.database.execute("UPDATE conversations SET archived = 1 WHERE id = ?", (two,))
    shown = Attachment("apple.txt", AttachmentKind.TEXT, path="/apple.txt")
    await talks.dialog.append(one, Role.USER, "look at this apple", attachments=[shown])
    await talks.database.execute(
        "UPDATE messages SET created_at = '2020-05-14T09:30:00+02:00' WHERE text = 'apple pie'"
    )
    today = datetime.now().astimezone().date()

    async def texts(typed: str, **within: object) -> list[str]:
        hits = await talks.find(typed, within=SearchScope(**within))  # type: ignore[arg-type] # rows of a table
        return [hit.excerpt.text for hit in hits if hit.excerpt is not None]

    assert await texts("apple", said_by="partner") == ["an apple from Partner"]
    assert await texts("apple", said_by="person", archived=True) == ["apple pie"]
    assert await texts("apple", conversation_id=one) == [
        "look at this apple",
        "an apple from Partner",
        "an apple from me",
    ]
    assert [hit.conversation.id for hit in await talks.find("apple", within=SearchScope(since=today))] == [
        one
    ]
    assert await texts("pie", since=date(2020, 5, 14)) == ["apple pie"]
    assert await texts("pie", since=date(2020, 5, 15)) == []
    assert await texts("apple", since=today + timedelta(days=2)) == []
    assert await texts("apple", attached=True) == ["look at this apple"]
    assert await texts("", attached=True) == ["look at this apple"]
    assert await texts("pple", said_by="partner") == ["an apple from Partner"], "by letters, too"
    assert await texts("") == []
    assert await texts("", said_by="partner", archived=True) == ["no fruit at all"]


async def test_what_was_said_before_the_index_came_is_in_it(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / "partner.db", isolation_level=None)
    (tmp_path / "backups").mkdir()
    first = {1: migrations.shipped_steps()[1]}
    migrations.migrate(
        old, path=tmp_path / "partner.db", backups=tmp_path / "backups", now=datetime.now(UTC), steps=first
    )
    at = datetime.now(UTC).isoformat()
    old.execute("INSERT INTO conversations VALUES ('c', 'Old wine', ?, ?)", (at, at))
    old.execute(
        "INSERT INTO messages (id, conversation_id, role, text, state, created_at) "
        "VALUES ('m', 'c', 'user', '陈年葡萄酒', 'done', ?)",
        (at,),
    )
    old.close()
    talks = Talks(tmp_path)
    await talks.database.launch()
    assert await talks.found("葡萄") == ["Old wine"]
    assert await talks.found("wine") == ["Old wine"]
    await talks.database.shutdown()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return Library(tmp_path_factory.mktemp("library"))


class Library:
    """For properties: one database for all examples, each on its own short loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def ask(self, said: str, typed: str) -> list[ConversationHit]:
        async def asking() -> list[ConversationHit]:
            talks = Talks(self._folder)
            await talks.database.launch()
            try:
                if said:
                    await talks.say("a conversation", said)
                return await talks.find(typed, limit=1_000)
            finally:
                await talks.database.shutdown()

        return asyncio.run(asking())


ODD = st.one_of(
    st.text(),
    st.text(st.sampled_from(list("\"'*^-+:(){}[]~,.\\%_/ aANDORNEAR\x00\ud800整理́"))),
    st.sampled_from(
        ['"', '""', "*", "a*", "-", "NOT", "a AND", "NEAR(", "title:x", "{a b}: c", "^", "' OR 1"]
    ),
)


@pytest.mark.integration
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(typed=ODD)
def test_nothing_that_can_be_typed_raises(library: Library, typed: str) -> None:
    for hit in library.ask("", typed):
        for excerpt in (hit.title, hit.excerpt):
            if excerpt is not None:
                assert all(0 <= start < end <= len(excerpt.text) for start, end in excerpt.marks)


WORD = st.text(st.characters(categories=["Lu", "Ll", "Lo", "Nd"]), min_size=1, max_size=12)


@pytest.mark.integration
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(word=WORD, before=st.text(max_size=40))
def test_a_word_that_was_said_is_found(library: Library, word: str, before: str) -> None:
    said = f"{before} {word} and more".replace("\x00", "")
    hits = library.ask(said, word)
    assert hits
