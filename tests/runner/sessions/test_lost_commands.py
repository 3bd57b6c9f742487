"""Commands in the background when Partner ends: none outlives it, and the next start tells of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.command_session import SessionState
from partner_desktop.runner import guard
from partner_desktop.runner.sessions.manager import MOST_RUNNING
from tests.runner.sessions.background import Background, alive, script, until, written
from tests.support import REPOSITORY, WAIT_S, HastyClock, Watcher

pytestmark = pytest.mark.integration

on_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere only the process group is found"
)

#: A Partner that begins one command and then only waits.
APP = """
import asyncio, sys
from pathlib import Path
from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from tests.runner.sessions.background import Background
from tests.support import Watcher

async def main():
    home, action, *argv = sys.argv[1:]
    partner, watcher = Partner(Home(Path(home)), Path(action), meaning=False), Watcher()
    await partner.launch()
    partner.subscribe(watcher)
    background = Background(partner, watcher, (await partner.conversations.create("Work")).id)
    await background.start(*argv)
    await asyncio.Event().wait()

asyncio.run(main())
"""

#: Prints, and starts a child that leaves its session.
DETACHES = """
echo begun
setsid sh -c 'echo $$ > {child}.part; mv {child}.part {child}; exec sleep 60' &
wait
"""


@on_linux
@pytest.mark.promise("actions.command.sessions")
@pytest.mark.promise("actions.command.limits")
async def test_a_killed_partner_takes_its_commands_along_and_the_next_one_says_that_they_are_lost(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    child = tmp_path / "child"
    argv = ("sh", script(tmp_path, DETACHES.format(child=child)))
    app = subprocess.Popen(  # noqa: ASYNC220 - to be killed, not awaited
        [sys.executable, "-c", APP, str(home.root), str(action_dir), *argv],
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
    )
    try:
        await until(lambda: written(child) > 0)
        # What a killed Partner had not read from the pipe yet is lost with it.
        await until(lambda: any(log.read_bytes() == b"begun\n" for log in home.root.rglob("stdout.0*")))
        pids = [pid for pid, _ in guard.descendants(app.pid)]
        assert written(child) in pids
    finally:
        app.kill()
        app.wait(WAIT_S)
    await until(lambda: not any(alive(pid) for pid in pids))

    partner, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    await partner.launch()
    try:
        partner.subscribe(watcher)
        (session,) = partner.commands.list()
        assert (session.state, session.argv) == (SessionState.LOST, argv)
        assert session.error == "Partner ended while it ran, and it was ended with it."
        background = Background(partner, watcher, session.conversation_id)
        listed = await background.data("overview")
        assert isinstance(listed["commands"], list)
        assert [row["state"] for row in listed["commands"] if isinstance(row, dict)] == ["lost"]
        read = await partner.commands.output(session.id, "stdout", offset=0)
        assert (read.text, read.eof) == ("begun\n", True)
    finally:
        await partner.close()


async def test_so_many_run_at_once_and_all_end_with_partner(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    partner, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    await partner.launch()
    try:
        partner.subscribe(watcher)
        background = Background(partner, watcher, (await partner.conversations.create("Work")).id)
        path = script(tmp_path, "echo $$ > $1.part; mv $1.part $1; exec sleep 60")
        files = [tmp_path / f"pid{number}" for number in range(MOST_RUNNING)]
        for file in files:
            await background.start("sh", path, str(file))
        await until(lambda: all(written(file) for file in files))
        record = await background.call("start", argv=["sleep", "60"])
        assert record.status is ActionStatus.FAILED
        assert record.error.startswith("16 commands run in the background already")
    finally:
        await partner.close()
    assert not any(alive(written(file)) for file in files)
