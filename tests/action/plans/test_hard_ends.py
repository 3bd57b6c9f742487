"""A chain comes to an end whatever becomes of what it waits for, and nothing of it is left behind."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.action.corrections.plan_edit import changed, rebuilt
from partner_desktop.app import Partner
from partner_desktop.base.errors import StorageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import DoneEvent, Event, ResultEvent, RunEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind
from partner_desktop.domain.message import Role
from partner_desktop.domain.plan import Plan, StepStatus
from tests.action.plans.running import (
    ChainMind,
    Wanted,
    approved,
    child_card,
    ended,
    go_on,
    lines,
    statuses,
    until_step,
    write_abilities,
)
from tests.action.plans.test_asking import question
from tests.action.plans.test_left import grant, line, started
from tests.support import WAIT_S, Watcher

#: Most start Partner more than once.
pytestmark = pytest.mark.integration


async def asking_anew(partner: Partner, watcher: Watcher, notes: Path) -> tuple[ActionRecord, ActionRecord]:
    """A chain whose first step failed, and the card of its second."""
    chain = await approved(partner, [[line(notes, "fail")], [line(notes, "b")]])
    card = await child_card(watcher, chain.id)
    await watcher.done(chain.exchange_id)
    return await partner.actions.get(chain.id), card


async def write_chain(partner: Partner, record: ActionRecord, chain: Plan) -> None:
    """As a transition whose consequences a crash cut off."""
    store = partner._parts.actions.store
    assert await store.replace(replace(record, chain=chain), only_from=ActionStatus.RUNNING)


async def test_a_step_whose_card_is_set_aside_with_its_message_holds_its_chain_up_no_longer(
    partner: Partner, watcher: Watcher, mind: ChainMind
) -> None:
    silent = Wanted(key="local::quiet")
    weigh = Wanted(key="local::weigh", feeds={"thought": silent.id}, text="weigh it")
    mind.only_asked = True
    chain = await approved(partner, [[silent], [weigh]])
    await question(watcher, chain)
    watcher.events.clear()
    answer = await partner.messages.send("silence is golden", conversation_id=chain.conversation_id)
    await watcher.until(lambda event: event.type == "proposal")
    await watcher.done()
    await partner.messages.edit(answer.id, "good morning")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.FAILED, ["succeeded", "failed"])
    await watcher.until(lambda event: isinstance(event, DoneEvent) and event.status == "failed")


async def test_an_answer_in_mid_chain_is_no_yes_to_a_step_whose_earlier_ones_failed(
    home: Home, action_dir: Path, notes: Path
) -> None:
    write_abilities(action_dir)
    mind = ChainMind()
    mind.only_asked = True
    async with started(home, action_dir, mind) as (partner, watcher):
        await grant(partner, watcher, notes)
        silent = Wanted(key="local::quiet")
        last = Wanted({"file": str(notes)}, feeds={"line": silent.id}, text="scribe it")
        chain = await approved(partner, [[silent, line(notes, "fail")], [last]])
        await question(watcher, chain)
        watcher.events.clear()
        await partner.messages.send("unasked", conversation_id=chain.conversation_id)
        card = await child_card(watcher, chain.id)
        await watcher.done()
        assert lines(notes) == ["granted", "fail"], "always is no yes after a failure"
        await partner.actions.approve(card.id, scope="once")
        over = await ended(partner, watcher, chain.id)
        assert (statuses(over)[-1], lines(notes)[-1]) == ("succeeded", "unasked")


async def test_what_was_cancelled_right_before_partner_ended_stays_so(
    home: Home, action_dir: Path, notes: Path
) -> None:
    write_abilities(action_dir)
    async with started(home, action_dir) as (partner, watcher):
        chain, card = await asking_anew(partner, watcher, notes)
        assert chain.chain is not None
        wish = Intervention(InterventionKind.CANCEL)
        now = partner._parts.core.clock.now()
        after = changed(chain.chain, wish, (), most_steps=9, by="person", now=now)
        await write_chain(partner, chain, after)
    async with started(home, action_dir) as (partner, watcher):
        over = await ended(partner, watcher, chain.id)
        assert (over.status, statuses(over)) == (ActionStatus.CANCELLED, ["failed", "cancelled"])
        assert (await partner.actions.get(card.id)).status is ActionStatus.REJECTED


async def test_no_card_of_before_is_left_where_partner_ended_as_a_chain_began_anew(
    home: Home, action_dir: Path, notes: Path
) -> None:
    write_abilities(action_dir)
    async with started(home, action_dir) as (partner, watcher):
        chain, card = await asking_anew(partner, watcher, notes)
        assert chain.chain is not None
        await write_chain(partner, chain, rebuilt(chain.chain, ()))
    async with started(home, action_dir) as (partner, watcher):
        await watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == card.id)
        assert (await partner.actions.get(card.id)).status is ActionStatus.REJECTED
        anew = await child_card(watcher, chain.id)
        assert anew.params["line"] == "fail", "nobody said yes to another run"


@pytest.mark.logs_errors
async def test_a_disk_that_refuses_a_new_beginning_leaves_what_runs_alone(
    partner: Partner, watcher: Watcher, notes: Path, home: Home
) -> None:
    others = notes.with_name("others.txt")
    chain = await approved(partner, [[line(notes, "wait a"), line(others, "wait b")]])
    for number in (1, 2):
        await until_step(watcher, chain.id, number, lambda step: step.status is StepStatus.RUNNING)
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON actions WHEN json_extract(new.record, '$.chain.rebuilt') "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    with pytest.raises(StorageError):
        await partner.actions.intervene(chain.id, [Intervention(InterventionKind.REBUILD)])
    go_on(notes, "wait a")
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.SUCCEEDED)
    go_on(others, "wait b")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.SUCCEEDED, ["succeeded"] * 2)


async def test_a_chain_whose_row_is_gone_stops_working(
    partner: Partner, watcher: Watcher, notes: Path, home: Home
) -> None:
    chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "b")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute("DELETE FROM actions WHERE id = ?", (chain.id,))
    watcher.events.clear()
    go_on(notes, "wait a")
    await watcher.done()
    assert lines(notes) == ["wait a"]


@pytest.mark.logs_errors
async def test_a_step_whose_card_cannot_be_written_waits_no_longer_than_its_chain(
    partner: Partner, watcher: Watcher, notes: Path, home: Home
) -> None:
    chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "fail")], [line(notes, "b")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute(
            f"CREATE TRIGGER full BEFORE INSERT ON messages WHEN new.role = '{Role.ACTION.value}' "
            "BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.FAILED, ["succeeded", "failed", "cancelled"])
    assert [step.status for step in await partner.actions.steps(chain.id)][-1] is ActionStatus.REJECTED
    assert lines(notes) == ["wait a", "fail"]


async def test_a_chain_that_takes_partner_down_again_and_again_is_left_alone(
    home: Home, action_dir: Path, notes: Path
) -> None:
    write_abilities(action_dir)
    mind = StuckMind()
    async with started(home, action_dir, mind) as (partner, _):
        chain = await approved(partner, [[line(notes, "a")]])
        await mind.is_asked()
    for _ in range(2):
        async with started(home, action_dir, mind) as (partner, _):
            await mind.is_asked()
    async with started(home, action_dir, mind) as (partner, watcher):
        over = await ended(partner, watcher, chain.id)
        assert (over.status, statuses(over)) == (ActionStatus.FAILED, ["succeeded"])
        assert over.error.startswith("Partner ended 3 times in a row while it worked on this")


async def test_words_that_were_cut_off_while_a_chain_went_on_are_answered_by_the_next_start(
    home: Home, action_dir: Path, notes: Path
) -> None:
    write_abilities(action_dir)
    mind = ChainMind()
    async with started(home, action_dir, mind) as (partner, watcher):
        chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "wait b")]])
        await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
        mind.script = lambda _: [asyncio.Event()]
        await partner.messages.send("good morning", conversation_id=chain.conversation_id)
        async with asyncio.timeout(WAIT_S):
            await mind.waits.wait()
        go_on(notes, "wait a")
        await until_step(watcher, chain.id, 2, lambda step: step.status is StepStatus.RUNNING)
    mind.script = None
    mind.asked.clear()
    async with started(home, action_dir, mind) as (partner, watcher):
        await child_card(watcher, chain.id)
        async with asyncio.timeout(WAIT_S):
            await partner.idle()
        assert "good morning" in [request.text for request in mind.asked]
        await partner.actions.cancel(chain.id)
        await ended(partner, watcher, chain.id)


async def test_a_chain_that_is_cancelled_as_it_begins_ends(partner: Partner, notes: Path) -> None:
    watcher = Canceller(partner)
    partner.subscribe(watcher)
    chain = await approved(partner, [[line(notes, "a")]])
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.CANCELLED, ["cancelled"])
    async with asyncio.timeout(WAIT_S):
        await asyncio.gather(*watcher.cancels)


class Canceller(Watcher):
    """Cancels what it hears begin, at once."""

    def __init__(self, partner: Partner) -> None:
        super().__init__()
        self._partner = partner
        self.cancels: list[asyncio.Task[None]] = []

    def __call__(self, event: Event) -> None:
        super().__call__(event)
        if isinstance(event, RunEvent):
            self.cancels.append(asyncio.create_task(self._partner.actions.cancel(event.action.id)))


class StuckMind(ChainMind):
    """Never comes to a verdict, as if it took Partner down."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = asyncio.Event()

    async def is_asked(self) -> None:
        async with asyncio.timeout(WAIT_S):
            await self.reached.wait()
        self.reached.clear()

    async def judge_chain(self, request: object) -> object:  # type: ignore[override]
        self.reached.set()
        return await asyncio.Event().wait()
