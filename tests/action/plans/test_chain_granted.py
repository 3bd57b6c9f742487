"""One yes for all of it: these steps, these arguments, this run. A change on the way asks again."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from partner_desktop.base.errors import StorageError, UsageError
from partner_desktop.base.messages import speaking
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import Event, ProposalEvent, ReplyEvent, ResultEvent, RunEvent
from partner_desktop.domain.evidence import Started, Withheld
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep, PlanEdit, StepEdit
from partner_desktop.domain.plan import CHAIN_KEY, Step, StepInput
from partner_desktop.permission.request import ApprovalMode
from tests.action.plans.chain_room import ChainRoom
from tests.support import WAIT_S

# Whole stories, with processes of their own: for the whole gate.
pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.confirm.plan")]


TELL = """\
# /// partner
# description = "Tell a text as it is"
# [params.text]
# type = "string"
# description = "the text"
# ///
import json, sys
print(json.load(sys.stdin)["text"])
"""


def ends(action_id: str) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, ResultEvent) and event.action.id == action_id


def asks_for_a_step(event: Event) -> bool:
    return isinstance(event, ProposalEvent) and bool(event.action.parent_id)


def steps_of(record: ActionRecord) -> tuple[Step, ...]:
    assert record.chain is not None
    return record.chain.steps


async def ended(chains: ChainRoom, card: ActionRecord) -> ActionRecord:
    event = await chains.watcher.until(ends(card.id))
    assert isinstance(event, ResultEvent)
    return event.action


def pipe_in(folder: Path) -> Path:
    """A file that can be read only once somebody writes into it: its reader runs for as long as wanted."""
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


async def let_go(pipe: Path) -> None:
    """Let the step end that reads the pipe, once it has begun to."""
    writing = asyncio.create_task(asyncio.to_thread(pipe.write_text, "go on"))
    try:
        async with asyncio.timeout(WAIT_S):
            await asyncio.shield(writing)
    finally:
        if not writing.done():  # nobody reads: no thread may wait for ever
            os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
            await writing


async def test_one_yes_runs_all_steps_without_another_question(chains: ChainRoom) -> None:
    upper = chains.draft("upper", text="hi", times=2)
    keep = chains.draft("keep", StepInput("text", upper.id), file="loud.txt")
    card = await chains.propose(upper, keep)
    chains.watcher.events.clear()
    await chains.partner.actions.approve(card.id, scope="once")
    end = await ended(chains, card)
    await chains.watcher.done(card.exchange_id)
    assert end.status is ActionStatus.SUCCEEDED, end
    assert (chains.folder / "loud.txt").read_text().strip() == "HIHI"
    events = chains.watcher.events
    assert not any(isinstance(event, ProposalEvent) for event in events), "nothing else was asked"
    assert [
        event.action.id for event in events if isinstance(event, RunEvent) and event.action.parent_id
    ] == [
        upper.id,
        keep.id,
    ]
    assert len([event for event in events if isinstance(event, ReplyEvent) and event.done]) == 1
    rows = await chains.partner.audit.newest()
    yes = [row for row in rows if row.kind == "decision" and row.reason == f"chain {card.id}"]
    assert {(row.action_id, row.by_whom, row.scope) for row in yes} == {
        (upper.id, "person", "once"),
        (keep.id, "person", "once"),
    }
    assert [row.outcome for row in rows if row.action_key == CHAIN_KEY] == ["allow", "started", "succeeded"]
    with pytest.raises(UsageError, match="already settled"):
        await chains.partner.actions.approve(card.id, scope="once")


async def test_a_script_that_was_edited_after_the_yes_asks_before_it_runs(chains: ChainRoom) -> None:
    pipe = pipe_in(chains.folder)
    card = await chains.propose(
        chains.draft("count", file=str(pipe)), chains.draft("keep", file="loud.txt", text="as it was")
    )
    await chains.partner.actions.approve(card.id, scope="once")
    await chains.edit("keep", lambda text: text.replace('given["text"]', '"something else"'))
    await let_go(pipe)
    asked = await chains.watcher.until(asks_for_a_step)
    assert isinstance(asked, ProposalEvent)
    assert (asked.action.title, asked.action.parent_id) == ("Keep", card.id)
    assert not (chains.folder / "loud.txt").exists()
    await chains.partner.actions.reject(asked.action.id)
    end = await ended(chains, card)
    assert end.chain is not None
    assert not (chains.folder / "loud.txt").exists(), "what was turned down did not run"
    await chains.watcher.done()


@pytest.mark.promise("actions.grant.places")
async def test_a_step_that_writes_where_programs_are_started_from_asks_by_itself(chains: ChainRoom) -> None:
    rc = chains.folder / ".bashrc"
    for path in (rc, chains.folder / "notes.txt"):
        path.write_text("as it was", encoding="utf-8")
    card = await chains.propose(
        chains.draft("count", file="notes.txt"), chains.draft("keep", file=".bashrc", text="alias ls=evil")
    )
    await chains.partner.actions.approve(card.id, scope="once")
    asked = await chains.watcher.until(asks_for_a_step)
    assert isinstance(asked, ProposalEvent)
    assert (asked.action.title, asked.action.parent_id, asked.action.grantable) == ("Keep", card.id, False)
    assert rc.read_text(encoding="utf-8") == "as it was"
    await chains.partner.actions.approve(asked.action.id, scope="once")
    assert (await ended(chains, card)).status is ActionStatus.SUCCEEDED
    assert rc.read_text(encoding="utf-8") == "alias ls=evil"
    await chains.watcher.done()


async def test_a_path_that_leads_elsewhere_after_the_yes_asks_before_it_is_touched(chains: ChainRoom) -> None:
    pipe = pipe_in(chains.folder)
    (chains.folder / "place").mkdir()
    (chains.folder / "elsewhere").mkdir()
    card = await chains.propose(
        chains.draft("count", file=str(pipe)), chains.draft("keep", file="place/a.txt", text="x")
    )
    await chains.partner.actions.approve(card.id, scope="once")
    (chains.folder / "place").rmdir()
    (chains.folder / "place").symlink_to("elsewhere")
    await let_go(pipe)
    asked = await chains.watcher.until(asks_for_a_step)
    assert isinstance(asked, ProposalEvent)
    assert [use.path for use in asked.action.paths] == [str(chains.folder / "elsewhere" / "a.txt")]
    assert [*(chains.folder / "elsewhere").iterdir()] == []
    await chains.partner.actions.approve(asked.action.id, scope="once")
    assert (await ended(chains, card)).status is ActionStatus.SUCCEEDED
    assert (chains.folder / "elsewhere" / "a.txt").read_text() == "x"
    await chains.watcher.done()


async def test_what_came_in_after_the_yes_does_not_widen_it(chains: ChainRoom) -> None:
    pipe, private = pipe_in(chains.folder), chains.folder / "private"
    private.mkdir()
    (private / "diary.txt").write_text("five!")
    told = await chains.add("tell", TELL)
    tell = chains.draft(told, text=str(private / "diary.txt"))
    read = chains.draft("count", StepInput("file", tell.id))
    card = await chains.propose(chains.draft("count", file=str(pipe)), tell, read)
    await chains.partner.actions.approve(card.id, scope="once")
    wish = NewStep("local::count", "count it", {"file": str(private)})
    told_of = await chains.partner.actions.intervene(
        card.id, [Intervention(InterventionKind.APPEND, 0, (wish,))]
    )
    assert told_of.refused == ()
    await let_go(pipe)
    asked = await chains.watcher.until(asks_for_a_step)
    assert isinstance(asked, ProposalEvent)
    assert [use.path for use in asked.action.paths] == [str(private / "diary.txt")], (
        "no card showed that place"
    )
    await chains.watcher.done()
    await chains.partner.actions.cancel(card.id)
    await ended(chains, card)


@pytest.mark.parametrize(("name", "asks"), [("out.txt", False), (".profile", True)])
async def test_what_a_step_made_goes_by_its_name_into_the_folder_that_was_shown(
    chains: ChainRoom, name: str, asks: bool
) -> None:
    box = chains.folder / "box"
    box.mkdir()
    keep = chains.draft("keep", file=str(chains.folder / name), text="five!")
    move = chains.draft("builtin::files::move", StepInput("source", keep.id), target=str(box))
    card = await chains.propose(keep, move)
    await chains.partner.actions.approve(card.id, scope="once")
    event = await chains.watcher.until(lambda event: asks_for_a_step(event) or ends(card.id)(event))
    assert isinstance(event, ProposalEvent) == asks, "what programs read by themselves is put nowhere unseen"
    if asks:
        await chains.watcher.done()
        await chains.partner.actions.cancel(card.id)
        await ended(chains, card)
    assert (box / name).exists() != asks


async def test_what_a_step_read_is_not_written_to_by_what_another_brings(chains: ChainRoom) -> None:
    notes = chains.folder / "notes.txt"
    tell = chains.draft(await chains.add("tell", TELL), text=str(notes))
    keep = chains.draft("keep", StepInput("file", tell.id), text="over it")
    card = await chains.propose(chains.draft("count", file=str(notes)), tell, keep)
    await chains.partner.actions.approve(card.id, scope="once")
    asked = await chains.watcher.until(asks_for_a_step)
    assert isinstance(asked, ProposalEvent)
    assert [(use.path, use.access) for use in asked.action.paths] == [(str(notes), "write")]
    assert notes.read_text() == "five!"
    await chains.watcher.done()
    await chains.partner.actions.cancel(card.id)
    await ended(chains, card)


async def test_the_yes_is_to_the_arguments_as_edited_last(chains: ChainRoom) -> None:
    card = await chains.propose(chains.draft("upper", text="a"), chains.draft("upper", text="b"))
    first, second = steps_of(card)
    wish = PlanEdit(((StepEdit(second.id), StepEdit(first.id, {"text": "changed"})),))
    await chains.partner.actions.edit_chain(card.id, wish)
    assert not any(isinstance(event, RunEvent) for event in chains.watcher.events), "it asks again"
    await chains.partner.actions.approve(card.id, scope="once")
    assert (await ended(chains, card)).status is ActionStatus.SUCCEEDED
    ran = {child.id: child.stdout.strip() for child in await chains.partner.actions.steps(card.id)}
    assert ran == {first.id: "CHANGED", second.id: "B"}
    await chains.watcher.done()


async def test_of_two_answers_at_once_the_first_counts(chains: ChainRoom) -> None:
    card = await chains.propose(chains.draft("upper", text="a"), chains.draft("upper", text="b"))
    answers = await asyncio.gather(
        chains.partner.actions.approve(card.id, scope="once"),
        chains.partner.actions.approve(card.id, scope="once"),
        chains.partner.actions.reject(card.id),
        return_exceptions=True,
    )
    assert answers[0] is None
    assert [str(each) for each in answers[1:]] == ["Upper → Upper is already settled (running)."] * 2
    with speaking("zh"):
        assert str(answers[1]) == "Upper → Upper 已经定下来了（在运行）。"
    assert (await ended(chains, card)).status is ActionStatus.SUCCEEDED
    assert len(await chains.partner.actions.steps(card.id)) == 2, "each step ran once"
    await chains.watcher.done()


async def test_a_disk_that_refuses_the_yes_leaves_the_card_as_it_was(chains: ChainRoom) -> None:
    card = await chains.propose(chains.draft("upper", text="a"), chains.draft("upper", text="b"))
    database = chains.partner._parts.core.database
    await database.read(lambda db: db.execute("PRAGMA query_only = ON").fetchall())
    with pytest.raises(StorageError, match="Nothing was saved"):
        await chains.partner.actions.approve(card.id, scope="once")
    await database.read(lambda db: db.execute("PRAGMA query_only = OFF").fetchall())
    assert await chains.now(card) == card
    assert await chains.partner.audit.newest() == []
    assert not any(isinstance(event, RunEvent) for event in chains.watcher.events)
    await chains.partner.actions.approve(card.id, scope="once")
    assert (await ended(chains, card)).status is ActionStatus.SUCCEEDED
    await chains.watcher.done()


async def test_what_needs_no_question_starts_at_once(chains: ChainRoom) -> None:
    looks = (chains.draft("builtin::time"), chains.draft("builtin::list_folder", folder=str(chains.folder)))
    evidence = await chains.begin(*looks, standing=ApprovalMode.NEVER)
    assert isinstance(evidence, Withheld)
    assert "approvals are switched off" in evidence.reason
    evidence = await chains.begin(*looks)
    assert isinstance(evidence, Started)
    end = await ended(chains, evidence.action)
    assert end.status is ActionStatus.SUCCEEDED
    assert not any(asks_for_a_step(event) for event in chains.watcher.events)
    await chains.watcher.done()


async def test_a_blanket_yes_is_asked_of_each_step_and_never_beats_what_it_does_not_reach(
    chains: ChainRoom,
) -> None:
    line = chains.draft("builtin::command::execute", argv=["sh", "-c", "echo hi"])
    evidence = await chains.begin(chains.draft("upper", text="a"), line, standing=ApprovalMode.ALL)
    assert isinstance(evidence, Withheld)
    assert evidence.reason.startswith("Step 2, ")
    assert "needs your own yes" in evidence.reason
    two = chains.draft("upper", text="a"), chains.draft("upper", text="b")
    evidence = await chains.begin(*two, standing=ApprovalMode.ALL)
    assert isinstance(evidence, Started)
    assert (await ended(chains, evidence.action)).status is ActionStatus.SUCCEEDED
    rows = [
        row
        for row in await chains.partner.audit.newest()
        if row.kind == "decision" and row.outcome == "allow"
    ]
    assert [(row.by_whom, row.reason) for row in rows] == [("flag", "--approve all")] * 2
    await chains.watcher.done()


async def test_a_file_that_its_step_could_not_have_made_is_put_nowhere_unseen(chains: ChainRoom) -> None:
    """The other step may write there; the one that names it was given nothing to write."""
    work, box = chains.folder / "work", chains.folder / "box"
    for each in (work, box):
        each.mkdir()
    (work / "diary.txt").write_text("five!")
    tell = chains.draft(await chains.add("tell", TELL), text=str(work / "diary.txt"))
    other = chains.draft("builtin::files::move", source=str(work), target=str(chains.folder / "later"))
    move = chains.draft("builtin::files::move", StepInput("source", tell.id), target=str(box))
    card = await chains.propose(tell, move, other)
    await chains.partner.actions.approve(card.id, scope="once")
    asked = await chains.watcher.until(lambda event: asks_for_a_step(event) or ends(card.id)(event))
    assert isinstance(asked, ProposalEvent)
    assert [use.path for use in asked.action.paths] == [str(work / "diary.txt"), str(box / "diary.txt")]
    assert (work / "diary.txt").exists()
    await chains.watcher.done()
    await chains.partner.actions.cancel(card.id)
    await ended(chains, card)
