"""Takes through the Partner: an answer had anew, a message said differently, one of several ways chosen."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import (
    ConversationEvent,
    Event,
    MessageEvent,
    ProposalEvent,
    ResultEvent,
    RunEvent,
    TakeEvent,
    TurnEvent,
)
from partner_desktop.domain.message import Message, MessageState, Role
from tests.runtime.takes.talk import Talk
from tests.support import UPPER_SCRIPT

pytestmark = [pytest.mark.promise("desktop.edit"), pytest.mark.integration]

SLEEPER = """\
# /// partner
# description = "Wait for the bus"
# ///
import time
time.sleep(600)
"""


def database(home: Home, query: str) -> list[Any]:
    with closing(sqlite3.connect(home.database)) as connection:
        return connection.execute(query).fetchall()


# Regenerate.


async def test_a_regenerated_answer_takes_the_old_ones_place_and_both_can_be_chosen(talk: Talk) -> None:
    await talk.say("hello")
    assert (await talk.line()).again == "words"
    await talk.regenerate(await talk.last())
    assert await talk.texts() == ["hello", "answer 2"]
    assert await talk.forks() == [(2, 2, "answer 2")]
    await talk.regenerate(await talk.last())
    assert await talk.forks() == [(3, 3, "answer 3")]
    await talk.choose(0, 0)
    assert await talk.texts() == ["hello", "answer 1"]
    assert await talk.forks() == [(1, 3, "answer 1")]
    await talk.choose(0, 2)
    assert await talk.texts() == ["hello", "answer 3"]


async def test_everyone_hears_of_the_change_before_the_new_answer(talk: Talk) -> None:
    asked = await talk.say("hello")
    await talk.regenerate(await talk.last())
    first, second = talk.watcher.events[:2]
    assert isinstance(first, TakeEvent)
    assert (first.conversation_id, first.from_position) == (talk.id, asked.position + 1)
    assert isinstance(second, TurnEvent)
    await talk.choose(0, 0)
    assert [event.type for event in talk.watcher.events] == ["take"]


async def test_a_regenerated_answer_begins_nothing_though_an_ability_fits_by_now(
    talk: Talk, action_dir: Path
) -> None:
    await talk.say("wait for the bus")
    (action_dir / "dynamic" / "bus.py").write_text(SLEEPER)
    await talk.watcher.until(lambda event: event.type == "abilities")
    await talk.regenerate(await talk.last())
    assert await talk.partner.actions.list() == []
    assert [message.role for message in await talk.shown()] == [Role.USER, Role.PARTNER]
    request = talk.mind.asked[-1]
    assert request.text == "wait for the bus"
    assert [message.text for message in request.recent] == ["wait for the bus"]


async def test_the_next_message_is_no_part_of_the_answer_that_is_had_anew(talk: Talk) -> None:
    gate = asyncio.Event()
    await talk.say("hello")
    talk.mind.script = lambda request: [f"to {request.text}: ", gate, "done"]
    await talk.partner.messages.regenerate((await talk.last()).id)
    await talk.mind.waits.wait()
    sent = await talk.partner.messages.send("and the weather?", conversation_id=talk.id)
    gate.set()
    await talk.watcher.done(await exchange_of(talk, sent))
    assert await talk.texts() == [
        "hello", "to hello: done", "and the weather?", "to and the weather?: done",
    ]  # fmt: skip


async def exchange_of(talk: Talk, message: Message) -> str:
    found = await talk.watcher.until(
        lambda event: isinstance(event, MessageEvent) and event.message.id == message.id
    )
    return found.exchange_id


async def test_a_stopped_answer_can_be_had_anew(talk: Talk) -> None:
    talk.mind.script = lambda request: ["half an ", asyncio.Event(), "answer"]
    message = await talk.partner.messages.send("hello", conversation_id=None)
    talk.id = message.conversation_id
    await talk.mind.waits.wait()
    with pytest.raises(UsageError, match="still"):
        await talk.partner.messages.edit(message.id, "hi")
    with pytest.raises(UsageError, match="still"):
        await talk.partner.messages.regenerate((await talk.last()).id)
    await talk.partner.conversations.stop(talk.id)
    stopped = await talk.last()
    assert (stopped.text, stopped.state) == ("half an ", MessageState.STOPPED)
    talk.mind.script = lambda request: ["a whole answer"]
    await talk.regenerate(stopped)
    assert await talk.texts() == ["hello", "a whole answer"]


async def test_an_answer_stopped_before_its_first_word_leaves_the_way_back(talk: Talk) -> None:
    await talk.say("hello")
    talk.mind.script = lambda request: [asyncio.Event()]
    await talk.partner.messages.regenerate((await talk.last()).id)
    await talk.mind.waits.wait()
    await talk.partner.conversations.stop(talk.id)
    assert await talk.texts() == ["hello"]
    assert await talk.forks() == [(2, 2, "hello")]
    await talk.choose(0, 0)
    assert await talk.texts() == ["hello", "answer 1"]


async def test_messages_that_were_answered_together_are_answered_anew_together(talk: Talk) -> None:
    talk.mind.before_evaluation = asyncio.Event()
    first = await talk.partner.messages.send("one", conversation_id=None)
    talk.id = first.conversation_id
    second = await talk.partner.messages.send("two", conversation_id=talk.id)
    talk.mind.before_evaluation.set()
    await talk.watcher.done(await exchange_of(talk, second))
    assert talk.mind.asked[-1].text == "one\ntwo"
    await talk.regenerate(await talk.last())
    assert talk.mind.asked[-1].text == "one\ntwo"
    assert [text for text in await talk.texts() if "answer" not in text] == ["one", "two"]
    assert len(await talk.texts()) == 3


async def test_what_led_to_a_card_is_asked_again_instead(talk: Talk, action_dir: Path) -> None:
    (action_dir / "dynamic" / "bus.py").write_text(SLEEPER)
    await talk.watcher.until(lambda event: event.type == "abilities")
    asked = await talk.say("wait for the bus")
    words = next(message for message in await talk.shown() if message.role is Role.PARTNER)
    line = await talk.line()
    assert (line.again, line.asked_id, line.asked_text) == ("ask", asked.id, "wait for the bus")
    with pytest.raises(UsageError, match="Ask again"):
        await talk.partner.messages.regenerate(words.id)
    await talk.edit(asked, line.asked_text)
    assert [record.status for record in await talk.partner.actions.list()] == [
        ActionStatus.WAITING,
        ActionStatus.REJECTED,
    ]


async def test_what_is_no_answer_cannot_be_had_anew(talk: Talk) -> None:
    asked = await talk.say("hello")
    for what in (asked.id, "nobody"):
        with pytest.raises(UsageError):
            await talk.partner.messages.regenerate(what)
    with pytest.raises(UsageError, match="yourself"):
        await talk.partner.messages.edit((await talk.last()).id, "something else")
    with pytest.raises(UsageError, match="nothing in this"):
        await talk.partner.messages.edit(asked.id, "  ")
    assert await talk.texts() == ["hello", "answer 1"]
    assert await talk.forks() == []


# Edit.


async def test_an_edited_message_begins_a_new_way_and_the_old_one_is_kept(talk: Talk) -> None:
    first = await talk.say("hello")
    await talk.say("how are you")
    await talk.edit(first, "good morning")
    assert await talk.texts() == ["good morning", "answer 3"]
    assert await talk.forks() == [(2, 2, "good morning")]
    assert [message.text for message in talk.mind.asked[-1].recent] == ["good morning"]
    take, titled, told = talk.watcher.events[:3]
    assert isinstance(take, TakeEvent)
    assert take.from_position == 1
    assert isinstance(titled, ConversationEvent)
    assert isinstance(told, MessageEvent)
    assert await titles(talk) == ["good morning"]
    await talk.choose(0, 0)
    assert await titles(talk) == ["hello"]
    assert await talk.texts() == ["hello", "answer 1", "how are you", "answer 2"]
    await talk.say("still there?")
    assert (await talk.texts())[-2:] == ["still there?", "answer 4"]
    await talk.choose(0, 1)
    assert await talk.texts() == ["good morning", "answer 3"]


async def titles(talk: Talk) -> list[str]:
    return [one.title for one in await talk.partner.conversations.list()]


async def test_a_title_that_was_given_stays_whatever_is_edited(talk: Talk) -> None:
    first = await talk.say("hello")
    await talk.partner.conversations.rename(talk.id, "Small talk")
    await talk.edit(first, "good morning")
    await talk.choose(0, 0)
    assert await titles(talk) == ["Small talk"]


async def test_forks_within_forks_come_back_as_they_were_left(talk: Talk) -> None:
    first = await talk.say("one")
    await talk.regenerate(await talk.last())
    second = await talk.say("two")
    await talk.edit(second, "zwei")
    left = ["one", "answer 2", "zwei", "answer 4"]
    assert await talk.texts() == left
    assert await talk.forks() == [(2, 2, "answer 2"), (2, 2, "zwei")]
    await talk.edit(first, "eins")
    assert await talk.texts() == ["eins", "answer 5"]
    assert await talk.forks() == [(2, 2, "eins")], "the forks of the other way are out of view with it"
    await talk.choose(0, 0)
    assert await talk.texts() == left
    assert await talk.forks() == [(1, 2, "one"), (2, 2, "answer 2"), (2, 2, "zwei")]
    await talk.choose(1, 0)
    assert await talk.texts() == ["one", "answer 1"]
    await talk.choose(1, 1)
    assert await talk.texts() == left


async def test_a_take_whose_place_is_out_of_view_cannot_be_chosen(talk: Talk) -> None:
    first = await talk.say("one")
    await talk.regenerate(await talk.last())
    hidden = (await talk.line()).forks[0].takes[0]
    await talk.edit(first, "eins")
    with pytest.raises(UsageError, match="not shown"):
        await talk.partner.messages.choose(hidden)


# Cards.


async def waiting_card(talk: Talk, action_dir: Path) -> tuple[Message, str]:
    """A message that led to a card, and the card's action."""
    (action_dir / "dynamic" / "bus.py").write_text(SLEEPER)
    await talk.watcher.until(lambda event: event.type == "abilities")
    await talk.say("hello")
    asked = await talk.say("wait for the bus")
    found = await talk.watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(found, ProposalEvent)
    return asked, found.action.id


async def test_no_yes_reaches_a_card_that_was_set_aside_even_when_it_is_back(
    talk: Talk, action_dir: Path, home: Home
) -> None:
    asked, card = await waiting_card(talk, action_dir)
    await talk.edit(asked, "never mind")
    ended = next(event for event in talk.watcher.events if isinstance(event, ResultEvent))
    assert (ended.action.id, ended.action.status) == (card, ActionStatus.REJECTED)
    assert not any(message.action_id for message in await talk.shown())
    with pytest.raises(UsageError, match="already settled"):
        await talk.partner.actions.approve(card, scope="once")
    await talk.choose(0, 0)
    assert [message.action_id for message in await talk.shown() if message.action_id] == [card]
    with pytest.raises(UsageError, match="already settled"):
        await talk.partner.actions.approve(card, scope="once")
    assert "nothing ran" in (await talk.partner.actions.get(card)).error
    assert not any(isinstance(event, RunEvent) for event in talk.watcher.events)
    decisions = database(home, "SELECT outcome, by_whom FROM audit WHERE kind = 'decision'")
    assert decisions == [("deny", "person")]


async def test_a_yes_in_words_is_not_for_a_card_that_was_set_aside(talk: Talk, action_dir: Path) -> None:
    asked, card = await waiting_card(talk, action_dir)
    await talk.edit(asked, "never mind")
    await talk.say("yes")
    assert (await talk.partner.actions.get(card)).status is ActionStatus.REJECTED
    assert not any(isinstance(event, RunEvent) for event in talk.watcher.events)


async def test_a_question_ends_with_the_part_that_it_was_asked_in(talk: Talk, shout_file: Path) -> None:
    asked = await talk.say("please shout something in capital letters")
    (question,) = await talk.partner.actions.list()
    assert question.status is ActionStatus.ASKING
    assert (await talk.line()).again == "ask"
    await talk.edit(asked, "hello")
    assert (await talk.partner.actions.get(question.id)).status is ActionStatus.REJECTED


@pytest.fixture
async def shout_file(talk: Talk, action_dir: Path) -> Path:
    path = action_dir / "dynamic" / "upper.py"
    path.write_text(UPPER_SCRIPT)
    await talk.watcher.until(lambda event: event.type == "abilities")
    return path


async def test_a_part_in_which_something_runs_is_not_set_aside(talk: Talk, action_dir: Path) -> None:
    asked, card = await waiting_card(talk, action_dir)
    await talk.partner.actions.approve(card, scope="once")
    await talk.watcher.until(lambda event: isinstance(event, RunEvent))
    await idle(talk)
    with pytest.raises(UsageError, match="still running here"):
        await talk.partner.messages.edit(asked.id, "never mind")
    assert (await talk.texts())[-1] != "never mind"
    await talk.partner.actions.cancel(card)
    await talk.watcher.until(lambda event: isinstance(event, ResultEvent))
    await talk.watcher.done()
    await idle(talk)
    await talk.edit(asked, "never mind")
    assert "never mind" in await talk.texts()


async def idle(talk: Talk) -> None:
    """Until every turn that began is over."""

    def over(event: Event) -> bool:
        del event
        turns = [event for event in talk.watcher.events if isinstance(event, TurnEvent)]
        return not turns or turns[-1].state != "started"

    await talk.watcher.until(over)


# Readers see the line that is shown.


async def test_search_and_exports_know_only_what_is_shown(talk: Talk, tmp_path: Path) -> None:
    first = await talk.say("xylophone")
    await talk.edit(first, "harpsichord")
    assert await talk.partner.conversations.search("xylophone") == []
    assert len(await talk.partner.conversations.search("harpsichord")) == 1
    assert await talk.partner.conversations.search("ylophon") == []
    for kind, name in (("json", "a.json"), ("markdown", "a.md")):
        await talk.partner.conversations.export_to(talk.id, tmp_path / name, kind=kind)  # type: ignore[arg-type] # one of the two
        text = (tmp_path / name).read_text()
        assert "harpsichord" in text
        assert "xylophone" not in text
    taken = await talk.partner.conversations.import_from(tmp_path / "a.json")
    assert [one.text for one in await talk.partner.messages.list(taken.id)] == ["harpsichord", "answer 2"]
    assert len(json.loads((tmp_path / "a.json").read_text())["messages"]) == 2


async def test_an_export_leaves_out_cards_that_were_set_aside(
    talk: Talk, action_dir: Path, tmp_path: Path
) -> None:
    asked, _ = await waiting_card(talk, action_dir)
    await talk.edit(asked, "never mind")
    await talk.partner.conversations.export_to(talk.id, tmp_path / "a.json", kind="json")
    assert json.loads((tmp_path / "a.json").read_text())["actions"] == []


async def test_deleting_a_conversation_erases_what_was_set_aside(talk: Talk, home: Home) -> None:
    first = await talk.say("xylophone")
    await talk.edit(first, "harpsichord")
    talk.partner.conversations.deletion.undo_s = 0.0
    await talk.partner.conversations.delete(talk.id)
    await talk.watcher.until(lambda event: event.type == "conversation_gone" and event.erased)  # type: ignore[attr-defined] # that one has it
    assert database(home, "SELECT count(*) FROM takes") == [(0,)]
    assert database(home, "SELECT count(*) FROM messages") == [(0,)]


async def test_in_a_deleted_conversation_nothing_begins_anew(talk: Talk) -> None:
    first = await talk.say("hello")
    reply = await talk.last()
    await talk.partner.conversations.delete(talk.id)
    for refused in (
        talk.partner.messages.edit(first.id, "hi"),
        talk.partner.messages.regenerate(reply.id),
        talk.partner.conversations.branch(first.id),
    ):
        with pytest.raises(UsageError, match="not in the conversation"):
            await refused
