"""What a client missed and no log holds any more: messages from the database, in portions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from partner_desktop.domain.message import Message

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

_PAGE = 50
_MOST_MESSAGES = 2_000
_MOST_SIGNS = 8 * 1024 * 1024
#: Clients commonly take frames of 1 MiB; a sign may need several bytes.
_PORTION_SIGNS = 128 * 1024


@dataclass(frozen=True)
class Since:
    """The messages after a position, oldest first."""

    messages: Sequence[Message]
    complete: bool
    """False: there are older ones that are not among these."""


async def messages_since(host: Services, conversation_id: str, position: int | None) -> Since:
    """The messages after `position`; without it the newest page."""
    found: list[Message] = []
    before: int | None = None
    signs = 0
    while True:
        page = await host.messages.list(conversation_id, before=before, limit=_PAGE)
        fresh = [one for one in page if position is None or one.position > position]
        found[:0] = fresh
        if len(page) < _PAGE or len(fresh) < len(page):
            return Since(found, complete=True)
        signs += sum(len(one.text) for one in fresh)
        if position is None or len(found) >= _MOST_MESSAGES or signs > _MOST_SIGNS:
            return Since(found, complete=False)
        before = page[0].position


def portions(messages: Sequence[Message]) -> list[list[Message]]:
    """In pieces that fit into a frame each; at least one, which may be empty."""
    parts: list[list[Message]] = [[]]
    signs = 0
    for message in messages:
        if parts[-1] and signs + len(message.text) > _PORTION_SIGNS:
            parts.append([])
            signs = 0
        parts[-1].append(message)
        signs += len(message.text) + 400
    return parts
