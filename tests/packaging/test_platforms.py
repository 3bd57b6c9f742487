"""What other systems lack is what PLATFORMS.md says: as far as Linux can tell."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
import yaml

from partner_desktop.base.paths import Home
from tests.packaging.built import REPOSITORY

_PLATFORMS = REPOSITORY / "packaging" / "PLATFORMS.md"
_WORKFLOW = REPOSITORY / ".github" / "workflows" / "ci.yml"
#: No file may be called so on Windows, whatever its ending.
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
)


@pytest.mark.integration
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it hides from a Linux what others have not")
@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_what_cannot_be_imported_elsewhere_is_what_is_told(system: str) -> None:
    program = Path(__file__).with_name("foreign_system.py")
    done = subprocess.run(
        [sys.executable, program, system],
        env=os.environ | {"PYTHONPATH": str(REPOSITORY), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)) == (_told_of_windows() if system == "win32" else set())


def _told_of_windows() -> set[str]:
    section = _PLATFORMS.read_text(encoding="utf-8").partition("Modules that Windows cannot import")[2]
    found = set(re.findall(r"`([\w/]+\.py)`", section))
    assert found
    return found


def shipped_names() -> list[PurePosixPath]:
    """Every file that a checkout or a wheel lays on a disk."""
    folders = ("partner_desktop", "resources", "action", "packaging")
    return [
        PurePosixPath(path.relative_to(REPOSITORY).as_posix())
        for folder in folders
        for path in (REPOSITORY / folder).rglob("*")
        if "__pycache__" not in path.parts
    ]


def test_windows_and_macos_can_hold_every_file_that_is_shipped() -> None:
    names = shipped_names()
    assert len(names) > 900
    for name in names:
        there = PureWindowsPath(*name.parts)
        assert there.parts == name.parts, f"{name} is another path on Windows"
        assert not re.search(r'[<>:"|?*\\\x00-\x1f]|[ .]$', name.name), f"Windows has no name {name}"
        assert name.name.partition(".")[0].lower() not in _DEVICES, f"{name} is a device on Windows"
        # Before it comes some C:\Users\NAME\pipx\venvs\partner-desktop\Lib\site-packages; 260 in all.
        assert len(str(there)) < 150, f"{name} may be too long for Windows"
    folded = [str(name).casefold() for name in names]
    twice = {name for name in folded if folded.count(name) > 1} if len(set(folded)) < len(folded) else set()
    assert not twice, f"one file where capitals do not count: {twice}"


def test_a_home_is_laid_out_by_joining_names() -> None:
    """No place in it is made with a slash, or by cutting texts."""
    root = PureWindowsPath(r"C:\Users\ada\AppData\Local\partner-desktop")
    home = Home(root)  # type: ignore[arg-type]  # the layout needs no disk
    places = {
        name: getattr(home, name)
        for name, kind in vars(Home).items()
        if isinstance(kind, property) and name not in ("runtime", "socket", "proof")  # of Unix sockets
    }
    assert len(places) > 10
    for name, place in places.items():
        assert isinstance(place, PureWindowsPath), name
        assert place.is_relative_to(root), name
        assert "/" not in str(place), name
    assert places["log_file"] == root / "logs" / "partner.log"
    assert places["host_file"] == root / "host.json"


def test_every_system_has_its_row_in_the_matrix_and_what_it_runs_is_there() -> None:
    told = yaml.safe_load(_WORKFLOW.read_text(encoding="utf-8"))
    systems = {row["os"] for job in told["jobs"].values() for row in job["strategy"]["matrix"]["include"]}
    assert {system.partition("-")[0] for system in systems} == {"ubuntu", "macos", "windows"}
    text = _WORKFLOW.read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:packaging|tests|\.ci)/[\w./]+\b", text))
    assert named
    missing = [name for name in named if not (REPOSITORY / name).exists()]
    assert not missing
