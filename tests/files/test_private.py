"""What Partner writes for itself is closed to others, whatever was there and whatever the umask says."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from partner_desktop.base import private
from partner_desktop.files.atomic import write_whole


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_folders_that_are_made_are_closed_and_those_there_keep_their_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    private.make_folder(tmp_path / "a" / "b")
    assert [rights(tmp_path / name) for name in (".", "a", "a/b")] == [0o755, 0o700, 0o700]
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="exists"):
        private.make_folder(tmp_path / "file")


def test_a_claimed_file_keeps_what_it_holds_and_is_closed(tmp_path: Path) -> None:
    private.claim(tmp_path / "new")
    (tmp_path / "old").write_text("kept")
    private.claim(tmp_path / "old")
    private.claim(tmp_path / "nowhere" / "at all")
    assert (rights(tmp_path / "new"), rights(tmp_path / "old")) == (0o600, 0o600)
    assert (tmp_path / "old").read_text() == "kept"


def test_only_what_is_said_to_be_private_is_written_so(tmp_path: Path) -> None:
    write_whole(tmp_path / "ability.json", b"{}")
    write_whole(tmp_path / "settings.toml", b"", private=True)
    assert (rights(tmp_path / "ability.json"), rights(tmp_path / "settings.toml")) == (0o644, 0o600)
    (tmp_path / "settings.toml").chmod(0o640)
    write_whole(tmp_path / "settings.toml", b"x = 1", private=True)
    assert rights(tmp_path / "settings.toml") == 0o640, "the person opened it"
