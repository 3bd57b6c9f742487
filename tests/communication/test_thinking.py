"""What a model thinks before it speaks stands beside its reply, and nowhere else."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.commands.console.transcript import Transcript
from partner_desktop.domain.events import DoneEvent, ReplyEvent
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.mind.question import Cut, Thought
from tests.communication.talk import Talk
from tests.runtime.minds import ScriptedMind
from tests.support import WAIT_S, FakeClock, HastyClock, Watcher

SECRET = "pineapple"


async def test_thoughts_come_as_pieces_beside_the_text_and_the_end_has_all_of_both(
    home: Home, clock: FakeClock
) -> None:
    mind = ScriptedMind(lambda _: [Thought("Let me "), Thought(f"see: {SECRET}."), "It is ", "seven."])
    async with Talk(home, mind, clock=clock) as talk:
        await talk.say("what is it?")
        events = talk.replies()
        kept = await talk.answer()
    assert [(event.content, event.reasoning) for event in events[:-1]] == [
        ("", "Let me "), ("", f"see: {SECRET}."), ("It is ", ""), ("seven.", ""),
    ]  # fmt: skip
    assert [event.seq for event in events] == [0, 1, 2, 3, 4]
    assert all(type(event.reasoning) is str for event in events)
    end = events[-1]
    assert (end.done, end.text, end.reasoning) == (True, "It is seven.", f"Let me see: {SECRET}.")
    assert (kept.text, kept.reasoning) == (end.text, end.reasoning)


async def test_thoughts_are_in_no_prompt_that_follows(home: Home, clock: FakeClock) -> None:
    mind = ScriptedMind(lambda _: [Thought(SECRET), "It is seven."])
    async with Talk(home, mind, clock=clock) as talk:
        await talk.say("what is it?")
        await talk.say("and why?")
    told = "".join(part.text for part in mind.asked[-1].prompt)
    assert "It is seven." in told
    assert SECRET not in told


async def test_thoughts_are_checkpointed_with_the_text(home: Home, clock: FakeClock) -> None:
    gate = asyncio.Event()
    mind = ScriptedMind(lambda _: [Thought("one "), gate, Thought("two "), asyncio.Event()])
    async with Talk(home, mind, clock=clock) as talk:
        turn = asyncio.create_task(talk.say("what is it?"))
        await asyncio.wait_for(mind.waits.wait(), WAIT_S)
        clock.move(timedelta(seconds=1.5))
        gate.set()
        await talk.watcher.until(lambda e: isinstance(e, ReplyEvent) and e.reasoning == "two ")
        mind.waits.clear()
        await asyncio.wait_for(mind.waits.wait(), WAIT_S)
        kept = await talk.answer()
        turn.cancel()
        await asyncio.wait([turn])
    assert (kept.reasoning, kept.state) == ("one two ", MessageState.STREAMING)


async def test_a_turn_stopped_while_it_only_thought_leaves_a_stopped_message_with_its_thoughts(
    home: Home, clock: FakeClock
) -> None:
    mind = ScriptedMind(lambda _: [Thought("Well, "), asyncio.Event()])
    async with Talk(home, mind, clock=clock) as talk:
        turn = asyncio.create_task(talk.say("what is it?"))
        await asyncio.wait_for(mind.waits.wait(), WAIT_S)
        turn.cancel()
        await asyncio.wait([turn])
        kept = await talk.answer()
        end = talk.replies()[-1]
    assert (kept.text, kept.reasoning, kept.state) == ("", "Well, ", MessageState.STOPPED)
    assert (end.done, end.stopped, end.text, end.reasoning) == (True, True, "", "Well, ")


async def test_a_reply_that_reached_its_longest_length_is_kept_and_told_as_cut(
    home: Home, clock: FakeClock
) -> None:
    async with Talk(home, ScriptedMind(lambda _: ["And then", Cut()]), clock=clock) as talk:
        await talk.say("tell me much")
        kept, end = await talk.answer(), talk.replies()[-1]
    assert (kept.text, kept.state) == ("And then", MessageState.CUT)
    assert (end.done, end.stopped, end.state, end.text) == (True, False, MessageState.CUT, "And then")


async def test_a_crash_while_it_only_thought_keeps_the_thoughts_as_broken_off(
    home: Home, clock: FakeClock
) -> None:
    async with Talk(home, ScriptedMind(), clock=clock) as talk:
        row = await talk.dialog.append(talk.place, Role.PARTNER, "", state=MessageState.STREAMING)
        empty = await talk.dialog.append(talk.place, Role.PARTNER, "", state=MessageState.STREAMING)
        await talk.dialog.revise(row.id, text="", state=MessageState.STREAMING, reasoning="Well, ")
        await talk.dialog.launch()
        left = await talk.messages()
    assert [(one.id, one.state, one.reasoning) for one in left] == [
        (row.id, MessageState.BROKEN_OFF, "Well, ")
    ]
    assert empty.id not in {one.id for one in left}


async def test_a_reply_that_was_thought_about_and_is_not_for_the_person_goes_again(
    home: Home, clock: FakeClock
) -> None:
    mind = ScriptedMind(lambda _: [Thought("Only thanks."), "NO_REPLY\nthey said thanks"])
    async with Talk(home, mind, clock=clock) as talk:
        await talk.say("thanks")
        events, kept = talk.replies(), await talk.messages()
    assert [event.reasoning for event in events] == ["Only thanks.", ""]
    assert events[-1].withdrawn
    assert [(one.role, one.state) for one in kept] == [
        (Role.USER, MessageState.DONE), (Role.PARTNER, MessageState.NOT_REPLIED),
    ]  # fmt: skip


async def test_a_revision_that_does_not_speak_of_thoughts_keeps_them(home: Home, clock: FakeClock) -> None:
    async with Talk(home, ScriptedMind(), clock=clock) as talk:
        row = await talk.dialog.append(talk.place, Role.PARTNER, "a")
        await talk.dialog.revise(row.id, text="b", state=MessageState.DONE, reasoning="why")
        await talk.dialog.revise(row.id, text="c", state=MessageState.DONE)
        (kept,) = await talk.messages()
    assert (kept.text, kept.reasoning) == ("c", "why")


@pytest.mark.integration
async def test_thoughts_are_in_no_search_and_no_markdown_and_survive_a_json_file(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    mind = ScriptedMind(lambda _: [Thought(SECRET), "It is seven."])
    partner = Partner(home, action_dir, meaning=False, mind=mind, quiet_clock=HastyClock())
    watcher = Watcher()
    await partner.launch()
    try:
        partner.subscribe(watcher)
        place = (await partner.messages.send("what is it?", conversation_id=None)).conversation_id
        await watcher.until(lambda e: isinstance(e, DoneEvent))
        assert await partner.conversations.search("seven")
        assert not await partner.conversations.search(SECRET)
        text, data = tmp_path / "talk.md", tmp_path / "talk.json"
        await partner.conversations.export_to(place, text, kind="markdown")
        await partner.conversations.export_to(place, data, kind="json")
        assert "seven" in text.read_text("utf-8")
        assert SECRET not in text.read_text("utf-8")
        assert json.loads(data.read_text("utf-8"))["messages"][-1]["reasoning"] == SECRET
        back = await partner.conversations.import_from(data)
        assert (await partner.messages.list(back.id))[-1].reasoning == SECRET
    finally:
        await partner.close()


def test_the_console_says_that_it_thinks_and_writes_no_thought_down() -> None:
    lines: list[str] = []
    transcript = Transcript(lines.append, lambda: 80)
    thinks = []
    for number, (content, reasoning) in enumerate([("", SECRET), ("Seven.", ""), ("", SECRET)]):
        done = number == 2
        transcript.show(
            ReplyEvent(reply_id="r", seq=number, content=content, reasoning=reasoning, done=done).to_json()
        )
        thinks.append(transcript.thinking)
    assert thinks == [True, False, False]
    assert lines == ["Seven."]
