"""Versioned migrations: numbered SQL scripts beside this file, each in one transaction, with a backup before.
A new database gets all of them in one transaction: nothing between them is worth keeping.

The version is SQLite's own `user_version`. A database of a newer version is never touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from importlib.resources import files
from pathlib import Path

from partner_desktop.base import private
from partner_desktop.base.errors import NewerSchemaError
from partner_desktop.base.paths import display_path
from partner_desktop.storage import search_text


def shipped_steps() -> dict[int, str]:
    """Version → SQL, ascending."""
    found = {}
    for item in (files("partner_desktop.storage") / "sql").iterdir():
        if item.name.endswith(".sql"):
            found[int(item.name.split("_")[0])] = item.read_text(encoding="utf-8")
    return dict(sorted(found.items()))


def migrate(
    connection: sqlite3.Connection,
    *,
    path: Path,
    backups: Path,
    now: datetime,
    steps: Mapping[int, str] | None = None,
) -> None:
    """Bring the database to the newest version that this Partner knows (`steps`: shipped ones by default).

    Raises:
        NewerSchemaError: A newer Partner wrote it.
    """
    search_text.install(connection)
    known = shipped_steps() if steps is None else steps
    newest = max(known)
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > newest:
        raise NewerSchemaError(
            "storage.newer_schema", path=display_path(path), version=version, newest=newest
        )
    if 0 < version < newest:
        back_up(connection, backups / f"partner-v{version}-{now.strftime('%Y%m%d-%H%M%S')}.db")
    if version == 0:
        _apply(connection, newest, "\n".join(known.values()))
        return
    for number, sql in known.items():
        if number > version:
            _apply(connection, number, sql)


def _apply(connection: sqlite3.Connection, number: int, sql: str) -> None:
    try:
        connection.executescript(f"BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {number};\nCOMMIT;")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def back_up(connection: sqlite3.Connection, target: Path) -> None:
    """Write a consistent copy of the database to `target`."""
    private.claim(target)
    copy = sqlite3.connect(target)
    try:
        connection.backup(copy)
    finally:
        copy.close()
