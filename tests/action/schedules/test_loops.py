"""What a trigger did itself does not fire it, not by way of another one either; what a person did does."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.plan import StepInput
from partner_desktop.domain.schedule import LANDED, Schedule
from tests.action.schedules.schedule_room import of, proposed, yes
from tests.action.schedules.trigger_room import Landings, lands, moving
from tests.support import FakeClock

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.trigger")]

#: Writes a file beside the one that it is given, named after it; `waits` until a file is there.
ECHO = """\
# /// partner
# description = "Echo a paper"
# [params.paper]
# type = "string"
# format = "path"
# access = "{access}"
# [params.place]
# type = "string"
# format = "path"
# access = "write"
# ///
import json, pathlib, sys, time
given = json.load(sys.stdin)
paper, place = pathlib.Path(given["paper"]), pathlib.Path(given["place"])
(place / ("again " + paper.name)).write_text("echo")
while (place / "wait").exists() and not (place / "go").exists():
    time.sleep(0.01)
print(json.dumps({{"summary": "did it"}}))
"""


@pytest.fixture
def landings(partner: Partner, clock: FakeClock) -> Landings:
    return Landings(partner, clock)


@pytest.fixture
def inbox(user_home: Path) -> Path:
    (user_home / "Inbox").mkdir()
    return user_home / "Inbox"


@pytest.fixture
def kept(user_home: Path) -> Path:
    (user_home / "Kept").mkdir()
    return user_home / "Kept"


@pytest.fixture(autouse=True)
def echo(action_dir: Path) -> None:
    (action_dir / "dynamic" / "echo.py").write_text(ECHO.format(access="read"))


async def echoing(partner: Partner, folder: Path, place: Path, pattern: str = "*") -> Schedule:
    """For each file that lands in a folder another one is written into a place."""
    evidence = await proposed(
        partner,
        lands(folder, pattern),
        [{"place": str(place)}],
        key="local::echo",
        feeds=[StepInput("paper", LANDED)],
    )
    assert isinstance(evidence, Proposed), evidence
    return await yes(partner, evidence.action)


async def test_what_it_writes_into_its_own_folder_does_not_fire_it(
    partner: Partner, landings: Landings, inbox: Path
) -> None:
    schedule = await echoing(partner, inbox, inbox)
    (inbox / "paper.pdf").write_text("paper")
    await landings.fired(schedule)
    await landings.pass_by(10)
    assert len(await partner.schedules.history(schedule.id)) == 1
    assert sorted(each.name for each in inbox.iterdir()) == ["again paper.pdf", "paper.pdf"]


async def test_two_that_move_to_each_other_do_not_go_on(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    there, back = await moving(partner, inbox, kept), await moving(partner, kept, inbox)
    (inbox / "ball.txt").write_text("ball")
    await landings.fired(there)
    (firing,) = await landings.fired(back)
    await landings.pass_by(10)
    assert firing.causes == (there.id,)
    assert [each.name for each in inbox.iterdir()] == ["ball.txt"]
    assert len(await partner.schedules.history(there.id)) == 1
    assert len(await partner.schedules.history(back.id)) == 1


async def test_a_row_of_triggers_goes_on_to_its_end(
    partner: Partner, landings: Landings, inbox: Path, kept: Path, user_home: Path
) -> None:
    (user_home / "Last").mkdir()
    first = await moving(partner, inbox, kept)
    second = await moving(partner, kept, user_home / "Last")
    (inbox / "paper.txt").write_text("paper")
    await landings.fired(first)
    await landings.fired(second)
    assert (user_home / "Last" / "paper.txt").exists()


async def test_what_a_person_puts_there_meanwhile_is_told_apart(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    """The one moves into the folder of the other, and while that happens a person puts a file there."""
    there, back = await moving(partner, inbox, kept), await moving(partner, kept, inbox)
    (inbox / "ball.txt").write_text("ball")
    (kept / "mine.txt").write_text("mine")
    await landings.fired(there)
    firings = await landings.fired(back, 2)
    assert sorted(one.causes for one in firings) == [(), (there.id,)]
    await landings.fired(there, 2)
    await landings.pass_by(4)
    assert [len(await partner.schedules.history(each.id)) for each in (there, back)] == [2, 2]
    assert [each.name for each in inbox.iterdir()] == ["ball.txt"]


async def test_what_a_person_takes_back_stays_where_it_was(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    schedule = await moving(partner, inbox, kept)
    (inbox / "paper.txt").write_text("paper")
    (firing,) = await landings.fired(schedule)
    await landings.pass_by(2)
    await partner.actions.undo(firing.action_id)
    # Whoever has seen what came or went last has seen what did before.
    (inbox / "later.txt").write_text("came later")
    await landings.fired(schedule, 2)
    assert [each.name for each in inbox.iterdir()] == ["paper.txt"]
    (inbox / "paper.txt").unlink()
    (inbox / "last.txt").write_text("came last")
    await landings.fired(schedule, 3)
    (inbox / "paper.txt").write_text("another")
    await landings.fired(schedule, 4)
    assert sorted(each.name for each in kept.iterdir()) == ["last.txt", "later.txt", "paper.txt"]


async def test_one_that_goes_round_unseen_stops_and_says_so(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    """Another program answers each of its runs with a new file."""
    schedule, number = await moving(partner, inbox, kept), 0
    while (await of(partner, schedule.id)).state == "armed" and number < 100:
        (inbox / f"{number}.txt").write_text("again")
        number += 1
        await landings.seen()
        await landings.fired_or_stopped(schedule, number)
    assert (await of(partner, schedule.id)).state == "stopped"
    assert number > 30
    assert await landings.times_said(schedule, "in a circle") == 1


async def test_who_goes_on_slowly_does_not_go_in_a_circle(
    partner: Partner, clock: FakeClock, landings: Landings, inbox: Path, kept: Path
) -> None:
    schedule = await moving(partner, inbox, kept)
    for number in range(35):
        (inbox / f"{number}.txt").write_text("one more")
        await landings.fired(schedule, number + 1)
        clock.move(timedelta(seconds=5))
    assert (await of(partner, schedule.id)).state == "armed"
