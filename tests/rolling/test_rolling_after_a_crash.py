"""Rolling that is killed at each of its steps, or runs out of disk: all of it is there, or none."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from partner_desktop.base.errors import DiskFullError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import NoticeEvent
from tests.features.test_full_disk import fill, small_disk, until_refused
from tests.rolling.long_talk import (
    dialog_of,
    history_of,
    line,
    opened,
    plain_mind,
    rolled,
    rolls,
    say,
    talking,
)
from tests.support import REPOSITORY

__all__ = ["small_disk"]  # a fixture

pytestmark = [pytest.mark.promise("rolling.threshold"), pytest.mark.integration]

_DEATH_S = 60
_SAID = [f"number{number}: boat {number} is in harbour {number % 5}." for number in range(8)]


@pytest.fixture(scope="module")
def talked_home(fresh_home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A home with a conversation, made once; and the conversation's id."""
    folder = tmp_path_factory.mktemp("talked")

    async def talk() -> str:
        async with talking(Home(folder / "home"), folder / "action", plain_mind(), used=fresh_home) as (
            partner,
            watcher,
        ):
            return await say(partner, watcher, _SAID)

    return folder / "home", asyncio.run(talk())


@pytest.mark.parametrize(
    ("moment", "units"),
    [
        ("question:1", 0),
        ("question:3", 0),
        ("call:insert_unit", 0),
        ("return:insert_unit", 0),
        ("told", 1),
    ],
)
async def test_a_roll_that_was_killed_is_there_whole_or_not_at_all_and_the_next_takes_the_rest(
    home: Home, action_dir: Path, talked_home: tuple[Path, str], moment: str, units: int
) -> None:
    folder, one = talked_home
    shutil.copytree(folder, home.root)
    command = [sys.executable, "-m", "tests.rolling.dying", str(home.root), str(action_dir), one, moment]
    died = await asyncio.to_thread(
        subprocess.run, command, cwd=REPOSITORY, timeout=_DEATH_S, check=False, capture_output=True
    )
    assert died.returncode == -signal.SIGKILL, died
    mind = plain_mind()
    async with talking(home, action_dir, mind) as (partner, watcher):
        whole = await line(partner, one)
        assert [text for _, text in whole][::2] == _SAID
        found = list(await partner.memory.units(one))
        assert len(found) == units
        slices = await partner.memory.slices(conversation_id=one)
        assert bool(slices) is bool(units)
        await say(partner, watcher, ["and where is it?"], one)
        prompt = mind.asked[-1].prompt
        assert dialog_of(prompt) == ([] if units else [text for _, text in whole])
        assert bool(history_of(prompt)) is bool(units)
        unit = await partner.memory.roll(one)
        assert unit is not None
        assert unit.past > unit.first == (found[0].past if units else 0)
        whole = await line(partner, one)
        both = [each for every in await partner.memory.units(one) for each in await opened(partner, every)]
        assert both == whole
        assert all(each.summary for each in await partner.memory.slices(conversation_id=one))


async def test_a_disk_that_fills_up_in_mid_roll_leaves_the_dialog_as_it_was_until_there_is_room(
    small_disk: Path, action_dir: Path, fresh_home: Path
) -> None:
    home = Home(small_disk / "home")
    shutil.copytree(fresh_home, home.root)
    mind = plain_mind()
    async with talking(home, action_dir, mind) as (partner, watcher):
        one = await say(partner, watcher, _SAID)
        whole = await line(partner, one)
        ballast = fill(small_disk)
        with pytest.raises(DiskFullError, match="the disk is full"):
            await until_refused(partner, (await partner.conversations.create()).id)
        with pytest.raises(DiskFullError, match="the disk is full"):
            await partner.memory.roll(one)
        assert await partner.memory.units(one) == []
        assert await line(partner, one) == whole
        assert rolls(watcher.events) == []
        ballast.unlink()
        unit = await partner.memory.roll(one)
        assert unit is not None
        assert await opened(partner, unit) == whole
        assert (await rolled(watcher)) == unit
        assert [event.title for event in watcher.events if isinstance(event, NoticeEvent)].count(
            "Memory"
        ) == 0
