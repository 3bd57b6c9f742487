"""One command makes all that is given to people, and what it says about it is so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from partner_desktop import __version__
from tests.long.packages.clean_root import needed_tools
from tests.packaging.built import REPOSITORY

pytestmark = pytest.mark.long


def test_a_release_is_built_checked_and_described(tmp_path: Path) -> None:
    needed_tools("dh", "mksquashfs")
    command = (sys.executable, REPOSITORY / "packaging" / "release", tmp_path / "made")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    names = {path.name for path in (tmp_path / "made").iterdir()}
    assert names == {
        f"partner_desktop-{__version__}-py3-none-any.whl",
        f"partner_desktop-{__version__}.tar.gz",
        f"partner-desktop-{__version__}-linux-x86_64.tar.gz",
        f"partner-desktop-{__version__}-x86_64.AppImage",
        f"partner-desktop_{__version__}_amd64.deb",
        f"partner-desktop-{__version__}.cdx.json",
        "CHANGES.md",
        "SHA256SUMS",
    }
    check = ("sha256sum", "--strict", "--quiet", "--check", "SHA256SUMS")
    subprocess.run(check, cwd=tmp_path / "made", check=True)

    bill = json.loads((tmp_path / "made" / f"partner-desktop-{__version__}.cdx.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["version"] == __version__
    held = {component["name"] for component in bill["components"]}
    assert {"PySide6_Essentials", "llama_cpp_python", "CPython", "libssl", "Inter"} <= held
    assert not held & {"pytest", "hatchling", "cyclonedx-bom", "shtab"}
