"""The real entrance, as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import REPOSITORY, WAIT_S

pytestmark = pytest.mark.integration

RUNNER = """
import sys
from partner_desktop.desktop.launch import main
from pathlib import Path
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home

async def build():
    place = Path(sys.argv[1])
    return Partner(Home(place / "home"), place / "action", kind="window", meaning=False)

sys.exit(main(None, None, build=build))
"""

START_S = 30.0


def environment(**more: str) -> dict[str, str]:
    """Ours, without any display, plus `more`."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE")
    }
    return kept | {"PYTHONPATH": str(REPOSITORY)} | more


def start_program(home: Path, *options: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "partner_desktop", "--home", str(home), *options]
    return subprocess.run(
        command, env=environment(**more), capture_output=True, text=True, timeout=START_S, check=False
    )


@pytest.mark.promise("desktop.display")
def test_without_a_display_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    ended = start_program(tmp_path / "home")
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert len(ended.stderr.splitlines()) == 1
    assert "There is no display here" in ended.stderr
    assert "partner-desktop chat" in ended.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.promise("desktop.display")
@pytest.mark.parametrize(
    "more",
    [
        {"DISPLAY": ":4711"},
        {"DISPLAY": "nowhere.invalid:0"},
        {"WAYLAND_DISPLAY": "wayland-4711", "XDG_RUNTIME_DIR": "/nonexistent"},
        {"QT_QPA_PLATFORM": "xcb"},
        {"QT_QPA_PLATFORM": "nonsense"},
    ],
    ids=["no X server", "no such host", "no Wayland server", "X11 without DISPLAY", "unknown platform"],
)
def test_a_display_that_does_not_answer_is_no_display(tmp_path: Path, more: dict[str, str]) -> None:
    ended = start_program(tmp_path / "home", **more)
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "There is no display here" in ended.stderr


def test_the_report_is_written_and_the_window_leaves_when_asked_to(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    begun = time.monotonic_ns()
    more = {
        "QT_QPA_PLATFORM": "offscreen",
        "PARTNER_STARTUP_REPORT": str(report),
        "PARTNER_STARTUP_QUIT": "1",
    }
    subprocess.run(
        [sys.executable, "-c", RUNNER, str(tmp_path)], env=environment(**more), timeout=START_S, check=True
    )
    body = json.loads(report.read_text(encoding="utf-8"))
    assert begun < body["first_paint_monotonic_ns"] < time.monotonic_ns()
    assert body["rss_bytes"] > 0


def test_it_comes_up_out_of_sight_where_that_is_asked_for(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    more = {"PARTNER_STARTUP_REPORT": str(report), "PARTNER_STARTUP_QUIT": "1"}
    ended = start_program(tmp_path / "home", "--hidden", QT_QPA_PLATFORM="offscreen", **more)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(report.read_text(encoding="utf-8"))["rss_bytes"] > 0


def test_a_terminated_process_ends_in_good_order(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    more = {"QT_QPA_PLATFORM": "offscreen", "PARTNER_STARTUP_REPORT": str(report)}
    with subprocess.Popen([sys.executable, "-c", RUNNER, str(tmp_path)], env=environment(**more)) as process:
        deadline = time.monotonic() + START_S
        while not report.exists() and time.monotonic() < deadline:
            with_patience(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(WAIT_S) == 0


def with_patience(process: subprocess.Popen[bytes]) -> None:
    """A moment for the process, unless it ended."""
    try:
        process.wait(0.02)
    except subprocess.TimeoutExpired:
        return
    raise AssertionError(f"it ended too early: {process.returncode}")
