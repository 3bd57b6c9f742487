"""Into the trash and back: from another file system too, and never over what lies there by then."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from partner_desktop.files.trash import Trashed, move_to_trash, take_back


def test_what_was_moved_to_the_trash_comes_back(tmp_path: Path) -> None:
    for number in range(2):  # twice the same name: the last one is meant
        (tmp_path / "note.txt").write_text(f"{number}")
        trashed = move_to_trash(tmp_path / "note.txt")
    assert trashed is not None
    assert not (tmp_path / "note.txt").exists()
    take_back(trashed, tmp_path / "note.txt")
    assert (tmp_path / "note.txt").read_text() == "1"
    assert not trashed.note.exists()
    with pytest.raises(FileNotFoundError, match="in the trash no more"):
        take_back(trashed, tmp_path / "other.txt")


def test_what_lies_there_by_then_stays(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("old")
    trashed = move_to_trash(tmp_path / "one.txt")
    assert trashed is not None
    (tmp_path / "one.txt").write_text("new")
    with pytest.raises(FileExistsError):
        take_back(trashed, tmp_path / "one.txt")
    assert (tmp_path / "one.txt").read_text() == "new"
    assert trashed.at.read_text() == "old"


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_trash_on_another_file_system_gives_back_too(tmp_path: Path, kind: str) -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second file system here")
    with tempfile.TemporaryDirectory(dir=memory) as place:
        trash = Path(place) / "Trash"
        for part in ("files", "info"):
            (trash / part).mkdir(parents=True)
        at, note, origin = trash / "files" / "thing", trash / "info" / "thing.trashinfo", tmp_path / "thing"
        text = at
        if kind == "folder":
            at.mkdir()
            text = at / "in.txt"
        text.write_text("whole")
        note.write_text(f"[Trash Info]\nPath={origin}\n")
        take_back(Trashed(origin, at, note), origin)
        assert (origin / text.relative_to(at)).read_text() == "whole"
        assert not at.exists()
        assert not note.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["thing", "user"], "no scrap is left"
