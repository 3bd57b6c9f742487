"""A whole round in the real window by its accessibility alone: typed, sent, approved, read, switched off."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.promise("desktop.keyboard")]

_CLIENT = Path(__file__).with_name("client.py")
_PYTHON = "/usr/bin/python3"
_ROUND_S = 600
_LAUNCHERS = ("/usr/libexec", "/usr/lib/at-spi2-core")
_SCRIPT = """# /// partner
# description = "Water the plants"
# aliases = { en = ["water the plants"] }
# ///
print("The plants are watered.")
"""


def missing() -> str:
    """What is not here of what a screen reader needs; empty: nothing."""
    for program in ("Xvfb", "dbus-run-session", _PYTHON):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if not any(Path(folder, "at-spi-bus-launcher").exists() for folder in _LAUNCHERS):
        return "at-spi2-core is not installed"
    looks = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
    asked = subprocess.run([_PYTHON, "-c", looks], capture_output=True, check=False, timeout=60)
    return "" if asked.returncode == 0 else "the system's Python has no bindings of AT-SPI (python3-pyatspi)"


@pytest.fixture
def display() -> Iterator[str]:
    """A screen of its own."""
    reads, writes = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writes), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
        pass_fds=(writes,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writes)
    with os.fdopen(reads) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(30)


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_client_of_the_accessibility_bus_has_the_whole_window(tmp_path: Path, display: str) -> None:
    home, action = tmp_path / "home", tmp_path / "action"
    (action / "dynamic").mkdir(parents=True)
    (action / "dynamic" / "water.py").write_text(_SCRIPT, encoding="utf-8")
    window = [sys.executable, "-m", "partner_desktop", "--home", str(home), "--action-dir", str(action)]
    here = {
        "DISPLAY": display,
        "QT_QPA_PLATFORM": "xcb",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "LANG": "C.UTF-8",
    }
    round_ = subprocess.run(
        ["dbus-run-session", "--", _PYTHON, "-W", "ignore", str(_CLIENT), *window],
        env=os.environ | here,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
        timeout=_ROUND_S,
    )
    assert round_.returncode == 0, round_.stderr
    found = json.loads(round_.stdout.splitlines()[-1])
    assert "failed" not in found, (found, round_.stderr[-2_000:])
    assert found["nameless"] == []
    assert {"page tab", "list", "push button", "text"} <= {*found["roles"]}
    assert {"Press", "ShowMenu", "Rename", "Delete"} <= {*found["of the conversation"]}
    assert found["was on"]
    told = found["announced"]
    assert told[0].startswith("Waits for your decision: Water")
    assert "Water: done" in told
    assert "The plants are watered." in told
    assert told[-1].startswith("“Water” is off")  # by the switch on its row
