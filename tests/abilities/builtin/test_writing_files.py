"""Builtins that write and move: what they make, what they never replace, and what they leave behind."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.permission.request import ApprovalMode
from tests.abilities.builtin.calling import Caller, leftovers, summary
from tests.action.listing import trash_of

#: A Partner each: for the whole gate.
pytestmark = pytest.mark.integration


@contextmanager
def full_disk(size_bytes: int) -> Iterator[None]:
    """No file may grow beyond this: what a disk without room does to a write. Python ignores the signal."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_writing_asks_and_shows_the_place(call: Caller, user_home: Path) -> None:
    record = await call("files::write", {"file": "a.txt", "text": "hello"}, standing=ApprovalMode.ASK)
    assert record.status is ActionStatus.WAITING
    assert record.risk is Risk.WRITE
    assert [(use.access, use.path) for use in record.paths] == [("write", str(user_home / "a.txt"))]
    assert not record.grantable
    assert leftovers(user_home) == set()


async def test_a_new_file_is_written_and_one_that_is_there_stays(call: Caller, user_home: Path) -> None:
    assert (
        summary(await call("files::write", {"file": "a.txt", "text": "first"})) == "Wrote ~/a.txt: 5 bytes."
    )
    refused = await call("files::write", {"file": "a.txt", "text": "second"})
    assert "~/a.txt is there already, and nothing was changed." in summary(refused)
    assert (user_home / "a.txt").read_text() == "first"
    (user_home / "a.txt").chmod(0o640)
    await call("files::write", {"file": "a.txt", "text": "third", "overwrite": True})
    assert (user_home / "a.txt").read_text() == "third"
    assert (user_home / "a.txt").stat().st_mode & 0o777 == 0o640
    assert leftovers(user_home) == {"a.txt"}


async def test_what_is_added_stands_on_a_line_of_its_own(call: Caller, user_home: Path) -> None:
    (user_home / "list.txt").write_text("milk")
    await call("files::append", {"file": "list.txt", "text": "bread"})
    await call("files::append", {"file": "list.txt", "text": "eggs\n"})
    assert (user_home / "list.txt").read_text() == "milk\nbread\neggs\n"
    await call("files::append", {"file": "new.txt", "text": "first"})
    assert (user_home / "new.txt").read_text() == "first\n"


async def test_a_disk_without_room_leaves_everything_as_it_was(call: Caller, user_home: Path) -> None:
    limit = 16_000_000  # the database stays below that
    for name, size_bytes in (("list.txt", limit - 10), ("big.bin", limit + 1_000_000)):
        with (user_home / name).open("wb") as file:
            file.truncate(size_bytes)
    before = {path.name: path.stat().st_size for path in user_home.iterdir()}
    with full_disk(limit):
        added = await call("files::append", {"file": "list.txt", "text": "z" * 1_000})
        copied = await call("files::copy", {"source": "big.bin", "target": "copy.bin"})
    assert summary(added).startswith("~/list.txt could not be written: ")
    assert summary(copied).startswith("~/big.bin could not be copied: ")
    assert {path.name: path.stat().st_size for path in user_home.iterdir()} == before


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("bell\a.txt", "holds signs that no name should have"),
        ("two\nlines.txt", "holds signs that no name should have"),
        ("n" * 250, "is too long for a name"),
    ],
)
async def test_a_name_that_no_file_should_have_is_refused(
    call: Caller, user_home: Path, name: str, sentence: str
) -> None:
    for key, more in (("files::write", {"text": "x"}), ("files::append", {"text": "x"})):
        assert sentence in summary(await call(key, {"file": name, **more}))
    assert sentence in summary(await call("files::make_folder", {"folder": name}))
    assert leftovers(user_home) == set()


async def test_half_a_character_is_not_written(call: Caller, user_home: Path) -> None:
    record = await call("files::write", {"file": "a.txt", "text": "half \ud800"})
    assert record.status is ActionStatus.FAILED
    assert "half a character" in record.error
    assert leftovers(user_home) == set()


async def test_nothing_is_written_into_a_pipe_or_a_folder(call: Caller, user_home: Path) -> None:
    os.mkfifo(user_home / "pipe")
    (user_home / "folder").mkdir()
    for key, more in (("files::write", {"overwrite": True}), ("files::append", {})):
        for name, kind in (("pipe", "a pipe"), ("folder", "a folder")):
            record = await call(key, {"file": name, "text": "x", **more})
            assert summary(record) == f"~/{name} is {kind}, not a file."


async def test_a_folder_is_made_once(call: Caller, user_home: Path) -> None:
    assert summary(await call("files::make_folder", {"folder": "Trips"})) == "Made the folder ~/Trips."
    assert (user_home / "Trips").is_dir()
    again = await call("files::make_folder", {"folder": "Trips"})
    assert summary(again) == "~/Trips is there already: a folder."


async def test_a_copy_into_a_folder_shows_its_new_place_and_replaces_nothing(
    call: Caller, user_home: Path
) -> None:
    (user_home / "a.txt").write_text("new")
    (user_home / "Backup").mkdir()
    asked = await call("files::copy", {"source": "a.txt", "target": "Backup"}, standing=ApprovalMode.ASK)
    assert [use.path for use in asked.paths] == [str(user_home / "a.txt"), str(user_home / "Backup/a.txt")]
    record = await call("files::copy", {"source": "a.txt", "target": "Backup"})
    assert summary(record) == "Copied ~/a.txt to ~/Backup/a.txt."
    again = await call("files::copy", {"source": "a.txt", "target": "Backup"})
    assert summary(again) == "~/Backup/a.txt is there already, and nothing was changed."


async def test_a_tree_is_copied_with_its_links_and_without_its_pipes(call: Caller, user_home: Path) -> None:
    (user_home / "tree" / "deep").mkdir(parents=True)
    (user_home / "tree" / "deep" / "a.txt").write_text("a")
    (user_home / "tree" / "link").symlink_to("deep/a.txt")
    os.mkfifo(user_home / "tree" / "pipe")
    record = await call("files::copy", {"source": "tree", "target": "twin"})
    assert summary(record).endswith("Left out, because they are no files: 1 pipes, sockets or devices.")
    assert (user_home / "twin" / "deep" / "a.txt").read_text() == "a"
    assert (user_home / "twin" / "link").is_symlink()
    assert leftovers(user_home / "twin") == {"deep", "link"}


async def test_a_file_moves_into_a_folder_and_a_folder_gets_a_new_name(call: Caller, user_home: Path) -> None:
    (user_home / "a.txt").write_text("a")
    (user_home / "Old").mkdir()
    assert summary(await call("files::move", {"source": "a.txt", "target": "Old"})) == (
        "Moved ~/a.txt to ~/Old/a.txt."
    )
    await call("files::move", {"source": "Old", "target": "New"})
    assert leftovers(user_home) == {"New"}
    assert (user_home / "New" / "a.txt").read_text() == "a"


async def test_a_move_replaces_nothing_and_goes_not_into_itself(call: Caller, user_home: Path) -> None:
    (user_home / "a.txt").write_text("a")
    (user_home / "b.txt").write_text("b")
    (user_home / "folder").mkdir()
    refused = await call("files::move", {"source": "a.txt", "target": "b.txt"})
    assert summary(refused) == "~/b.txt is there already, and nothing was changed."
    inside = await call("files::move", {"source": "folder", "target": "folder/inner"})
    assert summary(inside) == "~/folder cannot be put into itself."
    assert leftovers(user_home) == {"a.txt", "b.txt", "folder"}


async def test_what_is_deleted_lies_in_the_trash(call: Caller, user_home: Path) -> None:
    (user_home / "a builtin's old.txt").write_text("still here")
    record = await call("files::trash", {"path": "a builtin's old.txt"})
    assert summary(record) == "~/a builtin's old.txt is in the trash now."
    assert leftovers(user_home).isdisjoint({"a builtin's old.txt"})
    assert (trash_of() / "a builtin's old.txt").read_text() == "still here"


async def test_what_is_not_there_cannot_be_deleted_or_moved(call: Caller) -> None:
    for key, params in (
        ("files::trash", {"path": "missing"}),
        ("files::move", {"source": "missing", "target": "x"}),
        ("files::copy", {"source": "missing", "target": "x"}),
    ):
        record = await call(key, dict(params))
        assert record.status is ActionStatus.ASKING


async def test_the_whole_home_is_not_put_into_the_trash(call: Caller, user_home: Path) -> None:
    (user_home / "dear.txt").touch()
    assert summary(await call("files::trash", {"path": str(user_home)})) == "~ is not put into the trash."
    assert leftovers(user_home) == {"dear.txt"}


async def test_a_line_is_taken_out_and_nothing_else_changes(call: Caller, user_home: Path) -> None:
    (user_home / "list.txt").write_bytes(b"- milk\r\n- eggs\r\n\r\n- brown bread")
    (user_home / "list.txt").chmod(0o640)
    record = await call("files::remove_line", {"file": "list.txt", "lines": "eggs"})
    assert summary(record) == "Took “- eggs” out of ~/list.txt."
    assert (user_home / "list.txt").read_bytes() == b"- milk\r\n\r\n- brown bread"
    assert (user_home / "list.txt").stat().st_mode & 0o777 == 0o640
    assert leftovers(user_home) == {"list.txt"}


async def test_a_line_that_is_not_there_or_is_one_of_several_changes_nothing(
    call: Caller, user_home: Path
) -> None:
    before = "white bread\nbrown bread\nmilk\n"
    (user_home / "list.txt").write_text(before)
    several = await call("files::remove_line", {"file": "list.txt", "lines": "bread"})
    assert "“white bread”, “brown bread”" in summary(several)
    none = await call("files::remove_line", {"file": "list.txt", "lines": "milk\nrice"})
    assert "No line of ~/list.txt is “rice”" in summary(none)
    assert (user_home / "list.txt").read_text() == before


@pytest.mark.parametrize(
    ("text", "wanted", "told"),
    [
        ("milk, eggs and bread\n", "eggs", "“milk, eggs and bread”"),
        ("egg noodles\n", "egg", "“egg noodles”"),
        ("oat milk\ndo not buy eggs: allergy\n", "eggs", "“do not buy eggs: allergy”"),
        ("鸡蛋\n", "鸡", "“鸡蛋”"),
    ],
)
async def test_a_line_that_says_more_than_what_is_wanted_is_told_and_stays(
    call: Caller, user_home: Path, text: str, wanted: str, told: str
) -> None:
    (user_home / "list.txt").write_text(text)
    assert told in summary(await call("files::remove_line", {"file": "list.txt", "lines": wanted}))
    assert (user_home / "list.txt").read_text() == text


async def test_lines_end_as_they_end_on_any_system(call: Caller, user_home: Path) -> None:
    (user_home / "list.txt").write_bytes(b"milk\reggs\rbread\r")
    await call("files::remove_line", {"file": "list.txt", "lines": "eggs"})
    assert (user_home / "list.txt").read_bytes() == b"milk\rbread\r"


async def test_of_a_long_text_its_length_is_told_wherever_a_character_is_cut(
    call: Caller, user_home: Path
) -> None:
    (user_home / "list.txt").write_text("é" * (8 * 1024 * 1024 + 1))
    assert "one call writes" in summary(await call("files::remove_line", {"file": "list.txt", "lines": "é"}))


async def test_taking_a_line_out_asks(call: Caller, user_home: Path) -> None:
    (user_home / "list.txt").write_text("milk\n")
    record = await call(
        "files::remove_line", {"file": "list.txt", "lines": "milk"}, standing=ApprovalMode.ASK
    )
    assert record.status is ActionStatus.WAITING
    assert record.risk is Risk.WRITE
    assert (user_home / "list.txt").read_text() == "milk\n"
