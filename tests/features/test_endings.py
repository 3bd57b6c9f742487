"""However the program is told to end, it closes what it opened; and what ended otherwise is noticed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped] # has no types
import pytest

from tests.features.vectors import give_vectors
from tests.installed import allow, install
from tests.support import REPOSITORY, run_cli_arguments

pytestmark = pytest.mark.integration

TIMEOUT_S = 60.0

SLEEPER = """\
# /// partner
# description = "Wait for the bus"
# ///
import time
print("waiting", flush=True)
time.sleep(600)
"""

HANGS = """
import asyncio
class Hangs:
    name = "hangs"
    def __init__(self, host, params):
        pass
    async def launch(self):
        pass
    async def shutdown(self):
        print('{"type": "closing"}', flush=True)
        await asyncio.sleep(600)
"""


class Program:
    """The real program on one home."""

    def __init__(self, tmp_path: Path) -> None:
        self.home, self.action_dir, self.site = tmp_path / "home", tmp_path / "action", tmp_path / "site"
        (self.action_dir / "dynamic").mkdir(parents=True)
        (self.action_dir / "dynamic" / "bus.py").write_text(SLEEPER, encoding="utf-8")
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        if arguments[0] == "chat":
            give_vectors(self.home)
        where = ["--home", str(self.home), "--action-dir", str(self.action_dir)]
        paths = os.pathsep.join((str(REPOSITORY), str(self.site)))
        process = subprocess.Popen(
            run_cli_arguments(*arguments, *where),
            env=os.environ | {"PYTHONPATH": paths, "QT_QPA_PLATFORM": "offscreen"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._started.append(process)
        return process

    def until(self, process: subprocess.Popen[str], kind: str) -> dict[str, object]:
        """The next event of a kind that the program prints; one that says nothing is ended."""
        assert process.stdout is not None
        patience = threading.Timer(TIMEOUT_S, process.kill)
        patience.start()
        try:
            for line in process.stdout:
                event: dict[str, object] = json.loads(line)
                if event["type"] == kind:
                    return event
        finally:
            patience.cancel()
        raise AssertionError(f"it ended before {kind}")

    def run_sleeper(self, *command: str) -> subprocess.Popen[str]:
        """A program whose script is running."""
        process = self.start(*command, "--approve", "all", "--json")
        if command[0] == "chat" and "--once" not in command:
            assert process.stdin is not None
            process.stdin.write("wait for the bus\n")
            process.stdin.flush()
        self.until(process, "run")
        return process

    def statuses(self) -> list[str]:
        database = sqlite3.connect(self.home / "partner.db")
        found = [row[0] for row in database.execute("SELECT status FROM actions")]
        database.close()
        return found

    def log(self) -> str:
        return (self.home / "logs" / "partner.log").read_text(encoding="utf-8")

    def close(self) -> None:
        for process in self._started:
            if process.poll() is None:
                process.kill()
            process.communicate(timeout=TIMEOUT_S)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    one = Program(tmp_path)
    yield one
    one.close()


def script_processes(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """What the program started and that runs our script, once it is there."""
    deadline = time.monotonic() + TIMEOUT_S
    while time.monotonic() < deadline:
        family: list[psutil.Process] = psutil.Process(process.pid).children(recursive=True)
        found = [child for child in family if any("bus" in part for part in _command_line(child))]
        if found:
            return family
        os.sched_yield()
    raise AssertionError("the script never ran")


def _command_line(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except psutil.Error:
        return []


@pytest.mark.promise("framework.shutdown.order")
@pytest.mark.parametrize(
    ("number", "command", "code"),
    [
        (signal.SIGTERM, ("actions", "run", "local::bus"), 143),
        (signal.SIGINT, ("chat", "--once", "wait for the bus"), 130),
        (signal.SIGHUP, ("chat",), 129),
    ],
)
@pytest.mark.slow
def test_a_signal_ends_the_script_says_so_and_lets_go_of_the_home(
    program: Program, number: signal.Signals, command: tuple[str, ...], code: int
) -> None:
    process = program.run_sleeper(*command)
    family = script_processes(process)
    process.send_signal(number)
    assert process.wait(TIMEOUT_S) == code
    _, alive = psutil.wait_procs(family, timeout=TIMEOUT_S)
    assert alive == []
    assert program.statuses() == ["interrupted"]
    assert not (program.home / "running.json").exists()
    again = program.start("chat", "--once", "hello")
    _, errors = again.communicate(timeout=TIMEOUT_S)
    assert (again.returncode, errors) == (0, "")


@pytest.mark.promise("framework.shutdown.order")
def test_a_second_signal_while_it_closes_ends_it_at_once_and_the_log_says_so(program: Program) -> None:
    install(program.site, "ext-slow", HANGS, {"gateways": {"hangs": "Hangs"}})
    allow(program.home, program.site, "ext-slow")
    (program.home / "config" / "gateways.toml").write_text('[[gateway]]\nname = "hangs"\n', encoding="utf-8")
    process = program.run_sleeper("chat")
    process.send_signal(signal.SIGINT)
    program.until(process, "closing")
    process.send_signal(signal.SIGTERM)
    assert process.wait(TIMEOUT_S) == 143
    assert "SIGTERM while closing: ended at once, without closing" in program.log()


@pytest.mark.promise("framework.launch.order")
def test_a_launch_that_fails_says_why_exits_1_and_lets_go_of_the_home(program: Program) -> None:
    program.home.mkdir(mode=0o700)
    newer = sqlite3.connect(program.home / "partner.db")
    newer.execute("PRAGMA user_version = 9999")
    newer.close()
    process = program.start("chat", "--once", "hello")
    _, errors = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 1
    assert "newer Partner" in errors
    assert "Traceback" not in errors
    assert not (program.home / "running.json").exists()
    (program.home / "partner.db").unlink()
    assert program.start("chat", "--once", "hello").wait(TIMEOUT_S) == 0


@pytest.mark.promise("desktop.crash")
def test_a_kill_is_noticed_at_the_next_start_and_only_then(program: Program) -> None:
    process = program.run_sleeper("chat")
    process.kill()
    process.wait(TIMEOUT_S)
    both = [program.start("chat", "--once", "hello") for _ in range(2)]  # one of them becomes the host
    errors = "".join(each.communicate(timeout=TIMEOUT_S)[1] for each in both)
    assert errors.count("Partner ended unexpectedly last time.") == 1
    assert "One action was running; its card says what became of it." in errors
    third = program.start("chat", "--once", "hello")
    assert third.communicate(timeout=TIMEOUT_S)[1] == ""


@pytest.mark.promise("desktop.crash")
@pytest.mark.real_start
def test_a_crash_of_the_interpreter_leaves_its_last_words_as_a_report(program: Program) -> None:
    process = program.run_sleeper("chat")
    process.send_signal(signal.SIGSEGV)
    assert process.wait(TIMEOUT_S) == -signal.SIGSEGV
    again = program.start("chat", "--once", "hello")
    _, errors = again.communicate(timeout=TIMEOUT_S)
    assert again.returncode == 0
    assert "Partner ended unexpectedly last time." in errors
    assert "Fatal Python error: Segmentation fault" in errors
    assert (program.home / "logs" / "fatal.txt").read_text(encoding="utf-8") == ""
