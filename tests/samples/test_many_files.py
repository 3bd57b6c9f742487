"""Ten thousand files are no trouble to any sample that takes a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.samples.stage import SampleRunner

pytestmark = pytest.mark.integration

COUNT = 10_000


@pytest.mark.slow
async def test_ten_thousand_files_are_measured_packed_renamed_tidied_and_taken_back(
    samples: SampleRunner, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(COUNT):
        (folder / f"{number}.{('txt', 'jpg')[number % 2]}").touch()
    place = str(folder)

    measured = await samples.result("disk_usage", folder=place)
    assert measured["summary"].startswith(f"{folder} takes")
    assert "in 10,000 files" in measured["summary"]
    recent = await samples.result("recent_files", folder=place, count=5)
    assert (recent["files_found"], len(recent["files"])) == (COUNT, 5)
    searched = await samples.result("search_text", folder=place, text="needle")
    assert "(10,000 files searched)" in searched["summary"]
    packed = await samples.result("zip_folder", source=place, target=str(tmp_path / "backups"))
    assert packed["summary"].startswith("Packed 10,000 files")

    before = {path.name for path in folder.iterdir()}
    numbered = await samples.result("rename_files", folder=place, new_text="{n}")
    assert numbered["summary"].startswith("Renamed 10,000 of 10,000 files")
    assert (folder / "00001.txt").exists()
    tidied = await samples.result("tidy_folder", folder=place)
    assert tidied["summary"].startswith("Moved 10,000 files into 2 subfolders")
    assert len(list((folder / "Images").iterdir())) == COUNT // 2
    await samples.result("tidy_folder", folder=place, undo=True)
    await samples.result("rename_files", folder=place, undo=True)
    assert {path.name for path in folder.iterdir()} == before
