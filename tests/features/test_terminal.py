"""Talking on a terminal: a real pseudo-terminal, the real program."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.features.terminal import Terminal
from tests.features.vectors import give_vectors
from tests.runner.mcp import servers
from tests.support import REPOSITORY, UPPER_SCRIPT, run_cli_arguments

pytestmark = pytest.mark.integration

TIMEOUT_S = 60

SLEEPER = """\
# /// partner
# description = "Wait for the bus"
# ///
import time
print("waiting", flush=True)
time.sleep(600)
"""

#: Sets the terminal's title, and moves the cursor.
RUDE = """\
# /// partner
# description = "Paint the fence"
# ///
print("before\\x1b]0;evil\\x07\\x1b[2Jafter")
"""


class Place:
    """A home, an action folder and a user's folder."""

    def __init__(self, root: Path, user: Path) -> None:
        self.home = root / "home"
        self.action_dir = root / "action"
        self.user = user
        (self.action_dir / "dynamic").mkdir(parents=True)

    @property
    def where(self) -> list[str]:
        return ["--home", str(self.home), "--action-dir", str(self.action_dir)]

    def add(self, name: str, script: str) -> None:
        (self.action_dir / "dynamic" / name).write_text(script)

    def terminal(self, *arguments: str) -> Terminal:
        return Terminal(*arguments, *self.where, cwd=self.user)

    def command(self, *arguments: str) -> Terminal:
        """Any command, with a person in front of it."""
        return Terminal(*self.where, cwd=self.user, command=arguments)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            run_cli_arguments(*arguments, *self.where),
            cwd=self.user,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )

    def texts(self) -> list[str]:
        """What was said, as it is on the disk."""
        database = sqlite3.connect(self.home / "partner.db")
        try:
            return [row[0] for row in database.execute("SELECT text FROM messages ORDER BY position")]
        finally:
            database.close()

    def conversation_of(self, text: str) -> str:
        """The id of the conversation in which this was said."""
        database = sqlite3.connect(self.home / "partner.db")
        try:
            (row,) = database.execute("SELECT conversation_id FROM messages WHERE text = ?", (text,))
            return str(row[0])
        finally:
            database.close()

    def statuses(self) -> list[str]:
        database = sqlite3.connect(self.home / "partner.db")
        try:
            return [row[0] for row in database.execute("SELECT status FROM actions ORDER BY created_at")]
        finally:
            database.close()


@pytest.fixture
def place(tmp_path: Path, user_home: Path) -> Place:
    one = Place(tmp_path, user_home)
    give_vectors(one.home)
    return one


@pytest.fixture
def host(place: Place) -> Iterator[subprocess.Popen[str]]:
    """A command that hosts the home for as long as its stdin is open."""
    process = subprocess.Popen(
        run_cli_arguments("chat", "--json", *place.where),
        cwd=place.user,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("hello\n")
    process.stdin.flush()
    for line in process.stdout:
        if json.loads(line)["type"] == "done":
            break
    yield process
    if process.returncode is None:
        process.kill()
        process.communicate(timeout=TIMEOUT_S)


def test_a_line_is_answered_and_what_was_typed_is_there_the_next_time(place: Place) -> None:
    place.home.mkdir(exist_ok=True)
    old = place.home / "console.history"
    old.write_text('"my old pin is 4711"\n')
    with place.terminal() as one:
        one.ready()
        one.enter("hello")
        one.until("Hello! Good to see you.")
        one.ready()
        assert one.leave() == 0
    assert not old.exists()
    with place.terminal() as two:
        two.ready()
        two.press_until("\x1b[A", "hello")
        two.type("\r")
        two.until("Hello")
        two.ready()
        assert two.leave() == 0
    assert place.texts().count("hello") == 2


def test_what_was_typed_goes_with_its_conversation(place: Place, host: subprocess.Popen[str]) -> None:
    with place.terminal() as one:
        one.ready()
        one.enter("/new")
        one.until("(a new conversation)")
        one.enter("hello, my pin is 4711")
        one.ready()
        assert (
            place.run("conversations", "delete", place.conversation_of("hello, my pin is 4711")).returncode
            == 0
        )
        one.until("(this conversation was deleted)")
        one.type("\x1b[A" * 5)
        one.type("/help\r")
        one.until("Ctrl-D leaves.")
        assert one.leave() == 0
    assert host.poll() is None
    host.communicate(timeout=TIMEOUT_S)
    kept = ("partner", "memory")  # the database, and the index that is made of it a moment later
    others = [path for path in place.home.rglob("*") if path.is_file() and path.stem not in kept]
    assert not [path for path in others if b"4711" in path.read_bytes()], "it is in the database only"


def add_asking_server(place: Place) -> None:
    """A server that asks back, and the person's yes to its start."""
    config = {"command": sys.executable, "args": ["-B", str(servers.path("asks"))]}
    (place.action_dir / "mcp").mkdir(exist_ok=True)
    (place.action_dir / "mcp" / "asks.json").write_text(json.dumps({"asks": config}))
    for _ in range(20):
        listed = map(json.loads, place.run("servers", "list", "--json").stdout.splitlines())
        # a server is listed a moment before its start is asked about
        waiting = [each["question"] for each in listed if each["id"] == "asks" and each["question"]]
        if waiting:
            break
    allowed = place.run("servers", "allow", "asks", "--shown", waiting[0]["shown_hash"])
    assert "ready" in allowed.stdout, allowed


@pytest.mark.parametrize(
    ("keys", "answer"),
    [("Oslo\r", '{"action": "accept", "content": {"city": "Oslo"}}'), ("\x1b", "cancel"), ("\r", "cancel")],
    ids=["answered", "escape", "nothing said"],
)
def test_what_a_server_asks_is_asked_in_the_terminal(
    place: Place, host: subprocess.Popen[str], keys: str, answer: str
) -> None:
    add_asking_server(place)
    with place.terminal("--approve", "all") as one:
        one.ready()
        one.enter("elicit")
        one.until("asks asks: Which city?")
        one.until("city, Enter cancels:")
        one.type(keys)
        one.until(answer)
        one.ready()
        assert one.leave() == 0
    assert host.poll() is None


def test_what_a_server_asks_about_a_single_message_is_asked_there(place: Place) -> None:
    add_asking_server(place)
    with place.terminal("--once", "elicit", "--approve", "all") as one:
        one.until("asks asks: Which city?")
        one.until("city, Enter cancels:")
        one.type("Oslo\r")
        assert one.ends() == 0
        assert '"city": "Oslo"' in one.text


def test_one_key_answers_a_question_and_enter_is_no(place: Place) -> None:
    place.add("upper.py", UPPER_SCRIPT)
    with place.terminal() as one:
        one.ready()
        one.enter('shout "first" in capital letters')
        one.until("Let it run? [y] once  [c] in this conversation  [a] always  [n] no")
        one.press_until("y", "is running")
        one.until("FIRST")
        one.enter('shout "second" in capital letters')
        one.until("Let it run?")
        one.press_until("\r", "rejected")
        one.enter('shout "third" in capital letters')
        one.until("Let it run?")
        one.press_until_ready("\x1b")
        one.type("\x03")
        one.until("Ctrl-D leaves")
        assert one.leave() == 0
    assert place.statuses() == ["succeeded", "rejected", "waiting"]
    assert "SECOND" not in one.text


def test_ctrl_c_stops_what_runs_and_not_the_program(place: Place) -> None:
    place.add("bus.py", SLEEPER)
    with place.terminal("--approve", "all") as one:
        one.ready()
        one.enter("wait for the bus")
        one.until("is running")
        one.type("\x04")
        one.until("something still runs here")
        one.type("\x03")
        one.until("cancelled")
        one.enter("hello")
        one.until("Good to see you")
        one.ready()
        assert one.leave() == 0
    assert place.statuses() == ["cancelled"]


def test_nothing_that_a_script_prints_drives_the_terminal(place: Place) -> None:
    place.add("rude.py", RUDE)
    with place.terminal("--approve", "all") as one:
        one.ready()
        one.enter("paint the fence")
        one.until("after")
        one.ready()
        one.leave()
    assert b"\x1b]0;evil" not in one.raw
    assert b"\x07" not in one.raw


def test_a_paste_of_several_lines_is_one_message(place: Place) -> None:
    with place.terminal() as one:
        one.ready()
        one.type("\x1b[200~first line\nsecond line\x1b[201~")
        one.until("second line")
        one.type("\r")
        one.ready()
        assert one.leave() == 0
    assert place.texts()[0] == "first line\nsecond line"


@pytest.mark.slow
def test_conversations_are_begun_listed_and_opened_again(place: Place) -> None:
    with place.terminal() as one:
        one.ready()
        one.enter("hello from the first")
        one.ready()
        one.enter("/new")
        one.until("(a new conversation)")
        one.enter("hello from the second")
        one.ready()
        one.enter("/list")
        listed = one.until("hello from the first")
        (line,) = [line for line in listed.splitlines() if "hello from the first" in line]
        first = line.split()[0]
        one.enter(f"/open {first}")
        one.until("— hello from the first —")
        one.enter("/open nowhere")
        one.until("There is no conversation nowhere")
        one.enter("/dance")
        one.until("/help lists them")
        assert one.leave() == 0
    with place.terminal("--conversation", first) as two:
        two.until("— hello from the first —")
        two.ready()
        two.enter("and once more")
        two.ready()
        assert two.leave() == 0
    again = place.run("chat", "--once", "and from a pipe", "--json", "--conversation", first)
    said = [json.loads(line) for line in again.stdout.splitlines()]
    assert {event["conversation_id"][: len(first)] for event in said if event["conversation_id"]} == {first}
    unknown = place.run("chat", "--once", "hello", "--conversation", "nowhere")
    assert (unknown.returncode, "no conversation nowhere" in unknown.stderr) == (2, True)


def test_what_happens_elsewhere_in_the_conversation_is_seen(place: Place) -> None:
    with place.terminal() as one:
        one.ready()
        one.enter("hello")
        one.ready()
        (conversation,) = [
            json.loads(line) for line in place.run("conversations", "list", "--json").stdout.splitlines()
        ]
        one.type("half a th")
        place.run("chat", "--once", "what can you do?", "--conversation", conversation["id"])
        seen = one.until("you (terminal): what can you do?")
        assert "half a th" in seen
        one.enter("ought")
        one.ready()
        assert one.leave() == 0
    assert "half a thought" in place.texts()


@pytest.mark.usefixtures("host")
def test_leaving_a_host_elsewhere_stops_nothing_there(place: Place) -> None:
    place.add("bus.py", SLEEPER)
    with place.terminal("--approve", "all") as one:
        one.ready()
        one.enter("wait for the bus")
        one.until("is running")
        assert one.leave() == 0
    assert place.statuses() == ["running"]


def test_when_the_host_ends_the_terminal_goes_on(place: Place, host: subprocess.Popen[str]) -> None:
    with place.terminal() as one:
        one.ready()
        one.enter("hello")
        one.ready()
        host.communicate(timeout=TIMEOUT_S)
        one.until("going on without it")
        one.until("— hello —")
        one.enter("are you there?")
        one.ready()
        assert one.leave() == 0
    assert host.returncode == 0
    assert "are you there?" in place.texts()


def test_a_window_takes_the_home_over_and_the_terminal_goes_on_with_it(place: Place) -> None:
    with place.terminal() as one:
        one.ready()
        one.enter("hello")
        one.ready()
        one.type("half a th")
        one.until("half a th")
        window = subprocess.Popen(
            run_cli_arguments(*place.where),
            cwd=place.user,
            env=os.environ | {"PYTHONPATH": str(REPOSITORY), "QT_QPA_PLATFORM": "offscreen"},
        )
        try:
            one.until("the window takes over")
            one.until("— hello —")
            one.until("> half a th")
            one.enter("ought")
            one.ready()
            (kind,) = [json.loads((place.home / "host.json").read_text())["kind"]]
            assert kind == "window"
            assert one.leave() == 0
        finally:
            window.terminate()
            window.wait(TIMEOUT_S)
    assert "half a thought" in place.texts()


def test_the_token_is_printed_and_renewed(place: Place) -> None:
    first = place.run("gateway", "token")
    assert first.stdout == (place.home / "gateway.token").read_text()
    assert place.run("gateway", "token").stdout == first.stdout
    fresh = place.run("gateway", "token", "--renew")
    assert fresh.stdout != first.stdout
    assert place.run("gateway", "token").stdout == fresh.stdout


LOOK = """\
# /// partner
# description = "Look into a folder"
# [params.folder]
# type = "string"
# format = "path"
# description = "the folder"
# ///
print("looked")
"""


@pytest.mark.promise("actions.grant.places")
@pytest.mark.slow
def test_a_yes_on_the_terminal_is_for_its_places_or_everywhere_and_for_the_one_that_is_named(
    place: Place,
) -> None:
    place.add("look.py", LOOK)
    (place.user / "Notes").mkdir()
    (place.user / "Work").mkdir()
    with place.command("actions", "run", "local::look", "folder=Notes") as one:
        one.until("[a] always on these places  [e] always everywhere")
        one.type("a\r")
        assert one.ends() == 0
    with place.command("actions", "run", "local::look", "folder=Notes", "--for", "Tester") as one:
        one.until("a program that calls itself “Tester”")
        one.until("[e] always everywhere")
        one.type("e\r")
        assert one.ends() == 0
    asks = place.run("actions", "run", "local::look", "folder=Work")
    assert asks.returncode == 1, asks
    assert place.run("actions", "run", "local::look", "folder=Work", "--for", "Tester").returncode == 0
    _, _, *theirs = place.run("permissions").stdout.splitlines()
    title = "Look (local::look): always"
    assert title + " everywhere, for “Tester” as it calls itself, sandboxed · no network" in theirs[1]
    assert title + " (reads ~/Notes), sandboxed · no network" in theirs[2]
    (now,) = map(json.loads, place.run("permissions", "--json").stdout.splitlines())
    everywhere, notes = now["grants"]
    assert (everywhere["scope"], everywhere["program"], everywhere["places"]) == ("everywhere", "Tester", [])
    assert (notes["scope"], notes["program"]) == ("always", "")
    assert notes["places"] == [{"path": str((place.user / "Notes").resolve()), "access": "read"}]


def test_a_file_is_attached_by_its_path(place: Place, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text("buy milk", encoding="utf-8")
    ran = place.run("chat", "--once", "what is in this file", "--attach", str(note))
    assert (ran.returncode, "buy milk" in ran.stdout) == (0, True)
    alone = place.run("chat", "--attach", str(note))
    assert (alone.returncode, "chat --once TEXT --attach FILE" in alone.stderr) == (2, True)
    gone = place.run("chat", "--once", "hello", "--attach", str(tmp_path / "nowhere"))
    assert (gone.returncode, "There is no file" in gone.stderr) == (2, True)
