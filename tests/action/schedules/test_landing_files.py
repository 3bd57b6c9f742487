"""A file that lands in a folder fires what was approved for it: each once, whole, and none that was there."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.plan import StepInput
from partner_desktop.domain.schedule import LANDED, MissedPolicy
from tests.action.schedules.schedule_room import of, proposed, set_reminder, yes
from tests.action.schedules.trigger_room import Landings, lands, moving
from tests.support import FakeClock

pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.trigger")]


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


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


async def test_a_pdf_that_lands_is_moved_and_what_was_there_stays(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    (inbox / "old.pdf").write_text("old")
    schedule = await moving(partner, inbox, kept, "*.pdf")
    (inbox / "new.PDF").write_text("new")
    (inbox / "notes.txt").write_text("text")
    (firing,) = await landings.fired(schedule)
    await landings.pass_by()
    assert (firing.state, names(kept), names(inbox)) == ("done", ["new.PDF"], ["notes.txt", "old.pdf"])
    assert (kept / "new.PDF").read_text() == "new"
    assert len(await partner.schedules.history(schedule.id)) == 1
    assert firing.landed == ""  # told by its action from then on


async def test_what_is_still_coming_does_not_fire(
    partner: Partner, clock: FakeClock, landings: Landings, inbox: Path, kept: Path
) -> None:
    schedule = await moving(partner, inbox, kept)
    (inbox / "film.mkv").touch()  # as a browser makes it before the name that it writes to
    for name in ("film.mkv.part", "other.crdownload", "third.tmp", ".hidden", "text~"):
        (inbox / name).write_text("half")
    (inbox / "folder").mkdir()
    (inbox / "link.pdf").symlink_to(kept)
    await landings.pass_by()
    assert not await partner.schedules.history(schedule.id)
    (inbox / "film.mkv.part").rename(inbox / "film.mkv")
    with (inbox / "film.mkv").open("a") as film:
        for _ in range(3):
            film.write("more")
            film.flush()
            os.utime(inbox / "film.mkv", ns=(0, film.tell()))
            await landings.step(timedelta(seconds=0.9))
            assert not await partner.schedules.history(schedule.id)
    await landings.fired(schedule)
    assert names(kept) == ["film.mkv"]
    (inbox / "other.crdownload").rename(inbox / "other.iso")
    await landings.fired(schedule, 2)
    await landings.pass_by()
    assert names(kept) == ["film.mkv", "other.iso"]


async def test_two_hundred_at_once_are_seen_to_ten_a_minute(
    partner: Partner, clock: FakeClock, landings: Landings, inbox: Path
) -> None:
    schedule = await set_reminder(partner, lands(inbox), "a file is there")
    for number in range(200):
        (inbox / f"{number:03}.pdf").write_text("new")
    await landings.fired(schedule, 10)
    await landings.pass_by()
    assert len(await partner.schedules.history(schedule.id, limit=500)) == 10
    firings = await landings.fired(schedule, 200, span=timedelta(minutes=1))
    await landings.pass_by()
    assert len(await partner.schedules.history(schedule.id, limit=500)) == 200
    times = [one.due_at for one in firings]
    assert all(later - first >= timedelta(minutes=1) for first, later in zip(times, times[10:], strict=False))


async def test_files_at_once_are_moved_one_after_another(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    schedule = await moving(partner, inbox, kept)
    for number in range(25):
        (inbox / f"{number:02}.txt").write_text(str(number))
    firings = await landings.fired(schedule, 25, span=timedelta(seconds=30))
    assert {one.state for one in firings} == {"done"}
    assert (len(names(kept)), names(inbox)) == (25, [])
    assert (await of(partner, schedule.id)).state == "armed"


@pytest.mark.parametrize(("missed", "moved"), [("once", ["a.pdf", "b.pdf"]), ("skip", ["c.pdf"])])
async def test_what_landed_while_partner_was_closed_is_told_once(
    partner: Partner,
    build: Callable[[], Partner],
    clock: FakeClock,
    inbox: Path,
    kept: Path,
    missed: MissedPolicy,
    moved: list[str],
) -> None:
    schedule = await moving(partner, inbox, kept, "*.pdf", missed=missed)
    await partner.settled()
    await partner.close()
    for name in ("a.pdf", "b.pdf"):
        (inbox / name).write_text(name)
    second = build()
    landings = Landings(second, clock)
    await second.launch()
    try:
        if missed == "skip":
            (firing,) = await landings.fired(schedule)
            assert (firing.state, firing.count) == ("missed", 2)
            (inbox / "c.pdf").write_text("c")
        await landings.fired(schedule, 2)
        await landings.pass_by()
        assert names(kept) == moved
        assert await landings.times_said(schedule, "While I was closed") == 1
    finally:
        await second.close()


async def test_what_waited_as_partner_ended_is_done_later(
    partner: Partner, build: Callable[[], Partner], clock: FakeClock, landings: Landings, inbox: Path
) -> None:
    schedule = await set_reminder(partner, lands(inbox), "a file is there")
    for number in range(15):
        (inbox / f"{number}.pdf").write_text("new")
    await landings.fired(schedule, 10)
    await partner.close()
    second = build()
    again = Landings(second, clock)
    await second.launch()
    try:
        await again.fired(schedule, 15, span=timedelta(seconds=20))
        await again.pass_by()
        assert len(await second.schedules.history(schedule.id)) == 15
    finally:
        await second.close()


async def test_a_folder_that_is_gone_is_told_once_and_goes_on_as_it_comes_back(
    partner: Partner, landings: Landings, inbox: Path, kept: Path, user_home: Path
) -> None:
    (inbox / "known.pdf").write_text("known")
    schedule = await moving(partner, inbox, kept)
    inbox.rename(user_home / "Elsewhere")
    assert await landings.said(schedule, "is not there") == 1
    await landings.pass_by(60)
    assert await landings.times_said(schedule, "is not there") == 1
    (user_home / "Elsewhere" / "new.pdf").write_text("new")
    (user_home / "Elsewhere").rename(inbox)
    await landings.fired(schedule)
    await landings.pass_by()
    assert (names(kept), names(inbox)) == (["new.pdf"], ["known.pdf"])


async def test_a_name_that_comes_again_fires_again(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    schedule = await set_reminder(partner, lands(inbox), "a file is there")
    for count in (1, 2):
        (inbox / "report.pdf").write_text("new")
        await landings.fired(schedule, count)
        await landings.pass_by(2)
        (inbox / "report.pdf").unlink()
        await landings.pass_by(2)


async def test_what_lands_while_it_is_paused_is_left_alone(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    schedule = await moving(partner, inbox, kept)
    await partner.schedules.pause(schedule.id)
    (inbox / "meanwhile.pdf").write_text("new")
    await landings.pass_by()
    await partner.schedules.resume(schedule.id)
    await partner.schedules.pause("")
    (inbox / "all paused.pdf").write_text("new")
    await landings.pass_by()
    await partner.schedules.resume("")
    (inbox / "later.pdf").write_text("new")
    await landings.fired(schedule)
    await landings.pass_by()
    assert names(kept) == ["later.pdf"]


#: What moves files takes none of these names; they stay where they are.
REFUSED = ["two\nlines.pdf", "x" * 251 + ".pdf"]
NASTY = [
    "-rf.pdf",
    "a..pdf",
    "bidi\u202efdp.exe.pdf",
    "$(touch owned).pdf",
    "'; rm -rf ~; '.pdf",
    "~.pdf",
    "%2e%2e%2f.pdf",
    "{landed}.pdf",
    " space .pdf",
    "报告.pdf",
]


async def test_a_name_is_data_whatever_it_is(
    partner: Partner, landings: Landings, inbox: Path, kept: Path, user_home: Path
) -> None:
    schedule = await moving(partner, inbox, kept, "*.pdf")
    for name in [*NASTY, *REFUSED]:
        (inbox / name).write_text(name)
    Path(os.fsdecode(os.fsencode(inbox) + b"/no text \xff.pdf")).write_text("left alone")
    before = names(user_home)
    firings = await landings.fired(schedule, len(NASTY) + len(REFUSED), span=timedelta(seconds=20))
    await landings.pass_by()
    assert [one.state for one in firings].count("failed") == len(REFUSED)
    assert names(kept) == sorted(NASTY)
    assert all((kept / name).read_text() == name for name in NASTY)
    assert names(inbox) == sorted([*REFUSED, os.fsdecode(b"no text \xff.pdf")])
    assert names(user_home) == before


async def test_a_name_goes_whole_into_a_path_and_into_no_text(
    partner: Partner, landings: Landings, inbox: Path, log: Path
) -> None:
    evidence = await proposed(partner, lands(inbox), [{"log": str(log)}], feeds=[StepInput("line", LANDED)])
    assert not isinstance(evidence, Proposed)
    evidence = await proposed(partner, lands(inbox), [{"line": "it came"}], feeds=[StepInput("log", LANDED)])
    assert isinstance(evidence, Proposed)
    schedule = await yes(partner, evidence.action)
    (inbox / "-n $(id).txt").write_text("")
    await landings.fired(schedule)
    assert (inbox / "-n $(id).txt").read_text() == "it came\n"


async def test_a_rule_that_denies_wins_for_the_file_that_landed(
    partner: Partner, landings: Landings, inbox: Path, kept: Path
) -> None:
    schedule = await moving(partner, inbox, kept)
    await partner.permissions.deny("builtin::files::move")
    (inbox / "new.pdf").write_text("new")
    (firing,) = await landings.fired(schedule)
    assert (firing.state, names(inbox), names(kept)) == ("refused", ["new.pdf"], [])
    assert (await of(partner, schedule.id)).state == "armed"


async def test_what_lands_in_a_place_of_partners_is_not_touched(
    partner: Partner, landings: Landings, home: Home, kept: Path
) -> None:
    own = home.root / "config"
    schedule = await moving(partner, own, kept)
    (own / "new.toml").write_text("")
    (firing,) = await landings.fired(schedule)
    assert (firing.state, names(kept)) != ("done", ["new.toml"])
    assert (own / "new.toml").exists()


async def test_a_file_that_becomes_a_link_leads_nowhere(
    partner: Partner, clock: FakeClock, landings: Landings, inbox: Path, kept: Path, user_home: Path
) -> None:
    """Ten have been seen to, so that the others wait: of them one is swapped for a link meanwhile."""
    (user_home / "secret.txt").write_text("secret")
    schedule = await moving(partner, inbox, kept)
    for number in range(12):
        (inbox / f"{number:02}.txt").write_text(str(number))
    await landings.fired(schedule, 10)
    (left, other) = sorted(inbox.iterdir())
    left.unlink()
    left.symlink_to(user_home / "secret.txt")
    await landings.fired(schedule, 11, span=timedelta(seconds=20))
    await landings.pass_by()
    assert (other.name in names(kept), left.name in names(kept)) == (True, False)
    assert (user_home / "secret.txt").read_text() == "secret"
