"""What a chain leaves when Partner ends, the disk refuses, or its budget is used up: nothing unexplained."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.clock import Clock
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ResultEvent
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.domain.plan import StepStatus
from partner_desktop.mind.question import ExtractedParams, ExtractParams, PlanVerdict
from tests.action.plans.running import (
    ChainMind,
    Wanted,
    approved,
    at_rest,
    child_card,
    ended,
    go_on,
    lines,
    statuses,
    until_step,
    write_abilities,
)
from tests.support import FakeClock, HastyClock, Watcher

#: Each starts Partner more than once, or waits for the disk.
pytestmark = pytest.mark.integration


def line(notes: Path, text: str) -> Wanted:
    return Wanted({"file": str(notes), "line": text})


@asynccontextmanager
async def started(
    home: Home, action_dir: Path, mind: ChainMind | None = None, *, clock: Clock | None = None
) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner on the home, as often as a test wants."""
    mind, watcher = mind or ChainMind(), Watcher()
    partner = Partner(home, action_dir, mind=mind, meaning=False, clock=clock, quiet_clock=HastyClock())
    partner.subscribe(watcher)
    await partner.launch()
    try:
        yield partner, watcher
    finally:
        await partner.close()


async def grant(partner: Partner, watcher: Watcher, notes: Path) -> None:
    """Say “always” to what the steps do."""
    conversation = await partner.conversations.create("grant")
    exchange = partner._parts.core.exchanges.open(conversation.id)
    params: JsonObject = {"file": str(notes), "line": "granted"}
    evidence = await partner._parts.actions.desk.begin("local::scribe", params, exchange, text="scribe it")
    assert isinstance(evidence, Proposed)
    await partner.actions.approve(evidence.action.id, scope="always")
    await watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == evidence.action.id)


async def running_first(partner: Partner, watcher: Watcher, notes: Path) -> ActionRecord:
    """A chain of two stages whose first step runs."""
    chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "b")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    return chain


@pytest.mark.promise("actions.resume")
@pytest.mark.parametrize("annotations", ["{}", "{ idempotentHint = true }"])
async def test_a_chain_that_a_shutdown_cut_off_goes_on_and_asks_first_where_that_is_not_harmless(
    home: Home, action_dir: Path, notes: Path, annotations: str
) -> None:
    write_abilities(action_dir, annotations)
    async with started(home, action_dir) as (partner, watcher):
        await grant(partner, watcher, notes)  # which must not answer whether it was done
        chain = await running_first(partner, watcher, notes)
    go_on(notes, "wait a")
    async with started(home, action_dir) as (partner, watcher):
        assert (await partner.actions.get(chain.id)).status is ActionStatus.RUNNING
        if annotations == "{}":
            card = await child_card(watcher, chain.id)
            assert (card.params["line"], "b" in lines(notes)) == ("wait a", False)
            anew = (await partner.actions.get(chain.id)).chain
            assert anew is not None
            assert [step.approved for step in anew.steps] == [False, True], "nobody said yes to it twice"
            await partner.actions.approve(card.id, scope="once")
        over = await ended(partner, watcher, chain.id)
        assert (over.status, statuses(over)) == (ActionStatus.SUCCEEDED, ["succeeded"] * 2)
        assert lines(notes)[-1] == "b"


@pytest.mark.promise("actions.resume")
async def test_a_card_of_a_step_waits_over_a_restart_and_its_chain_goes_on_with_the_yes(
    home: Home, action_dir: Path, notes: Path
) -> None:
    write_abilities(action_dir)
    async with started(home, action_dir) as (partner, watcher):
        chain = await approved(partner, [[line(notes, "fail")], [line(notes, "b")]])
        card = await child_card(watcher, chain.id)
        await watcher.done(chain.exchange_id)
    async with started(home, action_dir) as (partner, watcher):
        await partner.actions.approve(card.id, scope="once")
        over = await ended(partner, watcher, chain.id)
        assert (statuses(over), lines(notes)) == (["failed", "succeeded"], ["fail", "b"])


@pytest.mark.logs_errors
async def test_a_disk_that_refuses_between_two_stages_stops_the_chain_and_that_is_said(
    partner: Partner, watcher: Watcher, notes: Path, home: Home
) -> None:
    chain = await running_first(partner, watcher, notes)
    with closing(sqlite3.connect(home.database)) as other, other:
        other.execute(
            "CREATE TRIGGER full BEFORE UPDATE ON actions WHEN new.status = 'running' AND new.parent = '' "
            "AND json_extract(new.record, '$.chain.at') = 1 BEGIN SELECT RAISE(ABORT, 'no room'); END"
        )
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.FAILED, ["succeeded", "cancelled"])
    assert over.error.startswith("It stopped in its first stage, because nothing could be written down.")
    assert lines(notes) == ["wait a"]


async def test_a_chain_works_no_longer_than_it_may_and_waiting_is_no_work(
    home: Home, action_dir: Path, notes: Path, clock: FakeClock
) -> None:
    write_abilities(action_dir)
    async with started(home, action_dir, clock=clock) as (partner, watcher):
        await partner.config.set("action", ("chain", "most_minutes"), 10)
        chain = await approved(partner, [[line(notes, "fail")], [line(notes, "wait b")]])
        card = await child_card(watcher, chain.id)
        await at_rest(watcher, chain)
        clock.move(timedelta(minutes=20))
        await partner.actions.approve(card.id, scope="once")
        await until_step(watcher, chain.id, 2, lambda step: step.status is StepStatus.RUNNING)
        assert (await partner.actions.get(chain.id)).status is ActionStatus.RUNNING
        clock.move(timedelta(minutes=11))
        over = await ended(partner, watcher, chain.id)
        assert over.status is ActionStatus.FAILED
        assert over.error == "It worked for 10 minutes, and that is the most that is set for a chain."
        assert statuses(over) == ["failed", "cancelled"]


async def test_what_a_chain_worked_before_it_waited_for_the_person_counts(
    home: Home, action_dir: Path, notes: Path, clock: FakeClock
) -> None:
    write_abilities(action_dir)
    async with started(home, action_dir, clock=clock) as (partner, watcher):
        await partner.config.set("action", ("chain", "most_minutes"), 10)
        chain = await approved(partner, [[line(notes, "wait a")]])
        await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
        clock.move(timedelta(minutes=6))
        more = NewStep("local::mender", "mend it", {"file": str(notes), "line": "wait b"})
        await partner.actions.intervene(chain.id, [Intervention(InterventionKind.APPEND, 0, (more,))])
        go_on(notes, "wait a")
        card = await child_card(watcher, chain.id)
        await at_rest(watcher, chain)
        clock.move(timedelta(minutes=20))
        await partner.actions.approve(card.id, scope="once")
        await until_step(watcher, chain.id, 2, lambda step: step.status is StepStatus.RUNNING)
        clock.move(timedelta(minutes=5))
        over = await ended(partner, watcher, chain.id)
        assert over.error == "It worked for 10 minutes, and that is the most that is set for a chain."
        assert statuses(over) == ["succeeded", "cancelled"]


async def test_what_a_chain_worked_before_partner_ended_counts(
    home: Home, action_dir: Path, notes: Path, clock: FakeClock
) -> None:
    write_abilities(action_dir, "{ idempotentHint = true }")
    async with started(home, action_dir, clock=clock) as (partner, watcher):
        await partner.config.set("action", ("chain", "most_minutes"), 10)
        chain = await approved(partner, [[line(notes, "wait a")], [line(notes, "wait b")]])
        await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
        clock.move(timedelta(minutes=6))
        go_on(notes, "wait a")
        await until_step(watcher, chain.id, 2, lambda step: step.status is StepStatus.RUNNING)
    async with started(home, action_dir, clock=clock) as (partner, watcher):
        clock.move(timedelta(minutes=5))
        over = await ended(partner, watcher, chain.id)
        assert over.error == "It worked for 10 minutes, and that is the most that is set for a chain."
        assert statuses(over) == ["succeeded", "cancelled"]


async def test_a_chain_ends_when_the_model_has_read_too_much_for_it(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await running_first(partner, watcher, notes)
    call = ModelCall(
        "m1", partner._parts.core.clock.now(), "tiny", "judge_chain", chain.conversation_id, chain.id
    )
    partner.usage.book(replace(call, prompt_tokens=200_000))
    await watcher.until(lambda event: event.type == "usage")
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)) == (ActionStatus.FAILED, ["wait a"])
    assert over.error.startswith("The model read and wrote 200,000 tokens for it, and 200,000 are the most")


async def test_a_mind_that_has_read_too_much_for_a_chain_corrects_it_no_more(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    mind.verdicts = [PlanVerdict(ok=False, reason="Something is missing.")]
    chain = await approved(partner, [[line(notes, "wait a")]])
    await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
    call = ModelCall(
        "m1", partner._parts.core.clock.now(), "tiny", "extract_params", chain.conversation_id, chain.id
    )
    partner.usage.book(replace(call, prompt_tokens=200_000))
    await watcher.until(lambda event: event.type == "usage")
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, mind.corrected) == (ActionStatus.FAILED, [])
    assert over.error.startswith("The model read and wrote 200,000 tokens for it, and 200,000 are the most")


async def test_what_a_mind_reads_for_one_wish_counts_before_the_next(
    home: Home, action_dir: Path, notes: Path
) -> None:
    write_abilities(action_dir)
    mind = SpendingMind()
    async with started(home, action_dir, mind) as (partner, watcher):
        steps = [NewStep("local::weigh", f"weigh {thought}") for thought in ("gold", "silver")]
        mind.corrections = [tuple(Intervention(InterventionKind.APPEND, 0, (step,)) for step in steps)]
        chain = await approved(partner, [[line(notes, "fail")]])
        mind.spend = partner, watcher, chain
        over = await ended(partner, watcher, chain.id)
        assert [request.text for request in mind.extracted] == ["weigh gold"]
        assert over.error.startswith("The model read and wrote 200,000 tokens for it")


class SpendingMind(ChainMind):
    """Reads all that a chain may have whenever it looks for arguments."""

    spend: tuple[Partner, Watcher, ActionRecord] | None = None

    async def extract_params(self, request: ExtractParams) -> ExtractedParams:
        if self.spend is not None:
            partner, watcher, chain = self.spend
            now = partner._parts.core.clock.now()
            call = ModelCall("m1", now, "tiny", "extract_params", chain.conversation_id, chain.id)
            partner.usage.book(replace(call, prompt_tokens=200_000))
            await watcher.until(lambda event: event.type == "usage")
        return await super().extract_params(request)


async def test_what_the_model_reads_for_other_words_of_a_conversation_is_not_the_chains(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await running_first(partner, watcher, notes)
    call = ModelCall("m1", partner._parts.core.clock.now(), "tiny", "reply", chain.conversation_id, "a turn")
    partner.usage.book(replace(call, prompt_tokens=200_000))
    await watcher.until(lambda event: event.type == "usage")
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)) == (ActionStatus.SUCCEEDED, ["wait a", "b"])


async def test_a_deleted_conversation_ends_its_chain_and_nothing_tells(
    partner: Partner, watcher: Watcher, notes: Path, home: Home
) -> None:
    chain = await running_first(partner, watcher, notes)
    await partner.conversations.delete(chain.conversation_id)
    with closing(sqlite3.connect(home.database)) as other:
        (status,) = other.execute("SELECT status FROM actions WHERE id = ?", (chain.id,)).fetchone()
    assert status == "cancelled"
    assert "reply" not in watcher.types()
