"""The window's store: what it keeps of what Partner tells, and what it leaves aside."""

from __future__ import annotations

from dataclasses import replace

import pytest

from partner_desktop.desktop.window_store import Records, Store
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import (
    ActionEvent,
    ConversationEvent,
    ConversationGoneEvent,
    Event,
    MessageEvent,
    ReplyEvent,
    ResultEvent,
    TurnEvent,
)
from partner_desktop.domain.message import Conversation, Message, Role

from .samples import NOON, count_action


@pytest.fixture
def store() -> Store:
    return Store()


def told(records: Records[str]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What the records say that changed, as it comes."""
    said: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    records.changed.connect(lambda ids, gone: said.append((ids, gone)))
    return said


def test_records_tell_what_is_new_and_what_is_gone_by_id() -> None:
    records: Records[str] = Records(lambda text: text[:1])
    said = told(records)
    records.take(["a1", "b1"])
    records.take(["a2"], ["b", "unknown"])
    records.take_all(["c1"])
    assert said == [(("a", "b"), ()), (("a",), ("b",)), (("c",), ("a",))]
    assert records.values() == ["c1"]


def test_nothing_is_told_where_nothing_changed() -> None:
    records: Records[str] = Records(lambda text: text[:1])
    said = told(records)
    records.take((), ["a"])
    assert said == []


def test_a_record_that_came_late_does_not_replace_the_newer_one(store: Store) -> None:
    running = count_action("a1", status=ActionStatus.RUNNING)
    done = replace(running, status=ActionStatus.SUCCEEDED)
    said = []
    store.actions.changed.connect(lambda ids, _gone: said.append(ids))
    store.take(ResultEvent(conversation_id="c1", action=done))
    store.take(ActionEvent(conversation_id="c1", action=running))
    assert store.actions.get("a1") == done
    assert said == [("a1",)]


def test_of_very_many_actions_those_that_wait_are_never_forgotten(store: Store) -> None:
    store.take(ActionEvent(action=count_action("waits", status=ActionStatus.WAITING)))
    for number in range(600):
        store.take(ResultEvent(action=count_action(f"a{number}", status=ActionStatus.SUCCEEDED)))
    assert "waits" in store.actions
    assert "a0" not in store.actions
    assert "a599" in store.actions
    assert len(store.actions) == 500


def test_a_conversation_goes_with_its_actions_and_the_one_spoken_in_moves_up(store: Store) -> None:
    known = Conversation("c1", "Tidy up", NOON, NOON)
    store.take(ConversationEvent(conversation_id="c1", conversation=known))
    later = NOON.replace(hour=13)
    said = Message("m1", "c1", Role.USER, "hello", later, position=1)
    store.take(MessageEvent(conversation_id="c1", message=said))
    assert store.conversations.get("c1") == replace(known, updated_at=later)
    store.take(ActionEvent(conversation_id="c1", action=count_action("a1")))
    store.take(ConversationGoneEvent(conversation_id="c1", conversation=known))
    assert len(store.conversations) == len(store.actions) == 0


def test_a_reply_is_known_while_it_comes_and_one_taken_back_as_such(store: Store) -> None:
    def say(reply_id: str, content: str, *, done: bool = False, withdrawn: bool = False) -> None:
        event = ReplyEvent(
            conversation_id="c1",
            reply_id=reply_id,
            seq=0,
            content=content,
            done=done,
            withdrawn=withdrawn,
        )
        store.take(event)

    say("r1", "Hel")
    say("r1", "lo")
    live = store.replies.get("r1")
    assert live is not None
    assert live.text == "Hello"
    whole: list[str] = []

    def look(event: Event) -> None:
        if isinstance(event, ReplyEvent) and event.done and (live := store.replies.get("r1")) is not None:
            whole.append(live.text)

    store.happened.connect(look)
    say("r1", "!", done=True)
    assert whole == ["Hello!"], "known to the end"
    assert "r1" not in store.replies, "then the database has it"
    say("r2", "No", done=True, withdrawn=True)
    taken_back = store.replies.get("r2")
    assert taken_back is not None
    assert taken_back.withdrawn


def test_where_a_turn_or_a_run_goes_on_is_in_work(store: Store) -> None:
    store.take(TurnEvent(conversation_id="c1", turn_id="t1", state="started"))
    running = count_action("a1", status=ActionStatus.RUNNING)
    store.take(ActionEvent(conversation_id="c1", action=replace(running, conversation_id="c2")))
    assert store.in_work == {"c1", "c2"}
    store.take(TurnEvent(conversation_id="c1", turn_id="t1", state="ended"))
    assert store.in_work == {"c2"}
