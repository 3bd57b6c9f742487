"""The prompt of any past turn can be shown again, exactly, as long as its conversation is there."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Self

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context import snapshots
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.snapshots import SnapshotStore, TurnPrompt
from partner_desktop.domain.events import ConversationGoneEvent, Event, ReplyEvent, TurnEvent
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.domain.snapshot import PromptPart, TurnSummary
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.matcher import WordMatcher
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.runtime.channel import ChannelRegistry
from partner_desktop.runtime.dialog import Dialog
from partner_desktop.storage.database import Database
from tests.context.blocks import BESIDE, block, workspace
from tests.support import WAIT_S, FakeClock, HastyClock, Watcher

pytestmark = pytest.mark.integration


class AttentiveMind(StarterMind):
    """The starter mind, and what it was asked; it stops before the end when told to."""

    def __init__(self) -> None:
        super().__init__(matcher=WordMatcher(), pace_s=0)
        self.asked: list[ReplyRequest] = []
        self.holding = False

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        self.asked.append(request)
        async for piece in super().reply(request):
            yield piece
            if self.holding:
                await asyncio.Event().wait()


class Stage:
    """A Partner whose mind can be questioned."""

    def __init__(self, home: Home, action_dir: Path) -> None:
        self.mind = AttentiveMind()
        self.partner = Partner(home, action_dir, meaning=False, mind=self.mind, quiet_clock=HastyClock())
        self.watcher = Watcher()

    async def __aenter__(self) -> Self:
        await self.partner.launch()
        self.partner.subscribe(self.watcher)
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.partner.close()

    async def say(self, text: str, conversation_id: str | None = None) -> str:
        """Say it and wait until its turns are over; the conversation."""
        self.watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=conversation_id)
        await self.watcher.done()
        return message.conversation_id

    async def turns(self, conversation_id: str) -> list[TurnSummary]:
        return await self.partner.context.turns(conversation_id)


@pytest.fixture
async def stage(home: Home, action_dir: Path) -> AsyncIterator[Stage]:
    async with Stage(home, action_dir) as one:
        yield one


def trunk(parts: tuple[PromptPart, ...]) -> list[PromptPart]:
    return [part for part in parts if part.name not in ("context", "input")]


@pytest.mark.promise("context.snapshot")
async def test_the_exact_prompt_of_every_past_turn_is_shown_again_also_after_a_restart(
    home: Home, action_dir: Path
) -> None:
    async with Stage(home, action_dir) as stage:
        conversation = await stage.say("hello there")
        await stage.say("what time is it?", conversation)
        await stage.say("tell me a <joke> & more", conversation)
        sent = [tuple(request.prompt) for request in stage.mind.asked]
    assert len(sent) >= 4  # three were said, and the time was told by a turn of Partner's own
    async with Stage(home, action_dir) as stage:
        turns = await stage.turns(conversation)
        assert [turn.position for turn in turns] == sorted(turn.position for turn in turns)
        assert [turn.text for turn in turns if turn.text] == [
            "hello there", "what time is it?", "tell me a <joke> & more",
        ]  # fmt: skip
        shown = [await stage.partner.context.snapshot(turn.turn_id) for turn in turns]
    assert [one.prompt for one in shown if one] == sent
    for turn, one in zip(turns, shown, strict=True):
        assert one is not None
        assert (one.turn_id, one.conversation_id, one.at) == (turn.turn_id, conversation, turn.at)
        assert (one.mind, one.counted_by) == ("starter", "estimate")
        assert (one.used_tokens, one.budget_tokens) == (turn.used_tokens, 4_096)
        assert one.used_tokens == sum(found.tokens for found in one.blocks)
        assert turn.blocks + turn.dropped == len(one.blocks)
        context = next(part.text for part in one.prompt if part.name == "context")
        asides = next(part.text for part in one.prompt if part.name == "input")
        for found in one.blocks:
            assert found.reason.endswith(".")
            assert f"<{found.name} " in context + asides
        assert all(part.tokens > 0 for part in one.prompt)


async def test_a_prompt_goes_from_what_stays_to_what_changes(stage: Stage) -> None:
    conversation = await stage.say("hello")
    await stage.say("what can you do?", conversation)
    await stage.say("thanks", conversation)
    first, second, third = (tuple(request.prompt) for request in stage.mind.asked)
    assert [part.name for part in third] == [
        "persona", "capabilities", "dialog", "dialog", "dialog", "dialog", "context", "input",
    ]  # fmt: skip
    assert [part.role for part in third[2:6]] == ["user", "assistant", "user", "assistant"]
    assert third[2].text == "hello"
    # What was read for one turn is the beginning of the next one.
    assert trunk(second)[: len(trunk(first))] == trunk(first)
    assert trunk(third)[: len(trunk(second))] == trunk(second)
    asked = third[-1].text
    assert asked.startswith("<input>\n  <entry at=")
    assert 'source="window">thanks</entry>' in asked
    assert "<environment_perceive_info" in asked
    assert "environment_perceive_info" not in third[-2].text


async def test_a_long_dialog_is_carried_from_a_beginning_that_moves_in_steps(stage: Stage) -> None:
    conversation = await stage.say("hello 0")
    for number in range(1, 45):
        await stage.say(f"hello {number}", conversation)
    starts = [trunk(tuple(request.prompt))[2].text for request in stage.mind.asked[1:]]
    moves = sum(a != b for a, b in pairwise(starts))
    assert starts[0] == "hello 0"
    assert starts[-1] != "hello 0"
    assert moves <= 2
    assert len(trunk(tuple(stage.mind.asked[-1].prompt))) <= 2 + 72


@pytest.mark.promise("context.scope")
async def test_what_one_conversation_knows_is_in_no_prompt_of_another(stage: Stage) -> None:
    ours = await stage.say("what time is it?")
    theirs = await stage.say("what did you tell the other one?")
    assert len(await stage.turns(ours)) == 2
    snapshot = await stage.partner.context.snapshot((await stage.turns(theirs))[-1].turn_id)
    assert snapshot is not None
    assert {found.scope for found in snapshot.blocks} <= {"", theirs}
    assert "what time is it?" not in "".join(part.text for part in snapshot.prompt)
    again = await stage.say("what else?", ours)
    own = await stage.partner.context.snapshot((await stage.turns(again))[-1].turn_id)
    assert own is not None
    assert "action_finished" in {found.name for found in own.blocks}


async def test_a_turn_is_on_disk_when_its_end_is_announced_however_it_ended(stage: Stage, home: Home) -> None:
    found: dict[str, int] = {}

    def look(event: Event) -> None:
        if isinstance(event, TurnEvent) and event.state != "started":
            with sqlite3.connect(home.database) as other:
                rows = other.execute("SELECT 1 FROM context_snapshots WHERE turn_id = ?", (event.turn_id,))
                found[event.state] = len(rows.fetchall())
            other.close()

    stage.partner.subscribe(look)
    conversation = await stage.say("hello")
    stage.mind.holding = True
    stage.watcher.events.clear()
    await stage.partner.messages.send("hello again", conversation_id=conversation)
    await stage.watcher.until(lambda event: isinstance(event, ReplyEvent))
    await stage.partner.conversations.stop(conversation)
    await stage.watcher.done()
    assert found == {"ended": 1, "stopped": 1}


async def test_pages_of_turns_end_at_a_position(stage: Stage) -> None:
    conversation = await stage.say("hello 0")
    for number in range(1, 5):
        await stage.say(f"hello {number}", conversation)
    newest = await stage.partner.context.turns(conversation, limit=2)
    assert [turn.text for turn in newest] == ["hello 3", "hello 4"]
    older = await stage.partner.context.turns(conversation, before=newest[0].position, limit=2)
    assert [turn.text for turn in older] == ["hello 1", "hello 2"]
    assert await stage.partner.context.snapshot("no such turn") is None


async def test_an_erased_conversation_leaves_no_prompt_behind(stage: Stage, home: Home) -> None:
    conversation = await stage.say("hello, my secret is xylophone")
    (turn,) = await stage.turns(conversation)
    stage.partner.conversations.deletion.undo_s = 0
    await stage.partner.conversations.delete(conversation)
    await stage.watcher.until(lambda event: isinstance(event, ConversationGoneEvent) and event.erased)
    assert await stage.turns(conversation) == []
    assert await stage.partner.context.snapshot(turn.turn_id) is None


class Bench:
    """A store on a database with one conversation."""

    def __init__(self, home: Home, clock: FakeClock, *, kept_turns: int = 500) -> None:
        home.prepare()
        self.clock = clock
        self.database = Database(home.database, backups=home.backups, clock=clock)
        self.dialog = Dialog(self.database, ChannelRegistry(), clock=clock)
        settings = ConfigHandle("context", ContextSettings(kept_turns=kept_turns))
        self.store = SnapshotStore(self.database, settings=settings, forms=lambda text: [text])

    async def __aenter__(self) -> Self:
        await self.database.launch()
        self.conversation = (await self.dialog.create()).id
        return self

    async def __aexit__(self, *problem: object) -> None:
        await self.database.shutdown()

    async def record(self, turn_id: str, *parts: PromptPart, blocks: int = 1) -> None:
        space = workspace(self.clock)
        for number in range(blocks):
            space.register(block(source=str(number)))
        resolution = space.resolve(BESIDE, scope=self.conversation)
        now = self.clock.now()
        await self.store.record(
            TurnPrompt(turn_id, self.conversation, now, "starter", "said " * 100, resolution, parts)
        )


async def test_a_message_that_was_erased_or_changed_since_leaves_a_tombstone(
    home: Home, clock: FakeClock
) -> None:
    async with Bench(home, clock) as bench:
        said = [await bench.dialog.append(bench.conversation, Role.USER, text) for text in ("a", "b", "c")]
        parts = [PromptPart("user", "dialog", one.text, 1, message_id=one.id) for one in said]
        await bench.record("t", *parts)
        await bench.dialog.revise(said[1].id, text="changed", state=MessageState.DONE)
        await bench.database.write(lambda db: db.execute("DELETE FROM messages WHERE id = ?", (said[2].id,)))
        snapshot = await bench.store.snapshot("t")
    assert snapshot is not None
    assert [part.text for part in snapshot.prompt] == ["a", snapshots.CHANGED, snapshots.ERASED]
    assert [part.tokens for part in snapshot.prompt] == [1, 1, 1]


async def test_only_the_newest_turns_of_a_conversation_are_kept(home: Home, clock: FakeClock) -> None:
    async with Bench(home, clock, kept_turns=3) as bench:
        for number in range(10):
            await bench.record(f"t{number}")
        await bench.record("t9")  # a turn that ran again replaces itself
        turns = await bench.store.turns(bench.conversation, before=None, limit=50)
    assert [turn.turn_id for turn in turns] == ["t7", "t8", "t9"]
    assert all(len(turn.text) <= 120 for turn in turns)


async def test_ten_thousand_blocks_are_all_in_the_record_and_it_stays_small(
    home: Home, clock: FakeClock
) -> None:
    async with Bench(home, clock) as bench:
        async with asyncio.timeout(WAIT_S):
            await bench.record("t", blocks=10_000)
        snapshot = await bench.store.snapshot("t")
        (size,) = await bench.database.read(
            lambda db: db.execute("SELECT length(body) FROM context_snapshots").fetchone()
        )
    assert snapshot is not None
    assert sorted(int(one.source) for one in snapshot.blocks) == list(range(10_000))
    assert size < 300_000
