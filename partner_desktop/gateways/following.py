"""Following: what happens in a conversation or to the abilities, for as long as somebody looks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from partner_desktop.base.errors import HostError
from partner_desktop.domain.events import AbilitiesEvent, ErrorEvent, Event, NoticeEvent
from partner_desktop.domain.json_value import JsonObject

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

#: Events that may wait for whoever looks; one who is further behind begins again.
MOST_WAITING = 5_000


async def follow(partner: Services, conversation_id: str) -> AsyncGenerator[JsonObject, None]:
    """The events of a conversation, and notices and errors that belong to none; first a `following`.

    Raises:
        HostError: Whoever looks is too far behind.
    """
    waiting: asyncio.Queue[Event] = asyncio.Queue()

    def take(event: Event) -> None:
        if concerns(event, conversation_id):
            waiting.put_nowait(event)

    undo = partner.subscribe(take)
    try:
        yield {"type": "following", "conversation_id": conversation_id}
        while True:
            event = await waiting.get()
            if waiting.qsize() > MOST_WAITING:
                raise HostError("What happens here came faster than it was read.")
            yield event.to_json()
    finally:
        undo()


async def watch(partner: Services) -> AsyncGenerator[JsonObject, None]:
    """An `abilities` after changes of their list, several at once told as one; first a `watching`."""
    changed = asyncio.Event()

    def take(event: Event) -> None:
        if isinstance(event, AbilitiesEvent):
            changed.set()

    undo = partner.subscribe(take)
    try:
        yield {"type": "watching"}
        while True:
            await changed.wait()
            changed.clear()
            yield {"type": "abilities"}
    finally:
        undo()


def concerns(event: Event, conversation_id: str) -> bool:
    """Whether somebody who looks at this conversation should be told."""
    if event.conversation_id:
        return event.conversation_id == conversation_id
    return isinstance(event, (NoticeEvent, ErrorEvent))
