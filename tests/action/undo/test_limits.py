"""The undo journal has limits, and says where they are; a disk that refuses loses nothing."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.action.undo.changes import SnapshotLimits, WatchedPlaces, read_before, take
from partner_desktop.action.undo.disk import UndoDisk
from partner_desktop.action.undo.undo_service import watch_of
from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus, Undo, UndoState
from partner_desktop.domain.events import ActionEvent, Event
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.run_facts import Isolation, PathUse
from partner_desktop.runner.call import Call
from tests.action.undo.working import KEY, WORKER, Worker, tree_of
from tests.runner.running import allowed, some_call
from tests.support import FakeClock, HastyClock, Watcher

#: Real Partners and sandboxes.
pytestmark = pytest.mark.integration


@asynccontextmanager
async def partner_with(
    settings: str, home: Home, action_dir: Path, clock: FakeClock | None = None
) -> AsyncIterator[Worker]:
    """A Partner with these settings, and its worker."""
    home.config.mkdir(parents=True, exist_ok=True)
    home.root.chmod(0o700)
    (home.config / "action.toml").write_text(settings)
    (action_dir / "dynamic" / "worker.py").write_text(WORKER)
    partner, watcher = (
        Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock()),
        Watcher(),
    )
    await partner.launch()
    try:
        partner.subscribe(watcher)
        assert any(ability.key == KEY for ability in partner.abilities.list())
        yield Worker(partner, watcher)
    finally:
        await partner.close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if made.returncode != 0:
        pytest.skip(f"a small disk needs the right to mount: {made.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def mounted(folder: Path) -> bool:
    mode = f"{folder.stat().st_mode & 0o777:o}"
    command = ["mount", "-t", "tmpfs", "-o", f"mode={mode}", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def unmount(folder: Path) -> None:
    subprocess.run(["umount", str(folder)], check=True)


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


def undo_of(undo: Undo | None) -> Undo:
    assert undo is not None
    return undo


def gone(event: Event) -> bool:
    return (
        isinstance(event, ActionEvent)
        and event.action.undo is not None
        and event.action.undo.state is UndoState.GONE
    )


def test_partners_own_places_are_neither_noted_nor_changed(papers: Path, home: Home) -> None:
    own = papers / "own"
    own.mkdir()
    for folder in (papers, own):
        (folder / "a.txt").write_text("secret" if folder == own else "one")
    disk = UndoDisk(home.undo, own=[own])
    disk.snapshot("run", WatchedPlaces((str(papers),)), SnapshotLimits(1_000, 10), check=lambda: None)
    kept = [path.read_text() for path in (home.undo / "run" / "copies").iterdir()]
    assert kept == ["one"]
    for folder in (papers, own):
        (folder / "a.txt").write_text("another")
    found = disk.compare("run", most=100, cut_off=False)
    assert found is not None
    assert [each.path for each in found[0].changes] == [str(papers / "a.txt")]
    assert disk.why_not(found[0]) == ""
    by_now = UndoDisk(home.undo, own=[papers])
    assert by_now.why_not(found[0]) == "~/papers/a.txt is Partner's own; nothing was changed."


@pytest.mark.parametrize(("server", "watched"), [("", True), ("weather", False)])
def test_what_another_server_does_is_not_watched(server: str, watched: bool) -> None:
    action = some_call()
    use = PathUse("to", "/papers", "write")
    call = Call(
        action, allowed(action), paths=(use, replace(use, path="/papers/a"), replace(use, access="read"))
    )
    watch = watch_of(call, Isolation(sandboxed=True, net=False, summary="", server=server))
    assert watch == (WatchedPlaces(("/papers",), held=True) if watched else None)


async def test_what_is_too_large_to_be_copied_is_named_and_the_rest_comes_back(
    home: Home, action_dir: Path, papers: Path
) -> None:
    (papers / "small.txt").write_text("one")
    (papers / "big.bin").write_bytes(b"x" * 1_500_000)
    (papers / "moved.bin").write_bytes(b"y" * 1_500_000)
    async with partner_with("[undo]\ncap_mb = 1\n", home, action_dir) as work:
        code = (
            "open('small.txt', 'w').write('2'); open('big.bin', 'a').write('2'); os.rename('moved.bin', 'm')"
        )
        record = await work(code, papers)
        undo = undo_of(record.undo)
        assert (undo.state, undo.count) == (UndoState.POSSIBLE, 3)
        assert undo.note == "Not ~/papers/big.bin: too much to be copied before."
        told = await work.partner.actions.undo(record.id)
        assert undo.note in told
        assert (papers / "small.txt").read_text() == "one"
        assert (papers / "moved.bin").stat().st_size == 1_500_000
        assert (papers / "big.bin").stat().st_size == 1_500_001
        record = await work("open('big.bin', 'a').write('3')", papers)
        assert undo_of(record.undo).state is UndoState.GONE
        with pytest.raises(UsageError, match=r"It cannot be undone\. Not ~/papers/big\.bin"):
            await work.partner.actions.undo(record.id)


async def test_a_folder_with_too_much_in_it_runs_and_says_that_it_cannot_be_undone(
    home: Home, action_dir: Path, papers: Path
) -> None:
    for number in range(12):
        (papers / f"{number}.txt").touch()
    async with partner_with("[undo]\nmax_files = 10\n", home, action_dir) as work:
        record = await work("os.remove('1.txt')", papers)
        assert record.status is ActionStatus.SUCCEEDED
        undo = undo_of(record.undo)
        assert undo.state is UndoState.GONE
        assert undo.note.startswith("It cannot be undone: there are more than 10 files and folders")
        assert list(home.undo.iterdir()) == []


async def test_switched_off_nothing_is_watched(home: Home, action_dir: Path, papers: Path) -> None:
    async with partner_with("[undo]\nenabled = false\n", home, action_dir) as work:
        assert (await work("open('a.txt', 'w').close()", papers)).undo is None


async def test_a_thousand_files_come_back(work: Worker, papers: Path) -> None:
    for number in range(1_000):
        (papers / f"{number % 50}").mkdir(exist_ok=True)
        (papers / f"{number % 50}" / f"{number}.txt").write_text(str(number))
    before = tree_of(papers)
    code: JsonObject = {"code": "[shutil.rmtree(each) for each in os.listdir()]", "folder": str(papers)}
    record = await work.call(KEY, code, wait_s=60)
    assert tree_of(papers) == {}
    assert undo_of(record.undo).count == 1_000
    await work.partner.actions.undo(record.id)
    assert tree_of(papers) == before


async def test_the_oldest_copies_make_room_and_old_ones_go_with_time(
    home: Home, action_dir: Path, papers: Path, clock: FakeClock
) -> None:
    async with partner_with("[undo]\ncap_mb = 1\ntotal_mb = 1\n", home, action_dir, clock) as work:
        records = []
        for name in ("a", "b"):
            (papers / name).write_bytes(b"x" * 600_000)
            records.append(await work(f"open('{name}', 'a').write('more')", papers))
        await work.watcher.until(gone)
        oldest = await work.partner.actions.get(records[0].id)
        assert undo_of(oldest.undo).note == "The copies were removed to make room for newer ones."
        with pytest.raises(UsageError, match="make room"):
            await work.partner.actions.undo(oldest.id)
        assert {path.name for path in home.undo.iterdir()} == {records[1].id}
    clock.move(timedelta(days=8))
    (home.undo / "nobodys").mkdir()
    async with partner_with("", home, action_dir, clock) as work:
        newest = await work.partner.actions.get(records[1].id)
        if undo_of(newest.undo).state is not UndoState.GONE:
            await work.watcher.until(gone)
        assert (
            undo_of((await work.partner.actions.get(newest.id)).undo).note
            == "The copies were kept for 7 days."
        )
        assert list(home.undo.iterdir()) == []


async def test_what_one_run_may_take_all_together_may_take(
    home: Home, action_dir: Path, papers: Path
) -> None:
    (papers / "a").write_bytes(b"x" * 1_500_000)
    async with partner_with("[undo]\ncap_mb = 2\ntotal_mb = 1\n", home, action_dir) as work:
        record = await work("open('a', 'a').write('more')", papers)
        await work.partner.actions.undo(record.id)
    assert (papers / "a").stat().st_size == 1_500_000


async def test_without_room_for_the_copies_it_runs_and_says_so(
    small_disk: Path, action_dir: Path, papers: Path
) -> None:
    (papers / "a.txt").write_bytes(os.urandom(5_000_000))
    home = Home(small_disk / "home")
    async with partner_with("", home, action_dir) as work:
        record = await work("open('a.txt', 'w').write('2')", papers)
        assert record.status is ActionStatus.SUCCEEDED
        undo = undo_of(record.undo)
        assert undo.state is UndoState.GONE
        assert undo.note.startswith("It cannot be undone. Not ~/papers/a.txt")


async def test_a_disk_that_is_full_or_read_only_is_said_and_it_can_be_repeated(
    small_disk: Path, work: Worker
) -> None:
    folder = small_disk / "papers"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"x" * 1_000_000)
    (folder / "b.txt").write_bytes(b"y" * 1_000_000)
    before = tree_of(folder)
    record = await work("open('a.txt', 'w').write('2'); os.remove('b.txt'); os.mkdir('new')", folder)
    after = tree_of(folder)
    remount(small_disk, "ro")
    with pytest.raises(UsageError, match=r"^Nothing was taken back: "):
        await work.partner.actions.undo(record.id)
    remount(small_disk, "rw")
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        file.write(bytes(8_000_000))
    with pytest.raises(UsageError, match=r"^Nothing was taken back: No space left"):
        await work.partner.actions.undo(record.id)
    assert tree_of(folder) == after
    ballast.unlink()
    await work.partner.actions.undo(record.id)
    assert tree_of(folder) == before


async def test_a_step_that_fails_is_said_and_the_rest_can_be_repeated(work: Worker, papers: Path) -> None:
    """A folder on which another disk was mounted meanwhile cannot be renamed."""
    (papers / "z").mkdir()
    (papers / "a.txt").write_text("one")
    before = tree_of(papers)
    record = await work("open('a.txt', 'w').write('2'); os.rename('z', 'y')", papers)
    if not mounted(papers / "y"):
        pytest.skip("this needs the right to mount")
    try:
        with pytest.raises(UsageError, match=r"only in part: ~/papers/z could not be put back"):
            await work.partner.actions.undo(record.id)
    finally:
        unmount(papers / "y")
    assert "only in part" in undo_of((await work.partner.actions.get(record.id)).undo).note
    await work.partner.actions.undo(record.id)
    assert tree_of(papers) == before


def test_a_file_that_is_written_to_while_it_is_copied_has_no_copy(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.txt", tmp_path / "journal"
    file.write_text("0")

    def written() -> None:
        file.write_text(str((int(file.read_text()) + 1) % 10))

    limits = SnapshotLimits(copies_bytes=1_000, entries=10)
    kept_bytes = take(folder, WatchedPlaces((str(file),)), limits, closed=(), check=written)
    before = read_before(folder)
    assert before is not None
    assert (kept_bytes, before.copies) == (0, {})
    assert before.missing == {str(file): "it was written to while it was copied"}
