"""A home in a folder that others may read: what Partner writes into it is closed to them all the same."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support import REPOSITORY, run_cli_arguments

pytestmark = pytest.mark.integration

TIMEOUT_S = 60

WRITES_A_LOT = """\
# /// partner
# description = "Shout a lot"
# ///
print("a lot of noise\\n" * 200_000)
"""

#: What is the person's, and what scripts left.
_PERSONS = ("action", "workspace")


@contextmanager
def talking(home: Path, *said: str) -> Iterator[None]:
    """Partner runs on the home, with the usual umask, and has answered each of these."""
    with subprocess.Popen(
        run_cli_arguments("chat", "--json", "--approve", "all", "--home", str(home)),
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        umask=0o022,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            for text in said:
                process.stdin.write(text + "\n")
                process.stdin.flush()
                for line in process.stdout:
                    if json.loads(line)["type"] == "done":
                        break
            yield
            process.communicate(timeout=TIMEOUT_S)
        finally:
            process.kill()


def open_to_others(home: Path) -> list[str]:
    """Everything of Partner's in there that others could read, were they let in."""
    found = []
    for path in home.rglob("*"):
        inside = path.relative_to(home)
        if not set(_PERSONS) & set(inside.parts[:-1]) and inside.name != "action":
            mode = stat.S_IMODE(path.lstat().st_mode)
            if mode & 0o077:
                found.append(f"{inside} {mode:o}")
    return sorted(found)


@pytest.fixture
def open_home(tmp_path: Path) -> Path:
    """A folder of the person's, with an ability in it."""
    home = tmp_path / "home"
    (home / "action" / "dynamic").mkdir(parents=True)
    (home / "action" / "dynamic" / "noise.py").write_text(WRITES_A_LOT)
    home.chmod(0o755)
    return home


def test_all_that_partner_writes_into_an_open_home_is_private(open_home: Path) -> None:
    with talking(open_home, "hello", "shout a lot"):
        names = {path.name for path in open_home.rglob("*")}
        assert {"partner.db", "partner.db-wal", "host.json", "running.json", "partner.log"} <= names
        assert any(name.startswith("stdout") for name in names), sorted(names)
        assert open_to_others(open_home) == []
    assert stat.S_IMODE(open_home.stat().st_mode) == 0o755, "it is the person's"


def test_what_an_older_partner_left_open_is_closed_at_the_next_start(open_home: Path) -> None:
    with talking(open_home, "hello"):
        pass
    for name in ("partner.db", "logs/partner.log", "cache/embeddings.db"):
        if (open_home / name).exists():
            (open_home / name).chmod(0o644)
    (open_home / "logs" / "partner.log.1").write_text("earlier\n")
    (open_home / "logs" / "partner.log.1").chmod(0o644)
    (open_home / "mine.txt").write_text("the person's own\n")
    (open_home / "mine.txt").chmod(0o644)
    with talking(open_home, "hello"):
        assert open_to_others(open_home) == ["mine.txt 644"]
