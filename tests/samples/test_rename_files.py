"""Renaming makes new names as asked, loses no file, and can be taken back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner_desktop.domain.json_value import JsonObject
from tests.samples.stage import SampleRunner, listing, straight, tree

pytestmark = pytest.mark.integration

DAY = 1_700_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Photos as a camera leaves them; each holds its own name."""
    found = tmp_path / "Photos"
    (found / "inner").mkdir(parents=True)
    for name in ("IMG_1.jpg", "IMG_2.JPG", "IMG_10.jpg", "notes.txt", ".hidden_IMG_.jpg"):
        (found / name).write_text(name)
        os.utime(found / name, (DAY, DAY))
    (found / "link_IMG_.jpg").symlink_to("IMG_1.jpg")
    (found / "inner" / "IMG_9.jpg").write_text("inner")
    return found


def names(folder: Path) -> dict[str, str]:
    """New name → the name that the file once had."""
    return {
        path.name: path.read_text() for path in folder.iterdir() if path.is_file() and not path.is_symlink()
    }


async def test_text_in_names_is_replaced_and_nothing_else_changes(
    samples: SampleRunner, folder: Path
) -> None:
    found = await samples.result("rename_files", folder=str(folder), replace="IMG_", new_text="Sea ")
    assert names(folder) == {
        "Sea 1.jpg": "IMG_1.jpg", "Sea 2.JPG": "IMG_2.JPG", "Sea 10.jpg": "IMG_10.jpg",
        "notes.txt": "notes.txt",
        ".hidden_IMG_.jpg": ".hidden_IMG_.jpg", ".rename_files.json": names(folder)[".rename_files.json"],
    }  # fmt: skip
    assert (folder / "link_IMG_.jpg").is_symlink()
    assert (folder / "inner" / "IMG_9.jpg").is_file()
    assert found["summary"].startswith(f"Renamed 3 of 3 files in {folder}.")
    assert found["names"][0] == {"before": "IMG_1.jpg", "after": "Sea 1.jpg"}


async def test_a_preview_tells_the_same_and_changes_nothing(samples: SampleRunner, folder: Path) -> None:
    before = listing(folder)
    asked: JsonObject = {"folder": str(folder), "new_text": "Trip {n}", "only": "*.jpg"}
    planned = await samples.result("rename_files", **asked, preview=True)
    assert listing(folder) == before
    assert "Nothing was renamed" in planned["summary"]
    done = await samples.result("rename_files", **asked)
    assert done["names"] == planned["names"]


async def test_a_pattern_numbers_in_the_order_of_people_and_keeps_endings(
    samples: SampleRunner, folder: Path
) -> None:
    for number in range(3, 10):
        (folder / f"IMG_{number}.jpg").write_text(f"IMG_{number}.jpg")
    await samples.result("rename_files", folder=str(folder), new_text="Trip {n}", only="*.jpg")
    after = names(folder)
    assert after["Trip 01.jpg"] == "IMG_1.jpg"
    assert after["Trip 02.JPG"] == "IMG_2.JPG"
    assert after["Trip 10.jpg"] == "IMG_10.jpg"
    assert after["notes.txt"] == "notes.txt"


async def test_a_new_name_knows_the_date_and_the_old_name(samples: SampleRunner, folder: Path) -> None:
    await samples.result("rename_files", folder=str(folder), new_text="{date} {NAME}", only="IMG_1.jpg")
    assert {"2023-11-14 IMG_1.jpg", "2023-11-15 IMG_1.jpg"} & set(names(folder))  # by the time zone


async def test_a_number_or_the_date_is_put_in_front(samples: SampleRunner, folder: Path) -> None:
    await samples.result("rename_files", folder=str(folder), add="number", only="IMG*")
    assert {"1 IMG_1.jpg", "2 IMG_2.JPG", "3 IMG_10.jpg"} <= set(names(folder))
    await samples.result("rename_files", folder=str(folder), add="date", only="notes*")
    assert {"2023-11-14 notes.txt", "2023-11-15 notes.txt"} & set(names(folder))


async def test_a_backslash_in_a_name_means_nothing_to_an_expression(
    samples: SampleRunner, tmp_path: Path
) -> None:
    (tmp_path / r"a\1.txt").touch()
    await samples.result(
        "rename_files", folder=str(tmp_path), replace="^.*$", new_text="{name} z", regex=True
    )
    assert (tmp_path / r"a\1 z.txt").is_file()


async def test_a_pattern_without_a_number_gets_one(samples: SampleRunner, folder: Path) -> None:
    await samples.result("rename_files", folder=str(folder), new_text="Holiday", only="IMG*")
    assert {"Holiday 1.jpg", "Holiday 2.JPG", "Holiday 3.jpg"} <= set(names(folder))


async def test_a_regular_expression_may_take_parts_along(samples: SampleRunner, folder: Path) -> None:
    asked: JsonObject = {
        "folder": str(folder),
        "replace": r"^IMG_(\d+)$",
        "new_text": r"\1 of the sea",
        "regex": True,
    }
    await samples.result("rename_files", **asked)
    assert {"1 of the sea.jpg", "2 of the sea.JPG", "10 of the sea.jpg", "notes.txt"} <= set(names(folder))


async def test_numbers_that_shift_never_overwrite_and_can_be_taken_back(
    samples: SampleRunner, tmp_path: Path
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(2, 12):
        (folder / f"{number}.txt").write_text(str(number))
    (folder / "01.png").write_text("a picture")
    before = tree(folder)
    await samples.result("rename_files", folder=str(folder), new_text="{n}", only="*.txt")
    after = tree(folder)
    assert [after[f"{number:02}.txt"] for number in range(1, 11)] == [
        str(number).encode() for number in range(2, 12)
    ]
    await samples.result("rename_files", folder=str(folder), replace="0", new_text="")
    found = await samples.result("rename_files", folder=str(folder), undo=True)
    assert tree(folder) == after
    assert "old name" in found["summary"]
    await samples.result("rename_files", folder=str(folder), undo=True)
    assert tree(folder) == before
    assert not (folder / ".rename_files.json").exists()


async def test_two_names_that_change_places_do(samples: SampleRunner, tmp_path: Path) -> None:
    for name in ("ab.txt", "ba.txt"):
        (tmp_path / name).write_text(name)
    asked: JsonObject = {
        "folder": str(tmp_path),
        "replace": "^(.)(.)$",
        "new_text": r"\2\1",
        "regex": True,
        "only": "*.txt",
    }
    found = await samples.result("rename_files", **asked)
    assert tree(tmp_path) == {"ab.txt": b"ba.txt", "ba.txt": b"ab.txt"}
    assert len(found["names"]) == 2
    await samples.result("rename_files", folder=str(tmp_path), undo=True)
    assert tree(tmp_path) == {"ab.txt": b"ab.txt", "ba.txt": b"ba.txt"}


async def test_a_name_that_is_taken_gets_a_number(samples: SampleRunner, folder: Path) -> None:
    (folder / "sea1.jpg").write_text("older")
    await samples.result("rename_files", folder=str(folder), replace=r"IMG_\d+", new_text="sea1", regex=True)
    after = names(folder)
    assert after["sea1.jpg"] == "older"
    assert {after[f"sea1 ({number}).jpg"] for number in (2, 4)} == {"IMG_1.jpg", "IMG_10.jpg"}


async def test_undo_leaves_alone_what_has_a_name_that_is_taken_again(
    samples: SampleRunner, folder: Path
) -> None:
    await samples.result("rename_files", folder=str(folder), replace="IMG_", new_text="Sea ")
    (folder / "IMG_1.jpg").write_text("newer")
    found = await samples.result("rename_files", folder=str(folder), undo=True)
    assert names(folder)["IMG_1.jpg"] == "newer"
    assert names(folder)["Sea 1.jpg"] == "IMG_1.jpg"
    assert len(found["not_renamed"]) == 1
    (folder / "IMG_1.jpg").unlink()
    await samples.result("rename_files", folder=str(folder), undo=True)
    assert names(folder)["IMG_1.jpg"] == "IMG_1.jpg"


async def test_odd_names_are_renamed_and_shown_in_one_line(samples: SampleRunner, tmp_path: Path) -> None:
    odd = [
        "a\nb x.txt",
        "😀 x.txt",
        "-x.txt",
        "照片 x.txt",
        os.fsdecode(b"caf\xe9 x.txt"),
        "y" * 245 + "x.txt",
    ]
    for name in odd:
        (tmp_path / name).write_text("")
    found = await samples.result("rename_files", folder=str(tmp_path), replace="x", new_text="z")
    there = {path.name for path in tmp_path.iterdir() if path.suffix == ".txt"}
    assert there == {name.replace("x.txt", "z.txt") for name in odd}
    assert {"before": "😀 x.txt", "after": "😀 z.txt"} in found["names"]


def test_what_cannot_become_a_name_is_refused_and_nothing_is_renamed(folder: Path) -> None:
    before = listing(folder)

    def said(*arguments: str) -> str:
        return straight("rename_files", f"--folder={folder}", *arguments)

    assert "Say what to change" in said()
    assert "a slash" in said("--replace=IMG_", "--new_text=../")
    assert "not {day}" in said("--new_text={day}")
    assert "Nothing would be left" in said("--replace=notes")
    assert "would be hidden" in said("--replace=notes", "--new_text=.a")
    assert "too long" in said("--new_text=" + "x" * 300)
    assert "regular expression" in said("--replace=(", "--regex=true")
    assert "replacement" in said("--replace=IMG", "--new_text=\\9", "--regex=true")
    assert "number or date" in said("--add=time")
    assert "no renaming" in said("--undo=true")
    assert listing(folder) == before


async def test_where_no_name_has_the_text_it_is_said(samples: SampleRunner, folder: Path) -> None:
    found = await samples.result("rename_files", folder=str(folder), replace="not in any name")
    assert found["summary"] == f"No file in {folder} fits, so nothing is renamed."


def test_a_folder_that_is_none_is_refused_with_a_sentence(folder: Path) -> None:
    assert "There is no folder" in straight("rename_files", f"--folder={folder}/none", "--replace=a")
    assert "is not a folder" in straight("rename_files", f"--folder={folder}/notes.txt", "--replace=a")
    assert "Which folder?" in straight("rename_files")
