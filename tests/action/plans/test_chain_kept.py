"""Plans in what is kept of a conversation: ways not taken, branches, files; abilities of another name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import Event, ProposalEvent, ResultEvent, as_json, record_from_text
from partner_desktop.domain.evidence import Asked, Proposed
from partner_desktop.domain.message import Role
from partner_desktop.domain.plan import Step, StepInput, StepStatus
from tests.action.listing import listed
from tests.action.plans.chain_room import ChainRoom
from tests.action.plans.test_chain_granted import asks_for_a_step, ended, let_go, pipe_in, steps_of

# Each has a Partner of its own: for the whole gate.
pytestmark = pytest.mark.integration


async def done_chain(chains: ChainRoom) -> ActionRecord:
    """Two steps, the second of which fails."""
    upper = chains.draft("upper", text="hi")
    keep = chains.draft("keep", StepInput("text", upper.id), file="loud.txt")
    card = await chains.propose(upper, keep)
    await chains.partner.actions.approve(card.id, scope="once")
    end = await ended(chains, card)
    await chains.watcher.done(card.exchange_id)
    return end


async def test_no_yes_reaches_a_chain_that_was_set_aside(chains: ChainRoom) -> None:
    first = await chains.partner.messages.send("hello", conversation_id=chains.conversation_id)
    await chains.watcher.done()
    chains.watcher.events.clear()
    proposed = await chains.begin(chains.draft("upper", text="a"), chains.draft("upper", text="b"))
    assert isinstance(proposed, Proposed)
    card = proposed.action
    await chains.tell(proposed)
    await chains.partner.messages.edit(first.id, "hello again")
    assert (await chains.now(card)).status is ActionStatus.REJECTED
    with pytest.raises(UsageError, match="already settled"):
        await chains.partner.actions.approve(card.id, scope="once")


async def test_a_part_in_which_a_chain_runs_or_waits_is_not_set_aside(chains: ChainRoom) -> None:
    pipe = pipe_in(chains.folder)
    card = await chains.propose(
        chains.draft("count", file=str(pipe)), chains.draft("keep", file="a.txt", text="x")
    )
    await chains.partner.actions.approve(card.id, scope="once")
    await chains.edit("keep", lambda text: text + "# edited")
    later = await chains.partner.messages.send("hello", conversation_id=chains.conversation_id)
    await chains.watcher.until(lambda event: event.type == "reply" and event.conversation_id != "")
    await let_go(pipe)
    asked = await chains.watcher.until(asks_for_a_step)
    assert isinstance(asked, ProposalEvent)
    await chains.watcher.done(card.exchange_id)
    with pytest.raises(UsageError, match="Count → Keep is still running here"):
        await chains.partner.messages.edit(later.id, "something else")
    assert (await chains.now(asked.action)).status is ActionStatus.WAITING, "the chain waits for it"
    await chains.partner.actions.approve(asked.action.id, scope="once")
    assert (await ended(chains, card)).status is ActionStatus.SUCCEEDED
    await chains.watcher.done(card.exchange_id)


async def test_a_branch_tells_what_the_steps_did(chains: ChainRoom) -> None:
    await chains.partner.messages.send("hello", conversation_id=chains.conversation_id)
    await chains.watcher.done()
    await done_chain(chains)
    last = (await chains.partner.messages.list(chains.conversation_id))[-1]
    branch = await chains.partner.conversations.branch(last.id)
    told = [message.text for message in await chains.partner.messages.list(branch.id)]
    [words] = [text for text in told if text.startswith("**Upper → Keep** · succeeded")]
    assert "- Upper · succeeded" in words
    assert "- Keep · succeeded" in words


async def test_a_chain_goes_into_files_and_comes_back_as_history(chains: ChainRoom, tmp_path: Path) -> None:
    end = await done_chain(chains)
    waiting = await chains.propose(chains.draft("upper", text="a"), chains.draft("upper", text="b"))
    partner = chains.partner
    await partner.conversations.export_to(chains.conversation_id, tmp_path / "talk.md", kind="markdown")
    text = (tmp_path / "talk.md").read_text()
    assert "<summary>Upper → Keep · succeeded" in text
    assert "1. Upper · succeeded" in text
    assert "HI" in text
    assert text.count("<details>") == 2
    await partner.conversations.export_to(chains.conversation_id, tmp_path / "talk.json", kind="json")
    taken = await partner.conversations.import_from(tmp_path / "talk.json")
    cards = [message for message in await partner.messages.list(taken.id) if message.role is Role.ACTION]
    done, settled = [await partner.actions.get(message.action_id) for message in cards]
    assert done.id not in (end.id, "")
    assert [plain(step) for step in steps_of(done)] == [plain(step) for step in steps_of(end)]
    upper, keep = steps_of(done)
    assert keep.feeds == (StepInput("text", upper.id),)
    assert not upper.approved
    children = await partner.actions.steps(done.id)
    assert [(child.id, child.parent_id) for child in children] == [(upper.id, done.id), (keep.id, done.id)]
    assert children[0].stdout.strip() == "HI"
    assert (settled.status, steps_of(settled)[0].status) == (ActionStatus.REJECTED, StepStatus.PLANNED)
    assert waiting.id != settled.id
    chains.watcher.events.clear()
    await partner.actions.run_again(done.id)
    event = await chains.watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    assert event.action.status is ActionStatus.WAITING
    await chains.watcher.done(event.exchange_id)


async def test_what_was_imported_never_starts_by_itself(chains: ChainRoom, tmp_path: Path) -> None:
    folder = str(chains.folder)
    evidence = await chains.begin(
        chains.draft("builtin::time"), chains.draft("builtin::list_folder", folder=folder)
    )
    await ended(chains, evidence.action)  # type: ignore[union-attr] # it began
    await chains.watcher.done()
    partner = chains.partner
    await partner.conversations.export_to(chains.conversation_id, tmp_path / "talk.json", kind="json")
    taken = await partner.conversations.import_from(tmp_path / "talk.json")
    [card] = [m for m in await partner.messages.list(taken.id) if m.role is Role.ACTION]
    chains.watcher.events.clear()
    await partner.actions.run_again(card.action_id)
    event = await chains.watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(event, ProposalEvent)
    await chains.watcher.done(event.exchange_id)
    assert (await chains.now(event.action)).status is ActionStatus.WAITING
    assert not any(isinstance(event, ResultEvent) for event in chains.watcher.events)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"chain": {"stages": [{"steps": [{"id": "x"}]}]}}, r"`chain.stages.0.steps.0.key` of action"),
        ({"chain": {"stages": 500}}, r"`chain.stages` of action"),
        ({"chain": {"stages": [], "at": -1}}, r"`chain.at` of action"),
    ],
)
async def test_a_file_with_a_chain_that_does_not_fit_is_refused(
    chains: ChainRoom, tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    await chains.propose(chains.draft("upper", text="a"), chains.draft("upper", text="b"))
    path = tmp_path / "talk.json"
    await chains.partner.conversations.export_to(chains.conversation_id, path, kind="json")
    body = json.loads(path.read_text())
    body["actions"][0] |= change
    path.write_text(json.dumps(body))
    with pytest.raises(UsageError, match=sentence):
        await chains.partner.conversations.import_from(path)


async def test_a_chain_goes_over_the_wire_and_back_whole(chains: ChainRoom) -> None:
    end = await done_chain(chains)
    assert record_from_text(json.dumps(as_json(end))) == end
    [event] = [one for one in chains.watcher.events if is_end(one, end)]
    wired = json.loads(json.dumps(as_json(event)))
    assert record_from_text(json.dumps(wired["action"])) == end


async def test_an_ability_of_another_name_stays_in_the_chain_that_waits(chains: ChainRoom) -> None:
    temporary = chains.scripts.parent / "tmp" / "cry.py"
    temporary.write_text((chains.scripts / "upper.py").read_text())
    await chains.watcher.until(listed("origin::cry.py"))
    card = await chains.propose(chains.draft("origin::cry.py", text="a"), chains.draft("upper", text="b"))
    asked = await chains.begin(chains.draft("origin::cry.py"), chains.draft("upper", text="b"))
    assert isinstance(asked, Asked)
    draft = await chains.partner.abilities.draft("origin::cry.py")
    key = await chains.partner.abilities.persist("origin::cry.py", draft)
    for record in (await chains.now(card), await chains.now(asked.action)):
        assert steps_of(record)[0].key == key
    now = await chains.now(card)
    assert now.waits_until != card.waits_until, "it is shown anew and asks again"
    assert await chains.partner.audit.newest(action=key) == []
    await chains.partner.actions.approve(card.id, scope="once")
    assert (await ended(chains, card)).status is ActionStatus.SUCCEEDED
    await chains.watcher.done(card.exchange_id)


def plain(step: Step) -> tuple[object, ...]:
    return (step.key, step.title, step.params, step.status, step.result, step.risk, step.text)


def is_end(event: Event, end: ActionRecord) -> bool:
    return isinstance(event, ResultEvent) and event.action.id == end.id
