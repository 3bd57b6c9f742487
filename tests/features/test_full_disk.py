"""A disk that is full in the middle of it: a small tmpfs, filled to the last byte."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import BackupError, DiskFullError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import MessageEvent, ResultEvent
from partner_desktop.domain.message import MessageState, Role
from partner_desktop.domain.plan import StepStatus
from tests.action.plans.running import Wanted, approved, child_card, go_on, lines, until_step, write_abilities
from tests.support import HastyClock, Watcher

pytestmark = pytest.mark.integration

_SIZE_MB = 8


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    options = f"size={_SIZE_MB}m,mode=700"
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False
    )
    if made.returncode != 0:
        pytest.skip(f"a small disk needs the right to mount: {made.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Take every byte that is left."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return ballast


@asynccontextmanager
async def launched(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner on the home, as often as a test wants."""
    partner, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        yield partner, watcher
    finally:
        await partner.close()


async def rows(home: Home, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(home.database)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        return database.execute(query).fetchall()


async def until_refused(partner: Partner, conversation_id: str) -> None:
    """The write-ahead log may still have some room."""
    for _ in range(50):
        await partner.messages.send("x" * 100_000, conversation_id=conversation_id)


async def test_a_full_disk_is_named_loses_nothing_and_works_again_when_there_is_room(
    small_disk: Path, action_dir: Path
) -> None:
    home = Home(small_disk / "home")
    partner, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    await partner.launch()
    try:
        partner.subscribe(watcher)
        first = await partner.messages.send("before", conversation_id=None)
        await watcher.done()
        ballast = fill(small_disk)
        watcher.events.clear()
        with pytest.raises(DiskFullError, match=r"Nothing was saved: the disk is full\. Free some space"):
            await until_refused(partner, first.conversation_id)
        accepted = [event for event in watcher.events if isinstance(event, MessageEvent)]
        ballast.unlink()
        await partner.messages.send("after", conversation_id=first.conversation_id)
        await watcher.until(lambda e: isinstance(e, MessageEvent) and e.message.text == "after")
        said = await rows(home, "SELECT text FROM messages WHERE role = 'user' ORDER BY position")
        assert said == [("before",), *((event.message.text,) for event in accepted), ("after",)]
    finally:
        await partner.close()
    # What could not be answered for want of room is answered by the next start.
    again = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await again.launch()
    try:
        await again.idle()
        messages = await again.messages.list(first.conversation_id)
        assert messages[-1].role is Role.PARTNER
        assert messages[-1].state is MessageState.DONE
        assert await rows(home, "SELECT * FROM turn_queue") == []
    finally:
        await again.close()


async def test_a_backup_that_finds_no_room_leaves_nothing_half(
    small_disk: Path, home: Home, action_dir: Path
) -> None:
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    await partner.launch()
    try:
        fill(small_disk)
        with pytest.raises(BackupError, match="could not be written"):
            await partner.backup.write(small_disk / "saved.zip")
    finally:
        await partner.close()
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]


@pytest.mark.logs_errors
async def test_a_disk_that_is_full_between_two_stages_is_named_and_the_next_start_asks_how_to_go_on(
    small_disk: Path, action_dir: Path, tmp_path: Path
) -> None:
    home, notes = Home(small_disk / "home"), tmp_path / "notes.txt"
    write_abilities(action_dir)
    async with launched(home, action_dir) as (partner, watcher):
        steps = [Wanted({"file": str(notes), "line": line}) for line in ("wait a", "b")]
        chain = await approved(partner, [[step] for step in steps])
        await until_step(watcher, chain.id, 1, lambda step: step.status is StepStatus.RUNNING)
        ballast = fill(small_disk)
        with pytest.raises(DiskFullError):
            await until_refused(partner, chain.conversation_id)
        watcher.events.clear()
        go_on(notes, "wait a")
        ended = await watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == chain.id)
        assert isinstance(ended, ResultEvent)
        assert ended.action.error.startswith(
            "It stopped in its first stage, because nothing could be written"
        )
        assert "the disk is full" in ended.action.error
        await watcher.done(chain.exchange_id)
        ballast.unlink()
    async with launched(home, action_dir) as (partner, watcher):
        card = await child_card(watcher, chain.id)
        assert card.description.startswith(
            "Partner was closed while this ran; whether it was done is not known"
        )
        assert lines(notes) == ["wait a"], "nothing runs twice by itself, and nothing after it"
