"""Chains that are changed while they run: by the person, in words, and by an action."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.chain import StepStatus
from partner_desktop.domain.events import ProposalEvent, ReplyEvent, ResultEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.message import Role
from partner_desktop.mind.chain_port import ReadIntervention, WordedIntervention
from partner_desktop.permission.request import StandingAnswer
from tests.action.chain.running import (
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

K = InterventionKind
CREATE = "builtin::intervention::create_intervention"


class WordsMind(ChainMind):
    """Reads words about chains as a test says, once each."""

    def __init__(self) -> None:
        super().__init__()
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
    await partner.send(text, conversation_id=conversation, exchange_id=exchange_id)
    await watcher.done(exchange_id)
    return "\n".join(e.text for e in watcher.events if isinstance(e, ReplyEvent) and e.done)


@pytest.mark.promise("actions.intervene")
async def test_steps_come_into_a_live_chain_and_go_and_what_is_new_asks_by_itself(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await live(partner, watcher, notes)
    first, _, third = ids(chain)
    changed = await partner.intervene(
        chain.id,
        [
            Intervention(K.INSERT, 1, (weigh("early"),)),
            Intervention(K.INSERT, 2, (scribe(notes, "b2"),)),
            Intervention(K.APPEND, 0, (weigh("late"),)),
            Intervention(K.APPEND, 1, (weigh("between"),)),
            Intervention(K.DELETE, step_ids=(third,)),
            Intervention(K.DELETE, step_ids=(first,)),
        ],
    )
    assert changed.done == (
        "“Weigh” came into stage 1.",
        "“Scribe” came into stage 2.",
        "“Weigh” came in as stage 4.",
        "“Weigh” came in as stage 2.",
        "“Scribe” was taken out.",
    )
    assert changed.refused == ("“Scribe” has begun already; only what is to come can be taken out.",)
    go_on(notes, "wait a")
    card = await dbg(watcher, chain.id, partner)
    assert card.params["line"] == "b2", "only what was approved with the chain runs without a question"
    await watcher.done(chain.exchange_id)
    await partner.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.SUCCEEDED, ["succeeded"] * 6), errors(over)
    assert over.chain is not None
    keys = [[step.key.removeprefix("local::") for step in stage.steps] for stage in over.chain.stages]
    assert keys == [["scribe", "weigh"], ["weigh"], ["scribe", "scribe"], ["weigh"]]
    assert sorted(lines(notes)) == ["b", "b2", "wait a"]
    assert [change.kind for change in over.chain.changes] == [
        "insert",
        "insert",
        "append",
        "append",
        "delete",
    ]
    assert {change.by for change in over.chain.changes} == {"person"}


@pytest.mark.promise("actions.intervene")
async def test_cancel_ends_what_runs_and_nothing_changes_the_chain_after_it(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await live(partner, watcher, notes)
    changed = await partner.intervene(
        chain.id, [Intervention(K.CANCEL), Intervention(K.APPEND, 0, (weigh("more"),))]
    )
    assert (changed.action.status, changed.done) == (ActionStatus.CANCELLED, ("It was cancelled.",))
    over = await partner.action(chain.id)
    assert statuses(over) == ["cancelled", "cancelled", "cancelled"]
    with pytest.raises(UsageError, match="nothing of it can be changed"):
        await partner.intervene(chain.id, [Intervention(K.REBUILD)])
    go_on(notes, "wait a")
    assert "b" not in lines(notes)


@pytest.mark.promise("actions.intervene")
async def test_a_chain_begins_anew_once_and_asks_for_its_steps_again(
    partner: Partner, watcher: Watcher, notes: Path
) -> None:
    chain = await live(partner, watcher, notes)
    changed = await partner.intervene(
        chain.id, [Intervention(K.REBUILD, steps=(weigh("first"), scribe(notes, "anew")))]
    )
    assert changed.done == ("It began anew with “Weigh” and “Scribe”.",)
    card = await dbg(watcher, chain.id, partner)
    assert card.params["line"] == "anew"
    assert statuses(await partner.action(chain.id)) == ["succeeded", "waiting"]
    again = await partner.intervene(chain.id, [Intervention(K.REBUILD)])
    assert (again.done, again.refused) == ((), ("It began anew once already; that is done only once.",))
    await watcher.done(chain.exchange_id)
    await partner.approve(card.id, scope="once")
    over = await ended(partner, watcher, chain.id)
    assert (over.status, statuses(over)) == (ActionStatus.SUCCEEDED, ["succeeded", "succeeded"])
    assert lines(notes) == ["wait a", "anew"], "what was under way was ended, and what was to come is gone"


async def test_words_change_a_chain_that_runs_and_stop_ends_it_and_is_told_once(
    partner: Partner, watcher: Watcher, notes: Path, mind: WordsMind
) -> None:
    chain = await live(partner, watcher, notes)
    mind.worded = [(Intervention(K.APPEND, 0, (weigh("gold"),)), Intervention(K.DELETE, stage=1))]
    answer = await said(partner, watcher, "and weigh gold at the end", chain.conversation_id)
    assert "came in as stage 4" in answer
    assert "has begun already" in answer
    (read,) = mind.read
    assert [record.id for record in read.chains] == [chain.id]
    assert "local::weigh" in {info.key for info in read.abilities}
    assert len(read.abilities) <= 14, "a mind is shown the nearest, not all"
    answer = await said(partner, watcher, "stop", chain.conversation_id)
    assert len(mind.read) == 1, "for a plain stop no mind is asked"
    over = await partner.action(chain.id)
    assert over.status is ActionStatus.CANCELLED
    assert statuses(over) == ["cancelled"] * 4
    assert "stopped" in answer
    own = [m for m in await partner.messages(chain.conversation_id) if m.role is Role.PARTNER and m.text]
    assert own[-1].text in answer, "no message after it tells it again"


async def test_words_change_a_chain_that_waits_and_its_card_asks_anew(
    partner: Partner, watcher: Watcher, notes: Path, mind: WordsMind
) -> None:
    chain = await proposed(partner, [[line(notes, "a")], [line(notes, "b")]])
    first, second = ids(chain)
    mind.worded = [(Intervention(K.APPEND, 0, (weigh("gold"),)), Intervention(K.DELETE, step_ids=(second,)))]
    answer = await said(partner, watcher, "leave the second out and weigh gold", chain.conversation_id)
    assert "came in as stage 3" in answer
    card = await partner.action(chain.id)
    assert (card.status, card.title) == (ActionStatus.WAITING, "Scribe → Weigh")
    assert ids(card)[0] == first
    assert any(isinstance(e, ProposalEvent) and e.action.id == chain.id for e in watcher.events)
    assert lines(notes) == [], "words approve nothing"
    mind.worded = [(Intervention(K.APPEND, 0, (NewStep("local::gone"),)),)]
    answer = await said(partner, watcher, "and then that other thing", chain.conversation_id)
    assert "`local::gone` is not there" in answer
    assert len(ids(await partner.action(chain.id))) == 2
    mind.worded = [(Intervention(K.CANCEL),)]
    await said(partner, watcher, "drop all of those steps", chain.conversation_id)
    assert (await partner.action(chain.id)).status is ActionStatus.REJECTED


async def test_yes_but_otherwise_changes_the_step_that_it_names(
    partner: Partner, watcher: Watcher, notes: Path, mind: WordsMind
) -> None:
    mends = Wanted({"file": str(notes), "line": "b"}, key="local::mender")
    chain = await proposed(partner, [[mends], [line(notes, "a")]])
    mind.found = {"line": "other"}
    await said(partner, watcher, "yes, but with the mender line other", chain.conversation_id)
    card = await partner.action(chain.id)
    assert card.chain is not None
    assert card.status is ActionStatus.WAITING
    assert [step.params["line"] for step in card.chain.steps] == ["other", "a"]
    await said(partner, watcher, "yes, but make it other", chain.conversation_id)
    card = await partner.action(chain.id)
    assert card.chain is not None
    assert [step.params["line"] for step in card.chain.steps] == ["other", "other"], "else the last that fits"


async def dbg(watcher, cid, partner):
    try:
        c = await child_card(watcher, cid)
        print("CARD", c)
        return c
    except TimeoutError:
        import asyncio
        import sys

        sys.path.insert(0, "/tmp/w/t")
        from int_stack import chain as ch

        for t in asyncio.all_tasks():
            print("TASK", t.get_name(), ch(t))
        print(await partner.action(cid))
        for s in await partner.steps(cid):
            print("CHILD", s.id, s.key, s.status, s.error)
        raise
