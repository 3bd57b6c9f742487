"""The turn queue's rows: written with the message, counted when a turn begins, gone when it is over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from partner_desktop.domain.message import Message, Role
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.runtime.exchanges import Exchange
from partner_desktop.runtime.flow import FlowInput, Source
from partner_desktop.runtime.turn_queue import EntryKind, QueueEntry, TurnQueue
from partner_desktop.storage.database import Connection, Database
from tests.support import FakeClock


class Bench:
    """A queue on a real file, and messages in one conversation."""

    def __init__(self, database: Database, clock: FakeClock) -> None:
        self.database, self.queue = database, TurnQueue(database)
        self.dialog = Dialog(database, ChannelRegistry(), clock=clock)
        self.conversation_id = ""

    async def say(self, text: str) -> FlowInput:
        """A message, accepted."""
        if not self.conversation_id:
            self.conversation_id = (await self.dialog.create()).id
        exchange = Exchange(self.conversation_id, lambda _: None, standing=ApprovalMode.ALL, cwd="/tmp")

        def also(db: Connection, message: Message) -> None:
            self.queue.accept(db, message, exchange_id=exchange.id, cwd=exchange.cwd)

        message = await self.dialog.append(
            self.conversation_id, Role.USER, text, source="window", exchange_id=exchange.id, also=also
        )
        source = Source("window", self.conversation_id)
        return FlowInput(source, message.created_at, exchange, text=text, message_id=message.id)

    async def left(self) -> list[QueueEntry]:
        """What the next start would find."""
        later = TurnQueue(self.database)
        await later.launch()
        return list(later.left)


@pytest.fixture
async def bench(tmp_path: Path, clock: FakeClock) -> AsyncIterator[Bench]:
    database = Database(tmp_path / "partner.db", backups=tmp_path, clock=clock)
    await database.launch()
    yield Bench(database, clock)
    await database.shutdown()


async def test_an_accepted_message_is_owed_until_its_turn_is_over(bench: Bench) -> None:
    item = await bench.say("hello")
    (entry,) = await bench.left()
    assert (entry.kind, entry.subject_id, entry.cwd) == (EntryKind.SAID, item.message_id, "/tmp")
    await bench.queue.begun([item])
    assert [entry.attempts for entry in await bench.left()] == [1]
    await bench.queue.settled([item])
    assert await bench.left() == []


async def test_only_what_began_is_counted_and_a_turn_begun_anew_counts_once(bench: Bench) -> None:
    first, second = await bench.say("one"), await bench.say("two")
    assert [entry.attempts for entry in await bench.left()] == [1, 0]
    await bench.queue.begun([first])
    await bench.queue.begun([first, second])
    entries = await bench.left()
    assert [entry.attempts for entry in entries] == [1, 1]
    assert {entry.answered_by for entry in entries} == {second.exchange.id}


async def test_closing_takes_the_count_back(bench: Bench) -> None:
    await bench.queue.begun([await bench.say("one")])
    await bench.say("two")
    await bench.queue.shutdown()
    assert [entry.attempts for entry in await bench.left()] == [0, 0]


async def test_what_is_answered_anew_is_owed_again(bench: Bench) -> None:
    item = await bench.say("hello")
    (before,) = await bench.left()
    await bench.queue.settled([item])
    await bench.queue.reopened([item])
    (after,) = await bench.left()
    assert (after.kind, after.subject_id, after.exchange_id, after.source, after.cwd) == (
        before.kind,
        before.subject_id,
        before.exchange_id,
        before.source,
        before.cwd,
    )


async def test_a_message_that_could_not_be_kept_is_not_owed(bench: Bench) -> None:
    await bench.say("hello")

    def refuse(db: Connection, message: Message) -> None:
        bench.queue.accept(db, message, exchange_id="x", cwd="")
        raise KeyError

    with pytest.raises(KeyError):
        await bench.dialog.append(bench.conversation_id, Role.USER, "lost", also=refuse)
    assert len(await bench.left()) == 1
    assert len(await bench.dialog.recent(bench.conversation_id, limit=9)) == 1
