"""The folder that brings its own Python, on a Debian without one: window, chat, a script that was dropped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.long.packages.clean_root import clean_root, needed_tools
from tests.long.packages.first_session import Installed, first_session
from tests.packaging.built import REPOSITORY, build_packages

pytestmark = pytest.mark.long

#: What a Debian with a desktop has, and this bare one has not; and the sandbox.
_OF_A_DESKTOP = (
    "bubblewrap", "libegl1", "libgl1", "libfontconfig1", "libfreetype6", "libdbus-1-3", "libxkbcommon0",
    "libx11-xcb1", "libxcb1", "libglib2.0-0",
)  # fmt: skip


def test_on_a_machine_without_python_it_starts_chats_and_runs_a_script_held_by_the_sandbox(
    tmp_path: Path,
) -> None:
    needed_tools("patchelf")
    (wheel,) = build_packages(REPOSITORY, tmp_path / "built", "wheel")
    with clean_root(tmp_path) as system:
        folder = system.folder / "opt" / "partner-desktop"
        script = REPOSITORY / "packaging" / "frozen_folder.py"
        subprocess.run([sys.executable, script, folder, "--wheel", wheel], check=True)
        system.as_root("apt-get", "install", "-qq", "--no-install-recommends", *_OF_A_DESKTOP)
        assert not list(system.folder.glob("usr/bin/python*"))
        installed = Installed(
            ["/opt/partner-desktop/partner-desktop"],
            Path("/home/person/partner"),
            root=system.folder,
            prefix=system.entering(),
        )
        found = installed.findings()
        assert {name: found[name]["state"] for name in ("sandbox", "engine", "models held", "meaning")} == {
            "sandbox": "ok",
            "engine": "ok",
            "models held": "ok",
            "meaning": "ok",
        }
        told = first_session(installed)
        assert told["python"].startswith("/opt/partner-desktop/python/bin/python3")
