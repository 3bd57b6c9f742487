"""DraftStore: what was typed and not sent, by conversation. Owns `drafts`.

Contract: on disk when a call returns. Pictures are copied into the home, as those of messages are: what was
pasted lies nowhere else. A draft goes when it is empty, and with its conversation; nothing exports it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import Field

from partner_desktop.base.clock import Clock
from partner_desktop.base.operation import Caller, operation
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.message_draft import LONGEST_DRAFT, DraftItem, MessageDraft
from partner_desktop.runtime.conversations.picture_files import PictureFiles
from partner_desktop.runtime.dialog import storable
from partner_desktop.storage.database import Connection, Database, Row

#: One row for each conversation that is there, and one for the new chat.
_PUT = (
    "INSERT INTO drafts (conversation_id, {column}, updated_at) SELECT ?1, ?2, ?3 "
    "WHERE ?1 = '' OR EXISTS (SELECT 1 FROM conversations WHERE id = ?1) "
    "ON CONFLICT (conversation_id) DO UPDATE SET {column} = ?2, updated_at = ?3"
)


class DraftStore:
    """Asked by the window; a `Forgettable`."""

    def __init__(self, database: Database, pictures: PictureFiles, *, clock: Clock) -> None:
        self._database = database
        self._pictures = pictures
        self._clock = clock

    @operation(Caller.ATTACHED)
    async def list(self) -> Sequence[MessageDraft]:
        """All there are, the one that was written last first."""
        rows = await self._database.rows(
            "SELECT drafts.* FROM drafts LEFT JOIN conversations ON id = conversation_id "
            "WHERE deleted_at IS NULL ORDER BY drafts.updated_at DESC"
        )
        return [self._draft_of(row) for row in rows]

    @operation(Caller.ATTACHED)
    async def keep(
        self, conversation_id: str, text: Annotated[str, Field(max_length=LONGEST_DRAFT)] = ""
    ) -> None:
        """Keep what is typed in a conversation (empty: in the new chat) in place of what was.

        Where nothing is typed and nothing goes with it, the draft is gone.

        Raises:
            StorageError: It could not be saved.
        """
        text = storable(text)[:LONGEST_DRAFT]
        await self._database.write(lambda db: self._put(db, "text", conversation_id, text))

    @operation(Caller.ATTACHED)
    async def attach(self, conversation_id: str, items: Sequence[DraftItem] = ()) -> None:
        """Keep what is to go with it in place of what was.

        Raises:
            UsageError: A picture is none, or there are too many of them.
            StorageError: It could not be saved.
        """
        paths = [Path(item.picture) for item in items if item.picture]
        async with self._pictures.kept(paths) as kept:
            files = iter(kept)
            named = [replace(item, picture=next(files).file) if item.picture else item for item in items]
            document = json.dumps([asdict(item) for item in named]) if named else ""
            await self._database.write(lambda db: self._put(db, "items", conversation_id, document))
        await self._pictures.sweep()

    def _put(self, db: Connection, column: str, conversation_id: str, value: str) -> None:
        now = self._clock.now().isoformat()
        db.execute(_PUT.format(column=column), (conversation_id, value, now))
        db.execute("DELETE FROM drafts WHERE text = '' AND items = ''")

    def _draft_of(self, row: Row) -> MessageDraft:
        items = json.loads(row["items"]) if row["items"] else []
        return MessageDraft(
            row["conversation_id"],
            row["text"],
            datetime.fromisoformat(row["updated_at"]),
            tuple(
                replace(item, picture=str(self._pictures.path_of(item.picture))) if item.picture else item
                for item in (decoded(DraftItem, each) for each in items)
            ),
        )

    async def held(self, database: Database, gone: Forgotten) -> Sequence[HeldWords]:
        """See `Forgettable.held`."""
        rows = await database.rows("SELECT conversation_id, text FROM drafts WHERE text <> ''")
        said = await asyncio.to_thread(lambda: [row for row in rows if gone.holds(row["text"])])
        return [
            HeldWords("draft", f"draft:{row['conversation_id']}", row["text"], row["conversation_id"])
            for row in said
        ]

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        ids = [(one.conversation_id,) for one in await self.held(database, gone)]
        if ids:
            await database.write(
                lambda db: db.executemany("DELETE FROM drafts WHERE conversation_id = ?", ids)
            )


def drop_draft(db: Connection, conversation_id: str) -> None:
    """A conversation is erased, within a transaction."""
    db.execute("DELETE FROM drafts WHERE conversation_id = ?", (conversation_id,))
