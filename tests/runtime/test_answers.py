"""Answers, through the public door: exactly one visible to everything that was said together."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import (
    AbilitiesEvent,
    ConversationEvent,
    DoneEvent,
    Event,
    ModuleEvent,
    ReplyEvent,
    ResultEvent,
    TurnEvent,
)
from partner_desktop.domain.evidence import Finished, Proposed
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.permission.request import ApprovalMode
from tests.runtime.minds import Piece, ScriptedMind
from tests.support import UPPER_SCRIPT, WAIT_S, FakeClock, Watcher

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration

PEEK = """\
# /// partner
# description = "Tell how old a wine is"
# aliases = ["tell the age of this wine"]
# ///
print("old")
"""


class StatusController:
    """A Partner with a scripted mind, and a clock for the pauses between messages."""

    def __init__(self, home: Home, action_dir: Path) -> None:
        self.mind = ScriptedMind()
        self.quiet = FakeClock()
        self.partner = Partner(home, action_dir, meaning=False, mind=self.mind, quiet_clock=self.quiet)
        self.watcher = Watcher()
        self.partner.subscribe(self.watcher)

    async def say(self, text: str, conversation: str | None = None, **more: str) -> str:
        """Send it; the conversation's id."""
        message = await self.partner.messages.send(text, conversation_id=conversation, **more)  # type: ignore[arg-type]  # texts
        return message.conversation_id

    async def drop(self, name: str, script: str) -> None:
        (self.partner.action_dir / "dynamic" / f"{name}.py").write_text(script, encoding="utf-8")
        await self.watcher.until(
            lambda e: isinstance(e, AbilitiesEvent) and any(a.key == f"local::{name}" for a in e.changed)
        )

    async def until(self, fits: object, *, move_ms: int = 100) -> Event:
        """Let time pass until it happens."""
        waiting = asyncio.ensure_future(self.watcher.until(fits))  # type: ignore[arg-type]  # a predicate
        while not waiting.done():
            self.quiet.move(timedelta(milliseconds=move_ms))
            await asyncio.wait([waiting], timeout=0.01)
        return waiting.result()

    async def over(self, conversation: str) -> None:
        """The turn there has ended, and nothing waits."""
        await self.until(
            lambda e: isinstance(e, TurnEvent) and e.conversation_id == conversation and e.state == "ended"
        )

    def replies(self) -> list[ReplyEvent]:
        return [event for event in self.watcher.events if isinstance(event, ReplyEvent)]

    def visible(self) -> dict[str, str]:
        """What somebody who follows the events sees in the end: reply → text."""
        seen: dict[str, str] = {}
        for event in self.replies():
            seen[event.reply_id] = seen.get(event.reply_id, "") + event.content
            if event.withdrawn:
                del seen[event.reply_id]
        return seen

    async def answers(self, conversation: str) -> list[str]:
        """What somebody who opens the conversation sees."""
        messages = await self.partner.messages.list(conversation)
        return [message.text for message in messages if message.role is Role.PARTNER]


@pytest.fixture
async def house(home: Home, action_dir: Path) -> AsyncIterator[StatusController]:
    one = StatusController(home, action_dir)
    await one.partner.launch()
    try:
        yield one
    finally:
        await one.partner.close()


def is_piece(event: Event) -> bool:
    return isinstance(event, ReplyEvent) and bool(event.content)


def echo(gate: asyncio.Event | None = None) -> object:
    """An answer that repeats what was said; with a gate, after a first piece."""

    def script(request: object) -> list[Piece]:
        text = getattr(request, "text", "")
        return [f"To {text!r}: ", *([gate] if gate is not None else []), "yes."]

    return script


def check_counted(replies: list[ReplyEvent]) -> None:
    """Every reply counts its events from 0 without a gap and ends once, or once more when it is withdrawn."""
    by_reply: dict[str, list[ReplyEvent]] = {}
    for event in replies:
        by_reply.setdefault(event.reply_id, []).append(event)
    for events in by_reply.values():
        assert [event.seq for event in events] == list(range(len(events)))
        assert events[-1].done
        assert sum(event.done and not event.withdrawn for event in events) <= 1
        assert not any(event.withdrawn for event in events[:-1])


@pytest.mark.promise("runtime.debounce.merge")
async def test_three_quick_messages_get_one_answer_to_all_three(house: StatusController) -> None:
    house.mind.script = echo()  # type: ignore[assignment]  # a script
    place = await house.say("first")
    await house.watcher.until(lambda e: isinstance(e, ReplyEvent) and e.done)
    await house.say("second", place)
    await house.say("third", place)
    await house.over(place)
    assert await house.answers(place) == ["To 'first\\nsecond\\nthird': yes."]
    assert list(house.visible().values()) == await house.answers(place)
    roles = [message.role for message in await house.partner.messages.list(place)]
    assert roles == [Role.USER, Role.USER, Role.USER, Role.PARTNER], "the answer stands below everything"
    turns = [event for event in house.watcher.events if isinstance(event, TurnEvent)]
    assert len({turn.turn_id for turn in turns}) == 1
    assert len(turns[-1].offsets_ms) == 3
    check_counted(house.replies())


@pytest.mark.promise("desktop.conversations")
@pytest.mark.parametrize("looked", [False, True])
async def test_an_answer_that_is_taken_back_is_not_new(house: StatusController, looked: bool) -> None:
    house.mind.script = echo()  # type: ignore[assignment]  # a script
    place = await house.say("first")
    await house.watcher.until(lambda e: isinstance(e, ReplyEvent) and e.done)
    conversations = house.partner.conversations
    assert (await conversations.get(place)).unread == 1
    if looked:  # for a moment: what comes after it is new again
        await conversations.look_at(place)
        await conversations.look_at("")
    await house.say("second", place)
    await house.over(place)
    assert len(await house.answers(place)) == 1
    assert (await conversations.get(place)).unread == 1
    told = [one.conversation.unread for one in house.watcher.events if isinstance(one, ConversationEvent)]
    assert told[-2:] == [0, 1], "who shows it hears of both"


@pytest.mark.promise("runtime.interrupt.rerun")
async def test_a_message_during_the_answer_takes_it_back_and_one_answer_speaks_to_both(
    house: StatusController,
) -> None:
    gate = asyncio.Event()
    house.mind.script = echo(gate)  # type: ignore[assignment]  # a script
    place = await house.say("first")
    await house.watcher.until(is_piece)
    assert len(await house.answers(place)) == 1
    await house.say("second", place)
    await house.watcher.until(lambda e: isinstance(e, ReplyEvent) and e.withdrawn)
    assert await house.answers(place) == [], "its row is gone, too"
    gate.set()
    await house.over(place)
    assert await house.answers(place) == ["To 'first\\nsecond': yes."]
    assert list(house.visible().values()) == await house.answers(place)
    withdrawn = [event for event in house.replies() if event.withdrawn]
    assert [(event.done, event.text) for event in withdrawn] == [(True, "")]
    check_counted(house.replies())


@pytest.mark.promise("runtime.interrupt.rerun")
async def test_every_exchange_of_a_merged_turn_ends_once_and_the_answer_goes_by_the_last(
    house: StatusController,
) -> None:
    gate = asyncio.Event()
    house.mind.script = echo(gate)  # type: ignore[assignment]  # a script
    place = await house.say("first", exchange_id="x1")
    await house.watcher.until(is_piece)
    await house.say("second", place, exchange_id="x2")
    await house.watcher.until(lambda e: isinstance(e, ReplyEvent) and e.withdrawn)
    assert not any(isinstance(event, DoneEvent) for event in house.watcher.events)
    gate.set()
    await house.over(place)
    await house.watcher.done("x2")
    done = [(e.exchange_id, e.status) for e in house.watcher.events if isinstance(e, DoneEvent)]
    assert done == [("x1", "ok"), ("x2", "ok")]
    final = [event for event in house.replies() if event.done and not event.withdrawn]
    assert [event.exchange_id for event in final] == ["x2"]


@pytest.mark.promise("runtime.interrupt.rerun")
async def test_what_was_begun_is_not_begun_again_and_the_answer_speaks_of_it(house: StatusController) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    gate = asyncio.Event()
    house.mind.script = lambda _: ["Well, ", gate, "done."]
    place = await house.say('shout "good morning" in capital letters')
    await house.watcher.until(is_piece)
    await house.say("and thank you", place)
    gate.set()
    await house.over(place)
    actions = await house.partner.actions.list()
    assert [action.status for action in actions] == [ActionStatus.WAITING], "one card, not two"
    last = house.mind.asked[-1]
    assert last.text == 'shout "good morning" in capital letters\nand thank you'
    (proposed,) = [fact for fact in last.evidence if isinstance(fact, Proposed)]
    assert proposed.action.id == actions[0].id
    messages = await house.partner.messages.list(place)
    assert [m.role for m in messages] == [Role.USER, Role.ACTION, Role.USER, Role.PARTNER]
    assert all(message.state is MessageState.DONE for message in messages)


@pytest.mark.promise("runtime.interrupt.rerun")
async def test_two_wishes_at_once_are_both_seen_to(house: StatusController) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    await house.drop("wine", PEEK)
    house.mind.before_evaluation = gate = asyncio.Event()
    place = await house.say('shout "good morning" in capital letters')
    await house.say("tell the age of this wine", place)
    gate.set()
    await house.over(place)
    actions = await house.partner.actions.list()
    assert sorted(action.key for action in actions) == ["local::upper", "local::wine"]
    texts = {action.key: action.request_text for action in actions}
    assert texts["local::wine"] == "tell the age of this wine"
    assert len(await house.answers(place)) == 1
    assert len(house.mind.asked[-1].evidence) == 2


async def test_small_talk_in_two_messages_is_answered_as_such(house: StatusController) -> None:
    await house.over(await house.say("thanks"))  # the first answer of all says more: one has just met
    place = await house.say("hello")
    await house.say("how are you?", place)
    await house.over(place)
    (answer,) = await house.answers(place)
    await house.until(lambda e: isinstance(e, DoneEvent))
    other = await house.say("how are you?")
    await house.over(other)
    assert answer == (await house.answers(other))[0]


async def test_one_wish_in_pieces_is_understood_as_one(house: StatusController) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    house.mind.before_evaluation = gate = asyncio.Event()
    place = await house.say("shout in capital letters")
    await house.say('"good morning"', place)
    gate.set()
    await house.over(place)
    (action,) = await house.partner.actions.list()
    assert action.params == {"text": "good morning"}
    assert action.status is ActionStatus.WAITING


async def test_an_answer_to_a_question_that_was_just_asked_leaves_nothing_asked(
    house: StatusController,
) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    gate = asyncio.Event()
    house.mind.script = lambda _: ["Well, ", gate, "done."]
    place = await house.say("please shout something in capital letters")
    await house.watcher.until(is_piece)
    await house.say("dinner is ready", place)
    gate.set()
    await house.over(place)
    (action,) = await house.partner.actions.list()
    assert action.status is ActionStatus.WAITING
    assert [type(fact).__name__ for fact in house.mind.asked[-1].evidence] == ["Proposed"]


@pytest.mark.promise("runtime.selfturn")
async def test_a_finished_action_is_told_where_it_was_asked_for_and_plans_nothing_new(
    house: StatusController,
) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    asked = await house.say('shout "good morning" in capital letters')
    await house.say("hello", exchange_id="elsewhere")
    await house.over(asked)
    (action,) = await house.partner.actions.list()
    evaluated = len(house.mind.evaluated)
    await house.partner.actions.approve(action.id, scope="once")
    await house.until(lambda e: isinstance(e, ResultEvent))
    told = await house.until(lambda e: isinstance(e, ReplyEvent) and e.done and "GOOD MORNING" in e.text)
    assert (told.conversation_id, told.exchange_id) == (asked, action.exchange_id)
    assert isinstance(house.mind.asked[-1].evidence[0], Finished)
    assert len(house.mind.evaluated) == evaluated, "a result is not a wish"
    modules = [event for event in house.watcher.events if isinstance(event, ModuleEvent)]
    took_part = {event.module for event in modules if event.turn_id == modules[-1].turn_id}
    assert "CommunicationProducer" in took_part
    assert "ActionPlanner" not in took_part
    assert "GOOD MORNING" in (await house.answers(asked))[-1]


@pytest.mark.promise("runtime.reply.noreply")
@pytest.mark.parametrize("pieces", [["NO", "_REP", "LY\n", "They only said thanks."], ["NO_REPLY"]])
async def test_a_reply_that_is_not_for_the_person_is_kept_and_never_shown(
    house: StatusController, pieces: list[str]
) -> None:
    house.mind.script = lambda _: pieces
    place = await house.say("thanks")
    await house.over(place)
    assert house.replies() == []
    assert await house.answers(place) == []
    assert not await house.partner.conversations.search("only said")
    house.mind.script = echo()  # type: ignore[assignment]  # a script
    await house.say("and now?", place)
    await house.until(lambda e: isinstance(e, ReplyEvent) and e.done)
    kept = [m for m in house.mind.asked[-1].recent if m.state is MessageState.NOT_REPLIED]
    assert [message.text for message in kept] == ["".join(pieces)], "the mind knows that it said nothing"


@pytest.mark.promise("runtime.reply.noreply")
async def test_only_the_first_characters_are_withheld(house: StatusController) -> None:
    gate = asyncio.Event()
    house.mind.script = lambda _: ["NO", " way", gate, ", sir.\nNO_REPLY"]
    place = await house.say("may I?")
    first = await house.watcher.until(is_piece)
    assert isinstance(first, ReplyEvent)
    assert first.content == "NO way", "what cannot be the marker any more is shown at once"
    gate.set()
    await house.over(place)
    assert await house.answers(place) == ["NO way, sir.\nNO_REPLY"]


async def test_a_stop_keeps_what_had_come_even_of_what_was_withheld(house: StatusController) -> None:
    house.mind.script = lambda _: ["NO", asyncio.Event()]
    place = await house.say("may I?")
    await asyncio.wait_for(house.mind.waits.wait(), WAIT_S)
    await house.partner.conversations.stop(place)
    assert await house.answers(place) == ["NO"]


@pytest.mark.promise("runtime.reply.events")
async def test_reply_events_count_from_zero_and_end_once_with_the_whole_text(house: StatusController) -> None:
    house.mind.script = lambda _: ["one ", "two ", "three"]
    place = await house.say("count")
    await house.over(place)
    events = house.replies()
    assert [event.content for event in events] == ["one ", "two ", "three", ""]
    assert [event.seq for event in events] == [0, 1, 2, 3]
    assert [event.done for event in events] == [False, False, False, True]
    assert events[-1].text == "one two three"
    assert {event.conversation_id for event in events} == {place}


@pytest.mark.promise("runtime.reply.events")
async def test_only_the_addressee_of_an_event_gets_it(house: StatusController) -> None:
    mine = await house.say("hello")
    theirs = await house.say("hello")
    ear = OneConversation(mine)
    house.partner._channels.register(ear)
    for place in (mine, theirs):
        await house.say("hello again", place, source="terminal", exchange_id=place)
    for place in (mine, theirs):
        await house.watcher.done(place)
    assert ear.events
    assert {event.conversation_id for event in ear.events} == {mine}
    assert any(isinstance(event, ReplyEvent) and event.done for event in ear.events)


class OneConversation:
    """A channel whose client may hear of one conversation."""

    name = "one conversation"

    def __init__(self, conversation: str) -> None:
        self._conversation = conversation
        self.events: list[Event] = []

    def accepts(self, event: Event) -> bool:
        return event.conversation_id == self._conversation

    def deliver(self, event: Event) -> None:
        self.events.append(event)


async def test_a_piece_is_told_as_soon_as_it_is_there(house: StatusController) -> None:
    gate = asyncio.Event()
    house.mind.script = lambda _: ["a", gate, *("b" for _ in range(50))]
    others: list[int] = []

    async def tick() -> None:
        while True:
            others.append(len(house.replies()))
            await asyncio.sleep(0)

    place = await house.say("stream")
    await house.watcher.until(is_piece)
    assert [event.content for event in house.replies()] == ["a"], "a slow stream does not wait for more"
    ticking = asyncio.ensure_future(tick())
    gate.set()
    await house.over(place)
    ticking.cancel()
    assert len(set(others)) > 25, "a fast stream does not come as one lump: others run in between"


async def test_a_command_gets_its_answer_without_waiting_for_more(house: StatusController) -> None:
    house.mind.script = echo()  # type: ignore[assignment]  # a script
    await house.say("hello", source="terminal", exchange_id="x", standing=ApprovalMode.NEVER)
    done = await house.watcher.done("x")  # the quiet clock stands still
    assert done.status == "ok"
    assert [event.exchange_id for event in house.replies() if event.done] == ["x"]


async def test_two_commands_in_one_conversation_each_get_their_own_answer(house: StatusController) -> None:
    gate = asyncio.Event()
    house.mind.script = echo(gate)  # type: ignore[assignment]  # a script
    place = await house.say("one", source="terminal", exchange_id="x1")
    await house.watcher.until(is_piece)
    await house.say("two", place, source="terminal", exchange_id="x2")
    gate.set()
    await house.watcher.done("x2")
    finals = [(event.exchange_id, event.text) for event in house.replies() if event.done]
    assert finals == [("x1", "To 'one': yes."), ("x2", "To 'two': yes.")]


async def test_a_stop_before_the_first_word_leaves_the_card_and_no_empty_message(
    house: StatusController,
) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    house.mind.script = lambda _: [asyncio.Event()]
    place = await house.say('shout "good morning" in capital letters')
    await asyncio.wait_for(house.mind.waits.wait(), WAIT_S)
    await house.partner.conversations.stop(place)
    messages = await house.partner.messages.list(place)
    assert [message.role for message in messages] == [Role.USER, Role.ACTION]


async def test_a_stop_while_a_card_is_put_there_leaves_no_empty_message(
    house: StatusController, home: Home
) -> None:
    await house.drop("upper", UPPER_SCRIPT)
    place = await house.say("hello")
    await house.over(place)
    with closing(sqlite3.connect(home.database, isolation_level=None)) as other:

        def hold(event: Event) -> None:
            if isinstance(event, ModuleEvent) and (event.module, event.state) == ("ActionPlanner", "running"):
                other.execute("BEGIN IMMEDIATE")  # the card's writing waits for this

        undo = house.partner.subscribe(hold)
        await house.say('shout "good morning" in capital letters', place)
        reading: asyncio.Task[object] | None = None
        while reading is None or reading.done():  # until the database is busy with the card
            reading = asyncio.create_task(house.partner.messages.list(place))
            await asyncio.wait([reading], timeout=0.02)
        undo()
        stopping = asyncio.create_task(house.partner.conversations.stop(place))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        other.execute("ROLLBACK")
        await asyncio.wait([reading, stopping])
    messages = await house.partner.messages.list(place)
    assert [message.role for message in messages if message.action_id] == [Role.ACTION]
    assert all(message.text or message.action_id for message in messages)
