"""What the steps of a plan did to files is taken back together, the latest first; one alone by its id."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.base.errors import UsageError
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import ProposalEvent
from partner_desktop.domain.plan import StepStatus
from tests.action.plans.running import Wanted, approved, ended, until_step
from tests.action.undo.working import KEY, Worker, tree_of

#: A Partner each.
pytestmark = pytest.mark.integration


async def done(work: Worker, papers: Path) -> ActionRecord:
    """A plan of three steps: two change the same file, one between them another."""
    changes = (("a.txt", "1"), ("b.txt", "2"), ("a.txt", "3"))
    codes = [f"open('{name}', 'a').write('{text}')" for name, text in changes]
    steps = [[Wanted({"code": code, "folder": str(papers)}, key=KEY)] for code in codes]
    chain = await approved(work.partner, steps)
    over = await ended(work.partner, work.watcher, chain.id)
    assert (papers / "a.txt").read_text() == "one13"
    return over


async def test_all_of_a_plan_is_taken_back_and_a_step_alone_by_its_id(work: Worker, papers: Path) -> None:
    (papers / "a.txt").write_text("one")
    before = tree_of(papers)
    chain = await done(work, papers)
    told = await work.partner.actions.undo("last")
    assert told == f"Taken back: 2 files are as before {chain.title} ran.", "one was changed twice"
    assert tree_of(papers) == before
    with pytest.raises(UsageError, match="was taken back already"):
        await work.partner.actions.undo(chain.id)

    chain = await done(work, papers)
    steps = await work.partner.actions.steps(chain.id)
    await work.partner.actions.undo(steps[-1].id)
    assert (papers / "a.txt").read_text() == "one1"
    assert (await work.partner.actions.undo(chain.id)).startswith("Taken back: 2 files"), "what is left of it"
    assert tree_of(papers) == before


async def test_an_undo_that_stops_half_way_says_how_far_it_came(work: Worker, papers: Path) -> None:
    (papers / "a.txt").write_text("one")
    chain = await done(work, papers)
    (papers / "b.txt").write_text("mine")
    with pytest.raises(UsageError) as refused:
        await work.partner.actions.undo(chain.id)
    assert str(refused.value) == (
        f"Taken back: 1 of the 3 steps of {chain.title} that changed files. At Worker it stopped: "
        "It was not taken back, because this changed since the run: ~/papers/b.txt."
    )
    assert (papers / "a.txt").read_text() == "one1"


async def test_what_of_a_plan_is_done_is_not_taken_back_while_the_rest_runs(
    work: Worker, papers: Path
) -> None:
    codes = ["open('a.txt', 'w').write('1')", "while not os.path.exists('go'): time.sleep(0.01)"]
    steps = [
        [Wanted({"code": code, "folder": str(papers / name)}, key=KEY)]
        for code, name in zip(codes, "ab", strict=True)
    ]
    for name in "ab":
        (papers / name).mkdir()
    chain = await approved(work.partner, steps)
    await until_step(work.watcher, chain.id, 2, lambda step: step.status is StepStatus.RUNNING)
    with pytest.raises(UsageError, match="still runs; stop it first"):
        await work.partner.actions.undo(chain.id)
    assert (papers / "a" / "a.txt").exists()
    (papers / "b" / "go").touch()
    await ended(work.partner, work.watcher, chain.id)
    await work.partner.actions.undo(chain.id)
    assert not (papers / "a" / "a.txt").exists()


async def test_undo_that_after_a_plan_names_all_its_files_and_takes_them_back(
    work: Worker, papers: Path
) -> None:
    (papers / "a.txt").write_text("one")
    before = tree_of(papers)
    chain = await done(work, papers)
    work.watcher.events.clear()
    await work.partner.messages.send("undo that", conversation_id=chain.conversation_id, exchange_id="undo")
    await work.watcher.done("undo")
    (proposal,) = [event.action for event in work.watcher.events if isinstance(event, ProposalEvent)]
    assert (proposal.params["what"], proposal.params["files"]) == (
        chain.title,
        "~/papers/a.txt, ~/papers/b.txt",
    )
    work.watcher.events.clear()
    await work.partner.actions.approve(proposal.id, scope="once")
    await work.watcher.done()
    assert tree_of(papers) == before
