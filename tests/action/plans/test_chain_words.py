"""What words do to chains that wait or run, and what an action does to them. Words approve nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProposalEvent, ReplyEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.message import Role
from partner_desktop.domain.plan import StepStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.mind.question import ReadIntervention, WordedIntervention
from partner_desktop.permission.request import ApprovalMode
from tests.action.plans.running import (
    ChainMind,
    Wanted,
    approved,
    go_on,
    lines,
    proposed,
    statuses,
    until_step,
)
from tests.model.engine import until
from tests.support import Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration

K = InterventionKind


class WordsMind(ChainMind):
    """Reads words about chains as a test says, once each."""

    def __init__(self) -> None:
        super().__init__()
        self.add(ReadIntervention.answered_by(self.read_intervention))
        self.worded: list[tuple[Intervention, ...]] = []
        self.read: list[ReadIntervention] = []

    async def read_intervention(self, request: ReadIntervention) -> WordedIntervention | None:
        self.read.append(request)
        if not self.worded:
            return None
        return WordedIntervention(request.chains[0].id, self.worded.pop(0))


@pytest.fixture
def mind() -> WordsMind:
    return WordsMind()


def line(notes: Path, text: str) -> Wanted:
    return Wanted({"file": str(notes), "line": text})


def scribe(notes: Path, text: str) -> NewStep:
    return NewStep("local::scribe", f"write {text}", {"file": str(notes), "line": text})


def weigh(thought: str) -> NewStep:
    """It only looks: it runs without a question."""
    return NewStep("local::weigh", f"weigh {thought}", {"thought": thought})


async def live(partner: Partner, watcher: Watcher, notes: Path) -> ActionRecord:
    """Three stages; the first runs until it is told to go on."""
    stages = [[line(notes, "wait a")], [line(notes, "b")], [line(notes, "c")]]
    chain = await approved(partner, stages)
    return await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)


def ids(record: ActionRecord) -> list[str]:
    assert record.chain is not None
    return [step.id for step in record.chain.steps]


async def said(partner: Partner, watcher: Watcher, text: str, conversation: str) -> str:
    """What is answered to a message."""
    watcher.events.clear()
    exchange_id = new_id()
    await partner.messages.send(text, conversation_id=conversation, exchange_id=exchange_id)
    await watcher.done(exchange_id)
    return "\n".join(e.text for e in watcher.events if isinstance(e, ReplyEvent) and e.done)


async def test_words_change_a_chain_that_runs_and_stop_ends_it_and_is_told_once(
    partner: Partner, watcher: Watcher, notes: Path, mind: WordsMind
) -> None:
    chain = await live(partner, watcher, notes)
    mind.worded = [(Intervention(K.APPEND, 0, (weigh("gold"),)), Intervention(K.DELETE, stage=1))]
    answer = await said(partner, watcher, "and weigh gold at the end", chain.conversation_id)
    assert "came in as step 4" in answer
    assert "has begun already" in answer
    assert chain.title == "Scribe → Scribe → Scribe"
    assert (await partner.actions.get(chain.id)).title == "Scribe and 3 more steps", (
        "it is called by its steps"
    )
    (read,) = mind.read
    assert [record.id for record in read.chains] == [chain.id]
    assert "local::weigh" in {info.key for info in read.abilities}
    assert len(read.abilities) <= 14, "a mind is shown the nearest, not all"
    answer = await said(partner, watcher, "stop", chain.conversation_id)
    assert len(mind.read) == 1, "for a plain stop no mind is asked"
    over = await partner.actions.get(chain.id)
    assert over.status is ActionStatus.CANCELLED
    assert statuses(over) == ["cancelled"] * 4
    assert "stopped" in answer
    await said(partner, watcher, "good morning", chain.conversation_id)
    own = [m for m in await partner.messages.list(chain.conversation_id) if m.role is Role.PARTNER and m.text]
    assert len(own) == 3, "what was changed, that it was ended, and the greeting: nothing tells it again"


async def test_words_change_a_chain_that_waits_and_its_card_asks_anew(
    partner: Partner, watcher: Watcher, notes: Path, mind: WordsMind
) -> None:
    chain = await proposed(partner, [[line(notes, "a")], [line(notes, "b")]])
    first, second = ids(chain)
    mind.worded = [(Intervention(K.APPEND, 0, (weigh("gold"),)), Intervention(K.DELETE, step_ids=(second,)))]
    answer = await said(partner, watcher, "leave the second out and weigh gold", chain.conversation_id)
    assert "came in as step 3" in answer
    card = await partner.actions.get(chain.id)
    assert (card.status, card.title) == (ActionStatus.WAITING, "Scribe → Weigh")
    assert ids(card)[0] == first
    assert any(isinstance(e, ProposalEvent) and e.action.id == chain.id for e in watcher.events)
    assert lines(notes) == [], "words approve nothing"
    mind.worded = [(Intervention(K.APPEND, 0, (NewStep("local::gone"),)),)]
    answer = await said(partner, watcher, "and then that other thing", chain.conversation_id)
    assert "local::gone" in answer
    assert "is not there" in answer
    assert len(ids(await partner.actions.get(chain.id))) == 2
    mind.worded = [(Intervention(K.CANCEL),)]
    await said(partner, watcher, "drop all of those steps", chain.conversation_id)
    assert (await partner.actions.get(chain.id)).status is ActionStatus.REJECTED


async def test_yes_but_otherwise_changes_the_step_that_it_names(
    partner: Partner, watcher: Watcher, notes: Path, mind: WordsMind
) -> None:
    mends = Wanted({"file": str(notes), "line": "b"}, key="local::mender")
    chain = await proposed(partner, [[mends], [line(notes, "a")]])
    mind.found = {"line": "other"}
    await said(partner, watcher, "yes, but with the mender line other", chain.conversation_id)
    card = await partner.actions.get(chain.id)
    assert card.chain is not None
    assert card.status is ActionStatus.WAITING
    assert [step.params["line"] for step in card.chain.steps] == ["other", "a"]
    await said(partner, watcher, "yes, but make it other", chain.conversation_id)
    card = await partner.actions.get(chain.id)
    assert card.chain is not None
    assert [step.params["line"] for step in card.chain.steps] == ["other", "other"], "else the last that fits"


# An action that steps in.


async def called(
    partner: Partner, watcher: Watcher, name: str, chain: ActionRecord, **params: Json
) -> ActionRecord:
    """An ability as a program calls it in the chain's conversation, with every question answered by yes."""
    exchange_id = new_id()
    await partner.abilities.run(
        f"builtin::intervention::{name}",
        params,
        cwd="",
        standing=ApprovalMode.ALL,
        exchange_id=exchange_id,
        conversation_id=chain.conversation_id,
    )
    await watcher.done(exchange_id)
    return next(record for record in await partner.actions.list(limit=5) if record.exchange_id == exchange_id)


async def test_an_action_that_calls_a_waiting_chain_off_says_no_in_nobodys_name(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await proposed(partner, [[line(notes, "a")], [line(notes, "b")]])
    await called(
        partner, watcher, "create_intervention", chain, id=chain.id, type="cancel", reason="Not needed"
    )
    now = await partner.actions.get(chain.id)
    assert (now.status, now.error) == (ActionStatus.REJECTED, "Not needed")
    assert not [entry for entry in await partner.audit.newest() if entry.outcome == "deny"], (
        "the person did not"
    )


async def test_two_that_change_a_waiting_chain_at_once_do_not_undo_each_other(
    partner: Partner, notes: Path
) -> None:
    chain = await proposed(partner, [[line(notes, "a")], [line(notes, "b")], [line(notes, "c")]])
    interventions = partner._parts.actions.interventions
    lock = partner._parts.actions.executor.settling(chain.conversation_id)
    async with lock:
        wishes = [Intervention(K.DELETE, stage) for stage in (1, 3)]
        both = asyncio.gather(*(interventions.apply(chain.id, [wish], by="mind") for wish in wishes))
        await until(lambda: len(lock._waiters or ()) == 2)
    first, second = await both
    assert (len(first.done), first.refused) == (1, ())
    assert (second.done, second.refused) == ((), ("It was changed meanwhile; look at its card again.",))
    now = (await partner.actions.get(chain.id)).chain
    assert now is not None
    assert [step.params["line"] for step in now.steps] == ["b", "c"]


async def test_an_action_changes_a_live_chain_and_what_it_puts_in_asks_by_itself(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await live(partner, watcher, notes)
    listed = await called(partner, watcher, "list_intervenable_actions", chain)
    assert isinstance(listed.data, dict)
    (row,) = cast("list[JsonObject]", listed.data["actions"])
    steps = cast("list[JsonObject]", row["steps"])
    assert [(each["number"], each["stage"], each["status"]) for each in steps] == [
        (1, 1, "running"),
        (2, 2, "planned"),
        (3, 3, "planned"),
    ]
    gone = await called(
        partner, watcher, "create_intervention", chain, id=chain.id, type="delete", actions=["2", "3"]
    )
    assert (gone.status, gone.error) == (ActionStatus.SUCCEEDED, "")
    put = await called(
        partner, watcher, "create_intervention", chain, id=chain.id, type="append", actions="local::weigh,"
    )
    assert (put.status, put.risk, put.grantable) == (ActionStatus.SUCCEEDED, Risk.WRITE, False)
    wrong = await called(
        partner, watcher, "create_intervention", chain, id=chain.id, type="append", actions=["local::weihg"]
    )
    assert wrong.status is ActionStatus.FAILED
    assert wrong.error.startswith(
        "The ability `local::weihg` is not there (any more). The nearest are `local::weigh`"
    )
    go_on(notes, "wait a")
    now = await until_step(watcher, chain.id, 2, lambda step: step.status is StepStatus.WAITING)
    assert now.chain is not None
    assert [step.key for step in now.chain.steps] == ["local::scribe", "local::weigh"]
    assert {change.by for change in now.chain.changes} == {"mind"}
    ended_ = await called(partner, watcher, "create_intervention", chain, id=chain.id, type="cancel")
    assert ended_.status is ActionStatus.SUCCEEDED
    assert (await partner.actions.get(chain.id)).status is ActionStatus.CANCELLED
    late = await called(partner, watcher, "create_intervention", chain, id=chain.id, type="rebuild")
    assert "nothing of it can be changed" in late.error


async def test_an_action_reaches_no_chain_of_another_conversation(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await proposed(partner, [[line(notes, "a")], [line(notes, "b")]])
    other = await proposed(partner, [[line(notes, "c")], [line(notes, "d")]])
    call = await called(partner, watcher, "create_intervention", other, id=chain.id, type="cancel")
    assert call.error == f"There is no action {chain.id} in this conversation."
    assert (await partner.actions.get(chain.id)).status is ActionStatus.WAITING


async def test_a_card_that_an_action_calls_off_bears_no_no_of_the_person(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await proposed(partner, [[line(notes, "a")], [line(notes, "b")]])
    await called(partner, watcher, "create_intervention", chain, id=chain.id, type="cancel", reason="Enough")
    over = await partner.actions.get(chain.id)
    assert (over.status, over.error) == (ActionStatus.REJECTED, "Enough")
    ids_ = [over.id, *ids(over)]
    rows = [row for action_id in ids_ for row in await partner.actions.decisions(action_id)]
    assert [row for row in rows if row.by_whom == "person"] == []


async def test_words_that_stop_something_put_nothing_in_whatever_a_mind_reads(
    partner: Partner, watcher: Watcher, notes: Path, mind: WordsMind
) -> None:
    chain = await live(partner, watcher, notes)
    mind.worded = [(Intervention(K.INSERT, 1, (scribe(notes, "more"),)),)]
    await said(partner, watcher, "stop Scribe", chain.conversation_id)
    over = await partner.actions.get(chain.id)
    assert len(mind.read) == 1
    assert (over.status, statuses(over)) == (ActionStatus.CANCELLED, ["cancelled"] * 3)
