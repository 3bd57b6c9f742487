"""Opening at login: an entry that is written and taken away, and what starts from it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox

from partner_desktop.base.own_program import start_command
from partner_desktop.desktop import autostart
from partner_desktop.desktop.notices import Notice, Notices

from .stage import Stage


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's folder of settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config"


def exec_line(text: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.startswith("Exec=")]
    return shlex.split(line.removeprefix("Exec=").replace("%%", "%"))


def test_the_entry_is_written_where_the_settings_are_and_taken_away_again(config: Path) -> None:
    assert not autostart.is_on()
    home = config.parent / "my home"
    autostart.turn(on=True, home=home)
    entry = config / "autostart" / "partner-desktop.desktop"
    assert autostart.entry_path() == entry
    assert autostart.is_on()
    assert [path.name for path in entry.parent.iterdir()] == [entry.name]
    text = entry.read_text(encoding="utf-8")
    assert text.startswith("[Desktop Entry]\nType=Application\nName=Partner\n")
    assert exec_line(text)[-3:] == ["--home", str(home), "--hidden"]
    autostart.turn(on=False)
    autostart.turn(on=False)
    assert not entry.exists()
    assert not autostart.is_on()


def test_what_it_starts_is_there(config: Path) -> None:
    del config
    command = start_command()
    assert os.access(command[0], os.X_OK)


@pytest.mark.parametrize(
    "line",
    ["Hidden=true", "Hidden = True", "X-GNOME-Autostart-enabled=false"],
    ids=["hidden", "spaced", "gnome"],
)
def test_an_entry_that_another_program_turned_off_counts_as_off(config: Path, line: str) -> None:
    autostart.turn(on=True)
    entry = config / "autostart" / "partner-desktop.desktop"
    kept = [each for each in entry.read_text(encoding="utf-8").splitlines() if "enabled" not in each]
    entry.write_text("\n".join([*kept, line]) + "\n", encoding="utf-8")
    assert not autostart.is_on()
    autostart.turn(on=True)
    assert autostart.is_on()


def test_a_relative_folder_of_settings_is_none(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del config
    monkeypatch.setenv("XDG_CONFIG_HOME", "somewhere")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert autostart.entry_path() == tmp_path / ".config" / "autostart" / "partner-desktop.desktop"


def test_a_command_with_odd_signs_is_quoted(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del config
    place = tmp_path / 'a "new" $home 100%'
    place.mkdir()
    (place / "partner-desktop").write_text("#!/bin/sh\n", encoding="utf-8")
    (place / "partner-desktop").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(place / "python"))
    (line,) = [one for one in autostart.entry_text().splitlines() if one.startswith("Exec=")]
    words = line.removeprefix("Exec=").replace("\\\\", "\\").replace("%%", "%")
    told = subprocess.run(["sh", "-c", f"printf '%s\\n' {words}"], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == [str(place / "partner-desktop"), "--hidden"]


@pytest.mark.parametrize(
    "name", ["x\nExec=sh -c evil\n#", "x\rExec=evil", "x\u2028y", "x\x00y", "\udcff"], ids=ascii
)
def test_a_path_that_no_entry_can_hold_is_refused_and_what_is_there_stays(config: Path, name: str) -> None:
    autostart.turn(on=True)
    with pytest.raises(autostart.OddPathError):
        autostart.turn(on=True, home=config / name)
    entry = config / "autostart" / "partner-desktop.desktop"
    assert entry.read_text(encoding="utf-8") == autostart.entry_text()
    assert list(entry.parent.iterdir()) == [entry]


def test_such_a_path_is_told_in_one_sentence(config: Path) -> None:
    notices, told = Notices(), list[Notice]()
    notices.posted.connect(told.append)
    for name in ("x\nExec=evil", "\udcff"):
        assert not autostart.turn_or_tell(notices, on=True, home=config / name)
    assert [notice.level for notice in told] == ["error", "error"]
    assert "x⟨↵⟩Exec=evil holds a line break" in told[0].words()
    told[1].words().encode()
    assert not autostart.is_on()


def login_box(stage: Stage) -> QCheckBox:
    stage.do(stage.window.open_appearance)
    return stage.window.appearance.login_box


def test_the_switch_writes_the_entry_and_takes_it_away(stage: Stage, config: Path) -> None:
    stage.open()
    box = login_box(stage)
    assert not box.isChecked()
    stage.do(box.click)
    assert (config / "autostart" / "partner-desktop.desktop").exists()
    assert box.isChecked()
    stage.do(box.click)
    assert not autostart.is_on()


def test_a_folder_that_cannot_be_written_is_said_and_the_switch_stays_off(stage: Stage, config: Path) -> None:
    config.mkdir()
    (config / "autostart").write_text("no folder\n", encoding="utf-8")
    stage.open()
    box = login_box(stage)
    stage.do(box.click)
    assert not box.isChecked()
    (toast,) = stage.window.page.toasts.toasts
    assert "could not be changed" in toast.notice.words()
