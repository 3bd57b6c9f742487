"""A chain that waits: the yes is to what was shown, everything else is shown anew and asks again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from partner_desktop.action.confirmation_expiry import CONFIRMATION_TIMEOUT
from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.events import DecisionEvent, ProposalEvent, ReplyEvent, ResultEvent, RunEvent
from partner_desktop.domain.intervention import PlanEdit, StepEdit
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Effect, Rule
from partner_desktop.domain.plan import CHAIN_KEY, Step, StepInput
from tests.action.plans.chain_room import ChainRoom
from tests.action.plans.running import ChainMind
from tests.support import WAIT_S

# Each has a Partner of its own: for the whole gate.
pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.confirm.plan")]


async def three(chains: ChainRoom) -> ActionRecord:
    """Shout, keep what was shouted, and count the characters of another file."""
    upper = chains.draft("upper", text="hi")
    keep = chains.draft("keep", StepInput("text", upper.id), file="loud.txt")
    return await chains.propose(upper, keep, chains.draft("count", file="notes.txt"))


def steps_of(record: ActionRecord) -> tuple[Step, ...]:
    assert record.chain is not None
    return record.chain.steps


async def refused_anew(chains: ChainRoom, card: ActionRecord, words: str) -> ActionRecord:
    """A yes that is not taken, because the card must be looked at again; the card as it is then."""
    chains.watcher.events.clear()
    with pytest.raises(UsageError, match=words):
        await chains.partner.actions.approve(card.id, scope="once")
    [event] = [one for one in chains.watcher.events if isinstance(one, ProposalEvent)]
    now = await chains.now(card)
    assert event.action == now
    assert now.status is ActionStatus.WAITING
    assert not any(step.approved for step in steps_of(now))
    assert not any(isinstance(one, RunEvent | DecisionEvent) for one in chains.watcher.events)
    assert await chains.partner.audit.newest() == [], "it was not decided on"
    return now


async def test_an_edit_of_one_script_is_shown_before_it_may_run(chains: ChainRoom) -> None:
    card = await three(chains)
    await chains.edit("keep", lambda text: text.replace("write_text", "write_text  "))
    now = await refused_anew(chains, card, "Step 2, Keep, was edited since it was proposed. The card shows")
    assert steps_of(now)[1].content_hash != steps_of(card)[1].content_hash
    assert steps_of(now)[0] == steps_of(card)[0]


async def test_another_target_of_a_path_is_shown_before_it_may_be_touched(chains: ChainRoom) -> None:
    card = await three(chains)
    (chains.folder / "other.txt").write_text("secret")
    (chains.folder / "notes.txt").unlink()
    (chains.folder / "notes.txt").symlink_to("other.txt")
    now = await refused_anew(chains, card, "What step 3, Count, would touch, or what holds it, has changed")
    assert steps_of(now)[2].paths[0].path == str(chains.folder / "other.txt")
    (chains.folder / "other.txt").unlink()
    now = await refused_anew(chains, card, "Step 3, Count, cannot take this as its file: I can't find")
    assert "I can't find" in steps_of(now)[2].error
    (chains.folder / "other.txt").write_text("secret")
    now = await refused_anew(chains, card, "What step 3, Count, would touch, or what holds it, has changed")
    assert steps_of(now)[2].error == ""


async def test_a_step_that_is_gone_is_marked_and_can_be_taken_out(chains: ChainRoom) -> None:
    card = await three(chains)
    await chains.partner.abilities.switch("local::count", on=False)
    now = await refused_anew(chains, card, "Step 3, Count, cannot run: Count is switched off.* with Edit")
    assert "switched off" in steps_of(now)[2].error
    with pytest.raises(UsageError, match="Step 3, Count, cannot run"):
        await chains.partner.actions.edit_chain(card.id, keeping(now, 2, 0, 1))
    await chains.partner.actions.edit_chain(card.id, keeping(now, 0, 1))
    now = await chains.now(card)
    assert [step.title for step in steps_of(now)] == ["Upper", "Keep"]
    assert now.title == "Upper → Keep"


async def test_one_yes_covers_neither_arguments_nor_runs_beyond_the_card(chains: ChainRoom) -> None:
    card = await three(chains)
    with pytest.raises(UsageError, match="can be allowed once only"):
        await chains.partner.actions.approve(card.id, scope="always")
    with pytest.raises(UsageError, match="change their arguments with Edit"):
        await chains.partner.actions.approve(card.id, scope="once", params={"text": "ho"})
    assert (await chains.now(card)) == card
    assert await chains.partner.audit.newest() == []


async def test_a_no_is_written_down_for_the_whole_and_for_each_step(chains: ChainRoom) -> None:
    card = await three(chains)
    await chains.partner.abilities.switch("local::count", on=False)
    await chains.partner.actions.reject(card.id)
    assert (await chains.now(card)).status is ActionStatus.REJECTED
    rows = await chains.partner.audit.newest()
    assert [(row.action_key, row.outcome, row.by_whom) for row in rows] == [
        ("local::upper", "deny", "person"),
        ("local::keep", "deny", "person"),
        ("local::count", "deny", "person"),
        (CHAIN_KEY, "deny", "person"),
    ]
    with pytest.raises(UsageError, match="already settled"):
        await chains.partner.actions.approve(card.id, scope="once")


async def test_a_rule_that_came_meanwhile_turns_all_of_it_down(chains: ChainRoom) -> None:
    card = await three(chains)
    await chains.partner.permissions.save_rule(Rule(Effect.DENY, "local::keep"))
    await chains.partner.actions.approve(card.id, scope="once")
    now = await chains.now(card)
    assert now.status is ActionStatus.REJECTED
    assert now.error.startswith("Step 2, Keep, may not run: ")
    rows: list[AuditEntry] = [row for row in await chains.partner.audit.newest() if row.kind == "decision"]
    assert [(row.action_key, row.outcome) for row in rows] == [("local::keep", "deny")]
    assert not any(isinstance(one, RunEvent) for one in chains.watcher.events)


async def test_a_yes_that_something_else_overtook_decides_nothing(chains: ChainRoom) -> None:
    card = await three(chains)
    actions, engine = chains.partner._parts.actions, chains.partner._parts.core.permission
    made = await actions.maker.make(actions.maker.drafts(card), cwd=card.cwd, language=card.language)
    rejected = replace(card, status=ActionStatus.REJECTED)
    await actions.store.replace(rejected, only_from=ActionStatus.WAITING)
    running = actions.store.replacing(card, only_from=ActionStatus.WAITING)
    with pytest.raises(UsageError, match="already settled"):
        await engine.approve_all(made.requests(card), also=running)
    assert await chains.partner.audit.newest() == [], "no step was allowed"


async def test_an_edit_shows_it_anew_for_a_fresh_half_hour_or_changes_nothing(chains: ChainRoom) -> None:
    card = await three(chains)
    upper, keep, count = steps_of(card)
    other: JsonObject = {"text": "ho", "times": 2}
    wish = PlanEdit((
        (StepEdit(count.id), StepEdit(upper.id, other)),
        (StepEdit(keep.id, {"file": "else.txt"}),),
    ))  # fmt: skip
    await chains.partner.actions.edit_chain(card.id, wish)
    now = await chains.now(card)
    assert now.chain is not None
    assert [[step.id for step in stage.steps] for stage in now.chain.stages] == [
        [count.id, upper.id],
        [keep.id],
    ]
    assert steps_of(now)[1].params == other
    assert steps_of(now)[2].params == {"file": str(chains.folder / "else.txt")}
    assert steps_of(now)[2].feeds == keep.feeds
    assert now.title == "Count → Upper → Keep"
    assert now.waits_until is not None
    assert card.waits_until is not None
    assert now.waits_until > card.waits_until
    shown: JsonObject = {"file": "else.txt", "text": {"$from": upper.id}}  # as the card has it
    same = PlanEdit(((StepEdit(count.id), StepEdit(upper.id)), (StepEdit(keep.id, shown),)))
    await chains.partner.actions.edit_chain(card.id, same)
    before, now = now, await chains.now(card)
    assert steps_of(now) == steps_of(before)
    given: JsonObject = {"file": "else.txt", "text": "by hand"}
    for bad, words in [
        (keeping(now, 0, 2), "Step 3, Keep, needs `text` from step 2, Upper, which would be gone"),
        (keeping(now, 2, 1), "Step 3, Keep, needs `text` from step 2, Upper, which must come before it"),
        (keeping(now), "Nothing would be left of it"),
        (keeping(now, 0, 0), "Step 1, Count, can stand in it only once"),
        (PlanEdit(((StepEdit("else"),),)), "does not belong to it"),
        (
            PlanEdit(((StepEdit(upper.id, {"text": 7}),),)),
            "Step 1, Upper, cannot take this as its text: 7 is not",
        ),
        (PlanEdit(((StepEdit(upper.id, {"times": 7}),),)), "Step 1, Upper, needs the parameter `text`"),
        (PlanEdit(((StepEdit(count.id, {"file": "no.txt"}),),)), "I can't find “no.txt”"),
    ]:
        with pytest.raises(UsageError, match=words):
            await chains.partner.actions.edit_chain(card.id, bad)
        assert await chains.now(card) == now, "nothing changed"
    await chains.partner.actions.edit_chain(card.id, PlanEdit(((StepEdit(keep.id, given),),)))
    [only] = steps_of(await chains.now(card))
    assert (only.feeds, only.params["text"]) == ((), "by hand")
    assert not any(isinstance(one, RunEvent) for one in chains.watcher.events)


async def test_other_arguments_of_a_step_ask_again(chains: ChainRoom) -> None:
    card = await three(chains)
    upper, keep, _ = steps_of(card)
    approvals = chains.partner._parts.actions.approvals
    amended = await approvals.amend(card.id, {"text": "ho"}, step_id=upper.id)
    assert amended.changed == ("text",)
    assert steps_of(amended.action)[0].params == {"text": "ho"}
    assert amended.action == await chains.now(card)
    amended = await approvals.amend(card.id, {"text": "ho"}, step_id=upper.id)
    assert (amended.changed, amended.problem) == ((), "")
    amended = await approvals.amend(card.id, {"file": "no/where/a.txt"}, step_id=keep.id)
    assert "Step 2, Keep, cannot take this as its file" in amended.problem
    assert await chains.now(card) == amended.action


async def test_a_chain_that_waited_half_an_hour_takes_no_yes(chains: ChainRoom) -> None:
    card = await three(chains)
    store = chains.partner._parts.actions.store
    assert card.waits_until is not None
    past = card.waits_until - CONFIRMATION_TIMEOUT - timedelta(seconds=1)
    await store.replace(replace(card, waits_until=past), only_from=ActionStatus.WAITING)
    for late in (
        chains.partner.actions.approve(card.id, scope="once"),
        chains.partner.actions.edit_chain(card.id, keeping(card, 0)),
    ):
        with pytest.raises(UsageError, match="has timed out"):
            await late
    await chains.partner._parts.actions.confirmation_expiry.look()
    ended = await chains.watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(ended, ResultEvent)
    assert ended.action.status is ActionStatus.EXPIRED


async def test_an_ended_chain_is_proposed_again_as_it_was_asked_for(chains: ChainRoom) -> None:
    card = await three(chains)
    await chains.partner.actions.reject(card.id)
    chains.watcher.events.clear()
    await chains.partner.actions.run_again(card.id)
    event = await chains.watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    again, old = steps_of(event.action), steps_of(card)
    assert event.action.id != card.id
    assert not {step.id for step in again} & {step.id for step in old}
    assert [(step.key, step.params) for step in again] == [(step.key, step.params) for step in old]
    assert again[1].feeds == (StepInput("text", again[0].id),)
    await chains.watcher.done()
    await chains.partner.abilities.switch("local::count", on=False)
    await chains.partner.actions.reject(event.action.id)
    with pytest.raises(UsageError, match="Count is switched off"):
        await chains.partner.actions.run_again(card.id)


def keeping(card: ActionRecord, *places: int) -> PlanEdit:
    """An edit that leaves these steps in, each in a stage of its own."""
    steps = steps_of(card)
    return PlanEdit(tuple((StepEdit(steps[place].id),) for place in places))


async def test_a_yes_in_words_is_to_the_card_as_it_was_when_they_were_said(
    chains: ChainRoom, mind: ChainMind
) -> None:
    card = await chains.propose(chains.draft("upper", text="a"), chains.draft("upper", text="b"))
    mind.before_verdict = asyncio.Event()
    chains.watcher.events.clear()
    await chains.partner.messages.send("yes", conversation_id=chains.conversation_id)
    async with asyncio.timeout(WAIT_S):
        await mind.hears.wait()
    wish = StepEdit(steps_of(card)[1].id, {"text": "what nobody saw"})
    await chains.partner.actions.edit_chain(card.id, PlanEdit(((StepEdit(steps_of(card)[0].id),), (wish,))))
    mind.before_verdict.set()
    mind.before_verdict = None
    await chains.watcher.done()
    assert (await chains.now(card)).status is ActionStatus.WAITING
    assert any("was changed meanwhile" in text for text in said(chains))
    chains.watcher.events.clear()
    await chains.partner.messages.send("yes", conversation_id=chains.conversation_id)
    await chains.watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == card.id)
    await chains.watcher.done()


def said(chains: ChainRoom) -> list[str]:
    return [event.text for event in chains.watcher.events if isinstance(event, ReplyEvent) and event.done]
