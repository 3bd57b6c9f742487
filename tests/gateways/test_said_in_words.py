"""A command that says yes, no or an answer in words is told everything that they set off, to the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.json_value import JsonObject
from tests.action.plans.running import (
    Wanted,
    approved,
    at_rest,
    child_card,
    lines,
    proposed,
    write_abilities,
)
from tests.support import Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration


@pytest.fixture
async def session(partner: Partner, watcher: Watcher, action_dir: Path) -> Partner:
    write_abilities(action_dir)
    await watcher.until(
        lambda event: (
            isinstance(event, AbilitiesEvent)
            and sum(ability.key.startswith("local::") for ability in partner.abilities.list()) >= 4
        )
    )
    watcher.events.clear()
    return partner


async def said(session: Partner, text: str, conversation_id: str | None = None) -> list[JsonObject]:
    """What a command that says this is told."""
    return [event async for event in session.events.say(text, conversation_id=conversation_id)]


def ended(events: Sequence[JsonObject]) -> list[tuple[str, str]]:
    """Title and end of each action that it was told the result of, in order."""
    actions = [event["action"] for event in events if event["type"] == "result"]
    return [(str(each["title"]), str(each["status"])) for each in actions if isinstance(each, dict)]


def told(events: Sequence[JsonObject]) -> str:
    return "".join(str(event["content"]) for event in events if event["type"] == "reply")


def line(notes: Path, text: str) -> Wanted:
    return Wanted({"file": str(notes), "line": text})


def status(events: Sequence[JsonObject]) -> object:
    assert [event["type"] for event in events].count("done") == 1
    return events[-1]["status"]


async def test_a_yes_in_words_is_told_the_result_of_what_it_lets_run(
    session: Partner, partner: Partner, action_dir: Path
) -> None:
    for script in ("quiet", "mender"):
        (action_dir / "dynamic" / f"{script}.py").unlink()
    events = await said(session, 'scribe a line "fail" into the file ~/notes.txt')
    assert status(events) == "waiting", events
    place = str(events[-1]["conversation_id"])
    events = await said(session, "yes", place)
    assert ended(events) == [("Scribe", "failed")]
    assert "the pen broke at fail" in told(events)
    assert status(events) == "failed"
    (record,) = await partner.actions.list()
    assert record.exchange_id == events[-1]["exchange_id"]


async def test_a_yes_in_words_to_a_plan_is_told_every_step_and_the_whole(
    session: Partner, partner: Partner, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    chain = await proposed(partner, [[line(notes, "one")], [line(notes, "two")]])
    events = await said(session, "yes", chain.conversation_id)
    assert ended(events) == [("Scribe", "succeeded"), ("Scribe", "succeeded"), (chain.title, "succeeded")]
    assert "wrote one" in told(events)
    assert "wrote two" in told(events)
    assert status(events) == "ok"


async def stopped(partner: Partner, watcher: Watcher, notes: Path) -> ActionRecord:
    """A plan whose first step failed, so that its second asks."""
    chain = await approved(partner, [[line(notes, "fail")], [line(notes, "two")]])
    await child_card(watcher, chain.id)
    await at_rest(watcher, chain)
    return chain


@pytest.mark.parametrize(("words", "end"), [("yes", "succeeded"), ("no", "rejected")])
async def test_words_to_a_step_are_told_what_its_plan_goes_on_to_do(
    session: Partner, partner: Partner, watcher: Watcher, tmp_path: Path, words: str, end: str
) -> None:
    notes = tmp_path / "notes.txt"
    chain = await stopped(partner, watcher, notes)
    events = await said(session, words, chain.conversation_id)
    assert ended(events) == [("Scribe", end), (chain.title, "failed")]
    assert "the pen broke" in told(events)
    assert status(events) == "failed"
    assert lines(notes) == (["fail", "two"] if words == "yes" else ["fail"])
    assert (await partner.actions.get(chain.id)).exchange_id == events[-1]["exchange_id"]


async def test_a_plain_stop_is_a_no_to_what_asks_and_is_told_how_its_plan_ends(
    session: Partner, partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    chain = await stopped(partner, watcher, tmp_path / "notes.txt")
    events = await said(session, "stop", chain.conversation_id)
    assert ended(events)[-1] == (chain.title, "failed")
    assert "Done: 0 of 2 steps" in told(events)


async def test_a_plan_that_begins_anew_by_words_is_told_in_their_exchange(
    session: Partner, partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    chain = await stopped(partner, watcher, notes)
    events = await said(session, "start the plan over", chain.conversation_id)
    assert "**Scribe** is the next step, and not covered" in told(events)
    assert status(events) == "waiting", "its first step asks again"


async def test_an_answer_to_a_step_s_question_is_told_what_comes_of_it(
    session: Partner, partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    silent, notes = Wanted(key="local::quiet"), tmp_path / "notes.txt"
    weigh = Wanted(key="local::weigh", feeds={"thought": silent.id}, text="weigh it")
    chain = await approved(partner, [[silent], [weigh], [line(notes, "after")]])
    await at_rest(watcher, chain)
    events = await said(session, "silence is golden", chain.conversation_id)
    assert "proposal" in [event["type"] for event in events], "what was not known at the yes asks once more"
    assert status(events) == "waiting"
    events = await said(session, "yes", chain.conversation_id)
    assert ended(events) == [("Weigh", "succeeded"), ("Scribe", "succeeded"), (chain.title, "succeeded")]
    assert "weighed --thought=silence is golden" in told(events)
    assert status(events) == "ok"
