"""The database keeps what it acknowledged, and explains itself when it cannot be read."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import NewerSchemaError, StorageError
from partner_desktop.storage import migrations
from partner_desktop.storage.database import Connection, Database


def database(folder: Path) -> Database:
    (folder / "backups").mkdir(exist_ok=True)
    return Database(folder / "partner.db", backups=folder / "backups", clock=SystemClock())


def add_conversation(db: Connection, name: str) -> None:
    db.execute(
        "INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?, ?, '', '')", (name, name)
    )


async def names(db: Database) -> list[str]:
    rows = await db.read(lambda c: c.execute("SELECT id FROM conversations ORDER BY id").fetchall())
    return [row["id"] for row in rows]


async def test_a_failing_unit_of_work_leaves_nothing_behind(tmp_path: Path) -> None:
    db = database(tmp_path)
    await db.launch()

    def work(connection: Connection) -> None:
        add_conversation(connection, "half")
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="in the middle"):
        await db.write(work)
    assert await names(db) == []
    await db.write(lambda c: add_conversation(c, "whole"))
    assert await names(db) == ["whole"]
    await db.shutdown()


async def test_what_sqlite_refuses_is_said_in_one_sentence(tmp_path: Path) -> None:
    db = database(tmp_path)
    await db.launch()
    await db.write(lambda c: add_conversation(c, "one"))
    with pytest.raises(StorageError, match="Nothing was saved"):
        await db.write(lambda c: add_conversation(c, "one"))
    await db.shutdown()


@pytest.mark.logs_errors
async def test_a_corrupt_file_is_kept_explained_and_replaced(tmp_path: Path) -> None:
    (tmp_path / "partner.db").write_bytes(b"this was a database once" * 500)
    db = database(tmp_path)
    await db.launch()
    kept = list(tmp_path.glob("partner.db.corrupt-*"))
    assert len(kept) == 1
    assert kept[0].read_bytes().startswith(b"this was a database once")
    assert kept[0].name in db.rescue_report
    assert await names(db) == []
    await db.shutdown()


@pytest.mark.logs_errors
async def test_a_corrupt_file_is_replaced_by_the_newest_sound_backup(tmp_path: Path) -> None:
    first = database(tmp_path)
    await first.launch()
    await first.write(lambda c: add_conversation(c, "remembered"))
    await first.write(lambda c: None)
    await first.read(lambda c: migrations.back_up(c, tmp_path / "backups" / "partner-v1-1.db"))
    await first.shutdown()
    (tmp_path / "backups" / "partner-v1-2.db").write_bytes(b"not sound")
    (tmp_path / "partner.db").write_bytes(b"broken")
    second = database(tmp_path)
    await second.launch()
    assert await names(second) == ["remembered"]
    assert "partner-v1-1.db" in second.rescue_report
    await second.shutdown()


async def test_a_database_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "partner.db")
    connection.execute("PRAGMA user_version = 99")
    connection.execute("CREATE TABLE of_the_future (x)")
    connection.commit()
    connection.close()
    before = (tmp_path / "partner.db").read_bytes()
    db = database(tmp_path)
    with pytest.raises(NewerSchemaError, match="version 99"):
        await db.launch()
    await db.shutdown()
    assert list(tmp_path.glob("*.corrupt-*")) == []
    connection = sqlite3.connect(tmp_path / "partner.db")
    assert connection.execute("PRAGMA user_version").fetchone()[0] == 99
    connection.close()
    assert before[:16] == (tmp_path / "partner.db").read_bytes()[:16]


def test_no_number_of_a_migration_is_left_out_or_filled_later() -> None:
    """What came into a gap later would never be done in a home that is past it; every home is past these."""
    steps = migrations.shipped_steps()
    assert set(range(1, max(steps) + 1)) - set(steps) == {11, 13, 17}


def test_a_migration_of_an_old_database_backs_it_up_first(tmp_path: Path) -> None:
    path, backups = tmp_path / "partner.db", tmp_path / "backups"
    backups.mkdir()
    connection = sqlite3.connect(path, isolation_level=None)
    now = datetime.now(UTC)
    migrations.migrate(connection, path=path, backups=backups, now=now)
    assert list(backups.iterdir()) == [], "a new database needs no backup"
    add_conversation(connection, "old")
    newest = max(migrations.shipped_steps())
    steps = {**migrations.shipped_steps(), newest + 1: "CREATE TABLE second (x);"}
    migrations.migrate(connection, path=path, backups=backups, now=now, steps=steps)
    assert connection.execute("PRAGMA user_version").fetchone()[0] == newest + 1
    connection.close()
    (backup,) = backups.iterdir()
    copy = sqlite3.connect(backup)
    assert copy.execute("PRAGMA user_version").fetchone()[0] == newest
    assert copy.execute("SELECT id FROM conversations").fetchone()[0] == "old"
    copy.close()


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "partner.db", isolation_level=None)
    now = datetime.now(UTC)
    (tmp_path / "backups").mkdir()
    migrations.migrate(connection, path=tmp_path / "partner.db", backups=tmp_path / "backups", now=now)
    newest = max(migrations.shipped_steps())
    steps = {**migrations.shipped_steps(), newest + 1: "CREATE TABLE second (x); CREATE TABLE broken ("}
    with pytest.raises(sqlite3.Error):
        migrations.migrate(
            connection, path=tmp_path / "partner.db", backups=tmp_path / "backups", now=now, steps=steps
        )
    assert connection.execute("PRAGMA user_version").fetchone()[0] == newest
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    assert "second" not in tables
    connection.close()
