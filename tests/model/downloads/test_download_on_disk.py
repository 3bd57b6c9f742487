"""A download that is told as done is kept as done, and is looked at where it lies when it was not kept."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import CLOSE_TIMEOUT_S
from partner_desktop.domain.events import DownloadsEvent, Event
from partner_desktop.domain.model_download import Download
from tests.model.downloads.fetching import FILE, REPOSITORY, fetched, hub, launched, one_file, state_of
from tests.model.downloads.test_downloads import SIZE, left
from tests.model.hub import FakeHub, HubFileData, model_bytes

pytestmark = pytest.mark.integration

__all__ = ["hub"]


class SlowDisk:
    """From the word `done` on, whoever opens the file to flush it waits until `release`: by a lease on it."""

    def __init__(self) -> None:
        self._file = -1

    def hear(self, event: Event) -> None:
        if isinstance(event, DownloadsEvent) and self._file < 0:
            for one in event.downloads:
                if one.state == "done":
                    self._file = os.open(one.path, os.O_RDWR)
                    fcntl.fcntl(self._file, fcntl.F_SETLEASE, fcntl.F_WRLCK)

    def release(self) -> None:
        if self._file >= 0:
            fcntl.fcntl(self._file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
            os.close(self._file)
        self._file = -1


@pytest.fixture
def slow_disk() -> Iterator[SlowDisk]:
    before = signal.signal(signal.SIGIO, signal.SIG_IGN)  # who wants the file is told of by it
    disk = SlowDisk()
    yield disk
    disk.release()
    signal.signal(signal.SIGIO, before)


def _kept_state(home: Home) -> str:
    with closing(sqlite3.connect(home.database)) as database:
        ((state,),) = database.execute("SELECT state FROM model_downloads").fetchall()
        return str(state)


async def test_who_follows_a_download_comes_to_the_end_when_it_is_kept_as_done(
    home: Home, action_dir: Path, hub: FakeHub, slow_disk: SlowDisk
) -> None:
    one_file(hub, HubFileData(model_bytes(SIZE)))
    async with launched(home, action_dir) as (partner, _):
        partner.subscribe(slow_disk.hear)
        begun = await partner.downloads.start(REPOSITORY)
        states = []
        async for told in partner.downloads.follow(begun.id):
            states.append(told["state"])
            if told["state"] == "done":
                assert _kept_state(home) == "loading", "it may be used before"
                slow_disk.release()
        assert states[-1] == "done"
        assert _kept_state(home) == "done"
        await partner.close()
    assert (await _after_the_next_start(home, action_dir)).state == "done"


@pytest.mark.slow
async def test_a_partner_that_closes_waits_for_what_it_told_as_done(
    home: Home, action_dir: Path, hub: FakeHub, slow_disk: SlowDisk, caplog: pytest.LogCaptureFixture
) -> None:
    one_file(hub, HubFileData(model_bytes(SIZE)))
    async with launched(home, action_dir) as (partner, said):
        partner.subscribe(slow_disk.hear)
        begun = await partner.downloads.start(REPOSITORY)
        await state_of(said, begun, "done")
        end = asyncio.create_task(partner.close())
        await asyncio.wait([end], timeout=CLOSE_TIMEOUT_S + 2)
        assert not end.done(), "it closed over a flush"
        slow_disk.release()
        await end
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert _kept_state(home) == "done"


async def _after_the_next_start(home: Home, action_dir: Path) -> Download:
    async with launched(home, action_dir) as (partner, _):
        (found,) = partner.downloads.list()
        return found


class EndOfDownload:
    """What a crash leaves that comes after the word `done` and before the row: both names, and `loading`."""

    def __init__(self, home: Home) -> None:
        self._home, self._kept = home, home.root / "stage as it was"

    def hear(self, event: Event) -> None:
        if isinstance(event, DownloadsEvent) and not self._kept.exists():
            for one in event.downloads:
                if one.state == "done":
                    shutil.copytree(self._stage(one), self._kept, copy_function=os.link)

    def restore(self, done: Download, *, told: bool) -> None:
        self._kept.rename(self._stage(done))
        forgotten = "" if told else ", '$.told', json('[]')"
        with closing(sqlite3.connect(self._home.database)) as database, database:
            database.execute(
                "UPDATE model_downloads SET state = 'loading', "
                f"document = json_set(document, '$.state', 'loading'{forgotten})"
            )

    def _stage(self, download: Download) -> Path:
        return self._home.models / ".downloads" / download.id


async def _ended_in_between(home: Home, action_dir: Path, *, told: bool = True) -> Download:
    crash = EndOfDownload(home)
    async with launched(home, action_dir) as (partner, said):
        partner.subscribe(crash.hear)
        done = await fetched(partner, said, REPOSITORY)
        assert done.state == "done", done.reason
    crash.restore(done, told=told)
    return done


async def test_a_whole_model_that_was_not_kept_as_done_is_done_without_the_hub(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    one_file(hub, HubFileData(model_bytes(SIZE)))
    before = await _ended_in_between(home, action_dir)
    asked = len(hub.asked)
    async with launched(home, action_dir) as (partner, said):
        done = await state_of(said, before, "done", "failed", "paused")
        assert (done.state, done.path, done.model) == ("done", before.path, before.model), done.reason
        await _until_over(partner, done)
    assert len(hub.asked) == asked
    assert left(home) == [f"{REPOSITORY}/{FILE}"]
    assert _kept_state(home) == "done"


async def _until_over(partner: Partner, download: Download) -> None:
    async for _ in partner.downloads.follow(download.id):
        pass


def _spoil(path: str) -> None:
    """The length survived a loss of power, the content did not."""
    with Path(path).open("r+b") as file:
        file.seek(SIZE // 2)
        file.write(bytes(4096))


async def test_a_model_that_power_emptied_is_fetched_anew_under_its_name(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    one_file(hub, data := HubFileData(model_bytes(SIZE)))
    before = await _ended_in_between(home, action_dir)
    _spoil(before.path)
    async with launched(home, action_dir) as (partner, said):
        done = await state_of(said, before, "done", "failed", "paused")
        assert (done.state, done.path) == ("done", before.path), done.reason
        await _until_over(partner, done)
        assert [one.name for one in partner.models.list()] == [before.model]
    assert hashlib.sha256(Path(before.path).read_bytes()).hexdigest() == data.truth
    assert left(home) == [f"{REPOSITORY}/{FILE}"]


async def test_a_broken_model_goes_with_its_part_where_the_hub_says_so(
    home: Home, action_dir: Path, hub: FakeHub
) -> None:
    """Kept by a version that did not note down what the hub told."""
    one_file(hub, HubFileData(model_bytes(SIZE)))
    before = await _ended_in_between(home, action_dir, told=False)
    _spoil(before.path)
    async with launched(home, action_dir) as (partner, said):
        failed = await state_of(said, before, "done", "failed", "paused")
        assert failed.state == "failed"
        assert left(home) == []
        await partner.downloads.resume(before.id)
        done = await state_of(said, before, "done")
        assert done.path == before.path
