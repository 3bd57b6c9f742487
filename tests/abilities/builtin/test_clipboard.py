"""The clipboard: through the window's door, through the desktop's programs, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.permission.request import ApprovalMode
from tests.abilities.builtin.calling import Caller, summary

#: A Partner each: for the whole gate.
pytestmark = pytest.mark.integration


class Board:
    """A clipboard in the hand."""

    def __init__(self, text: str | None) -> None:
        self.text = text

    def read(self) -> str | None:
        return self.text

    def write(self, text: str) -> None:
        self.text = text


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A search path with nothing on it, and no screen."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return programs


async def test_reading_it_asks_though_it_changes_nothing(call: Caller, partner: Partner) -> None:
    partner.use_clipboard(Board("a password"))
    asked = await call("clipboard::read", {}, standing=ApprovalMode.ASK)
    assert (asked.status, asked.risk, asked.grantable) == (ActionStatus.WAITING, Risk.READ, False)
    refused = await call("clipboard::read", {}, standing=ApprovalMode.GRANTED)
    assert refused.status is ActionStatus.REJECTED
    assert (await call("clipboard::read", {})).stdout == "a password"


async def test_what_is_written_lies_there_until_the_window_is_gone(call: Caller, partner: Partner) -> None:
    board = Board(None)
    leave = partner.use_clipboard(board)
    assert summary(await call("clipboard::read", {})) == "There is no text on the clipboard."
    assert summary(await call("clipboard::write", {"text": "héllo"})) == "5 characters are on the clipboard."
    assert board.text == "héllo"
    leave()
    assert summary(await call("clipboard::read", {})).startswith("There is no clipboard to reach from here")


async def test_a_long_text_is_cut(call: Caller, partner: Partner) -> None:
    partner.use_clipboard(Board("x" * 1_000_000))
    record = await call("clipboard::read", {})
    assert record.truncated
    assert len(record.stdout) == 64 * 1024


async def test_without_a_window_the_desktops_own_program_is_asked(
    call: Caller, no_desktop: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    for name, script in (("wl-paste", f"exec /bin/cat '{kept}'"), ("wl-copy", f"exec /bin/cat > '{kept}'")):
        (no_desktop / name).write_text(f"#!/bin/sh\n{script}\n")
        (no_desktop / name).chmod(0o755)
    assert summary(await call("clipboard::read", {})).startswith("There is no clipboard to reach")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    await call("clipboard::write", {"text": "over there"})
    assert kept.read_text() == "over there"
    assert (await call("clipboard::read", {})).stdout == "over there"
