"""The watch tells of every change, once it is quiet, and follows folders that come and go."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from partner_desktop.files.watch import FolderWatch
from tests.support import WAIT_S


class Changes:
    def __init__(self) -> None:
        self.count = 0
        self.news = asyncio.Event()

    async def __call__(self) -> None:
        self.count += 1
        self.news.set()

    async def next(self) -> None:
        await asyncio.wait_for(self.news.wait(), WAIT_S)
        self.news.clear()


async def test_a_new_file_an_edit_and_a_removal_are_each_told(tmp_path: Path) -> None:
    changes = Changes()
    watch = FolderWatch([tmp_path], changes)
    await watch.launch()
    file = tmp_path / "a.py"
    file.write_text("1")
    await changes.next()
    file.write_text("2")
    await changes.next()
    file.unlink()
    await changes.next()
    await watch.shutdown()


@pytest.mark.integration
async def test_a_folder_that_vanishes_and_comes_back_is_followed(tmp_path: Path) -> None:
    folder = tmp_path / "live"
    folder.mkdir()
    changes = Changes()
    watch = FolderWatch([folder], changes)
    await watch.launch()
    shutil.rmtree(folder)
    await changes.next()
    folder.mkdir()
    await changes.next()
    (folder / "a.py").write_text("1")
    await changes.next()
    await watch.shutdown()


async def test_shutting_down_twice_is_harmless(tmp_path: Path) -> None:
    watch = FolderWatch([tmp_path], Changes())
    await watch.launch()
    await watch.shutdown()
    await watch.shutdown()


async def test_other_folders_are_watched_in_place_of_those_before(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    changes = Changes()
    watch = FolderWatch([], changes, recursive=False)
    await watch.launch()
    for folder in (first, second):
        await watch.follow([folder])
        (folder / "a.txt").write_text("1")
        await changes.next()
    await watch.shutdown()
