"""The way in: what is accepted gets its turn, and nothing is accepted that nobody would ever answer."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.message import Role
from tests.support import Watcher

pytestmark = pytest.mark.integration


async def test_a_message_to_a_conversation_that_is_deleted_in_the_same_moment_is_refused(
    partner: Partner, watcher: Watcher
) -> None:
    first = await partner.messages.send("hello", conversation_id=None)
    await watcher.done()
    watcher.events.clear()
    deleting = asyncio.create_task(partner.conversations.delete(first.conversation_id))
    for _ in range(2):
        await asyncio.sleep(0)  # it looks whether there is a conversation, as the message will
    with pytest.raises(UsageError, match="deleted"):
        await partner.messages.send("are you still there?", conversation_id=first.conversation_id)
    await deleting
    await partner.conversations.restore(first.conversation_id)
    texts = [message.text for message in await partner.messages.list(first.conversation_id)]
    assert "are you still there?" not in texts


@pytest.mark.promise("runtime.durable")
async def test_a_message_whose_sender_goes_away_while_it_is_written_gets_its_answer(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    first = await partner.messages.send("hello", conversation_id=None)
    await watcher.done()
    await partner.settled()  # what the first turn still writes would wait for the other, and give up
    watcher.events.clear()
    with closing(sqlite3.connect(home.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # the writing has begun, and waits for this
        sending = asyncio.create_task(
            partner.messages.send("how are you?", conversation_id=first.conversation_id)
        )
        while not any(task.get_name() == "uninterrupted" for task in asyncio.all_tasks()):  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0)  # until it is accepted
        for _ in range(5):
            await asyncio.sleep(0)  # until its writing is handed over; others may be handed over behind it
        sending.cancel()
        await asyncio.sleep(0)
        other.execute("ROLLBACK")
    await asyncio.wait([sending])
    messages = await partner.messages.list(first.conversation_id)
    assert any(message.text == "how are you?" for message in messages)
    await watcher.done()
    assert (await partner.messages.list(first.conversation_id))[-1].role is Role.PARTNER
