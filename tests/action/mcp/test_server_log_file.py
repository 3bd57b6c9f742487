"""What servers write is kept, within limits, and drives no terminal."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.runner.mcp.server_log import KEPT, ServerLogFile, file_stem
from tests.support import FakeClock


async def test_what_a_server_wrote_is_there_after_a_restart_and_harmless(
    tmp_path: Path, clock: FakeClock
) -> None:
    first = ServerLogFile(tmp_path, "time", clock=clock)
    await first.open()
    first.add("one \x1b[31mred\x1b[0m \u202eback\n")
    await first.close()
    again = ServerLogFile(tmp_path, "time", clock=clock)
    await again.open()
    again.add("two")
    lines = again.text().splitlines()
    assert [line.split(" ", 2)[2] for line in lines] == [r"one \x1b[31mred\x1b[0m \u202eback", "two"]
    await again.close()


async def test_a_flood_keeps_its_end_in_memory_and_two_files_on_disk(
    tmp_path: Path, clock: FakeClock
) -> None:
    log = ServerLogFile(tmp_path / "logs", "loud", clock=clock)
    await log.open()
    for _ in range(30):
        for number in range(20):
            log.add(f"{number} " + "x" * 3_000)
        await log.written()
    assert len(log.text()) <= KEPT
    assert log.text().splitlines()[-1].split(" ")[2] == "19"
    await log.close()
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == ["loud.log", "loud.log.1"]
    assert all(path.stat().st_size < 1_200_000 for path in (tmp_path / "logs").iterdir())


def test_every_name_has_a_file_of_its_own_in_the_folder() -> None:
    names = ["time", "a/b", "..", "", "å" * 90, "å" * 91, "x" * 300]
    stems = [file_stem(name) for name in names]
    assert len(set(stems)) == len(names)
    assert all("/" not in stem and stem.strip(".") and len(stem.encode()) < 200 for stem in stems)
