"""A daily note is added at the end of today's file, and nothing in it is ever lost."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.samples.stage import SampleRunner, straight

pytestmark = pytest.mark.integration


def today(folder: Path) -> Path:
    (path,) = folder.glob("*.md")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d\.md", path.name)
    return path


async def test_the_first_note_begins_the_file_and_the_next_ones_follow(
    samples: SampleRunner, tmp_path: Path
) -> None:
    folder = tmp_path / "Journal"
    first = await samples.result("daily_note", text="the plumber comes on Tuesday", folder=str(folder))
    await samples.result("daily_note", text='买牛奶 😀 "quotes" $(x)', folder=str(folder))
    path = today(folder)
    heading, empty, *notes = path.read_text(encoding="utf-8").splitlines()
    assert (heading, empty) == (f"# {path.stem}", "")
    assert [re.sub(r"\d\d:\d\d", "TIME", note) for note in notes] == [
        "- TIME the plumber comes on Tuesday",
        '- TIME 买牛奶 😀 "quotes" $(x)',
    ]
    assert first["summary"] == f"Noted in {path}: the plumber comes on Tuesday"


async def test_without_a_folder_notes_go_to_the_notes_in_the_home_folder(
    samples: SampleRunner, user_home: Path
) -> None:
    await samples.result("daily_note", text="remember")
    assert "remember" in today(user_home / "Notes").read_text()


async def test_several_lines_stay_one_note(samples: SampleRunner, tmp_path: Path) -> None:
    await samples.result("daily_note", text="list\r\n- milk\n\n  bread ", folder=str(tmp_path / "n"))
    _, _, note = today(tmp_path / "n").read_text().split("\n", 2)
    assert re.sub(r"\d\d:\d\d", "TIME", note) == "- TIME list\n  - milk\n\n    bread\n"


async def test_what_stands_in_the_file_stays_even_without_a_line_end(
    samples: SampleRunner, tmp_path: Path
) -> None:
    await samples.result("daily_note", text="one", folder=str(tmp_path / "n"))
    path = today(tmp_path / "n")
    path.write_bytes(b"my own text \xff without end")
    await samples.result("daily_note", text="two", folder=str(tmp_path / "n"))
    assert re.fullmatch(rb"my own text \xff without end\n- \d\d:\d\d two\n", path.read_bytes())


async def test_notes_at_the_same_time_are_all_kept(samples: SampleRunner, tmp_path: Path) -> None:
    folder = tmp_path / "n"
    await samples.result("daily_note", text="first", folder=str(folder))
    texts = [f"note {number}" for number in range(6)]
    await asyncio.gather(*(samples.result("daily_note", text=text, folder=str(folder)) for text in texts))
    lines = today(folder).read_text().splitlines()
    assert sorted(line[8:] for line in lines[3:]) == texts


async def test_a_link_in_place_of_the_file_is_not_written_through(
    samples: SampleRunner, tmp_path: Path
) -> None:
    folder, other = tmp_path / "n", tmp_path / "other.txt"
    await samples.result("daily_note", text="one", folder=str(folder))
    path = today(folder)
    path.unlink()
    other.write_text("mine")
    path.symlink_to(other)
    assert "is a link" in await samples.refused("daily_note", text="two", folder=str(folder))
    path.unlink()
    path.mkdir()
    assert "is no file" in await samples.refused("daily_note", text="two", folder=str(folder))
    assert other.read_text() == "mine"


async def test_what_cannot_be_noted_is_refused_with_a_sentence(samples: SampleRunner, tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    assert "is not a folder" in await samples.refused("daily_note", text="x", folder=str(tmp_path / "a.txt"))
    assert "100,000" in await samples.refused("daily_note", text="x" * 100_001, folder=str(tmp_path / "n"))
    assert "What shall I note?" in straight("daily_note", f"--folder={tmp_path}")
    assert not (tmp_path / "n").exists()
