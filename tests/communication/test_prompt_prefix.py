"""The prefix: to the letter the same from turn to turn, but for what was said since."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from itertools import pairwise

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.communication.prompt_budget import MOST_MESSAGES
from partner_desktop.domain.events import ReplyEvent
from partner_desktop.domain.message import MessageState, Role
from tests.communication.talk import Talk, prefix_of, text_of
from tests.runtime.minds import ScriptedMind
from tests.support import WAIT_S, FakeClock


def texts(parts: object) -> list[str]:
    return [part.text for part in parts]  # type: ignore[attr-defined]  # prompt parts


def begin(parts: object) -> str:
    """The message that the dialog begins with."""
    return next((part.message_id for part in parts if part.name == "dialog"), "")  # type: ignore[attr-defined]


@pytest.mark.promise("model.prefix")
@pytest.mark.integration
async def test_over_sixty_turns_with_changing_abilities_a_prefix_only_grows_at_its_end(
    home: Home, clock: FakeClock
) -> None:
    mind = ScriptedMind(lambda request: [f"An answer to {request.text}."])
    async with Talk(home, mind, clock=clock) as talk:
        for number in range(60):
            if number % 7 == 3:
                talk.abilities.add(f"new{number}")
            if number % 11 == 5:
                talk.abilities.edit("draw", f"Draw in style {number}")
            if number == 20:
                talk.abilities.drop("zip")
            await talk.say(f"question {number}")
    prefixes = [prefix_of(request) for request in mind.asked]
    moves = 0
    for before, after in pairwise(prefixes):
        if begin(before) and begin(before) != begin(after):
            moves += 1
            continue
        assert texts(after)[: len(before)] == texts(before)
    assert moves == -(-(2 * 59 - MOST_MESSAGES) // 12), "it moves in whole steps, and only when it must"
    assert max(len(one) for one in prefixes) == 2 + MOST_MESSAGES


async def test_what_came_changed_or_went_rides_in_the_tail_until_the_window_moves(
    home: Home, clock: FakeClock
) -> None:
    mind = ScriptedMind(lambda _: ["Yes."])
    async with Talk(home, mind, clock=clock) as talk:
        await talk.say("one")
        talk.abilities.add("sing", "Sing a song")
        talk.abilities.edit("draw", "Draw with a brush")
        talk.abilities.drop("zip")
        await talk.say("two")
        second = mind.asked[-1]
        assert text_of(second, "capabilities") == text_of(mind.asked[0], "capabilities")
        assert text_of(second, "abilities").splitlines()[1:] == [
            "- gone, cannot be done any more: local::zip",
            "- changed: local::draw: Draw with a brush",
            "- now also: local::sing: Sing a song",
        ]
        names = [part.name for part in second.prompt]
        assert names[-3:] == ["context", "abilities", "input"]
        talk.abilities.drop("sing")
        await talk.say("three")
        assert "sing" not in "".join(part.text for part in mind.asked[-1].prompt)
        for number in range(MOST_MESSAGES // 2):
            await talk.say(f"more {number}")
    last = mind.asked[-1]
    assert text_of(last, "abilities") == ""
    assert "Draw with a brush" in text_of(last, "capabilities")
    assert "local::zip" not in text_of(last, "capabilities")


async def test_all_questions_of_a_turn_get_the_same_prefix_also_when_they_come_together(
    home: Home, clock: FakeClock
) -> None:
    mind = ScriptedMind(lambda _: ["Yes."])
    async with Talk(home, mind, clock=clock) as talk:
        await talk.say("one")
        flow = await talk.flow("two")
        first, second = await asyncio.gather(talk.prefixes.prefix(flow.ref), talk.prefixes.prefix(flow.ref))
        assert first.parts is second.parts
        await talk.dialog.append(talk.place, Role.ACTION, "", action_id="x")
        await talk.dialog.append(talk.place, Role.PARTNER, "", state=MessageState.STREAMING)
        await talk.producer.execute(flow)
        assert prefix_of(mind.asked[-1]) == list(first.parts)
        assert texts(first.parts)[2:] == ["one", "Yes."]


async def test_what_a_dialog_holds_of_a_message_never_changes_afterwards(
    home: Home, clock: FakeClock
) -> None:
    mind = ScriptedMind(
        lambda request: ["NO_REPLY\nonly thanks"] if "thanks" in request.text else ["Ye", "s."]
    )
    async with Talk(home, mind, clock=clock) as talk:
        await talk.say("one")
        mind.script = lambda _: ["half a", asyncio.Event()]
        stopped = asyncio.create_task(talk.say("two"))
        await asyncio.wait_for(mind.waits.wait(), WAIT_S)
        stopped.cancel()
        await asyncio.wait([stopped])
        gate = asyncio.Event()
        mind.script = lambda _: ["go", gate, "ne", asyncio.Event()]
        mind.waits.clear()
        flow = await talk.flow("three")
        again = asyncio.create_task(talk.producer.execute(flow))
        await asyncio.wait_for(mind.waits.wait(), WAIT_S)
        clock.move(timedelta(seconds=2))
        gate.set()
        await talk.watcher.until(lambda e: isinstance(e, ReplyEvent) and e.content == "ne")
        mind.waits.clear()
        await asyncio.wait_for(mind.waits.wait(), WAIT_S)
        assert (await talk.answer()).text == "gone", "it was checkpointed"
        during = await talk.prefixes.prefix((await talk.flow("elsewhere")).ref)
        flow.interruption.ask()
        await asyncio.wait([again])
        await talk.producer.withdraw(flow)
        mind.script = lambda _: ["NO_REPLY\nonly thanks"]
        await talk.producer.execute(flow.again(flow.inputs))
        mind.script = lambda _: ["x" * 9_000]
        await talk.say("four")
        mind.script = lambda _: ["Yes."]
        await talk.say("five")
        last = prefix_of(mind.asked[-1])
    assert "gone" not in texts(during.parts), "what is being written is in no prefix"
    assert texts(last)[2:6] == ["one", "Yes.", "two", "half a"]
    for request in mind.asked:
        prefix = prefix_of(request)
        assert texts(last)[: len(prefix)] == texts(prefix)
    assert max(len(text) for text in texts(last)) <= 4_000


async def test_a_restart_begins_with_the_dialog_as_it_stands_and_a_new_digest(
    home: Home, clock: FakeClock
) -> None:
    mind = ScriptedMind(lambda _: ["Yes."])
    async with Talk(home, mind, clock=clock) as talk:
        await talk.say("one")
        place = talk.place
        talk.abilities.add("sing")
        await talk.say("two")
    async with Talk(home, mind, clock=clock) as talk:
        talk.place = place
        talk.abilities.add("sing")
        await talk.say("three")
    assert texts(prefix_of(mind.asked[-1]))[2:] == ["one", "Yes.", "two", "Yes."]
    assert "local::sing" in text_of(mind.asked[-1], "capabilities")
    assert text_of(mind.asked[-1], "abilities") == ""
