"""The rows of familiar requests: how many are kept, and when thresholds move."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.language.request_wording import request_wording
from partner_desktop.memory import intent_table
from partner_desktop.memory.intent_table import Intent
from partner_desktop.storage.database import Connection, Database

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    one = Database(tmp_path / "partner.db", backups=tmp_path / "backups", clock=SystemClock())
    await one.launch()
    await one.execute(
        "INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', '', ?, ?)",
        (NOON.isoformat(), NOON.isoformat()),
    )
    yield one
    await one.shutdown()


class Story:
    """Passes and refusals, one after the other."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._number = 0

    def record(self, words: str, key: str) -> ActionRecord:
        self._number += 1
        return ActionRecord(
            id=f"a{self._number}",
            conversation_id="c",
            exchange_id="e",
            key=key,
            title=key,
            description="",
            params={},
            schema={},
            status=ActionStatus.SUCCEEDED,
            created_at=NOON,
            content_hash="hash",
            request_text=words,
        )

    def passes(self, words: str, *, times: int = 1, key: str = "local::tidy") -> None:
        for _ in range(times):
            said = request_wording(words)
            assert said is not None
            record = self.record(words, key)
            intent_table.learn(self._db, record, said, NOON + timedelta(seconds=self._number))

    def fails(self, words: str, *, key: str = "local::tidy") -> None:
        said = request_wording(words)
        assert said is not None
        intent_table.refuse(self._db, self.record(words, key), said)

    def only(self) -> Intent:
        (found,) = intent_table.intents(self._db)
        return found


async def test_twelve_wordings_are_kept_and_two_hundred_requests_the_latest_of_them(
    database: Database,
) -> None:
    def live(db: Connection) -> None:
        story = Story(db)
        story.passes("tidy the cellar", times=30)
        kept = db.execute("SELECT count(*) FROM intent_words").fetchone()[0]
        assert (kept, len(story.only().words), story.only().passes) == (12, 1, 30)
        for number in range(250):
            story.passes("tidy the cellar", key=f"local::tidy_{number}")
        found = intent_table.intents(db)
        assert len(found) == 200
        assert found[0].key == "local::tidy_249"
        assert "local::tidy_49" not in {one.key for one in found}

    await database.write(live)


async def test_thresholds_rise_with_refused_hits_and_fall_with_what_was_meant_all_the_same(
    database: Database,
) -> None:
    def live(db: Connection) -> None:
        story = Story(db)
        for _ in range(2):
            story.passes("tidy the cellar rack", times=6)
            story.fails("tidy the cellar rack")
        assert round(story.only().threshold, 2) == 0.81
        story.passes("tidy the cellar rack", times=6)
        story.passes("tidy the cellar rack quickly everywhere")
        assert round(story.only().threshold, 2) == 0.79, "it was less like than that, and meant"

    await database.write(live)


async def test_a_refusal_before_it_is_familiar_moves_no_threshold(database: Database) -> None:
    def live(db: Connection) -> None:
        story = Story(db)
        story.passes("tidy the cellar", times=5)
        story.fails("tidy the cellar")
        assert (story.only().threshold, story.only().passes, story.only().misses) == (0.75, 0, 1)

    await database.write(live)


async def test_words_go_with_their_conversation_and_the_request_with_its_words(database: Database) -> None:
    await database.write(lambda db: Story(db).passes("tidy the cellar", times=6))
    await database.execute("DELETE FROM conversations WHERE id = 'c'")
    assert await database.read(intent_table.intents) == []
