"""Plans run: stages in their order, the steps of one together, under one yes, and one turn that tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProposalEvent, ReplyEvent, ResultEvent, RunEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.message import Role
from partner_desktop.domain.plan import StepStatus
from partner_desktop.mind.question import PlanVerdict
from tests.action.plans.running import (
    ChainMind,
    Wanted,
    approved,
    child_card,
    ended,
    errors,
    go_on,
    lines,
    proposed,
    statuses,
    until_step,
)
from tests.support import Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration


def line(notes: Path, text: str) -> Wanted:
    return Wanted({"file": str(notes), "line": text})


async def is_running(watcher: Watcher, chain: ActionRecord, number: int) -> ActionRecord:
    return await until_step(watcher, chain.id, number, lambda step: step.status is StepStatus.RUNNING)


def told(watcher: Watcher) -> list[str]:
    return [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done]


@pytest.mark.promise("actions.stages")
@pytest.mark.promise("runtime.selfturn")
async def test_the_steps_of_a_stage_overlap_and_stages_do_not_and_one_turn_tells(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    others = notes.with_name("others.txt")
    chain = await approved(partner, [[line(notes, "wait a"), line(others, "wait b")], [line(notes, "c")]])
    for number in (1, 2):
        await is_running(watcher, chain, number)
    now = await partner.actions.get(chain.id)
    assert statuses(now) == ["running", "running", "planned"]
    go_on(others, "wait b")
    go_on(notes, "wait a")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.SUCCEEDED, ["succeeded"] * 3)
    assert lines(notes) == ["wait a", "c"]
    assert len(told(watcher)) == 1
    assert mind.evaluated == [], "the turn that tells plans nothing"
    assert [request.final for request in mind.judged] == [True]
    roles = [message.role for message in await partner.messages.list(chain.conversation_id)]
    assert roles.count(Role.ACTION) == 1, "steps have no cards of their own"
    kinds = {entry.kind for entry in await partner.actions.decisions(chain.id)}
    assert {"decision", "run", "result"} <= kinds


async def test_no_more_steps_of_a_stage_run_together_than_the_settings_say(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    await partner.config.set("action", ("chain", "together"), 1)
    chain = await approved(partner, [[line(notes, "wait a"), line(notes, "b")]])
    await is_running(watcher, chain, 1)
    go_on(notes, "wait a")
    await ended(partner, watcher, chain.id)
    assert lines(notes) == ["wait a", "b"]
    runs = [e.action.id for e in watcher.events if isinstance(e, RunEvent | ResultEvent)]
    assert len(runs) == 6
    first, second = runs[1], runs[3]
    assert runs[1:5] == [first, first, second, second]


@pytest.mark.promise("actions.stages")
async def test_what_a_step_brings_is_the_argument_of_a_later_one(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    first = line(notes, "a")
    second = Wanted({"file": str(notes)}, feeds={"line": first.id})
    chain = await approved(partner, [[first], [second]])
    over = await ended(partner, watcher, chain.id)
    assert over.status is ActionStatus.SUCCEEDED, errors(over)
    assert lines(notes) == ["a", "wrote a"]
    assert not any(isinstance(e, ProposalEvent) and e.action.parent_id for e in watcher.events)


async def test_a_failed_step_leads_to_no_failed_chain_but_takes_the_yes_from_what_comes_later(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    mind.verdicts = [PlanVerdict(True)]
    chain = await approved(partner, [[line(notes, "fail")], [line(notes, "b")]])
    card = await child_card(watcher, chain.id)
    assert lines(notes) == ["fail"]
    now = await partner.actions.get(chain.id)
    assert (now.status, statuses(now)) == (ActionStatus.RUNNING, ["failed", "waiting"])
    (request,) = mind.corrected
    assert "the pen broke" in request.problem
    assert card.description.startswith("A step before this one did not work.")
    await watcher.done(chain.exchange_id)
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)) == (ActionStatus.SUCCEEDED, ["fail", "b"])


@pytest.mark.promise("actions.correct")
async def test_a_failed_step_leads_to_one_inserted_step_and_the_final_check_decides(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    bad = line(notes, "fail")
    new = NewStep("local::mender", "mend it", {"file": str(notes), "line": "mended"})
    mind.corrections = [(Intervention(InterventionKind.INSERT, 1, (new,), mends=bad.id),)]
    mind.verdicts = [PlanVerdict(True, "All is well.")]
    chain = await approved(partner, [[bad], [line(notes, "last")]])
    card = await child_card(watcher, chain.id)
    assert card.key == "local::mender", "nobody approved it with the chain"
    await watcher.done(chain.exchange_id)
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert statuses(over) == ["failed", "succeeded", "succeeded"]
    assert lines(notes) == ["fail", "mended", "last"], "what was mended takes no yes from the rest"
    assert over.chain is not None
    assert (over.status, over.chain.corrections, over.chain.checked) == (
        ActionStatus.SUCCEEDED,
        1,
        "All is well.",
    )


@pytest.mark.promise("actions.correct")
async def test_what_a_mind_puts_in_the_place_of_a_failed_step_gives_no_yes_back_unless_the_person_allowed_it(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    bad = line(notes, "fail")
    look = NewStep("builtin::time", "look at the clock")
    mind.corrections = [(Intervention(InterventionKind.INSERT, 1, (look,), mends=bad.id),)]
    chain = await approved(partner, [[bad], [line(notes, "last")]])
    card = await child_card(watcher, chain.id)
    assert (card.params["line"], lines(notes)) == ("last", ["fail"])
    assert statuses(await partner.actions.get(chain.id)) == ["failed", "succeeded", "waiting"]
    await watcher.done(chain.exchange_id)
    await partner.actions.reject(card.id)
    await ended(partner, watcher, chain.id)


@pytest.mark.promise("actions.correct")
async def test_a_chain_whose_final_check_fails_twice_has_failed_with_its_reason(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    new = NewStep("local::weigh", "once more", {"thought": "x"})
    mind.verdicts = [PlanVerdict(False, "The line is not there."), PlanVerdict(False, "Still not.")]
    mind.corrections = [(Intervention(InterventionKind.APPEND, 0, (new,)),), ()]
    chain = await approved(partner, [[line(notes, "a")]])
    card = await child_card(watcher, chain.id)
    await watcher.done(chain.exchange_id)
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, over.error) == (ActionStatus.FAILED, "Still not.")
    assert len(mind.corrected) == 1, "one extra round"
    assert statuses(over) == ["succeeded", "succeeded"]


async def test_a_long_chain_is_looked_at_on_its_way(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind
) -> None:
    chain = await approved(partner, [[line(notes, str(number))] for number in range(6)])
    await ended(partner, watcher, chain.id)
    assert [(len(request.steps), request.final) for request in mind.judged] == [
        (3, False),
        (5, False),
        (6, True),
    ]


async def test_what_needs_a_failed_step_is_skipped_with_a_sentence(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    bad = line(notes, "fail")
    weigh = Wanted(key="local::weigh", feeds={"thought": bad.id})
    chain = await approved(partner, [[bad], [weigh]])
    over = await ended(partner, watcher, chain.id)
    assert statuses(over) == ["failed", "skipped"]
    assert errors(over)[-1] == "It needs what “Scribe” was to bring."
    assert over.status is ActionStatus.FAILED


async def test_the_same_call_with_the_same_result_stops_the_chain(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await approved(partner, [[line(notes, "a")], [line(notes, "a")], [line(notes, "b")]])
    over = await ended(partner, watcher, chain.id)
    assert over.status is ActionStatus.FAILED
    assert "called twice with the same arguments and came to the same result" in over.error
    assert lines(notes) == ["a", "a"]
    assert statuses(over)[-1] == "cancelled"


async def test_a_chain_ends_after_its_most_steps_with_the_reason_said(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await proposed(partner, [[line(notes, str(number))] for number in range(3)])
    await partner.config.set("action", ("chain", "most_steps"), 2)
    await partner.actions.approve(chain.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)) == (ActionStatus.FAILED, ["0", "1"])
    assert over.error == "It took 2 steps, and 2 are the most that are set for a chain."


@pytest.mark.parametrize("whole", ["cancel", "stop"])
async def test_cancel_ends_the_processes_turns_cards_down_and_one_turn_tells(
    partner: Partner, watcher: Watcher, notes: Path, mind: ChainMind, whole: str
) -> None:
    await partner.config.set("action", ("chain", "corrections"), 0)
    chain = await approved(partner, [[line(notes, "wait a"), line(notes, "wait b")], [line(notes, "c")]])
    for number in (1, 2):
        await is_running(watcher, chain, number)
    if whole == "cancel":
        await partner.actions.cancel(chain.id)
    else:
        await partner.conversations.stop(chain.conversation_id)
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.CANCELLED, ["cancelled"] * 3)
    children = await partner.actions.steps(chain.id)
    assert [child.status for child in children] == [ActionStatus.CANCELLED] * 2
    assert len(told(watcher)) == 1
    assert mind.judged == []


async def test_cancel_turns_the_open_card_of_a_step_down(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await approved(partner, [[line(notes, "fail")], [line(notes, "b")]])
    card = await child_card(watcher, chain.id)
    await watcher.done(chain.exchange_id)
    await partner.actions.cancel(chain.id)
    over = await ended(partner, watcher, chain.id)
    assert statuses(over) == ["failed", "cancelled"]
    assert (await partner.actions.get(card.id)).status is ActionStatus.REJECTED


async def test_an_ability_that_was_edited_meanwhile_asks_anew_and_one_that_is_gone_fails_its_step(
    partner: Partner, watcher: Watcher, notes: Path, action_dir: Path
) -> None:
    chain = await approved(
        partner,
        [[line(notes, "wait a")], [Wanted({"file": str(notes), "line": "b"}, "local::mender")]],
    )
    await is_running(watcher, chain, 1)
    script = action_dir / "dynamic" / "mender.py"
    script.write_text(script.read_text() + "# edited\n")
    await watcher.until(lambda e: e.type == "abilities")
    go_on(notes, "wait a")
    card = await child_card(watcher, chain.id)
    await watcher.done(chain.exchange_id)
    assert lines(notes) == ["wait a"]
    await partner.actions.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, lines(notes)) == (ActionStatus.SUCCEEDED, ["wait a", "b"])
