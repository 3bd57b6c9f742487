"""A disk that is full while chats come in: what is in stays, and the rest comes when there is room."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from partner_desktop.base.paths import Home
from partner_desktop.domain.events import NoticeEvent
from tests.features.test_full_disk import fill, small_disk
from tests.memory.chats import brought_in, living, texts, turn, written

__all__ = ["small_disk"]  # a fixture

pytestmark = [pytest.mark.promise("memory.import"), pytest.mark.integration]


async def test_an_import_that_fills_the_disk_says_so_and_goes_on_when_there_is_room(
    small_disk: Path, fresh_home: Path, action_dir: Path, tmp_path: Path
) -> None:
    home = Home(small_disk / "home")
    shutil.copytree(fresh_home, home.root)
    lines = [
        turn(f"Crate number{number} holds {'tea ' * 2_000}", conversation=f"crate-{number}")
        for number in range(120)
    ]
    path = written(tmp_path / "crates.jsonl", lines)
    async with living(home, action_dir) as (partner, watcher):
        ballast = fill(small_disk)
        with ballast.open("r+b") as file:
            file.truncate(ballast.stat().st_size - 700_000)
        full = await brought_in(partner, path)
        assert full.state == "failed"
        assert "the disk is full" in full.problem
        assert 0 < full.chats < 120
        notice = await watcher.until(lambda event: isinstance(event, NoticeEvent))
        assert isinstance(notice, NoticeEvent)
        assert notice.text.startswith("crates.jsonl could not be read to its end: ")
        assert len(await partner.conversations.list()) == full.chats
        ballast.unlink()
        shorter = written(path, lines[:30])
        end = await brought_in(partner, shorter)
        assert (end.state, end.chats + end.known) == ("done", 30)
        listed = await partner.conversations.list(limit=1_000)
        assert len(listed) == max(30, full.chats)
        assert texts(await partner.memory.recall("crate number3"))[0].startswith("Crate number3 holds")
