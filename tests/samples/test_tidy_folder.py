"""Tidying moves files into subfolders by type, loses none, and can be taken back."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.samples.stage import SampleRunner, listing, straight, tree

pytestmark = pytest.mark.integration

LONG = "a very long name " * 14 + ".pdf"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a browser leaves it."""
    found = tmp_path / "Downloads"
    (found / "Project").mkdir(parents=True)
    for name in (
        "photo.JPG",
        "film.mkv",
        "song.mp3",
        "letter.pdf",
        "table.csv",
        "backup.tar.gz",
        "README",
        LONG,
    ):
        (found / name).write_text(f"this is {name}", encoding="utf-8")
    for name in ("big.iso.part", "big.iso", "new.zip.crdownload", ".hidden.pdf", "app.desktop"):
        (found / name).write_text(name)
    (found / "Project" / "inner.pdf").write_text("inner")
    (found / "link.pdf").symlink_to("letter.pdf")
    return found


async def test_files_go_into_subfolders_by_type_and_nothing_else_moves(
    samples: SampleRunner, folder: Path
) -> None:
    before = tree(folder)
    found = await samples.result("tidy_folder", folder=str(folder))
    after = tree(folder)
    moved = {
        "photo.JPG": "Images", "film.mkv": "Videos", "song.mp3": "Music", "letter.pdf": "Documents",
        LONG: "Documents", "table.csv": "Spreadsheets", "backup.tar.gz": "Archives", "README": "Other",
    }  # fmt: skip
    assert after == {
        (f"{moved[name]}/{name}" if name in moved else name): data for name, data in before.items()
    }
    assert found["summary"] == (
        f"Moved 8 files into 7 subfolders of {folder}. "
        f"Say “undo the last tidying of {folder}” to take it back."
    )
    assert found["subfolders"][0]["subfolder"] == "Documents"
    assert found["subfolders"][0]["files"] == 2
    assert found["left_alone"] == {
        "downloads under way": 3, "folders": 1, "hidden": 1, "launchers and special files": 1, "links": 1,
    }  # fmt: skip
    assert (folder / ".hidden.pdf").is_file()


async def test_a_preview_tells_the_same_and_changes_nothing(samples: SampleRunner, folder: Path) -> None:
    before = tree(folder)
    names = listing(folder)
    planned = await samples.result("tidy_folder", folder=str(folder), preview=True)
    assert tree(folder) == before
    assert listing(folder) == names
    assert "Nothing was moved" in planned["summary"]
    assert "photo.JPG → Images/photo.JPG" in planned["moves"]
    done = await samples.result("tidy_folder", folder=str(folder))
    assert done["subfolders"] == planned["subfolders"]


async def test_undo_puts_every_file_back_and_takes_the_new_folders_away(
    samples: SampleRunner, folder: Path
) -> None:
    before, names = tree(folder), listing(folder)
    await samples.result("tidy_folder", folder=str(folder))
    assert (
        "Nothing was moved"
        in (await samples.result("tidy_folder", folder=str(folder), undo=True, preview=True))["summary"]
    )
    found = await samples.result("tidy_folder", folder=str(folder), undo=True)
    assert found["files_moved_back"] == 8
    assert tree(folder) == before
    assert listing(folder) == names
    assert "no tidying" in await samples.refused("tidy_folder", folder=str(folder), undo=True)


async def test_a_name_that_is_taken_gets_a_number_and_no_file_is_lost(
    samples: SampleRunner, folder: Path
) -> None:
    documents = folder / "Documents"
    documents.mkdir()
    (documents / "letter.pdf").write_text("the older letter")
    (documents / "LETTER (2).pdf").write_text("another one")
    (documents / LONG).write_text("older")
    found = await samples.result("tidy_folder", folder=str(folder))
    assert (documents / "letter.pdf").read_text() == "the older letter"
    assert (documents / "LETTER (2).pdf").read_text() == "another one"
    assert (documents / "letter (3).pdf").read_text() == "this is letter.pdf"
    assert max(len(path.name) for path in documents.iterdir()) <= 255
    assert len(list(documents.iterdir())) == 5
    assert "letter.pdf → Documents/letter (3).pdf" in found["renamed_because_the_name_was_taken"]
    await samples.result("tidy_folder", folder=str(folder), undo=True)
    assert (folder / "letter.pdf").read_text() == "this is letter.pdf"
    assert (documents / "letter.pdf").read_text() == "the older letter"


async def test_undo_never_overwrites_what_came_meanwhile(samples: SampleRunner, folder: Path) -> None:
    await samples.result("tidy_folder", folder=str(folder))
    (folder / "letter.pdf").write_text("a newer letter")
    found = await samples.result("tidy_folder", folder=str(folder), undo=True)
    assert found["files_moved_back"] == 7
    assert (folder / "letter.pdf").read_text() == "a newer letter"
    assert (folder / "Documents" / "letter.pdf").read_text() == "this is letter.pdf"
    (folder / "letter.pdf").unlink()
    again = await samples.result("tidy_folder", folder=str(folder), undo=True)
    assert again["files_moved_back"] == 1


async def test_a_tidying_that_was_cut_short_can_be_taken_back(samples: SampleRunner, folder: Path) -> None:
    before = tree(folder)
    await samples.result("tidy_folder", folder=str(folder))
    (folder / "Documents" / "letter.pdf").rename(folder / "letter.pdf")  # as if it had not come so far
    await samples.result("tidy_folder", folder=str(folder), undo=True)
    assert tree(folder) == before


async def test_links_are_not_followed_where_a_subfolder_should_be(
    samples: SampleRunner, folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / "Documents").symlink_to(elsewhere)
    (folder / "Music").write_text("a file of that name")
    await samples.result("tidy_folder", folder=str(folder))
    assert list(elsewhere.iterdir()) == []
    assert (folder / "Documents (2)" / "letter.pdf").is_file()
    assert (folder / "Music (2)" / "song.mp3").is_file()


async def test_names_of_any_kind_are_moved_and_shown_in_one_line(
    samples: SampleRunner, tmp_path: Path
) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    odd = [
        "two\nlines.txt",
        "😀 👩‍👩‍👧.png",
        "-rf.txt",
        "$(x) `y`; 'z'.txt",
        "带空格 的.txt",
        os.fsdecode(b"caf\xe9.txt"),
    ]
    for name in odd:
        (folder / name).write_text("x")
    before = {path.name for path in folder.iterdir()}
    found = await samples.result("tidy_folder", folder=str(folder))
    assert found["summary"].startswith("Moved 6 files into 2 subfolders")
    assert {
        path.name for path in folder.rglob("*") if path.is_file() and path.name != ".tidy_folder.json"
    } == before
    assert "😀 👩‍👩‍👧.png" in found["subfolders"][1]["such as"]
    await samples.result("tidy_folder", folder=str(folder), undo=True)
    assert {path.name for path in folder.iterdir()} == before


async def test_a_log_from_elsewhere_leads_nowhere(samples: SampleRunner, tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside.txt"
    (folder / "Images").mkdir(parents=True)
    outside.write_text("mine")
    moves = [{"from": "a", "to": "../outside.txt"}, {"from": "../b", "to": "Images/b"}, 5, {"from": 1}]
    log = folder / ".tidy_folder.json"
    log.write_text(json.dumps({"tidied": [{"moves": moves, "made": 7}]}))
    found = await samples.result("tidy_folder", folder=str(folder), undo=True)
    assert found["files_moved_back"] == 0
    assert outside.read_text() == "mine"
    log.write_text("not json")
    (folder / "a.txt").touch()
    assert "cannot be read" in await samples.refused("tidy_folder", folder=str(folder))
    assert (folder / "a.txt").exists()


async def test_a_folder_without_files_has_nothing_to_tidy(samples: SampleRunner, tmp_path: Path) -> None:
    found = await samples.result("tidy_folder", folder=str(tmp_path))
    assert found["summary"].startswith("There is nothing to tidy in ")
    assert not (tmp_path / ".tidy_folder.json").exists()


async def test_a_folder_that_may_not_be_changed_is_refused(samples: SampleRunner, folder: Path) -> None:
    if not samples.sandboxed and os.geteuid() == 0:
        pytest.skip("root can change everything")
    folder.chmod(0o500)
    try:
        assert "may not be changed" in await samples.refused("tidy_folder", folder=str(folder))
        planned = await samples.result("tidy_folder", folder=str(folder), preview=True)
    finally:
        folder.chmod(0o700)
    assert planned["summary"].startswith("8 files would go")


def test_what_cannot_be_tidied_is_refused_with_a_sentence(folder: Path) -> None:
    assert "There is no folder" in straight("tidy_folder", f"--folder={folder}/none")
    assert "is not a folder" in straight("tidy_folder", f"--folder={folder}/letter.pdf")
    assert "true or false" in straight("tidy_folder", f"--folder={folder}", "--preview=perhaps")
    assert "Which folder?" in straight("tidy_folder")
    assert "Which folder?" in straight("tidy_folder", stdin=b"not json")
