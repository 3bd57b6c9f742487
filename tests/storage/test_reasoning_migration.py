"""The step to thoughts keeps everything that was there."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from partner_desktop.storage.migrations import migrate, shipped_steps

NOW = datetime(2030, 1, 2, tzinfo=UTC)


def test_messages_and_turns_of_before_have_no_thoughts_and_nobody_knew_how_full_the_model_was(
    tmp_path: Path,
) -> None:
    (tmp_path / "backups").mkdir()
    steps = shipped_steps()
    path = tmp_path / "partner.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        before = {number: sql for number, sql in steps.items() if number < 8}
        migrate(database, path=path, backups=tmp_path / "backups", now=NOW, steps=before)
        at = NOW.isoformat()
        database.execute(
            "INSERT INTO conversations (id, title, created_at, updated_at) VALUES ('c', '', ?, ?)", (at, at)
        )
        database.execute(
            "INSERT INTO messages (id, conversation_id, role, text, state, created_at) "
            "VALUES ('m', 'c', 'user', 'hello', 'done', ?)",
            (at,),
        )
        database.execute(
            "INSERT INTO context_snapshots (turn_id, conversation_id, at, said, used_tokens, budget_tokens, "
            "blocks, dropped, body) VALUES ('t', 'c', ?, 'hello', 1, 2, 3, 4, x'00')",
            (at,),
        )
        after = {number: sql for number, sql in steps.items() if number <= 8}
        migrate(database, path=path, backups=tmp_path / "backups", now=NOW, steps=after)
        assert database.execute("SELECT text, reasoning FROM messages").fetchall() == [("hello", "")]
        assert database.execute(
            "SELECT used_tokens, context_tokens, answer_tokens, prompt_tokens, left_out_messages "
            "FROM context_snapshots"
        ).fetchall() == [(1, 0, 0, 0, 0)]
    assert len(list((tmp_path / "backups").iterdir())) == 1
