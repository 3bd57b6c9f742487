"""What gets its name takes the place of nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner_desktop.files.atomic import copy_into, take_place, write_new, write_parts, write_whole


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "place"
    folder.mkdir()
    return folder


def test_what_is_new_takes_the_place_of_nothing(place: Path) -> None:
    target = place / "a.txt"
    write_new(target, b"first")
    with pytest.raises(FileExistsError):
        write_new(target, b"second")
    (place / "b.txt").write_text("other")
    with pytest.raises(FileExistsError):
        take_place(place / "b.txt", target)
    (place / "folder").mkdir()
    with pytest.raises(FileExistsError):
        take_place(place / "folder", target)
    assert target.read_bytes() == b"first"
    assert {path.name for path in place.iterdir()} == {"a.txt", "b.txt", "folder"}


def test_what_takes_its_place_leaves_no_second_name(place: Path) -> None:
    (place / "a.txt").write_text("a")
    take_place(place / "a.txt", place / "b.txt")
    assert (place / "b.txt").stat().st_nlink == 1
    assert [path.name for path in place.iterdir()] == ["b.txt"]


def test_nobody_can_lay_a_link_under_what_is_being_written(place: Path) -> None:
    """Under the name that a process builds by, in a folder of everybody's, its number known."""
    others = place.parent / "others"
    others.write_text("theirs")
    for ending in ("tmp", "part"):
        (place / f".a.jsonl.{os.getpid()}.{ending}").symlink_to(others)
    write_new(place / "a.jsonl", b"new")
    write_whole(place / "a.jsonl", b"newer")
    write_parts(place / "a.jsonl", ["newest"])
    assert ((place / "a.jsonl").read_text(), others.read_text()) == ("newest", "theirs")


@pytest.mark.parametrize("swapped", ["", "file", "folder", "pipe", "whole"])
def test_a_link_that_comes_in_the_way_of_a_copy_is_not_followed(place: Path, swapped: str) -> None:
    """`swapped`: what became a link, or a pipe, after the members were listed."""
    source, secret = place / "ability", place.parent / "secret"
    for folder in (source / "in", secret / "in"):
        folder.mkdir(parents=True)
        for path in (folder / "a.txt", folder.parent / "run.py"):
            path.write_text("secret" if folder.parent == secret else "plain")
    members = [source / "run.py", source / "in" / "a.txt"]
    if swapped in ("file", "pipe"):
        members[0].unlink()
        members[0].symlink_to(secret / "run.py") if swapped == "file" else os.mkfifo(members[0])
    elif swapped:
        one = source if swapped == "whole" else source / "in"
        one.rename(place.parent / "away")
        one.symlink_to(secret if swapped == "whole" else secret / "in")
    target = place / "target"
    if not swapped:
        copied = copy_into(source, target, members)
        assert [(copied / path.relative_to(source)).read_text() for path in members] == ["plain"] * 2
        return
    with pytest.raises(OSError, match=r"."):
        copy_into(source, target, members)
    assert list(target.iterdir()) == [], "nothing was copied"
    assert {path.name for path in place.iterdir()} == {"ability", "target"}
