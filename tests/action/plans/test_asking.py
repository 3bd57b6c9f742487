"""A chain stands still for the person in its middle, and goes on with the answer, or says that none came."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ActionEvent, DoneEvent, Event, ReplyEvent
from tests.action.plans.running import (
    ChainMind,
    Wanted,
    approved,
    at_rest,
    child_card,
    ended,
    errors,
    lines,
    statuses,
    write_abilities,
)
from tests.support import WAIT_S, FakeClock, HastyClock, Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration


def line(notes: Path, text: str) -> Wanted:
    return Wanted({"file": str(notes), "line": text})


async def question(watcher: Watcher, chain: ActionRecord) -> ActionRecord:
    """What is asked in the chat for a step."""

    def is_asked(event: Event) -> bool:
        return (
            isinstance(event, ActionEvent)
            and event.action.parent_id == chain.id
            and event.action.status is ActionStatus.ASKING
        )

    found = await watcher.until(is_asked)
    assert isinstance(found, ActionEvent)
    await at_rest(watcher, chain)
    return found.action


def told(watcher: Watcher) -> list[str]:
    return [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done]


@pytest.mark.promise("actions.askuser")
@pytest.mark.promise("actions.params")
async def test_what_no_step_brought_and_no_words_say_is_asked_and_the_answer_resumes(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    silent = Wanted(key="local::quiet")
    weigh = Wanted(key="local::weigh", feeds={"thought": silent.id}, text="weigh it")
    mind.only_asked = True
    chain = await approved(partner, [[silent], [weigh], [line(notes, "after")]])
    asked = await question(watcher, chain)
    assert (asked.key, asked.asked_param) == ("local::weigh", "thought")
    assert "thought" in told(watcher)[-1]
    now = await partner.actions.get(chain.id)
    assert (now.status, statuses(now)) == (ActionStatus.RUNNING, ["succeeded", "waiting", "planned"])
    assert len(mind.extracted) == 1, "asked for just before its call"
    watcher.events.clear()
    await partner.messages.send("silence is golden", conversation_id=chain.conversation_id)
    card = await watcher.until(lambda e: e.type == "proposal")
    await watcher.done()
    await partner.actions.approve(card.action.id, scope="once")  # type: ignore[attr-defined] # a proposal
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)) == (ActionStatus.SUCCEEDED, ["after"])
    weighed = next(step for step in await partner.actions.steps(chain.id) if step.key == "local::weigh")
    assert weighed.stdout.strip() == "weighed --thought=silence is golden"


@pytest.mark.promise("actions.askuser")
async def test_a_question_in_mid_chain_that_nobody_answers_says_timeout_and_the_chain_goes_on(
    home: Home, action_dir: Path, notes: Path, clock: FakeClock
) -> None:
    mind = ChainMind()
    mind.only_asked = True
    write_abilities(action_dir)
    partner, watcher = (
        Partner(home, action_dir, mind=mind, meaning=False, clock=clock, quiet_clock=HastyClock()),
        Watcher(),
    )
    partner.subscribe(watcher)
    await partner.launch()
    try:
        silent = Wanted(key="local::quiet")
        weigh = Wanted(key="local::weigh", feeds={"thought": silent.id}, text="weigh it")
        chain = await approved(partner, [[silent], [weigh]])
        await question(watcher, chain)
        before = len(told(watcher))
        clock.move(timedelta(minutes=31))
        over = await ended(partner, watcher, chain.id)
        assert errors(over) == ["The question timed out: there was no answer within 30 minutes."]
        assert over.status is ActionStatus.FAILED
        await watcher.until(lambda event: isinstance(event, DoneEvent) and event.status == "failed")
        assert len(told(watcher)) == before + 1, "the end of the chain tells it, in one turn"
    finally:
        await partner.close()


async def test_what_a_mind_finds_where_a_step_brought_nothing_is_shown_before_it_is_done(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    silent = Wanted(key="local::quiet")
    write = Wanted({"file": str(notes)}, feeds={"line": silent.id}, text="write it down")
    mind.found = {"line": "made up"}
    chain = await approved(partner, [[silent], [write]])
    card = await child_card(watcher, chain.id)
    assert (card.params["line"], lines(notes)) == ("made up", []), "the yes was to what the step brings"
    await at_rest(watcher, chain)
    await partner.actions.approve(card.id, scope="once")
    assert statuses(await ended(partner, watcher, chain.id)) == ["succeeded"] * 2


@pytest.mark.promise("actions.askuser")
async def test_a_no_to_a_question_in_mid_chain_skips_its_step(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    silent = Wanted(key="local::quiet")
    weigh = Wanted(key="local::weigh", feeds={"thought": silent.id}, text="weigh it")
    mind.only_asked = True
    chain = await approved(partner, [[silent], [weigh]])
    asked = await question(watcher, chain)
    await partner.actions.reject(asked.id)
    over = await ended(partner, watcher, chain.id)
    assert (statuses(over), errors(over)) == (["succeeded", "skipped"], ["You said no to it."])
    assert [request.problem for request in mind.corrected] == ["Weigh did not work."], "the final check's"


@pytest.mark.promise("actions.askuser")
async def test_a_question_in_mid_chain_survives_a_restart(home: Home, action_dir: Path, notes: Path) -> None:
    mind = ChainMind()
    mind.only_asked = True
    write_abilities(action_dir)
    silent = Wanted(key="local::quiet")
    weigh = Wanted(key="local::weigh", feeds={"thought": silent.id}, text="weigh it")
    chain: ActionRecord | None = None
    for start in (1, 2):
        partner = Partner(home, action_dir, mind=mind, meaning=False, quiet_clock=HastyClock())
        watcher = Watcher()
        partner.subscribe(watcher)
        await partner.launch()
        try:
            if chain is None:
                chain = await approved(partner, [[silent], [weigh]])
                await question(watcher, chain)
                continue
            assert start == 2
            await partner.messages.send("silence is golden", conversation_id=chain.conversation_id)
            card = await watcher.until(lambda e: e.type == "proposal")
            await watcher.done()
            await partner.actions.approve(card.action.id, scope="once")  # type: ignore[attr-defined] # a proposal
            over = await ended(partner, watcher, chain.id)
            assert (over.status, statuses(over)) == (ActionStatus.SUCCEEDED, ["succeeded"] * 2)
        finally:
            await partner.close()


@pytest.mark.promise("actions.askuser")
async def test_a_question_that_was_not_said_before_partner_ended_is_said_by_the_next_start(
    home: Home, action_dir: Path
) -> None:
    write_abilities(action_dir)
    mind, never = ChainMind(), asyncio.Event()
    mind.only_asked = True
    mind.script = lambda _: [never]
    silent = Wanted(key="local::quiet")
    weigh = Wanted(key="local::weigh", feeds={"thought": silent.id}, text="weigh it")
    partner = Partner(home, action_dir, mind=mind, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    await approved(partner, [[silent], [weigh]])
    async with asyncio.timeout(WAIT_S):
        await mind.waits.wait()
    await partner.close()
    mind.script = None
    for said in (1, 0):
        partner = Partner(home, action_dir, mind=mind, meaning=False, quiet_clock=HastyClock())
        watcher = Watcher()
        partner.subscribe(watcher)
        await partner.launch()
        try:
            if said:
                await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
            async with asyncio.timeout(WAIT_S):
                await partner.idle()
            assert len(told(watcher)) == said
        finally:
            await partner.close()
