"""When the person was here before: through real turns, restarts, deletions, imports and clocks set back."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.message import Role
from partner_desktop.perceive.monitor import BLOCK, Interactions
from partner_desktop.perceive.system_sample import duration, gap, in_words, iso
from partner_desktop.storage.database import Database
from partner_desktop.storage.migrations import migrate, shipped_steps
from tests.perceive.blocks import block_of, lines
from tests.support import FakeClock, HastyClock, Watcher

pytestmark = pytest.mark.integration


@asynccontextmanager
async def living(home: Home, action_dir: Path, clock: FakeClock) -> AsyncIterator[tuple[Partner, Watcher]]:
    """One life of a Partner on the same home."""
    partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    await partner.launch()
    watcher = Watcher()
    partner.subscribe(watcher)
    try:
        yield partner, watcher
    finally:
        await partner.close()


async def say(partner: Partner, watcher: Watcher, text: str, conversation: str | None = None) -> str:
    """One whole turn; the conversation it was in."""
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=conversation)
    await watcher.done()
    return message.conversation_id


def perceived(partner: Partner, conversation: str) -> dict[str, str]:
    """The lines of the block that the last turn there was given."""
    return lines(block_of(partner._parts.core.workspace, BLOCK, scope=conversation))


@pytest.mark.promise("perceive.lastseen")
async def test_a_turn_knows_now_and_before_also_after_a_restart(
    home: Home, action_dir: Path, clock: FakeClock
) -> None:
    async with living(home, action_dir, clock) as (partner, watcher):
        conversation = await say(partner, watcher, "hello")
        known = perceived(partner, conversation)
        assert known["last_interact_time"] == "never"
        assert known["last_interact_time_in_any_conversation"] == "never"
        assert known["current_time_iso"] == iso(clock.now())
    first = clock.now()
    clock.move(timedelta(days=3, hours=2))
    async with living(home, action_dir, clock) as (partner, watcher):
        await say(partner, watcher, "hello again", conversation)
        known = perceived(partner, conversation)
        assert known["last_interact_time_iso"] == iso(first)
        assert known["last_interact_time"] == f"{in_words(first)}, 3 days ago"
        assert known["current_time"] == in_words(clock.now())


@pytest.mark.promise("perceive.lastseen")
async def test_the_time_in_this_conversation_and_in_any_are_told_apart(
    home: Home, action_dir: Path, clock: FakeClock
) -> None:
    async with living(home, action_dir, clock) as (partner, watcher):
        one = await say(partner, watcher, "hello")
        clock.move(timedelta(hours=5))
        other = await say(partner, watcher, "hello")
        known = perceived(partner, other)
        assert known["last_interact_time"] == "never"
        assert known["last_interact_time_in_any_conversation"].endswith("5 hours ago")
        clock.move(timedelta(minutes=2))
        await say(partner, watcher, "hello", one)
        known = perceived(partner, one)
        assert known["last_interact_time"].endswith("5 hours ago")
        assert known["last_interact_time_in_any_conversation"].endswith("2 minutes ago")


@pytest.mark.promise("perceive.lastseen")
async def test_a_deleted_conversation_still_was_an_interaction_and_leaves_no_name(
    home: Home, action_dir: Path, clock: FakeClock
) -> None:
    async with living(home, action_dir, clock) as (partner, watcher):
        gone = await say(partner, watcher, "hello")
        clock.move(timedelta(minutes=3))
        await say(partner, watcher, "hello", gone)
        await partner.conversations.delete(gone)
        await partner.conversations.deletion.erase([gone])
        clock.move(timedelta(days=1))
        known = perceived(partner, await say(partner, watcher, "hello"))
        assert known["last_interact_time_in_any_conversation"].endswith("1 day ago")
        rows = await partner._parts.core.database.read(
            lambda db: db.execute("SELECT conversation_id FROM interactions").fetchall()
        )
        assert gone not in [row[0] for row in rows]
        assert len(rows) == 2, "of what was deleted the newest time is kept, no more"


@pytest.mark.promise("perceive.lastseen")
async def test_what_was_said_elsewhere_and_imported_is_no_interaction_here(
    home: Home, action_dir: Path, clock: FakeClock, tmp_path: Path
) -> None:
    export = tmp_path / "talk.json"
    async with living(Home(tmp_path / "elsewhere"), action_dir, clock) as (partner, watcher):
        conversation = await say(partner, watcher, "hello")
        await partner.conversations.export_to(conversation, export, kind="json")
    clock.move(timedelta(days=1))
    async with living(home, action_dir, clock) as (partner, watcher):
        imported = await partner.conversations.import_from(export)
        await say(partner, watcher, "hello", imported.id)
        known = perceived(partner, imported.id)
        assert known["last_interact_time"] == "unknown"
        assert known["last_interact_time_in_any_conversation"] == "never"


@pytest.mark.promise("perceive.lastseen")
async def test_a_clock_that_was_set_back_makes_it_unknown_and_never_the_future(
    home: Home, action_dir: Path, clock: FakeClock
) -> None:
    async with living(home, action_dir, clock) as (partner, watcher):
        conversation = await say(partner, watcher, "hello")
        clock.move(timedelta(days=-400))
        await say(partner, watcher, "hello", conversation)
        known = perceived(partner, conversation)
        assert known["last_interact_time"].startswith("unknown")
        assert "last_interact_time_iso" not in known
        clock.move(timedelta(hours=1))
        await say(partner, watcher, "hello", conversation)
        assert perceived(partner, conversation)["last_interact_time"].endswith("1 hour ago")


async def test_a_self_turn_is_no_interaction(home: Home, action_dir: Path, clock: FakeClock) -> None:
    async with living(home, action_dir, clock) as (partner, watcher):
        conversation = await say(partner, watcher, "what time is it")
        clock.move(timedelta(hours=1))
        await say(partner, watcher, "hello", conversation)
        rows = await partner._parts.core.database.read(
            lambda db: db.execute("SELECT at FROM interactions").fetchall()
        )
        assert len(rows) == 2
        assert perceived(partner, conversation)["last_interact_time"].endswith("1 hour ago")


async def test_what_was_said_before_the_update_is_taken_over_without_what_was_imported(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "old.db"
    steps = {number: sql for number, sql in shipped_steps().items() if number <= 3}
    times = ["2026-01-01", "2026-02-01", "2025-06-06", "2026-03-01"]  # the third came with an import
    with contextlib.closing(sqlite3.connect(path)) as db:
        migrate(db, path=path, backups=tmp_path, now=clock.now(), steps=steps)
        db.execute("INSERT INTO conversations VALUES ('c', '', '', '', NULL)")
        for number, day in enumerate(times):
            db.execute(
                "INSERT INTO messages (id, conversation_id, role, text, state, created_at) "
                "VALUES (?, 'c', 'user', 'x', 'done', ?)",
                (str(number), f"{day}T00:00:00+00:00"),
            )
        db.commit()
    database = Database(path, backups=tmp_path, clock=clock)
    await database.launch()
    try:
        rows = await database.read(lambda db: db.execute("SELECT at FROM interactions").fetchall())
        assert [row[0][:10] for row in rows] == ["2026-01-01", "2026-02-01", "2026-03-01"]
        seen = await Interactions(database).before("c", [])
        assert seen.here == datetime(2026, 3, 1, tzinfo=UTC)
    finally:
        await database.shutdown()


async def test_merged_inputs_are_one_interaction_and_later_ones_do_not_count_yet(
    home: Home, action_dir: Path, clock: FakeClock
) -> None:
    async with living(home, action_dir, clock) as (partner, _):
        conversation = await partner.conversations.create()
        times = []
        for text in ("one", "two", "three", "four"):
            await partner._parts.core.dialog.append(conversation.id, Role.USER, text)
            times.append(clock.now())
            clock.move(timedelta(seconds=0 if text == "two" else 10))
        interactions = Interactions(partner._parts.core.database)
        seen = await interactions.before(conversation.id, times[1:3])  # "two" and "three", of one moment
        assert seen.here == seen.anywhere == times[0]
        assert (await interactions.before(conversation.id, times[:1])).here is None
        between = await interactions.before(conversation.id, [times[0] + timedelta(seconds=5)])
        assert between.here == times[0]


def test_gaps_are_said_as_a_person_says_them() -> None:
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    said = {
        timedelta(seconds=59): "just now",
        timedelta(minutes=1): "1 minute ago",
        timedelta(minutes=59): "59 minutes ago",
        timedelta(hours=23, minutes=59): "23 hours ago",
        timedelta(days=1): "1 day ago",
        timedelta(days=13): "13 days ago",
        timedelta(days=14): "2 weeks ago",
        timedelta(days=61): "2 months ago",
        timedelta(days=729): "24 months ago",
        timedelta(days=730): "2 years ago",
        timedelta(seconds=-30): "just now",
        timedelta(seconds=-61): None,
    }
    assert {passed: gap(now - passed, now) for passed in said} == said


def test_moments_name_the_weekday_and_the_zone() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    at = datetime(2026, 11, 21, 23, 2, tzinfo=UTC)
    assert in_words(at, zone=berlin) == "Sunday, 22 November 2026, 00:02 (CET, UTC+01:00)"
    assert iso(at, zone=berlin) == "2026-11-22T00:02:00+01:00"
    assert duration(3 * 86_400 + 4 * 3_600 + 59) == "3 days 4 hours"
    assert duration(59) == "less than a minute"
