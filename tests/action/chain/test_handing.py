"""What a step leaves in its workspace is the path of the next one, to be read; nothing else of Partner's."""

from __future__ import annotations

import asyncio
import os
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.action.run_files import RunFiles
from partner_desktop.action.settings import ActionSettings
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import Event, ProposalEvent, ReplyEvent, RunEvent
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.mind.chain_port import ChainVerdict
from tests.action.chain.running import (
    ChainMind,
    Wanted,
    approved,
    at_rest,
    child_card,
    ended,
    errors,
    statuses,
)
from tests.action.listing import keys
from tests.support import FakeClock, Watcher

#: Runs what its first line says, in its working folder.
LEAVES = """\
# /// partner
# description = "Make a table as a file"
# [params.what]
# type = "string"
# description = "what to leave"
# ///
import json, os, socket, sys
home, what = os.environ["PARTNER_WORKSPACE"], json.load(sys.stdin)["what"]
exec(what)
"""

READS = """\
# /// partner
# description = "Read a table"
# [params.table]
# type = "string"
# format = "path"
# access = "read"
# description = "the table to read"
# ///
import json, os, sys
place = json.load(sys.stdin)["table"]
print(open(place).read() if os.path.isfile(place) else sorted(os.listdir(place)))
try:
    open(place, "a").write("x")
    print("written!")
except OSError:
    pass
"""

SPOILS = """\
# /// partner
# description = "Spoil a table"
# [params.table]
# type = "string"
# format = "path"
# access = "write"
# x-partner-there = true
# description = "the table to spoil"
# ///
import json, sys
open(json.load(sys.stdin)["table"], "a").write("spoiled")
"""

JOINS = """\
# /// partner
# description = "Join tables"
# [params.tables]
# type = "array"
# items = { type = "string", format = "path", access = "read" }
# description = "the tables to join"
# ///
import json, sys
print("".join(open(place).read() for place in json.load(sys.stdin)["tables"]))
"""

ABILITIES = {"joins": JOINS, "leaves": LEAVES, "reads": READS, "spoils": SPOILS}
TABLE = "open('out.csv', 'w').write('a,b'); print('done')"


@pytest.fixture
async def room(partner: Partner, watcher: Watcher, action_dir: Path) -> Partner:
    for name, text in ABILITIES.items():
        (action_dir / "dynamic" / f"{name}.py").write_text(text)
    await watcher.until(lambda event: {f"local::{name}" for name in ABILITIES} <= keys(partner))
    return partner


def leaves(what: str = TABLE) -> Wanted:
    return Wanted({"what": what}, "local::leaves")


def reads(source: Wanted, key: str = "local::reads", param: str = "table") -> Wanted:
    return Wanted({}, key, feeds={param: source.id})


def told(watcher: Watcher) -> list[str]:
    return [event.text for event in watcher.events if isinstance(event, ReplyEvent) and event.done]


async def ran(partner: Partner, watcher: Watcher, *steps: Wanted) -> tuple[ActionRecord, str]:
    """The chain at its end, and what its last step printed."""
    chain = await approved(partner, [[step] for step in steps])
    over = await ended(partner, watcher, chain.id)
    assert over.chain is not None
    last = await partner.action(steps[-1].id) if over.chain.steps[-1].started_at else None
    return over, last.stdout if last is not None else ""


async def test_a_file_that_a_step_left_is_read_by_the_next_one_and_by_nobody_written(
    room: Partner, watcher: Watcher, home: Home
) -> None:
    first = leaves()
    over, told = await ran(room, watcher, first, reads(first))
    assert (errors(over), told.split()) == ([], ["a,b"])
    assert not any(isinstance(e, ProposalEvent) and e.action.parent_id for e in watcher.events)
    assert (home.runs / first.id / "workspace/out.csv").read_text() == "a,b"


async def test_a_folder_and_what_a_step_names_of_its_files_are_handed_on_the_same(
    room: Partner, watcher: Watcher
) -> None:
    first = leaves("os.mkdir('all'); open('all/x', 'w').write('x'); open('b', 'w'); print('all')")
    over, told = await ran(room, watcher, first, reads(first))
    assert (errors(over), told.split()) == ([], ["['x']"])


async def test_a_list_of_paths_gets_all_that_was_left(room: Partner, watcher: Watcher) -> None:
    first = leaves("[open(n, 'w').write(n) for n in ('a.csv', 'b.csv')]; print('two')")
    over, told = await ran(room, watcher, first, reads(first, "local::joins", "tables"))
    assert (errors(over), told.split()) == ([], ["a.csvb.csv"])


async def test_of_several_files_the_one_is_taken_that_fits_the_parameter(
    room: Partner, watcher: Watcher
) -> None:
    first = leaves("[open(n, 'w').write(n) for n in ('a.csv', 'b.png')]; print('two')")
    over, told = await ran(room, watcher, first, reads(first))
    assert (errors(over), told.split()) == ([], ["a.csv"])


def two_tables() -> tuple[Wanted, Wanted]:
    first = leaves("[open(n, 'w').write(n) for n in ('a.csv', 'b.csv')]; print('two')")
    return first, reads(first)


async def answered(
    partner: Partner, watcher: Watcher, first: Wanted, second: Wanted
) -> tuple[ActionRecord, ActionRecord]:
    """The chain, and the card of its second step, after its question was answered."""
    chain = await approved(partner, [[first], [second]])
    await at_rest(watcher, chain)
    await partner.send("b.csv", conversation_id=chain.conversation_id)
    return chain, await child_card(watcher, chain.id)


async def test_which_of_several_files_is_asked_and_its_name_is_the_answer(
    room: Partner, watcher: Watcher
) -> None:
    first, second = two_tables()
    chain, card = await answered(room, watcher, first, second)
    assert "Leaves left several files: a.csv, b.csv." in told(watcher)[0]
    await room.approve(card.id, scope="once")
    over = await ended(room, watcher, chain.id)
    assert (errors(over), (await room.action(second.id)).stdout.split()) == ([], ["b.csv"])


TWO = "up = home.rsplit('/', 3)[0]; [open(n, 'w') for n in ('1.txt', '2.txt')]; "
ASKED, NOT_ON = "left several files: 1.txt, 2.txt.", "”, which an earlier step left, "
OWN = "holds Partner's own data"
#: What a step leaves beside two files, or says that it left: why its chain failed, or what it asks.
HOSTILE = {
    "os.symlink(up + '/partner.db', 'out.csv'); print(home + '/out.csv')": f"partner.db {OWN}",
    "os.symlink(up + '/partner.db', 'out.csv'); print('out.csv')": ASKED,
    "print(up + '/partner.db')": f"partner.db {OWN}",
    "print(up + '/runs/other/workspace/x')": f"workspace/x {OWN}",
    "print(home + '/../said.txt')": f"said.txt {OWN}",
    "print('../said.txt')": ASKED,
    "os.mkfifo('out.csv'); print('out.csv')": f"“out.csv{NOT_ON}is no file and no folder",
    "socket.socket(socket.AF_UNIX).bind('s'); print('s')": f"“s{NOT_ON}is no file and no folder",
    "os.mkdir('all'); os.symlink('/etc', 'all/x'); print('all')": f"“all{NOT_ON}holds a link",
    "os.mkdir('all'); os.mkfifo('all/x'); print('all')": f"“all{NOT_ON}holds a link, a pipe",
    "open('a\\nb', 'w'); print('a\\nb')": ASKED,
}


@pytest.mark.slow
async def test_what_is_no_plain_file_of_the_steps_own_is_handed_to_nobody(
    room: Partner, watcher: Watcher, home: Home
) -> None:
    (home.runs / "other" / "workspace").mkdir(parents=True)
    (home.runs / "other/workspace/x").write_text("secret")
    for code, why in HOSTILE.items():
        watcher.events.clear()
        first = leaves(TWO + code)
        second = reads(first)
        (home.runs / first.id).mkdir()
        (home.runs / first.id / "said.txt").write_text("secret")
        chain = await approved(room, [[first], [second]])
        await watcher.until(
            lambda event, of=chain.conversation_id: (  # type: ignore[misc]  # a default binds it
                isinstance(event, ReplyEvent) and event.done and event.conversation_id == of
            )
        )
        over = await room.action(chain.id)
        assert statuses(over)[0] == "succeeded", errors(over)
        assert statuses(over)[1] in ("failed", "waiting"), code
        assert why in "".join(errors(over)) + told(watcher)[-1], code


async def test_what_was_swapped_since_is_looked_at_again_as_the_run_begins(
    room: Partner, watcher: Watcher, home: Home
) -> None:
    first = leaves()
    second = reads(first)
    left = home.runs / first.id / "workspace/out.csv"

    def swap(event: Event) -> None:
        """Between the decision and the run."""
        if isinstance(event, RunEvent) and event.action.id == second.id:
            left.unlink()
            left.symlink_to(home.database)

    room.subscribe(swap)
    over, _ = await ran(room, watcher, first, second)
    assert errors(over) == [
        "“out.csv”, which an earlier step left, is a link, or lies behind one, so it is not handed on."
    ]


async def test_what_was_swapped_while_the_card_waited_is_turned_down(
    room: Partner, watcher: Watcher, home: Home
) -> None:
    first, second = two_tables()
    chain, card = await answered(room, watcher, first, second)
    left = home.runs / first.id / "workspace/b.csv"
    left.unlink()
    os.mkfifo(left)
    await room.approve(card.id, scope="once")
    over = await ended(room, watcher, chain.id)
    assert errors(over) == [
        "“b.csv”, which an earlier step left, is no file and no folder, so it is not handed on."
    ]


async def test_a_step_is_never_given_what_another_left_to_write(
    room: Partner, watcher: Watcher, home: Home
) -> None:
    first = leaves()
    over, _ = await ran(room, watcher, first, reads(first, "local::spoils"))
    (why,) = errors(over)
    assert why.endswith("holds Partner's own data")
    assert (home.runs / first.id / "workspace/out.csv").read_text() == "a,b"


async def test_what_one_chain_left_is_closed_to_another(room: Partner, watcher: Watcher, home: Home) -> None:
    first = leaves()
    await ran(room, watcher, first)
    left = home.runs.resolve() / first.id / "workspace/out.csv"
    second = leaves(f"print({str(left)!r})")
    over, _ = await ran(room, watcher, second, reads(second))
    assert errors(over)[0].endswith("holds Partner's own data")


async def test_what_a_step_leaves_that_made_good_another_is_handed_on_in_its_place(
    room: Partner, watcher: Watcher, mind: ChainMind
) -> None:
    bad = leaves("sys.exit(1)")
    last = reads(bad)
    new = NewStep("local::leaves", "once more", {"what": TABLE})
    mind.corrections = [(Intervention(InterventionKind.INSERT, 1, (new,), mends=bad.id),)]
    mind.verdicts = [ChainVerdict(True)]
    chain = await approved(room, [[bad], [last]])
    card = await child_card(watcher, chain.id)
    await watcher.done(chain.exchange_id)
    await room.approve(card.id, scope="once")
    over = await ended(room, watcher, chain.id)
    assert statuses(over) == ["failed", "succeeded", "succeeded"], errors(over)
    assert (await room.action(last.id)).stdout.strip() == "a,b"


async def test_a_builtin_reads_it_and_copies_it_to_a_place_of_the_persons(
    room: Partner, watcher: Watcher, user_home: Path
) -> None:
    first = leaves()
    looks = reads(first, "builtin::files::read", "file")
    copies = Wanted({"target": str(user_home)}, "builtin::files::copy", feeds={"source": first.id})
    chain = await approved(room, [[first], [looks], [copies]])
    card = await child_card(watcher, chain.id)
    looked = await room.action(looks.id)
    assert "a,b" in looked.stdout
    await watcher.done(chain.exchange_id)
    await room.approve(card.id, scope="once")
    over = await ended(room, watcher, chain.id)
    assert (errors(over), (user_home / "out.csv").read_text()) == ([], "a,b")


async def test_what_a_chain_may_still_read_is_not_removed_however_long_it_waits(
    room: Partner, watcher: Watcher, home: Home
) -> None:
    first, second = two_tables()
    chain = await approved(room, [[first], [second]])
    await at_rest(watcher, chain)
    left = home.runs / first.id / "workspace/a.csv"
    parts, clock = room._parts.actions, FakeClock()
    clock.move(timedelta(days=365))

    async def sweep() -> None:
        files = RunFiles(home.runs, parts.store, parts.announcer, ActionSettings, own=(), clock=clock)
        await files.launch()
        await asyncio.wait([task for task in asyncio.all_tasks() if "run files:sweep" in task.get_name()])

    await sweep()
    assert left.exists()
    await room.reject(second.id)
    await ended(room, watcher, chain.id)
    await sweep()
    assert not left.exists()
