"""What a new user does in the first minutes, with whatever starts Partner there: the same for every package.

The window is opened (offscreen, or on a display), and while it is there the terminal's commands talk to it: a
script is dropped, asked for in words, allowed, and its result read.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WAIT_S = 120.0

#: Tells which Python runs it, whether a home is in reach and whether the network is.
DROPPED = """\
# /// partner
# description = "Greet somebody by name"
# aliases = { en = ["say hello to"] }
# [params.name]
# type = "string"
# description = "who to greet"
# ///
import json, os, socket, sqlite3, ssl, sys
name = json.load(sys.stdin)["name"]
try:
    socket.create_connection(("192.0.2.1", 9), timeout=1)
    network = "open"
except OSError as error:
    network = "closed" if error.errno == 101 else str(error)
print(json.dumps({"said": f"Hello, {name}!", "python": sys.executable, "network": network}))
"""


@dataclass
class Installed:
    """One installation: `command` starts it, `root` is the file system that it sees."""

    command: Sequence[str]
    home: Path
    """As the installation names it."""
    root: Path = Path("/")
    prefix: Sequence[str] = ()
    """What comes before each command line: `chroot ROOT`."""
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.environment = {
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": str(self.home.parent),
            "LANG": "C.UTF-8",
            "QT_QPA_PLATFORM": "offscreen",
            "PARTNER_HOME": str(self.home),
        } | self.variables

    def outside(self, path: Path) -> Path:
        """What it calls `path`, as we do."""
        return self.root / str(path).lstrip("/")

    def run(self, *arguments: str, codes: Sequence[int] = (0,)) -> str:
        """Run one of its commands to the end; what it printed."""
        done = subprocess.run(
            [*self.prefix, *self.command, *arguments],
            env=self.environment,
            cwd="/",
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
        assert done.returncode in codes, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def findings(self) -> dict[str, dict[str, str]]:
        """What `doctor` finds, by name; that something is missing is no failure here."""
        return {line["name"]: line for line in events_of(self.run("doctor", "--json", codes=(0, 1)))}

    @contextmanager
    def window(self) -> Iterator[subprocess.Popen[bytes]]:
        """Its window, until the host that it becomes answers; closed as a session's end closes it, unless it
        was killed.
        """
        process = subprocess.Popen(
            [*self.prefix, *self.command],
            env=self.environment,
            cwd="/",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            told = self.outside(self.home) / "host.json"
            begun = time.monotonic()
            while not told.exists():
                assert process.poll() is None, process.communicate()[0].decode()
                assert time.monotonic() - begun < WAIT_S, "the window has not become the host"
                time.sleep(0.05)
            yield process
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            output, _ = process.communicate(timeout=WAIT_S)
            assert process.returncode in (0, -signal.SIGKILL), output.decode()
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()


def events_of(output: str) -> list[dict[str, Any]]:
    """The lines of `--json`."""
    return [json.loads(line) for line in output.splitlines()]


def first_session(installed: Installed) -> dict[str, str]:
    """Do it; what the dropped script told: which Python ran it, and whether it reached the network."""
    with installed.window():
        listed = installed.run("actions", "list")
        for sample in ("count_words", "find_duplicates", "tidy_folder", "recent_files"):
            assert f"local::{sample}" in listed
        assert installed.run("chat", "--once", "hello").strip()
        script = installed.outside(installed.home) / "action" / "dynamic" / "greet_somebody.py"
        script.write_text(DROPPED, encoding="utf-8")
        os.chown(script, *_owner(installed))
        _wait_for(installed, "local::greet_somebody")
        said = installed.run("chat", "--once", 'greet "Ada"', "--approve", "all", "--json")
        (action,) = (event["action"] for event in events_of(said) if event["type"] == "result")
        assert action["status"] == "succeeded", action
        told: dict[str, str] = action["data"]
        assert told["said"] == "Hello, Ada!"
        assert told["network"] == "closed"
        return told


def _owner(installed: Installed) -> tuple[int, int]:
    info = installed.outside(installed.home).stat()
    return info.st_uid, info.st_gid


def _wait_for(installed: Installed, key: str) -> None:
    begun = time.monotonic()
    while key not in installed.run("actions", "list"):
        assert time.monotonic() - begun < WAIT_S, f"{key} is not listed"
