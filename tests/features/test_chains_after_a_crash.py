"""After kill -9 in a chain: it goes on at its stage, and what may have been done is asked about first."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ResultEvent
from partner_desktop.domain.message import Message, MessageState, Role
from tests.features.dying_in_a_chain import StepwiseMind
from tests.support import REPOSITORY, WAIT_S, HastyClock, Watcher

#: Real processes that die.
pytestmark = pytest.mark.integration

_DEATH_S = 30

#: Writes a line first; where it is told to, the first time it never comes to its end.
SCRIPT = """\
# /// partner
# description = "{description}"
# annotations = {annotations}
# [params.file]
# type = "string"
# format = "path"
# access = "write"
# default = "{path}"
# ///
import pathlib, sys, time
path = pathlib.Path(next(a.split("=", 1)[1] for a in sys.argv[1:] if a.startswith("--file=")))
before = path.read_text() if path.exists() else ""
path.write_text(before + "{name}\\n")
if {hangs} and not before:
    time.sleep(600)
print("{name} is done")
"""

REQUEST = "note the tide then count the gulls then paint the boat"
_WORK = ("note the tide", "count the gulls", "paint the boat")

Dies = Callable[..., Awaitable[None]]


@pytest.fixture
def log(user_home: Path) -> Path:
    return user_home / "log.txt"


@pytest.fixture
async def dies(home: Home, action_dir: Path) -> AsyncIterator[Dies]:
    """A Partner on the home in a process of its own, until it dies at the moment."""
    keeper = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.features.dying_in_a_chain", str(home.root), str(action_dir)),
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    said, answers = keeper.stdin, keeper.stdout
    assert said is not None
    assert answers is not None

    async def work(moment: str, text: str = "") -> None:
        said.write(f"{moment}\t{text}\n".encode())
        async with asyncio.timeout(_DEATH_S):
            answer = await answers.readline()
        assert answer.decode().strip() == str(-signal.SIGKILL), moment

    yield work
    said.close()
    async with asyncio.timeout(_DEATH_S):
        await keeper.wait()


def write_steps(action_dir: Path, log: Path, *, annotations: str, hangs: bool = False) -> None:
    for number, words in enumerate(_WORK, 1):
        text = SCRIPT.replace("{description}", words.capitalize()).replace("{name}", f"step{number}")
        text = text.replace("{annotations}", annotations).replace("{hangs}", str(hangs))
        (action_dir / "dynamic" / f"step{number}.py").write_text(text.replace("{path}", str(log)))


@asynccontextmanager
async def started(home: Home, action_dir: Path) -> AsyncIterator[tuple[Partner, Watcher]]:
    """A Partner of this process that has finished what an earlier one left, or waits for the person."""
    partner = Partner(home, action_dir, mind=StepwiseMind(), meaning=False, quiet_clock=HastyClock())
    watcher = Watcher()
    partner.subscribe(watcher)
    await partner.launch()
    try:
        async with asyncio.timeout(WAIT_S):
            await partner.idle()
        yield partner, watcher
    finally:
        await partner.close()


async def chain_of(partner: Partner) -> ActionRecord:
    return next(action for action in await partner.actions.list() if action.chain is not None)


async def tellings(partner: Partner, chain: ActionRecord) -> list[Message]:
    """What was said of its end."""
    messages = await partner.messages.list(chain.conversation_id)
    return [
        message
        for message in messages
        if message.role is Role.PARTNER and message.state is MessageState.DONE and "is done" in message.text
    ]


@pytest.mark.promise("actions.resume")
@pytest.mark.promise("runtime.durable")
@pytest.mark.slow
async def test_a_chain_that_is_killed_at_every_transition_does_every_step_once_and_tells_once(
    home: Home, action_dir: Path, dies: Dies, log: Path
) -> None:
    write_steps(action_dir, log, annotations="{ idempotentHint = true }")
    await dies("proposed", REQUEST)
    await dies("approved")
    for number in (1, 2, 3):
        for moment in ("begins", "ends", "stage"):
            await dies(f"{moment}:{number}")
    await dies("checked")
    await dies("told")
    async with started(home, action_dir) as (partner, _):
        chain = await chain_of(partner)
        assert chain.status is ActionStatus.SUCCEEDED, chain
        assert [step.resumes for step in await partner.actions.steps(chain.id)] == [1, 1, 1]
        assert log.read_text().split() == ["step1", "step2", "step3"]
        (told,) = await tellings(partner, chain)
        assert all(f"step{number} is done" in told.text for number in (1, 2, 3)), told.text
    with closing(sqlite3.connect(home.database)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert database.execute("SELECT count(*) FROM turn_queue").fetchone()[0] == 0


@pytest.mark.promise("actions.resume")
@pytest.mark.slow
async def test_a_step_that_may_have_been_done_asks_before_it_is_run_again(
    home: Home, action_dir: Path, dies: Dies, log: Path
) -> None:
    write_steps(action_dir, log, annotations="{}", hangs=True)
    await dies("proposed", REQUEST)
    await dies("approved")
    await dies(f"file:{log}")
    async with started(home, action_dir) as (partner, watcher):
        chain = await chain_of(partner)
        assert (chain.status, log.read_text()) == (ActionStatus.RUNNING, "step1\n")
        cut_off, card = await partner.actions.steps(chain.id)
        assert (cut_off.status, card.status) == (ActionStatus.INTERRUPTED, ActionStatus.WAITING)
        assert card.description.startswith("Partner was closed while this ran")
        assert chain.title.count("→") == 2, "the step that asks again is one of three, as before"
        await partner.actions.approve(card.id, scope="once")
        await watcher.until(lambda e: isinstance(e, ResultEvent) and e.action.id == chain.id)
        chain = await chain_of(partner)
        assert chain.status is ActionStatus.SUCCEEDED
        assert log.read_text().split() == ["step1", "step1", "step2", "step3"]
