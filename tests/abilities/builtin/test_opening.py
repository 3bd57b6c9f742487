"""What is handed to the desktop's opener, and what is not because it would run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionStatus
from tests.abilities.builtin.calling import Caller
from tests.support import Watcher

pytestmark = pytest.mark.integration


@pytest.fixture
def handed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where an opener in the place of the desktop's writes what it is given."""
    told, tools = tmp_path / "told", tmp_path / "tools"
    tools.mkdir()
    (tools / "xdg-open").write_text(f'#!/bin/sh\necho "$@" > {told}\n')
    (tools / "xdg-open").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    return told


@pytest.mark.parametrize(
    ("name", "data", "mode", "opens"),
    [
        ("minutes.txt", b"text", 0o644, True),
        ("photo.png", b"\x89PNG", 0o777, True),  # as every file on some disks
        ("run.sh", b"#!/bin/sh\n", 0o644, True),  # its editor
        ("holiday.desktop", b"[Desktop Entry]", 0o644, False),
        ("Tool.AppImage", b"\x7fELF", 0o644, False),
        ("game.jar", b"PK", 0o644, False),
        ("invoice.pdf", b"#!/bin/sh\n", 0o755, False),
        ("program", b"\x7fELF", 0o755, False),
    ],
)
async def test_what_would_run_is_not_opened_also_behind_a_link(
    partner: Partner,
    watcher: Watcher,
    user_home: Path,
    handed: Path,
    name: str,
    data: bytes,
    mode: int,
    *,
    opens: bool,
) -> None:
    call = Caller(partner, watcher)
    file, link = user_home / name, user_home / "link.pdf"
    file.write_bytes(data)
    file.chmod(mode)
    link.symlink_to(file)
    for target in (str(file), file.as_uri(), str(link)):
        record = await call("open", {"target": target})
        assert (record.status is ActionStatus.SUCCEEDED) is opens, record.error
        assert handed.exists() is opens
        if opens:
            assert handed.read_text() == f"{file}\n"
            handed.unlink()
        else:
            assert "would run it" in record.error
