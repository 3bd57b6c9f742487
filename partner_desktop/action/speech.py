"""Which language a conversation is held in, by what lies on the disk of it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from partner_desktop.capabilities import CognitionCapability
from partner_desktop.domain.message import Role

if TYPE_CHECKING:
    from partner_desktop.language.conversation_language import Language

#: Messages that are looked at: its last ones.
_LOOKED_AT = 30


async def language_spoken_in(cognition: CognitionCapability, conversation_id: str) -> Language:
    """As `conversation_language` tells of what the person said there."""
    recent = await cognition.recent(conversation_id, limit=_LOOKED_AT)
    return await asyncio.to_thread(_read, [message.text for message in recent if message.role is Role.USER])


def _read(said: Sequence[str]) -> Language:
    # Reading words is nothing that a start, or the loop, should wait for.
    from partner_desktop.language.conversation_language import conversation_language  # noqa: PLC0415

    return conversation_language(said)
