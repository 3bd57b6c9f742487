"""What a step leaves in its workspace is the path of the next one, to be read; nothing else of Partner's."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.action.runs.run_files import RunFiles
from partner_desktop.action.settings import ActionSettings
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import ProposalEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.plan import StepInput
from partner_desktop.mind.question import PlanVerdict
from tests.action.plans.leaving import TABLE, answered, leaves, ran, reads, told, two_tables
from tests.action.plans.running import (
    ChainMind,
    Wanted,
    approved,
    at_rest,
    child_card,
    ended,
    errors,
    statuses,
)
from tests.support import FakeClock, Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration


async def test_a_file_that_a_step_left_is_read_by_the_next_one_and_by_nobody_written(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    first = leaves()
    over, printed = await ran(leaving, watcher, first, reads(first))
    assert (errors(over), printed.split()) == ([], ["a,b"])
    assert not any(isinstance(e, ProposalEvent) and e.action.parent_id for e in watcher.events)
    assert (home.runs / first.id / "workspace/out.csv").read_text() == "a,b"


async def test_a_folder_and_what_a_step_names_of_its_files_are_handed_on_the_same(
    leaving: Partner, watcher: Watcher
) -> None:
    first = leaves("os.mkdir('all'); open('all/x', 'w').write('x'); open('b', 'w'); print('all')")
    over, printed = await ran(leaving, watcher, first, reads(first))
    assert (errors(over), printed.split()) == ([], ["['x']"])


async def test_a_list_of_paths_gets_all_that_was_left(leaving: Partner, watcher: Watcher) -> None:
    first = leaves("[open(n, 'w').write(n) for n in ('a.csv', 'b.csv')]; print('two')")
    over, printed = await ran(leaving, watcher, first, reads(first, "local::joins", "tables"))
    assert (errors(over), printed.split()) == ([], ["a.csvb.csv"])


async def test_of_several_files_the_one_is_taken_that_fits_the_parameter(
    leaving: Partner, watcher: Watcher
) -> None:
    first = leaves("[open(n, 'w').write(n) for n in ('a.csv', 'b.png')]; print('two')")
    over, printed = await ran(leaving, watcher, first, reads(first))
    assert (errors(over), printed.split()) == ([], ["a.csv"])


async def test_which_of_several_files_is_asked_and_its_name_is_the_answer(
    leaving: Partner, watcher: Watcher
) -> None:
    first, second = two_tables()
    chain, card = await answered(leaving, watcher, first, second)
    assert "Leaves left several files: a.csv, b.csv." in told(watcher)[0]
    await leaving.actions.approve(card.id, scope="once")
    over = await ended(leaving, watcher, chain.id)
    assert (errors(over), (await leaving.actions.get(second.id)).stdout.split()) == ([], ["b.csv"])


async def test_what_a_step_leaves_that_made_good_another_is_handed_on_in_its_place(
    leaving: Partner, watcher: Watcher, mind: ChainMind
) -> None:
    bad = leaves("sys.exit(1)")
    last = reads(bad)
    new = NewStep("local::leaves", "once more", {"what": TABLE})
    mind.corrections = [(Intervention(InterventionKind.INSERT, 1, (new,), mends=bad.id),)]
    mind.verdicts = [PlanVerdict(True)]
    chain = await approved(leaving, [[bad], [last]])
    card = await child_card(watcher, chain.id)
    await watcher.done(chain.exchange_id)
    await leaving.actions.approve(card.id, scope="once")
    over = await ended(leaving, watcher, chain.id)
    assert statuses(over) == ["failed", "succeeded", "succeeded"], errors(over)
    assert (await leaving.actions.get(last.id)).stdout.strip() == "a,b"


async def test_a_builtin_reads_it_and_copies_it_to_a_place_of_the_persons(
    leaving: Partner, watcher: Watcher, user_home: Path
) -> None:
    first = leaves()
    looks = reads(first, "builtin::files::read", "file")
    copies = Wanted({"target": str(user_home)}, "builtin::files::copy", feeds={"source": first.id})
    chain = await approved(leaving, [[first], [looks], [copies]])
    card = await child_card(watcher, chain.id)
    looked = await leaving.actions.get(looks.id)
    assert "a,b" in looked.stdout
    await watcher.done(chain.exchange_id)
    await leaving.actions.approve(card.id, scope="once")
    over = await ended(leaving, watcher, chain.id)
    assert (errors(over), (user_home / "out.csv").read_text()) == ([], "a,b")


async def test_what_a_chain_may_still_read_is_not_removed_however_long_it_waits(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    first, second = two_tables()
    chain = await approved(leaving, [[first], [second]])
    await at_rest(watcher, chain)
    left = home.runs / first.id / "workspace/a.csv"
    parts, clock = leaving._parts.actions, FakeClock()
    clock.move(timedelta(days=365))

    async def sweep() -> None:
        files = RunFiles(home.runs, parts.store, parts.publisher, ActionSettings, own=(), clock=clock)
        await files.launch()
        await asyncio.wait([task for task in asyncio.all_tasks() if "run files:sweep" in task.get_name()])

    await sweep()
    assert left.exists()
    await leaving.actions.reject(second.id)
    await ended(leaving, watcher, chain.id)
    await sweep()
    assert not left.exists()


async def test_words_that_point_back_mean_what_the_step_before_made_and_not_what_it_was_given(
    leaving: Partner, watcher: Watcher, user_home: Path
) -> None:
    (user_home / "data.csv").write_text("1,2")
    here = await leaving.conversations.create()
    text = "make a chart from data.csv and then shrink it"
    await leaving.messages.send(text, conversation_id=here.id, cwd=str(user_home))
    found = await watcher.until(lambda event: isinstance(event, ProposalEvent))
    assert isinstance(found, ProposalEvent)
    chain = found.action.chain
    assert chain is not None
    chart, shrink = chain.steps
    assert (shrink.params, shrink.feeds) == ({}, (StepInput("picture", chart.id),))
    await leaving.actions.approve(found.action.id, scope="once")
    over = await ended(leaving, watcher, found.action.id)
    assert (errors(over), (await leaving.actions.get(shrink.id)).stdout) == ([], "shrunk a chart of 1,2\n")
