"""The real program in a terminal: one message, its events, attaching to the host of the home."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.features.vectors import give_vectors
from tests.support import REPOSITORY, run_cli_arguments

pytestmark = pytest.mark.integration

TIMEOUT_S = 60

SLEEPER = """\
# /// partner
# description = "Wait for the bus"
# ///
import pathlib, time
print("waiting", flush=True)
time.sleep(600)
"""


class Cli:
    """Runs the program on one home and one action folder."""

    def __init__(self, home: Path, action_dir: Path, cwd: Path) -> None:
        self.home, self.action_dir, self.cwd = home, action_dir, cwd
        self.started: list[subprocess.Popen[str]] = []

    def arguments(self, *arguments: str) -> list[str]:
        if arguments[0] == "chat":
            give_vectors(self.home)
        where = ["--home", str(self.home), "--action-dir", str(self.action_dir)]
        return run_cli_arguments(*arguments, *where)

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": str(REPOSITORY)}

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.arguments(*arguments),
            cwd=self.cwd,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )

    def events(self, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
        done = self.run(*arguments, "--json")
        assert done.stderr == ""
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self.arguments(*arguments),
            cwd=self.cwd,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.started.append(process)
        return process

    def host(self) -> subprocess.Popen[str]:
        """A Partner that runs until its input ends; commands attach to it, and take half as long."""
        process = self.start("chat", "--json")
        assert process.stdin is not None
        process.stdin.write("hello partner\n")
        process.stdin.flush()
        read_events(process, "done")
        return process

    def close(self) -> None:
        for process in self.started:
            if process.returncode is None:
                process.kill()
                process.communicate(timeout=TIMEOUT_S)


@pytest.fixture
def cli(tmp_path: Path, user_home: Path) -> Iterator[Cli]:
    folder = tmp_path / "action" / "dynamic"
    folder.mkdir(parents=True)
    one = Cli(tmp_path / "home", tmp_path / "action", user_home)
    yield one
    one.close()


@pytest.fixture
def with_samples(cli: Cli) -> Cli:
    cli.action_dir = REPOSITORY / "action"
    (cli.cwd / "README.md").write_text("one two three\n")
    return cli


def types(events: list[dict[str, Any]]) -> list[str]:
    """The event types in order, runs of one type once."""
    found: list[str] = []
    for event in events:
        if not found or found[-1] != event["type"]:
            found.append(event["type"])
    return found


def read_events(process: subprocess.Popen[str], until: str) -> list[dict[str, Any]]:
    """Lines of a running program up to the first event of a type."""
    assert process.stdout is not None
    events = []
    for line in process.stdout:
        events.append(json.loads(line))
        if events[-1]["type"] == until:
            return events
    raise AssertionError(f"it ended before {until}: {events}")


@pytest.mark.slow
def test_once_with_approve_all_proposes_runs_and_answers(with_samples: Cli) -> None:
    code, events = with_samples.events(
        "chat", "--once", "how many words are in README.md?", "--approve", "all"
    )
    assert code == 0
    order = types(events)
    for earlier, later in (
        ("message", "proposal"),
        ("proposal", "run"),
        ("run", "result"),
        ("result", "done"),
    ):
        assert order.index(earlier) < order.index(later), order
    assert "reply" in order[order.index("result") :]
    assert order[-1] == "done"
    result = next(event for event in events if event["type"] == "result")
    assert result["action"]["data"]["words"] == 3
    last_reply = [event for event in events if event["type"] == "reply"][-1]
    assert "3" in last_reply["text"]
    decision = next(event for event in events if event["type"] == "decision")
    assert (decision["outcome"], decision["scope"], decision["by"]) == ("allow", "once", "flag")


def test_once_with_approve_never_runs_nothing_and_says_what_it_would_have_done(with_samples: Cli) -> None:
    code, events = with_samples.events(
        "chat", "--once", "how many words are in README.md?", "--approve", "never"
    )
    assert code == 0
    assert "run" not in types(events)
    text = [event for event in events if event["type"] == "reply"][-1]["text"]
    assert "Count words" in text
    assert "README.md" in text


def test_a_failing_action_exits_1_and_misuse_2(cli: Cli) -> None:
    (cli.action_dir / "dynamic" / "fail.py").write_text('"""Fail on purpose."""\nraise SystemExit(4)\n')
    failed = cli.run("actions", "run", "local::fail", "--approve", "all")
    assert failed.returncode == 1
    assert cli.run("actions", "run", "local::nothing", "--approve", "all").returncode == 2
    assert cli.run("actions", "run", "local::fail", "nonsense").returncode == 2
    assert cli.run("no-such-command").returncode == 2
    empty = cli.run("chat", "--once", "  ")
    assert (empty.returncode, empty.stderr.strip()) == (2, "There is nothing in this message.")


def test_the_terminal_is_told_in_its_language(cli: Cli) -> None:
    empty = cli.run("--language", "zh", "chat", "--once", "  ")
    assert (empty.returncode, empty.stderr.strip()) == (2, "这条消息里什么都没有。")
    listed = cli.run("models", "list", "--language", "zh")
    assert listed.stdout == "还没有模型；`partner-desktop models use FILE.gguf` 会加入一个。\n"
    renamed = cli.run("conversations", "rename", "nowhere", "x", "--language", "zh")
    assert renamed.stderr == "没有对话 nowhere；`partner-desktop conversations list` 会列出有哪些。\n"
    assert cli.run("conversations", "rename", "nowhere", "x").stderr.startswith("There is no conversation")


def test_the_list_shows_abilities_and_what_is_broken(cli: Cli) -> None:
    (cli.action_dir / "dynamic" / "fine.py").write_text('"""All is well."""\n')
    (cli.action_dir / "dynamic" / "bad.py").write_text("# /// partner\n# description = ?\n# ///\n")
    listed = cli.run("actions", "list")
    assert listed.returncode == 1
    assert "local::fine" in listed.stdout
    assert "bad.py:2: the partner block is not valid TOML" in listed.stdout


def test_what_a_script_or_a_settings_file_says_does_not_drive_the_terminal(cli: Cli) -> None:
    red = "\x1b[31mred"
    folder = cli.action_dir / "dynamic"
    (folder / "paint.py").write_text(
        f'"""Paint it {red}."""\n\ndef run(x: int = 1) -> str:\n    return "a"\n', encoding="utf-8"
    )
    listed = cli.run("actions", "list")
    assert "Paint it ⟨U+001B⟩[31mred." in listed.stdout
    (cli.home / "config" / "trace.toml").write_text(f"enabled = {red}\n", encoding="utf-8")
    checked = cli.run("config", "check")
    refused = cli.run("conversations", "rename", red, "x")
    assert refused.returncode == 2
    assert "The line is: enabled = ⟨U+001B⟩[31mred" in checked.stdout
    assert red not in listed.stdout + checked.stdout + refused.stderr


def test_a_second_command_attaches_to_the_host_and_both_see_the_same(cli: Cli) -> None:
    (cli.action_dir / "dynamic" / "fine.py").write_text('"""Water the garden plants."""\nprint("well")\n')
    host = cli.start("chat", "--json")
    assert host.stdin is not None
    host.stdin.write("hello\n")
    host.stdin.flush()
    read_events(host, "done")
    code, events = cli.events("chat", "--once", "water the plants", "--approve", "all")
    assert code == 0
    assert types(events)[-1] == "done"
    audit = cli.run("audit")
    assert "local::fine" in audit.stdout
    light = run_without(cli, ("partner_desktop.app", "pydantic"), "actions", "list")
    assert ("local::fine" in light.stdout, light.stderr) == (True, ""), "most of a start is loading the app"
    host.communicate(timeout=TIMEOUT_S)
    assert host.returncode == 0


def test_after_kill_9_in_a_running_action_chat_and_fate_are_there(cli: Cli) -> None:
    (cli.action_dir / "dynamic" / "bus.py").write_text(SLEEPER)
    host = cli.start("chat", "--json", "--approve", "all")
    assert host.stdin is not None
    host.stdin.write("wait for the bus\n")
    host.stdin.flush()
    events = read_events(host, "run")
    action_id = events[-1]["action"]["id"]
    host.send_signal(signal.SIGKILL)
    host.communicate(timeout=TIMEOUT_S)
    again = cli.start("chat", "--json")
    assert again.stdin is not None
    again.stdin.write("hello\n")
    again.stdin.flush()
    read_events(again, "done")
    again.communicate(timeout=TIMEOUT_S)
    assert again.returncode == 0
    database = sqlite3.connect(cli.home / "partner.db")
    (status,) = database.execute("SELECT status FROM actions WHERE id = ?", (action_id,)).fetchone()
    texts = [row[0] for row in database.execute("SELECT text FROM messages ORDER BY position")]
    check = database.execute("PRAGMA integrity_check").fetchone()[0]
    database.close()
    assert status == "interrupted"
    assert texts[0] == "wait for the bus"
    assert any("was running when Partner closed" in text for text in texts), texts
    assert check == "ok"


def test_a_message_accepted_is_there_after_kill_9(cli: Cli) -> None:
    host = cli.start("chat", "--json")
    assert host.stdin is not None
    host.stdin.write("remember the milk\n")
    host.stdin.flush()
    read_events(host, "message")
    host.send_signal(signal.SIGKILL)
    host.communicate(timeout=TIMEOUT_S)
    database = sqlite3.connect(cli.home / "partner.db")
    assert database.execute("SELECT text FROM messages").fetchone()[0] == "remember the milk"
    database.close()


def run_without(cli: Cli, modules: tuple[str, ...], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program where these modules cannot be loaded."""
    probe = (
        "import sys\n"
        "class Without:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.startswith({modules!r}):\n"
        "            raise ImportError(f'no {name} here')\n"
        "sys.meta_path.insert(0, Without())\n"
        "from partner_desktop.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    where = ["--home", str(cli.home), "--action-dir", str(cli.action_dir)]
    return subprocess.run(
        [run_cli_arguments()[0], "-c", probe, *arguments, *where],
        cwd=cli.cwd,
        env=cli.environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


def test_commands_work_without_qt_imported(cli: Cli) -> None:
    done = run_without(cli, ("PySide6", "qasync", "shiboken6"), "chat", "--once", "hello")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
    listed = run_without(cli, ("mcp", "mcp_types", "numpy", "openai", "websockets"), "actions", "list")
    assert (listed.returncode, listed.stderr) == (0, ""), "what nobody asked for takes its time to load"


def test_a_database_of_a_newer_partner_is_explained_and_kept(cli: Cli) -> None:
    cli.home.mkdir()
    database = sqlite3.connect(cli.home / "partner.db")
    database.execute("PRAGMA user_version = 99")
    database.execute("CREATE TABLE later (x)")
    database.commit()
    database.close()
    done = cli.run("chat", "--once", "hello")
    assert done.returncode == 1
    assert "newer Partner" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_corrupt_database_is_kept_and_explained_where_the_person_looks(cli: Cli) -> None:
    cli.home.mkdir(mode=0o700)
    (cli.home / "partner.db").write_bytes(b"not a database any more" * 400)
    done = cli.run("chat", "--once", "hello")
    assert done.returncode == 0
    assert "could not be read" in done.stderr
    (kept,) = cli.home.glob("partner.db.corrupt-*")
    assert kept.name in done.stderr
    assert kept.read_bytes().startswith(b"not a database any more")


def test_doctor_and_version_say_what_is_here(cli: Cli) -> None:
    doctor = cli.run("doctor", "--json")
    findings = {line["name"]: line for line in map(json.loads, doctor.stdout.splitlines())}
    assert {"partner", "python", "sandbox", "engine", "home", "action folder", "mind"} <= set(findings)
    assert not cli.home.exists(), "doctor touches nothing"
    assert cli.run("--version").stdout.startswith("partner-desktop ")


@pytest.mark.slow
def test_a_backup_is_made_by_the_host_and_restored_when_it_is_gone(cli: Cli, tmp_path: Path) -> None:
    host = cli.start("chat", "--json")
    assert host.stdin is not None
    host.stdin.write("before the backup\n")
    host.stdin.flush()
    read_events(host, "done")
    target = tmp_path / "saved.zip"
    saved = cli.run("backup", str(target), "--json")
    assert saved.returncode == 0, saved.stderr
    assert "partner.db" in ZipFile(target).namelist()
    assert json.loads(saved.stdout)["members"] == len(ZipFile(target).namelist()) - 1  # the manifest itself
    refused = cli.run("backup", str(target))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "--force replaces it" in refused.stderr
    busy = cli.run("restore", str(target))
    assert busy.returncode == 2
    assert busy.stderr == "A command of Partner is open on this home; close it, then restore.\n"
    host.stdin.write("after the backup\n")
    host.stdin.flush()
    read_events(host, "done")
    host.communicate(timeout=TIMEOUT_S)
    done = cli.run("restore", str(target), "--json")
    assert done.returncode == 0, done.stderr
    assert Path(json.loads(done.stdout)["kept"]).is_dir()
    listed = cli.run("conversations", "search", "backup", "--json")
    assert "before" in listed.stdout
    assert cli.run("conversations", "search", "after", "--json").stdout == ""


def test_a_verb_that_began_something_waits_for_its_end_and_a_stream_is_told_as_it_comes(cli: Cli) -> None:
    slow = '"""Wait a moment."""\nimport time\ntime.sleep(1)\nprint("rested")\n'
    (cli.action_dir / "dynamic" / "slow.py").write_text(slow)
    begun = cli.run("abilities", "run", "local::slow", "{}", "--cwd", "", "--standing", "all")
    begun = begun if begun.returncode == 0 else cli.run("abilities", "run", "local::slow", "{}", "/", "all")
    assert begun.returncode == 0, begun
    assert "✓" in cli.run("actions", "runs").stdout
    watching = cli.start("events", "watch", "--json")
    assert watching.stdout is not None
    assert json.loads(watching.stdout.readline()) == {"type": "watching"}
    watching.send_signal(signal.SIGINT)
    watching.communicate(timeout=TIMEOUT_S)
    assert watching.returncode == 130
    wrong = cli.run("events", "decide", "nothing", "reject", "v")
    assert (wrong.returncode, "is none of" in wrong.stderr) == (2, False), wrong
