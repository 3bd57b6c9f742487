"""SnapshotStore: the prompts of past turns, in the database. Bounded by conversation; they end with it.

Messages of the dialog are kept as references with a digest of the words that were carried: the message itself
stands in its own row, and when it is erased, nothing of it stays here. The exact words are shown again only
if they are still the same; otherwise a tombstone says what became of them.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from partner_desktop.base.errors import StorageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.text import cut
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.resolution import Resolution
from partner_desktop.domain.decoder import decoded
from partner_desktop.domain.forgetting import Forgotten, HeldWords
from partner_desktop.domain.snapshot import (
    NO_FILL,
    BlockFate,
    ContextSnapshot,
    PromptFill,
    PromptPart,
    SnapshotBlock,
    TurnSummary,
)
from partner_desktop.storage.database import Connection, Database, Row

#: Prompts that are looked through in one go.
_READ_AT_ONCE = 20
#: Characters of what was said that the list of turns shows.
_SAID = 120


@dataclass(frozen=True)
class TurnPrompt:
    """A turn's prompt as it was made, not yet written down."""

    turn_id: str
    conversation_id: str
    at: datetime
    mind: str
    said: str
    resolution: Resolution
    prompt: tuple[PromptPart, ...]
    fill: PromptFill = NO_FILL


class SnapshotStore:
    """`forms` gives every form in which a prompt may carry a message's words."""

    def __init__(
        self,
        database: Database,
        *,
        settings: ConfigHandle[ContextSettings],
        forms: Callable[[str], Iterable[str]],
    ) -> None:
        self._database = database
        self._settings = settings
        self._forms = forms

    async def record(self, made: TurnPrompt) -> None:
        """Write a turn down; it is on disk when this returns. A turn that ran again replaces itself.

        Raises:
            StorageError: It could not be saved.
        """
        kept = self._settings.value.kept_turns
        row = await asyncio.to_thread(
            _row_of, made
        )  # thousands of blocks would keep the database from others
        await self._database.write(lambda db: _insert(db, row, kept))

    @operation(Caller.ATTACHED)
    async def turns(
        self,
        conversation_id: str,
        *,
        before: int | None = None,
        limit: Annotated[int, Field(ge=1, le=1_000)] = 50,
    ) -> list[TurnSummary]:
        """A page of a conversation's turns, oldest first; `before` is the position that it ends at."""
        rows = await self._database.rows(
            "SELECT position, turn_id, conversation_id, at, said, used_tokens, budget_tokens, blocks, "
            "dropped, context_tokens, answer_tokens, prompt_tokens, left_out_messages "
            "FROM context_snapshots WHERE conversation_id = ? AND position < ? "
            "ORDER BY position DESC LIMIT ?",
            (conversation_id, before if before is not None else 2**62, limit),
        )
        return [decoded(TurnSummary, dict(row), text=row["said"]) for row in reversed(rows)]

    @operation(Caller.ATTACHED)
    async def snapshot(self, turn_id: str) -> ContextSnapshot | None:
        """The exact prompt of a past turn, and the blocks it was made of; `None` when it is kept no more.

        Raises:
            StorageError: It cannot be read.
        """
        return await self._database.read(lambda db: self._read(db, turn_id))

    # A `Forgettable`: a turn whose prompt says words of what is forgotten is shown no more.

    async def held(self, database: Database, gone: Forgotten) -> list[HeldWords]:
        """See `Forgettable.held`."""
        found: list[HeldWords] = []
        after = 0
        while rows := await database.rows(
            "SELECT position, turn_id, conversation_id, said, body FROM context_snapshots "
            "WHERE position > ? ORDER BY position LIMIT ?",
            (after, _READ_AT_ONCE),
        ):
            after = rows[-1]["position"]
            found += await asyncio.to_thread(_saying, rows, gone)
        return found

    async def erase(self, database: Database, gone: Forgotten) -> None:
        """See `Forgettable.erase`."""
        turns = [(one.id,) for one in await self.held(database, gone)]
        await database.write(
            lambda db: db.executemany("DELETE FROM context_snapshots WHERE turn_id = ?", turns)
        )

    def _read(self, db: Connection, turn_id: str) -> ContextSnapshot | None:
        row = db.execute("SELECT * FROM context_snapshots WHERE turn_id = ?", (turn_id,)).fetchone()
        if row is None:
            return None
        return from_bytes(
            row["body"],
            turn_id=row["turn_id"],
            conversation_id=row["conversation_id"],
            at=row["at"],
            used_tokens=row["used_tokens"],
            budget_tokens=row["budget_tokens"],
            texts=lambda ids: _texts(db, ids),
            forms=self._forms,
            fill=decoded(PromptFill, dict(row)),
        )


def _saying(rows: Sequence[Row], gone: Forgotten) -> list[HeldWords]:
    """Blocking. Of some turns those whose prompts say words of it, or refer to it."""
    return [
        HeldWords("context", row["turn_id"], row["said"], row["conversation_id"])
        for row in rows
        if row["turn_id"] in gone.ids or gone.mentions(row["said"]) or _says(row["body"], gone)
    ]


def _says(body: bytes, gone: Forgotten) -> bool:
    try:
        read = json.loads(zlib.decompress(body))
        parts = [*read["prompt"], *read["blocks"]]
        # The digest of a message that is gone could be compared with what somebody supposes was said.
        return any(
            part.get("message_id") in gone.message_ids or gone.mentions(part.get("text", ""))
            for part in parts
        )
    except (zlib.error, ValueError, KeyError, TypeError, AttributeError):
        return True  # what cannot be read cannot be shown, and may hold it


def _texts(db: Connection, ids: list[str]) -> dict[str, str]:
    marks = ",".join("?" * len(ids))
    rows = db.execute(f"SELECT id, text FROM messages WHERE id IN ({marks})", ids)  # noqa: S608 - question marks
    return {row["id"]: row["text"] for row in rows}


def _row_of(made: TurnPrompt) -> tuple[str | int | bytes, ...]:
    """The columns of a turn, as `_insert` names them. Blocking."""
    resolution = made.resolution
    blocks = resolution.record()
    dropped = sum(block.fate is BlockFate.DROPPED for block in blocks)
    snapshot = ContextSnapshot(
        turn_id=made.turn_id,
        conversation_id=made.conversation_id,
        at=made.at,
        mind=made.mind,
        budget_tokens=resolution.limits.budget_tokens,
        used_tokens=resolution.used_tokens,
        blocks=blocks,
        prompt=made.prompt,
        counted_by=resolution.counted_by,
        **asdict(made.fill),
    )
    return (
        made.turn_id,
        made.conversation_id,
        made.at.isoformat(),
        _excerpt(made.said),
        snapshot.used_tokens,
        snapshot.budget_tokens,
        len(blocks) - dropped,
        dropped,
        to_bytes(snapshot),
        made.fill.context_tokens,
        made.fill.answer_tokens,
        made.fill.prompt_tokens,
        made.fill.left_out_messages,
    )


def _insert(db: Connection, row: tuple[str | int | bytes, ...], kept: int) -> None:
    turn_id, conversation_id = row[:2]
    db.execute("DELETE FROM context_snapshots WHERE turn_id = ?", (turn_id,))
    db.execute(
        "INSERT INTO context_snapshots (turn_id, conversation_id, at, said, used_tokens, budget_tokens, "
        "blocks, dropped, body, context_tokens, answer_tokens, prompt_tokens, left_out_messages) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row,
    )
    # The oldest go: none of a conversation is kept beyond the newest `kept`.
    db.execute(
        "DELETE FROM context_snapshots WHERE conversation_id = ? AND position <= ("
        "SELECT position FROM context_snapshots WHERE conversation_id = ? "
        "ORDER BY position DESC LIMIT 1 OFFSET ?)",
        (conversation_id, conversation_id, kept),
    )


def _excerpt(text: str) -> str:
    line = " ".join(text[: 4 * _SAID].encode("utf-8", "replace").decode("utf-8").split())
    return cut(line, _SAID)


ERASED = "[This message was erased.]"
CHANGED = "[This message was changed since.]"

#: Message ids → their words; erased ones are missing.
Texts = Callable[[list[str]], dict[str, str]]
#: A message's words → every form in which a prompt may carry them.
Forms = Callable[[str], Iterable[str]]

_LEVEL = 6


def to_bytes(snapshot: ContextSnapshot) -> bytes:
    """The row's body."""
    body = {
        "mind": snapshot.mind,
        "counted_by": snapshot.counted_by,
        # Both hold nothing that holds anything: a turn writes dozens.
        "blocks": [vars(block) for block in snapshot.blocks],
        "prompt": [_part_to_json(part) for part in snapshot.prompt],
    }
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "replace"), _LEVEL)


def _part_to_json(part: PromptPart) -> dict[str, Any]:
    if not part.message_id:
        return vars(part)
    return {
        "role": part.role,
        "name": part.name,
        "tokens": part.tokens,
        "message_id": part.message_id,
        "digest": _digest(part.text),
    }


def from_bytes(
    body: bytes,
    *,
    turn_id: str,
    conversation_id: str,
    at: str,
    used_tokens: int,
    budget_tokens: int,
    texts: Texts,
    forms: Forms,
    fill: PromptFill,
) -> ContextSnapshot:
    """The snapshot of a row.

    Raises:
        StorageError: The row is damaged.
    """
    try:
        read = json.loads(zlib.decompress(body))
        wanted = [part["message_id"] for part in read["prompt"] if part.get("message_id")]
        found = texts(wanted)
        return ContextSnapshot(
            turn_id=turn_id,
            conversation_id=conversation_id,
            at=datetime.fromisoformat(at),
            mind=read["mind"],
            budget_tokens=budget_tokens,
            used_tokens=used_tokens,
            blocks=tuple(SnapshotBlock(**{**row, "fate": BlockFate(row["fate"])}) for row in read["blocks"]),
            prompt=tuple(_part_from_json(part, found, forms) for part in read["prompt"]),
            counted_by=read["counted_by"],
            **asdict(fill),
        )
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise StorageError("context.snapshot_unread", turn_id=turn_id, error=error) from error


def _part_from_json(part: dict[str, Any], texts: dict[str, str], forms: Forms) -> PromptPart:
    if not part.get("message_id"):
        return PromptPart(**part)
    whole = texts.get(part["message_id"])
    if whole is None:
        text = ERASED
    else:
        text = next((form for form in forms(whole) if _digest(form) == part["digest"]), CHANGED)
    return PromptPart(part["role"], part["name"], text, part["tokens"], part["message_id"])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:24]
