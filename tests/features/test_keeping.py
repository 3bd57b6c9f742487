"""Drop a script into `tmp/`, run it, keep it, restart, run it again; switch it off and on; remove it.

The real program in a terminal, on one home.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support import REPOSITORY, UPPER_SCRIPT, run_cli_arguments

pytestmark = pytest.mark.integration

TIMEOUT_S = 60


class Cli:
    """Each call is a start of its own: what it sees has survived a restart."""

    def __init__(self, place: Path) -> None:
        self.home, self.action_dir = place / "home", place / "action"

    def run(self, *arguments: str, code: int = 0) -> str:
        where = ["--home", str(self.home), "--action-dir", str(self.action_dir)]
        done = subprocess.run(
            run_cli_arguments(*arguments, *where),
            env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    def own(self) -> list[str]:
        """The keys that are listed, without what is built in."""
        lines = self.run("actions", "list").splitlines()
        return [line.split()[0] for line in lines if not line.startswith("builtin::")]


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    (tmp_path / "action" / "tmp").mkdir(parents=True)
    return Cli(tmp_path)


@pytest.mark.promise("actions.persist")
def test_a_script_is_tried_kept_and_runs_again_after_restarts(cli: Cli, user_home: Path) -> None:
    (cli.action_dir / "tmp" / "upper.py").write_text(UPPER_SCRIPT)
    assert "HELLO" in cli.run("actions", "run", "origin::upper.py", "text=hello", "--approve", "all")
    told = cli.run("actions", "persist", "origin::upper.py", "--name", "shout")
    assert told == "origin::upper.py is kept as local::shout. It asks again before it runs.\n"
    assert "AGAIN" in cli.run("actions", "run", "local::shout", "text=again", "--approve", "all")

    assert cli.run("actions", "disable", "local::shout") == "local::shout is off.\n"
    assert "switched off" in cli.run("actions", "run", "local::shout", "text=x", "--approve", "all", code=2)
    cli.run("actions", "enable", "local::shout")
    assert cli.own() == ["local::shout"]

    removed = json.loads(cli.run("actions", "remove", "local::shout", "--json"))
    assert removed == {"result": None}
    assert not list((cli.action_dir / "dynamic").iterdir())
    trashed = user_home / ".local" / "share" / "Trash" / "files" / "shout.py"
    assert trashed.read_text() == UPPER_SCRIPT
    info = user_home / ".local" / "share" / "Trash" / "info" / "shout.py.trashinfo"
    assert "shout.py" in info.read_text()


def test_misuse_is_explained(cli: Cli) -> None:
    (cli.action_dir / "tmp" / "upper.py").write_text(UPPER_SCRIPT)
    assert "is not there" in cli.run("actions", "persist", "origin::nothing.py", code=2)
    assert "cannot be a name" in cli.run("actions", "persist", "origin::upper.py", "--name", "a/b", code=2)


def test_a_running_host_keeps_for_an_attached_command(cli: Cli) -> None:
    (cli.action_dir / "tmp" / "upper.py").write_text(UPPER_SCRIPT)
    where = ["--home", str(cli.home), "--action-dir", str(cli.action_dir)]
    with subprocess.Popen(
        run_cli_arguments("chat", "--json", *where),
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as host:
        assert host.stdin is not None
        assert host.stdout is not None
        host.stdin.write("hello\n")
        host.stdin.flush()
        next(line for line in host.stdout if json.loads(line)["type"] == "done")
        assert "kept as local::upper" in cli.run("actions", "persist", "origin::upper.py")
        assert "is not there" in cli.run("actions", "persist", "origin::upper.py", code=2)
        cli.run("actions", "disable", "local::upper")
        assert "(off)" in cli.run("actions", "list")
        host.communicate(timeout=TIMEOUT_S)
