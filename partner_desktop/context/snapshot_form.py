"""ContextSnapshot ⇄ the bytes of a row. Blocking; off the loop.

Messages of the dialog are kept as references with a digest of the words that were carried: the message itself
stands in its own row, and when it is erased, nothing of it stays here. The exact words are shown again only
if they are still the same; otherwise a tombstone says what became of them.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from partner_desktop.base.errors import StorageError
from partner_desktop.domain.snapshot import BlockFate, ContextSnapshot, PromptFill, PromptPart, SnapshotBlock

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
        "blocks": [asdict(block) for block in snapshot.blocks],
        "prompt": [_part_to_json(part) for part in snapshot.prompt],
    }
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "replace"), _LEVEL)


def _part_to_json(part: PromptPart) -> dict[str, Any]:
    if not part.message_id:
        return asdict(part)
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
        raise StorageError(f"What turn {turn_id} was made of cannot be read any more ({error}).") from error


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
