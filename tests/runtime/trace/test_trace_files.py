"""The trace's files: written whole, rotated, compressed, capped, private, and no matter to anybody else."""

from __future__ import annotations

import asyncio
import errno
import gzip
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.base.trace import current_turn, span
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.runtime.trace.archive import archives, compress, trace_files
from partner_desktop.runtime.trace.trace_reader import last_turns, read_records
from partner_desktop.runtime.trace.writer import RETRY_S, TraceSettings, TraceWriter
from tests.support import REPOSITORY, WAIT_S, FakeClock

Open = Callable[..., AbstractAsyncContextManager[TraceWriter]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "traces"


@pytest.fixture
def troubles() -> list[str]:
    """What the person was told."""
    return []


@pytest.fixture
def opened(folder: Path, clock: FakeClock, troubles: list[str]) -> Open:
    @asynccontextmanager
    async def one(*, queue_limit: int = 20_000, **settings: Any) -> AsyncIterator[TraceWriter]:
        handle = ConfigHandle("trace", TraceSettings(**settings))
        writer = TraceWriter(folder, handle, clock=clock, on_trouble=troubles.append, queue_limit=queue_limit)
        await writer.launch()
        try:
            yield writer
        finally:
            await writer.shutdown()

    return one


def everything(folder: Path) -> list[dict[str, Any]]:
    return [dict(record) for path in trace_files(folder) for record in read_records(path)]


def numbers(folder: Path) -> list[int]:
    return [record["number"] for record in everything(folder) if record["kind"] == "mark"]


@pytest.mark.promise("framework.trace")
async def test_the_record_after_the_last_that_a_file_may_hold_goes_into_a_new_one(
    opened: Open, folder: Path
) -> None:
    async with opened() as writer:
        for number in range(2_001):
            writer.record("mark", number=number)
    (full,) = archives(folder)
    assert full.name.endswith(".jsonl.gz")
    with gzip.open(full, "rt") as file:
        assert sum(1 for _ in file) == 2_000
    assert [record["number"] for record in read_records(folder / "active.jsonl")] == [2_000]
    assert numbers(folder) == list(range(2_001))


async def test_a_file_that_reaches_its_size_is_set_aside(opened: Open, folder: Path) -> None:
    async with opened(file_mib=1) as writer:
        for number in range(1_900):
            writer.record("mark", number=number, **{f"n{i}": "x" * 200 for i in range(6)})
    assert len(archives(folder)) >= 2
    assert max(len(gzip.decompress(path.read_bytes())) for path in archives(folder)) <= 1024 * 1024
    assert numbers(folder) == list(range(1_900))


@pytest.mark.promise("framework.trace")
async def test_all_files_together_stay_below_their_cap_and_the_oldest_go_first(
    opened: Open, folder: Path
) -> None:
    folder.mkdir()
    for number in (1, 2, 3):
        (folder / f"{number:08d}.jsonl.gz").write_bytes(b"x" * (700 * 1024))
    async with opened(total_mib=2, file_mib=1, file_records=10) as writer:
        for number in range(11):
            writer.record("mark", number=number)
    assert [path.name[:8] for path in archives(folder)] == ["00000003", "00000004"]


async def test_files_that_are_too_old_are_removed(opened: Open, folder: Path, clock: FakeClock) -> None:
    folder.mkdir()
    for number, days in ((1, 15), (2, 13)):
        path = folder / f"{number:08d}.jsonl.gz"
        path.write_bytes(b"")
        old_s = (clock.now() - timedelta(days=days)).timestamp()
        os.utime(path, (old_s, old_s))
    async with opened() as writer:
        await writer.flush()
    assert [path.name[:8] for path in archives(folder)] == ["00000002"]


async def test_a_day_old_file_is_set_aside_so_that_it_can_grow_old(
    opened: Open, folder: Path, clock: FakeClock
) -> None:
    async with opened() as writer:
        writer.record("mark", number=1)
        await writer.flush()
        clock.move(timedelta(days=1))
        writer.record("mark", number=2)
    assert len(archives(folder)) == 1
    assert numbers(folder) == [1, 2]


async def test_only_the_person_can_read_the_files(opened: Open, folder: Path) -> None:
    async with opened(file_records=10) as writer:
        for number in range(11):
            writer.record("mark", number=number)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


@pytest.mark.promise("framework.trace")
async def test_a_line_that_a_crash_tore_spoils_no_other(opened: Open, folder: Path) -> None:
    folder.mkdir()
    (folder / "active.jsonl").write_text('{"kind":"mark","number":1}\n{"kind":"mark","num')
    assert numbers(folder) == [1]
    async with opened() as writer:
        writer.record("mark", number=2)
    assert numbers(folder) == [1, 2]


async def test_what_a_crash_left_of_a_compression_is_brought_in_order(folder: Path) -> None:
    folder.mkdir()
    line = b'{"kind":"mark","number":%d}\n'
    (folder / "00000001.jsonl").write_bytes(line % 1)
    (folder / "00000001.jsonl.gz").write_bytes(gzip.compress(line % 1))  # packed, the plain one not yet gone
    (folder / "00000002.jsonl").write_bytes(line % 2)
    (folder / "00000002.jsonl.gz.tmp").write_bytes(b"half")
    assert numbers(folder) == [1, 2]
    compress(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["00000001.jsonl.gz", "00000002.jsonl.gz"]
    assert numbers(folder) == [1, 2]


def test_a_file_that_ends_in_the_middle_is_read_as_far_as_it_goes(folder: Path) -> None:
    folder.mkdir()
    lines = b"".join(
        json.dumps({"kind": "mark", "number": n, "pad": os.urandom(64).hex()}).encode() + b"\n"
        for n in range(500)
    )
    (folder / "00000001.jsonl.gz").write_bytes(gzip.compress(lines)[:-20_000])
    found = numbers(folder)
    assert found
    assert found == list(range(len(found)))


KILLED = """
import asyncio, sys
from pathlib import Path
from partner_desktop.base.clock import SystemClock
from partner_desktop.config.center import ConfigHandle
from partner_desktop.runtime.trace.writer import TraceSettings
from partner_desktop.runtime.trace.writer import TraceWriter

async def main():
    handle = ConfigHandle("trace", TraceSettings(file_records=50))
    writer = TraceWriter(Path(sys.argv[1]), handle, clock=SystemClock(), on_trouble=print)
    await writer.launch()
    number = 0
    while True:
        for _ in range(20):
            writer.record("mark", number=number)
            number += 1
        await writer.flush()
        print(number, flush=True)

asyncio.run(main())
"""


@pytest.mark.integration
@pytest.mark.promise("framework.trace")
async def test_after_kill_9_everything_that_was_flushed_is_there_once(opened: Open, folder: Path) -> None:
    process = subprocess.Popen(  # noqa: ASYNC220 - the test waits for it
        [sys.executable, "-c", KILLED, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    assert process.stdout is not None
    flushed = [int(process.stdout.readline()) for _ in range(40)][-1]
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=WAIT_S)
    async with opened(file_records=50) as writer:
        writer.record("mark", number=-1)
    found = numbers(folder)
    assert found[-1] == -1
    assert found[:flushed] == list(range(flushed))
    assert len(found) == len(set(found))


@pytest.mark.promise("framework.trace")
async def test_a_folder_that_cannot_be_written_pauses_the_trace_with_one_notice_until_it_can(
    opened: Open, folder: Path, clock: FakeClock, troubles: list[str]
) -> None:
    folder.write_text("a file is in the way")
    async with opened() as writer:
        for number in range(3):
            writer.record("mark", number=number)
            await writer.flush()
            clock.move(timedelta(seconds=RETRY_S))
        assert len(troubles) == 1
        assert "paused" in troubles[0]
        folder.unlink()
        writer.record("mark", number=3)
        await writer.flush()
        assert everything(folder)[0]["records"] == 3
        assert numbers(folder) == [3]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
async def test_a_full_disk_pauses_the_trace_and_loses_only_what_it_counts(
    opened: Open, folder: Path, clock: FakeClock, troubles: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, full = os.write, os.open("/dev/full", os.O_WRONLY)
    async with opened() as writer:
        writer.record("mark", number=1)
        await writer.flush()
        monkeypatch.setattr(os, "write", lambda _handle, data: real(full, data))  # the system's own refusal
        writer.record("mark", number=2)
        await writer.flush()
        monkeypatch.undo()
        writer.record("mark", number=3)  # still paused
        await writer.flush()
        clock.move(timedelta(seconds=RETRY_S))
        writer.record("mark", number=4)
    os.close(full)
    assert numbers(folder) == [1, 4]
    assert [r["records"] for r in everything(folder) if r["kind"] == "lost"] == [2]
    assert "No space left" in troubles[0]


async def test_what_the_queue_has_no_room_for_is_counted_and_never_waited_for(
    folder: Path, clock: FakeClock
) -> None:
    handle = ConfigHandle("trace", TraceSettings())
    writer = TraceWriter(folder, handle, clock=clock, on_trouble=print, queue_limit=10)
    for number in range(25):  # nobody takes them away yet
        writer.record("mark", number=number)
    await writer.launch()
    await writer.flush()
    writer.record("mark", number=99)
    await writer.shutdown()
    assert numbers(folder) == [*range(10), 99]
    assert [r["records"] for r in everything(folder) if r["kind"] == "lost"] == [15]


async def test_a_disk_that_fills_up_in_the_middle_of_a_line_keeps_no_half_of_it(
    opened: Open, folder: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, room = os.write, [20]

    def little(handle: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(handle, data[: room[0]])
        room[0] -= done
        return done

    async with opened() as writer:
        writer.record("mark", number=1)
        await writer.flush()
        monkeypatch.setattr(os, "write", little)  # as the system does when 20 bytes are left
        writer.record("mark", number=2)
        await writer.flush()
        monkeypatch.undo()
        assert (folder / "active.jsonl").read_bytes().endswith(b"}\n")
        clock.move(timedelta(seconds=RETRY_S))
        writer.record("mark", number=3)
    assert numbers(folder) == [1, 3]


async def test_a_removed_folder_is_made_again(opened: Open, folder: Path) -> None:
    async with opened() as writer:
        writer.record("mark", number=1)
        await writer.flush()
        (folder / "active.jsonl").unlink()
        folder.rmdir()
        writer.record("mark", number=2)
    assert numbers(folder) == [2]


async def test_switched_off_it_writes_nothing(opened: Open, folder: Path) -> None:
    async with opened(enabled=False) as writer:
        writer.record("mark", number=1)
    assert not folder.exists()


async def test_the_end_of_a_turn_comes_to_the_disk_without_asking(opened: Open, folder: Path) -> None:
    async with opened() as writer:
        writer.record("turn", turn="t", state="ended")
        async with asyncio.timeout(WAIT_S):
            while not await asyncio.to_thread(everything, folder):
                pass


async def test_records_know_their_turn_and_the_span_around_them(opened: Open, folder: Path) -> None:
    async with opened() as writer:
        current_turn.set("t")
        with span(writer, "module", module="Outer"):
            writer.record("mark", number=1)
            await asyncio.create_task(asyncio.to_thread(writer.record, "mark", number=2))
        writer.record("mark", number=3)
        current_turn.set("")
    first, second, outer, after = everything(folder)
    assert {record["turn"] for record in (first, second, outer, after)} == {"t"}
    assert first["within"] == second["within"] == outer["span"]
    assert "within" not in outer
    assert "within" not in after


async def test_a_turn_that_reaches_over_two_files_is_read_as_one(opened: Open, folder: Path) -> None:
    async with opened(file_records=10) as writer:
        for turn in ("a", "b"):
            writer.record("turn", turn=turn, state="started", conversation="c")
            for number in range(12):
                writer.record("mark", turn=turn, number=number)
            writer.record("turn", turn=turn, state="ended")
    first, second = last_turns(folder, limit=2)
    assert (first.turn_id, second.turn_id) == ("a", "b")
    assert first.count("mark") == second.count("mark") == 12
    assert first.state == "ended"
    (only,) = last_turns(folder, limit=1)
    assert only.begun
    assert only.count("mark") == 12
