"""A file whose loss costs only time is thrown away when it cannot be read, and keeps what was committed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from partner_desktop.base.errors import StorageError
from partner_desktop.storage.database import Connection
from partner_desktop.storage.rebuildable import RebuildableDatabase


def database(folder: Path) -> RebuildableDatabase:
    return RebuildableDatabase(folder / "cache" / "notes.db", schema="CREATE TABLE notes (text);", version=1)


def add(connection: Connection) -> None:
    connection.execute("INSERT INTO notes VALUES ('one')")


def count(connection: Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM notes").fetchone()[0])


async def test_what_was_committed_is_there_after_a_restart_and_half_a_work_is_not(tmp_path: Path) -> None:
    def half(connection: Connection) -> None:
        add(connection)
        raise ValueError("in the middle")

    db = database(tmp_path)
    await db.run(add)
    with pytest.raises(ValueError, match="in the middle"):
        await db.run(half)
    await db.shutdown()
    again = database(tmp_path)
    assert await again.run(count) == 1
    await again.shutdown()
    await again.shutdown()


async def test_an_unreadable_file_is_made_anew_and_the_work_is_done_on_it(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "notes.db").write_bytes(b"not a database" * 1000)
    db = database(tmp_path)
    await db.run(add)
    assert await db.run(count) == 1
    await db.shutdown()


async def test_a_folder_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    db = database(tmp_path)
    with pytest.raises(StorageError, match=r"notes\.db cannot be used"):
        await db.run(add)
    await db.shutdown()


@pytest.mark.integration
async def test_a_file_that_was_locked_at_first_can_be_used_afterwards(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    db = database(tmp_path)
    other = sqlite3.connect(tmp_path / "cache" / "notes.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageError, match="locked"):
        await db.run(add)
    other.execute("ROLLBACK")
    other.close()
    await db.run(add)
    assert await db.run(count) == 1
    await db.shutdown()


async def test_a_file_of_another_version_is_made_anew(tmp_path: Path) -> None:
    old = database(tmp_path)
    await old.run(add)
    await old.shutdown()
    schema = "CREATE TABLE notes (text, more);"
    new = RebuildableDatabase(tmp_path / "cache" / "notes.db", schema=schema, version=2)
    assert await new.run(count) == 0
    await new.shutdown()
