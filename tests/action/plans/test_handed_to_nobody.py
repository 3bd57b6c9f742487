"""What a step leaves is handed to nobody but to the step that it is brought to, to read, as a plain file."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import Event, ReplyEvent, RunEvent
from partner_desktop.domain.run_facts import PathUse
from tests.action.plans.leaving import answered, leaves, ran, reads, told, two_tables
from tests.action.plans.running import approved, at_rest, ended, errors, statuses
from tests.permission.rooms import HELD, SCRIPT
from tests.support import Watcher

# Whole stories: they belong to the whole gate.
pytestmark = pytest.mark.integration

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
    "os.mkdir('all'); os.symlink('/etc', 'all/x'); print('all')": f"“all{NOT_ON}holds a link",
    "os.mkdir('all'); os.mkfifo('all/x'); print('all')": f"“all{NOT_ON}holds a link, a pipe",
    "os.mkdir('all'); [os.mkdir(f'all/{n}') for n in range(20_001)]; print('all')": (
        f"“all{NOT_ON}holds more than 20,000 things"
    ),
    "open('a\\nb', 'w'); print('a\\nb')": ASKED,
}


async def test_what_is_no_plain_file_of_the_steps_own_is_handed_to_nobody(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    (home.runs / "other" / "workspace").mkdir(parents=True)
    (home.runs / "other/workspace/x").write_text("secret")
    for code, why in HOSTILE.items():
        watcher.events.clear()
        first = leaves(TWO + code)
        second = reads(first)
        (home.runs / first.id).mkdir()
        (home.runs / first.id / "said.txt").write_text("secret")
        chain = await approved(leaving, [[first], [second]])
        await watcher.until(
            lambda event, of=chain.conversation_id: (  # type: ignore[misc]  # a default binds it
                isinstance(event, ReplyEvent) and event.done and event.conversation_id == of
            )
        )
        over = await leaving.actions.get(chain.id)
        assert statuses(over)[0] == "succeeded", errors(over)
        assert statuses(over)[1] in ("failed", "waiting"), code
        assert why in "".join(errors(over)) + told(watcher)[-1], code


async def test_beside_what_is_handed_nothing_of_partners_is_seen(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    first = leaves("[open(n, 'w') for n in ('out.csv', 'other.txt')]; print('out.csv')")
    second = reads(first, "local::peeks")
    over, printed = await ran(leaving, watcher, first, second)
    assert errors(over) == []
    assert {file.name for file in (await leaving.actions.get(first.id)).files} == {"out.csv", "other.txt"}
    assert home.database.exists()
    assert printed.splitlines() == ["out.csv", "workspace", " ".join(sorted((first.id, second.id)))]


async def test_what_was_swapped_since_is_looked_at_again_as_the_run_begins(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    first = leaves()
    second = reads(first)
    left = home.runs / first.id / "workspace/out.csv"

    def swap(event: Event) -> None:
        """Between the decision and the run."""
        if isinstance(event, RunEvent) and event.action.id == second.id:
            left.unlink()
            left.symlink_to(home.database)

    leaving.subscribe(swap)
    over, _ = await ran(leaving, watcher, first, second)
    assert errors(over) == [
        "“out.csv”, which an earlier step left, is a link, or lies behind one, so it is not handed on."
    ]


async def test_what_was_swapped_while_the_card_waited_is_turned_down(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    first, second = two_tables()
    chain, card = await answered(leaving, watcher, first, second)
    left = home.runs / first.id / "workspace/b.csv"
    left.unlink()
    os.mkfifo(left)
    await leaving.actions.approve(card.id, scope="once")
    over = await ended(leaving, watcher, chain.id)
    assert errors(over) == [
        "“b.csv”, which an earlier step left, is no file and no folder, so it is not handed on"
    ]


async def test_a_step_is_never_given_what_another_left_to_write(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    first = leaves()
    over, _ = await ran(leaving, watcher, first, reads(first, "local::spoils"))
    (why,) = errors(over)
    assert why.endswith("holds Partner's own data")
    assert (home.runs / first.id / "workspace/out.csv").read_text() == "a,b"


async def test_what_one_chain_left_is_closed_to_another(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    first = leaves()
    await ran(leaving, watcher, first)
    left = home.runs.resolve() / first.id / "workspace/out.csv"
    second = leaves(f"print({str(left)!r})")
    over, _ = await ran(leaving, watcher, second, reads(second))
    assert errors(over)[0].endswith("holds Partner's own data")


async def test_nothing_is_handed_to_a_server_a_command_line_or_anybody_else(
    leaving: Partner, watcher: Watcher, home: Home
) -> None:
    first, second = two_tables()
    chain = await approved(leaving, [[first], [second]])
    await at_rest(watcher, chain)
    workspace = home.runs.resolve() / first.id / "workspace"
    table = PathUse("table", str(workspace / "a.csv"), "read")
    asks = replace(SCRIPT, action_id=second.id, paths=(table,))
    handed = leaving._parts.core.output_access.handed
    assert await handed(asks) == {table: ""}
    served = await handed(replace(asks, isolation=replace(HELD, server="weather")))
    assert "no server is given anything" in served[table]
    others = [
        replace(asks, action_key="builtin::command::execute"),
        replace(asks, action_id=first.id),
        *(
            replace(asks, paths=(replace(table, **{name: value}),))  # type: ignore[arg-type] # texts, all of them
            for name, value in (
                ("access", "write"),
                ("param", ""),
                ("param", "other"),
                ("path", str(workspace.parent / "stdout.txt")),
                ("path", f"{workspace}/../../x"),
                ("path", str(home.database)),
            )
        ),
    ]
    for other in others:
        assert await handed(other) == {}, other
    await leaving.actions.reject(second.id)
    await ended(leaving, watcher, chain.id)
    assert await handed(asks) == {}, "the chain is over"
