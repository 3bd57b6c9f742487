"""What an older Partner wrote is one line: everything in it is shown."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest

from partner_desktop.storage import migrations

pytestmark = pytest.mark.promise("desktop.edit")


def test_messages_of_an_older_database_are_in_the_line_and_its_pages_are_found_by_an_index(
    tmp_path: Path,
) -> None:
    connection = sqlite3.connect(tmp_path / "partner.db", isolation_level=None)
    connection.row_factory = sqlite3.Row
    shipped, now = migrations.shipped_steps(), datetime.now(UTC)
    older = {number: sql for number, sql in shipped.items() if number < 9}

    def bring_to(steps: dict[int, str]) -> None:
        (tmp_path / "backups").mkdir(exist_ok=True)
        migrations.migrate(
            connection, path=tmp_path / "partner.db", backups=tmp_path / "backups", now=now, steps=steps
        )

    bring_to(older)
    connection.execute(
        "INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', '', '', '')"
    )
    connection.execute(
        "INSERT INTO messages (id, conversation_id, role, text, state, created_at) "
        "VALUES ('m', 'c', 'user', 'hello', 'done', '')"
    )
    bring_to(shipped)
    page = (
        "SELECT id FROM messages WHERE conversation_id = 'c' AND take = '' AND position < 9 ORDER BY position"
    )
    assert [row["id"] for row in connection.execute(page)] == ["m"]
    plan = " ".join(row["detail"] for row in connection.execute(f"EXPLAIN QUERY PLAN {page}"))
    assert "messages_by_line (conversation_id=? AND take=? AND position<?)" in plan
    assert "TEMP B-TREE" not in plan
    connection.close()
