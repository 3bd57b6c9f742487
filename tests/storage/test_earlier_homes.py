"""A home of every earlier schema is opened, and all that was in it is there.

`earlier_databases.tar.xz` holds what Partners of then wrote, by the number of their schema: what was said,
and a run with its result. Of the numbers between them, each database is the one before, brought on as a
Partner of that number did it. (`home_before_plans.tar.gz` in `tests/features` is a home with more in it.)
"""

from __future__ import annotations

import sqlite3
import tarfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.storage import migrations, search_text

pytestmark = [pytest.mark.integration, pytest.mark.promise("packaging.deb")]

_ARCHIVE = Path(__file__).with_name("earlier_databases.tar.xz")
_NOW = datetime(2026, 11, 28, tzinfo=UTC)
_STEPS = migrations.shipped_steps()
_WRITTEN = (1, 2, 3, 6, 9)
_SAID = ("Remember that my bike is red", "list the files in /usr/share/doc/apt")


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("earlier")
    with tarfile.open(_ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    assert {path.name for path in folder.iterdir()} == {f"partner-v{number}.db" for number in _WRITTEN}
    return folder


def put_database(version: int, earlier: Path, home: Home) -> None:
    """Lay the database of that schema into a home that has nothing else."""
    home.prepare()
    written = max(number for number in _WRITTEN if number <= version)
    home.database.write_bytes((earlier / f"partner-v{written}.db").read_bytes())
    bring(home, {number: sql for number, sql in _STEPS.items() if number <= version})
    for backup in home.backups.iterdir():
        backup.unlink()


def bring(home: Home, steps: dict[int, str]) -> None:
    with closing(sqlite3.connect(home.database, isolation_level=None)) as db:
        migrations.migrate(db, path=home.database, backups=home.backups, now=_NOW, steps=steps)


def shape(db: sqlite3.Connection) -> dict[str, object]:
    """Every table with its columns, and every index, trigger and view with what it says."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    found: dict[str, object] = {}
    for kind, name, table, sql in rows:
        if kind == "table":
            found[name] = sorted(row[1:] for row in db.execute(f"PRAGMA table_info({name})"))
        elif sql is not None:
            found[name] = (kind, table, " ".join(sql.replace('"', "").split()))
    return found


@pytest.mark.parametrize("version", list(_STEPS)[:-1])
def test_a_database_of_every_earlier_schema_becomes_like_a_new_one_and_keeps_its_rows(
    version: int, earlier: Path, home: Home, tmp_path: Path
) -> None:
    put_database(version, earlier, home)
    bring(home, _STEPS)
    new = Home(tmp_path / "new")
    new.prepare()
    bring(new, _STEPS)
    with closing(sqlite3.connect(home.database)) as db, closing(sqlite3.connect(new.database)) as fresh:
        search_text.install(db)
        assert db.execute("PRAGMA user_version").fetchone() == (max(_STEPS),)
        assert shape(db) == shape(fresh)
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        said = db.execute("SELECT text FROM messages WHERE role = 'user' ORDER BY position").fetchall()
        assert tuple(text for (text,) in said) == _SAID
        assert db.execute("SELECT status FROM actions").fetchall() == [("succeeded",)]
    (backup,) = home.backups.iterdir()
    with closing(sqlite3.connect(backup)) as kept:
        assert kept.execute("PRAGMA user_version").fetchone() == (version,)


@pytest.mark.parametrize("version", _WRITTEN)
async def test_a_partner_of_today_shows_what_one_of_then_did(
    version: int, earlier: Path, home: Home, action_dir: Path
) -> None:
    put_database(version, earlier, home)
    partner = Partner(home, action_dir, meaning=False)
    await partner.launch()
    try:
        talks = await partner.conversations.list()
        messages = [one for talk in talks for one in await partner.messages.list(talk.id)]
        assert sorted(one.text for one in messages if one.role == "user") == sorted(_SAID)
        (run,) = await partner.actions.list()
        assert (run.key, run.status) == ("builtin::list_folder", ActionStatus.SUCCEEDED)
        found = await partner.conversations.search("bike")
        assert found
        assert {entry.kind for entry in await partner.audit.of_action(run.id)} >= {"run", "result"}
    finally:
        await partner.close()
