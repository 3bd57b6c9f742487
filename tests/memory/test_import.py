"""Chats of other programs come in through the operations: whole, once, and on after whatever stopped them."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ChatImportEvent, ConversationGoneEvent, Event, NoticeEvent
from tests.memory.chats import MARCH, brought_in, followed, living, texts, trips, turn, written
from tests.support import REPOSITORY, FakeClock, Watcher

pytestmark = [pytest.mark.promise("memory.import"), pytest.mark.integration]

_DEATH_S = 60


async def titles(partner: Partner) -> Counter[str]:
    return Counter(each.title for each in await partner.conversations.list())


async def units(partner: Partner) -> int:
    found = [await partner.memory.units(each.id) for each in await partner.conversations.list()]
    assert all(len(each) == 1 for each in found), "every chat that was brought in is one unit"
    return len(found)


def some_came(event: Event) -> bool:
    """Whether it tells of chats that are in."""
    return isinstance(event, ChatImportEvent) and event.progress.chats > 0


async def test_chats_come_in_with_their_days_and_are_found_at_once(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    path = written(tmp_path / "trips.jsonl", trips(range(40)))
    told = await followed(partner, await partner.memory.import_from(path))
    end = told[-1]
    assert (end.state, end.chats, end.turns, end.known, end.left_out) == ("done", 40, 80, 0, 0)
    assert [each.share for each in told] == sorted(each.share for each in told)
    assert (told[0].share, end.share) == (0.0, 1.0)
    assert len({each.chats for each in told}) > 2
    events = [event.progress for event in watcher.events if isinstance(event, ChatImportEvent)]
    assert events[-1] == end == (await partner.memory.imports())[0]
    notice = next(event for event in watcher.events if isinstance(event, NoticeEvent))
    assert notice.text == "40 chats with 80 messages were brought in from trips.jsonl."
    assert await titles(partner) == Counter(f"Trip {number}" for number in range(40))
    assert await units(partner) == 40
    best = (await partner.memory.recall("what did I book to island17?")).passages[0]
    assert best.hit.turn.text == "I booked the ferry to island17."
    assert best.hit.turn.at == MARCH + timedelta(days=17)
    assert (best.hit.turn.title, best.hit.turn.speaker) == ("Trip 17", "user")
    assert [each.speaker for each in best.turns] == ["user", "partner"]
    assert best.slice_id


async def test_an_import_stops_after_a_chat_and_the_same_call_goes_on(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    path = written(tmp_path / "trips.jsonl", trips(range(40)))
    begun = await partner.memory.import_from(path)
    assert (await partner.memory.import_from(path)).id == begun.id, "the same one, which goes on"
    await watcher.until(some_came)
    stopped = await partner.memory.stop_import(begun.id)
    assert stopped.state == "stopped"
    assert 0 < stopped.chats < 40
    assert len(await partner.conversations.list()) == await units(partner) == stopped.chats
    with pytest.raises(UsageError, match="does not go on any more"):
        await partner.memory.stop_import(begun.id)
    again = await brought_in(partner, path)
    assert (again.id, again.state, again.chats, again.turns, again.known) == (begun.id, "done", 40, 80, 0)
    assert await titles(partner) == Counter(f"Trip {number}" for number in range(40))
    assert await units(partner) == 40
    assert [each async for each in partner.memory.follow_import(begun.id)] == [again]


async def test_two_calls_at_once_are_one_import(partner: Partner, tmp_path: Path) -> None:
    path = written(tmp_path / "trips.jsonl", trips(range(20)))
    one, other = await asyncio.gather(partner.memory.import_from(path), partner.memory.import_from(path))
    assert one.id == other.id
    await followed(partner, one)
    assert len(await partner.conversations.list()) == 20


async def test_closed_in_the_middle_it_goes_on_by_itself(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    path = written(tmp_path / "trips.jsonl", trips(range(40)))
    async with living(used_home, action_dir) as (partner, watcher):
        begun = await partner.memory.import_from(path)
        await watcher.until(some_came)
    async with living(used_home, action_dir) as (partner, _):
        end = (await followed(partner, begun))[-1]
        assert (end.state, end.chats, end.turns, end.known) == ("done", 40, 80, 0)
        assert await titles(partner) == Counter(f"Trip {number}" for number in range(40))
        assert await units(partner) == 40


async def test_killed_in_the_middle_it_goes_on_and_nothing_is_there_twice(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    home = used_home
    path = written(tmp_path / "trips.jsonl", trips(range(60)))
    died = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "tests.memory.dying", str(home.root), str(action_dir), "import", str(path)],
        cwd=REPOSITORY,
        timeout=_DEATH_S,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    async with living(home, action_dir) as (partner, _):
        (begun,) = await partner.memory.imports()
        assert 0 < begun.chats < 60
        end = (await followed(partner, begun))[-1]
        assert (end.id, end.state, end.chats, end.turns) == (begun.id, "done", 60, 120)
        assert await titles(partner) == Counter(f"Trip {number}" for number in range(60))
        assert await units(partner) == 60
        assert (await partner.memory.read_all()).turns == 120
        assert texts(await partner.memory.recall("ferry to island59"))[0] == "I booked the ferry to island59."


async def test_what_is_there_is_known_by_its_words_and_what_was_deleted_can_come_again(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    await brought_in(partner, written(tmp_path / "a.jsonl", trips(range(3))))
    # Another program's copy: other names, other days, other spaces, one chat twice, and one more.
    copies = [
        {
            **line,
            "conversation": f"x{line['conversation']}",
            "text": f" {line['text']}\n",
            "at": 1_772_000_000,
        }
        for line in [*trips([3]), *trips(range(4))]
    ]
    for number, line in enumerate(copies):
        line["conversation"] = f"chat-{number // 2}"
    end = await brought_in(partner, written(tmp_path / "b.jsonl", copies))
    assert (end.chats, end.known) == (1, 4)
    assert await titles(partner) == Counter({f"Trip {number}": 1 for number in range(4)})
    gone = next(each for each in await partner.conversations.list() if each.title == "Trip 1")
    await partner.conversations.delete(gone.id)
    end = await brought_in(partner, written(tmp_path / "c.jsonl", trips(range(4))))
    assert (end.chats, end.known) == (1, 3)
    assert (await titles(partner))["Trip 1"] == 1
    partner.conversations.deletion.undo_s = 0.0
    again = next(each for each in await partner.conversations.list() if each.title == "Trip 1")
    await partner.conversations.delete(again.id)
    await watcher.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
    end = await brought_in(partner, tmp_path / "a.jsonl")
    assert (end.chats, end.known) == (1, 2)


def grown(turns: int, key: str = "notes", first: str = "") -> list[dict[str, object]]:
    """A chat that goes on, as a later export has it."""
    return [
        turn(
            first if first and not number else f"The lamp number{number} is lit.",
            "user" if number % 2 == 0 else "assistant",
            conversation=key,
            title="Lamps",
            at=(MARCH + timedelta(minutes=number)).isoformat(),
        )
        for number in range(turns)
    ]


@pytest.mark.parametrize(("before", "after"), [(3, 7), (2, 520), (600, 1_300)])
async def test_of_a_chat_that_grew_what_is_new_is_added_to_it(
    partner: Partner, watcher: Watcher, tmp_path: Path, before: int, after: int
) -> None:
    await brought_in(partner, written(tmp_path / "a.jsonl", grown(before)))
    (lamps,) = await partner.conversations.list()
    await partner.messages.send("the hall lamp flickers", conversation_id=lamps.id)
    await watcher.done()
    end = await brought_in(partner, written(tmp_path / "b.jsonl", [*grown(after), *trips([1])]))
    assert (end.state, end.chats, end.known, end.turns) == ("done", 1, 1, after - before + 2)
    assert await titles(partner) == Counter({"Lamps": 1, "Trip 1": 1})
    kept = [
        each.text
        for one in (await partner.memory.slices(conversation_id=lamps.id, limit=1_000))[::-1]
        for each in (await partner.memory.show(one.id)).turns
    ]
    assert kept == [str(line["text"]) for line in grown(after)]
    assert (
        texts(await partner.memory.recall(f"lamp number{after - 1}"))[0]
        == f"The lamp number{after - 1} is lit."
    )
    again = await brought_in(partner, written(tmp_path / "c.jsonl", grown(after)))
    assert (again.chats, again.known, again.turns) == (0, 1, 0)


async def test_a_file_in_another_encoding_comes_in_when_that_is_named(
    partner: Partner, tmp_path: Path
) -> None:
    line = json.dumps({"text": "航班早上七点二十起飞", "role": "user"}, ensure_ascii=False)
    path = tmp_path / "old.jsonl"
    path.write_bytes(f"{line}\n".encode("gb18030"))
    with pytest.raises(UsageError, match="name its encoding: --encoding gb18030"):
        await partner.memory.import_from(path)
    with pytest.raises(UsageError, match="no encoding of text named klingon"):
        await partner.memory.import_from(path, encoding="klingon")
    end = (await followed(partner, await partner.memory.import_from(path, encoding="gb18030")))[-1]
    assert (end.state, end.chats, end.turns) == ("done", 1, 1)
    assert texts(await partner.memory.recall("航班几点起飞？"))[0] == "航班早上七点二十起飞"


async def test_a_chat_of_the_same_id_that_went_another_way_is_another_chat(
    partner: Partner, tmp_path: Path
) -> None:
    await brought_in(partner, written(tmp_path / "a.jsonl", grown(4)))
    end = await brought_in(partner, written(tmp_path / "b.jsonl", grown(6, first="The lamp is broken.")))
    assert (end.chats, end.known, end.turns) == (1, 0, 6)
    assert await titles(partner) == Counter({"Lamps": 2})


async def test_what_a_failed_import_wrote_is_erased_without_a_restart(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(used_home.database)) as database:
        database.execute(
            "CREATE TRIGGER refuses BEFORE INSERT ON messages WHEN new.text LIKE '%number1100 %' "
            "BEGIN SELECT RAISE(ABORT, 'not this one'); END"
        )
        database.commit()
    async with living(used_home, action_dir) as (partner, watcher):
        end = await brought_in(partner, written(tmp_path / "a.jsonl", grown(1_200)))
        assert (end.state, end.chats) == ("failed", 0)
        await watcher.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
        with closing(sqlite3.connect(used_home.database)) as database:
            assert database.execute("SELECT count(*) FROM messages").fetchone() == (0,)
            assert database.execute("SELECT count(*) FROM conversations").fetchone() == (0,)


async def test_how_far_a_file_of_lines_is_counts_what_was_taken_not_what_was_read(
    partner: Partner, tmp_path: Path
) -> None:
    told = await followed(
        partner, await partner.memory.import_from(written(tmp_path / "a.jsonl", trips(range(60))))
    )
    assert [each for each in told if each.chats < 40 and each.share > 0.9] == []


async def test_a_file_that_changed_while_it_was_stopped_is_read_whole(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    path = written(tmp_path / "trips.jsonl", trips(range(40)))
    begun = await partner.memory.import_from(path)
    await watcher.until(some_came)
    stopped = await partner.memory.stop_import(begun.id)
    assert stopped.chats > 0
    written(path, trips([*range(100, 110), *range(40)]))
    end = await brought_in(partner, path)
    assert (end.id, end.state, end.chats + end.known) == (begun.id, "done", 50)
    assert end.known == stopped.chats
    assert await titles(partner) == Counter(f"Trip {number}" for number in [*range(40), *range(100, 110)])


async def test_a_file_that_went_is_said_and_goes_on_when_it_is_back(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    home, path = used_home, written(tmp_path / "trips.jsonl", trips(range(40)))
    async with living(home, action_dir) as (partner, watcher):
        begun = await partner.memory.import_from(path)
        await watcher.until(some_came)
    shutil.move(path, tmp_path / "elsewhere")
    async with living(home, action_dir) as (partner, watcher):
        end = (await followed(partner, begun))[-1]
        assert end.state == "failed"
        assert end.problem.startswith(f"{path} cannot be read")
        notice = await watcher.until(lambda event: isinstance(event, NoticeEvent))
        assert isinstance(notice, NoticeEvent)
        assert notice.text.startswith("trips.jsonl could not be read to its end: ")
        shutil.move(tmp_path / "elsewhere", path)
        assert (await brought_in(partner, path)).chats == 40
        assert await units(partner) == 40


LONG = "A word. " * 12_500
BAD_FILES: dict[str, tuple[bytes, tuple[int, int, int], str]] = {
    "broken lines": (
        b'{"text": "The boat is blue.", "role": "user"}\n{"text": \nnonsense\n[1]\n{"role": "user"}\n',
        (1, 1, 4),
        "Line 2 is no JSON",
    ),
    "wrong dates": (
        (
            b'{"text": "One.", "role": "user", "at": "the day after"}\n'
            b'{"text": "Two.", "role": "user", "at": 1e300}\n{"text": "Three.", "role": "user", "at": [1]}\n'
        ),
        (1, 3, 3),
        "Line 1 has a time that cannot be read (the day after)",
    ),
    "ids that stand twice": (
        (
            b'{"text": "One.", "role": "user", "id": "1"}\n{"text": "One.", "role": "user", "id": "1"}\n'
            b'{"text": "Two.", "role": "user", "id": "1"}\n'
        ),
        (1, 2, 1),
        "Line 2 repeats an earlier one",
    ),
    "another encoding": (
        b'{"text": "Plain.", "role": "user"}\n' + '{"text": "Größe", "role": "user"}\n'.encode("latin-1"),
        (1, 1, 1),
        "Line 2 is no UTF-8 text",
    ),
    "sixteen bits": ('{"text": "Größe 42", "role": "user"}\n'.encode("utf-16"), (1, 1, 0), ""),
    "halves, zeros, emoji, right to left": (
        b'{"text": "half \\ud800 zero \\u0000 end", "role": "user"}\n'
        + '{"text": "🏝️👩‍👩‍👧 שלום עולם מגדלור"'.encode()
        + b', "role": "assistant", "speaker": "\\u202eevil\\ud800"}\n',
        (1, 2, 0),
        "",
    ),
    "long": (json.dumps({"text": LONG, "role": "user"}).encode(), (1, 1, 0), ""),
    "nothing said": (
        (
            b'{"text": "", "role": "user", "conversation": "a"}\n'
            b'{"text": "Hm.", "role": "user", "conversation": "b"}\n'
        ),
        (1, 1, 1),
        "Line 1 has no `text`",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
async def test_what_cannot_be_read_is_left_out_and_told_and_the_rest_comes_in(
    partner: Partner, tmp_path: Path, name: str
) -> None:
    content, (chats, said, left_out), problem = BAD_FILES[name]
    path = tmp_path / "chat.jsonl"
    path.write_bytes(content)
    end = await brought_in(partner, path)
    assert (end.state, end.chats, end.turns, end.known, end.left_out) == ("done", chats, said, 0, left_out)
    assert end.problem.startswith(problem)
    assert (await partner.memory.read_all()).turns == said
    (one,) = await partner.conversations.list()
    messages = await partner.messages.list(one.id)
    (unit,) = await partner.memory.units(one.id)
    shown = [await partner.memory.show(each.id) for each in await partner.memory.slices()]
    assert [each.text for part in shown for each in part.turns] == [each.text for each in messages]
    assert unit.origin == "jsonl"
    assert (await brought_in(partner, path)).known == 1, "it is known by its words, whatever they are"


def _missing(path: Path) -> None:
    del path


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _other(path: Path) -> None:
    path.write_text("Dear diary, today …\n", encoding="utf-8")


def _bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b"[" + b" " * 12_000_000 + b"]")


def _torn(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", "[]" * 500)
    path.write_bytes(path.read_bytes()[:400])


def _folder(path: Path) -> None:
    path.mkdir()


REFUSED: list[tuple[str, Callable[[Path], object], str]] = [
    ("gone.jsonl", _missing, "cannot be read"),
    ("empty.jsonl", _empty, "holds no chats that are known here"),
    ("diary.txt", _other, "holds no chats that are known here"),
    ("bomb.zip", _bomb, "would unpack to"),
    ("torn.zip", _torn, "is a damaged zip file"),
    ("folder", _folder, "holds no chats that are known here"),
    ("ze\0ro.jsonl", _missing, "is no name of a file"),
    (os.fsdecode(b"h\xe4lf.jsonl"), lambda path: written(path, trips([1])), "is no UTF-8 text"),
]


async def test_what_is_no_export_is_said_in_a_sentence_and_leaves_no_trace(
    partner: Partner, tmp_path: Path
) -> None:
    for name, make, sentence in REFUSED:
        make(tmp_path / name)
        with pytest.raises(UsageError, match=sentence):
            await partner.memory.import_from(tmp_path / name)
    assert await partner.memory.imports() == []
    assert await partner.conversations.list() == []


async def test_a_long_chat_is_found_whole_though_it_is_asked_for_while_it_comes_in(
    partner: Partner, tmp_path: Path
) -> None:
    lines = [
        turn(f"Barrel number{number} is full.", at=MARCH.timestamp() + number) for number in range(1_400)
    ]
    one = await partner.memory.import_from(written(tmp_path / "cellar.jsonl", lines))
    while (await partner.memory.imports())[0].state == "running":
        seen = await partner.memory.recall("is the barrel number3 full?")
        assert len({each.turn.conversation_id for each in seen.turns}) <= 1
    assert (await partner.memory.imports())[0].id == one.id
    assert (await partner.memory.status()).turns == 1_400
    for number in (3, 700, 1_399):
        asked = f"barrel number{number}"
        assert texts(await partner.memory.recall(asked))[0] == f"Barrel number{number} is full."


async def test_what_claims_to_be_of_the_future_is_of_today(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    clock = FakeClock(datetime(2026, 4, 1, 12, 0, tzinfo=UTC))
    lines = [
        turn("The comet comes.", at="2999-01-01T00:00:00Z"),
        turn("The comet went.", at=MARCH.isoformat()),
    ]
    async with living(used_home, action_dir, clock=clock) as (partner, _):
        await brought_in(partner, written(tmp_path / "sky.jsonl", lines))
        (one,) = await partner.conversations.list()
        assert one.updated_at == clock.now()
        found = await partner.memory.recall("comet")
        assert {each.turn.text: each.turn.at for each in found.turns} == {
            "The comet comes.": clock.now(),
            "The comet went.": MARCH,
        }


async def test_a_sudden_name_is_a_speaker_that_can_be_asked_for(partner: Partner, tmp_path: Path) -> None:
    lines = [
        {"text": text, "speaker": speaker, "conversation": "two"}
        for text, speaker in [
            ("I adopted a parrot.", "Ann"),
            ("I adopted a turtle.", "Béla"),
            ("Parrots talk.", "Béla"),
        ]
    ]
    await brought_in(partner, written(tmp_path / "two.jsonl", lines))
    for name, text in (("Ann", "I adopted a parrot."), ("Béla", "I adopted a turtle.")):
        best = (await partner.memory.recall(f"what did {name} adopt?")).turns[0]
        assert (best.turn.text, best.turn.speaker) == (text, name)
        assert "speaker" in best.reasons


async def test_a_chat_that_came_in_just_before_a_crash_gets_its_unit_with_the_next_start(
    used_home: Home, action_dir: Path, tmp_path: Path
) -> None:
    async with living(used_home, action_dir) as (partner, _):
        await brought_in(partner, written(tmp_path / "trips.jsonl", trips(range(3))))
    with closing(sqlite3.connect(used_home.database)) as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM memory_units WHERE rowid = 2")
        database.commit()
    async with living(used_home, action_dir) as (partner, _):
        assert await units(partner) == 3
        assert len(await partner.memory.slices()) == 3
