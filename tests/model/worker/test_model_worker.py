"""The supervisor, with small programs in the worker's place that do what a worker should not."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.base.errors import ModelError
from partner_desktop.model.worker.frames import PROTOCOL, Answer, Ping, Pong
from partner_desktop.model.worker.model_worker import ModelFile, ModelWorker, WorkerState
from partner_desktop.model.worker.watchdog import RestartPolicy
from tests.model.engine import needs_engine, until
from tests.support import FakeClock

pytestmark = [needs_engine, pytest.mark.integration]

_POLICY = RestartPolicy(delays_s=(0.0, 0.0, 0.0), window_s=300, refused_s=30)

#: A worker without a model: says what it is told to, counts its lives in a file, answers pings.
_STAND_IN = """
import json, os, struct, sys
def say(**frame):
    body = json.dumps(frame).encode()
    sys.stdout.buffer.write(struct.pack(">I", len(body)) + body)
    sys.stdout.flush()
def hear():
    (length,) = struct.unpack(">I", sys.stdin.buffer.read(4))
    return json.loads(sys.stdin.buffer.read(length))
lives = open(sys.argv[1], "a+")
lives.write("x")
lives.flush()
life = lives.tell()
"""
_HELLO = f"say(type='hello', protocol={PROTOCOL}, pid=os.getpid())\n"
_READY = _HELLO + "say(type='loaded', id=hear()['id'], dimensions=1, context_tokens=1)\n"


@asynccontextmanager
async def worker(
    tmp_path: Path, clock: FakeClock, code: str, *, policy: RestartPolicy = _POLICY
) -> AsyncIterator[ModelWorker]:
    command = [sys.executable, "-c", _STAND_IN + code, str(tmp_path / "lives")]
    one = ModelWorker(ModelFile(tmp_path / "m.gguf", "embed", 8), clock=clock, policy=policy, command=command)
    try:
        yield one
    finally:
        await one.shutdown()


@pytest.fixture
def lives(tmp_path: Path) -> Callable[[], int]:
    """How often a process was started."""
    return lambda: len((tmp_path / "lives").read_text()) if (tmp_path / "lives").exists() else 0


def state(worker: ModelWorker) -> WorkerState:
    """Asked anew each time."""
    return worker.state


async def ping(worker: ModelWorker, *, timeout_s: float = 5.0) -> Answer:
    return await worker.request(lambda number: Ping(id=number), timeout_s=timeout_s)


async def test_a_worker_that_keeps_crashing_is_left_alone_for_a_while(
    tmp_path: Path, clock: FakeClock, lives: Callable[[], int]
) -> None:
    async with worker(tmp_path, clock, "print('out of luck', file=sys.stderr); sys.exit(3)") as crashing:
        with pytest.raises(ModelError, match=r"ended with status 3 \(out of luck\), twice in a row"):
            await ping(crashing)
        with pytest.raises(ModelError, match="crashed 3 times within 5 minutes"):
            await ping(crashing)
        assert state(crashing) == "failed"
        with pytest.raises(ModelError, match=r"the last time it ended with status 3 \(out of luck\)\."):
            await ping(crashing)
        assert lives() == 3
        clock.move(timedelta(seconds=301))
        assert state(crashing) == "idle"
        with pytest.raises(ModelError, match="twice in a row"):
            await ping(crashing)
        assert lives() == 5


async def test_a_request_under_which_the_worker_dies_is_sent_once_more(
    tmp_path: Path, clock: FakeClock, lives: Callable[[], int]
) -> None:
    code = (
        _READY
        + "asked = hear()\nif life == 1: os.kill(os.getpid(), 11)\nsay(type='pong', id=asked['id'])\nhear()"
    )
    async with worker(tmp_path, clock, code) as once:
        assert isinstance(await ping(once), Pong)
    assert lives() == 2


async def test_many_first_requests_start_one_process(
    tmp_path: Path, clock: FakeClock, lives: Callable[[], int]
) -> None:
    code = _READY + "while True: say(type='pong', id=hear()['id'])"
    async with worker(tmp_path, clock, code) as one:
        assert state(one) == "idle"
        answers = await asyncio.gather(*(ping(one) for _ in range(20)))
        assert len({answer.id for answer in answers}) == 20
        assert state(one) == "ready"
    assert lives() == 1


async def test_a_stuck_worker_is_killed_and_the_next_request_gets_a_new_one(
    tmp_path: Path, clock: FakeClock, lives: Callable[[], int]
) -> None:
    code = _READY + "asked = hear()\nif life > 1: say(type='pong', id=asked['id'])\nhear()"
    async with worker(tmp_path, clock, code) as stuck:
        with pytest.raises(ModelError, match="did not answer within"):
            await ping(stuck, timeout_s=0.05)
        assert isinstance(await ping(stuck), Pong)
    assert lives() == 2


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("print('hello, I am no worker', flush=True)", "spoke garbled (A frame of"),
        ("say(type='dance')", "spoke garbled (A garbled frame"),
    ],
)
async def test_what_is_no_worker_is_not_spoken_to(
    tmp_path: Path, clock: FakeClock, code: str, why: str
) -> None:
    async with worker(tmp_path, clock, code + "\nhear()") as foreign:
        with pytest.raises(ModelError) as raised:
            await ping(foreign)
    assert why in str(raised.value)


async def test_a_program_that_is_not_there_is_said(tmp_path: Path, clock: FakeClock) -> None:
    model = ModelFile(tmp_path / "m.gguf", "embed", 8)
    lost = ModelWorker(model, clock=clock, policy=_POLICY, command=[str(tmp_path / "no-python")])
    with pytest.raises(ModelError, match=r"could not be started \(No such file or directory\)"):
        await ping(lost)
    await lost.shutdown()


async def test_a_worker_of_another_version_is_not_used_and_a_restart_is_asked_for(
    tmp_path: Path, clock: FakeClock, lives: Callable[[], int]
) -> None:
    async with worker(tmp_path, clock, "say(type='hello', protocol=99, pid=1, more='x')\nhear()") as newer:
        for _ in range(2):
            with pytest.raises(ModelError, match="was updated while it ran"):
                await ping(newer)
        assert (state(newer), lives()) == ("failed", 1)


async def test_a_cancelled_request_is_cancelled_in_the_worker(tmp_path: Path, clock: FakeClock) -> None:
    code = (
        f"{_READY}asked, cancel = hear(), hear()\n"
        "with open(sys.argv[1] + '.told', 'w') as told:\n"
        "    told.write(cancel['type'] + str(cancel['id'] == asked['id']))\n"
        "hear()"
    )
    async with worker(tmp_path, clock, code) as one:
        task = asyncio.create_task(ping(one))
        await until(lambda: one._session is not None and one._session.busy)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        told = tmp_path / "lives.told"
        await until(lambda: told.exists() and told.read_text() == "cancelTrue")


async def test_a_worker_that_does_not_heed_its_end_is_killed(tmp_path: Path, clock: FakeClock) -> None:
    code = _READY + "say(type='pong', id=hear()['id'])\nimport signal, time\ntime.sleep(600)"
    async with worker(tmp_path, clock, code) as deaf:
        await ping(deaf)
    assert deaf.pid is None
    assert state(deaf) == "idle"


async def test_closing_while_it_starts_ends_it_and_fails_the_request(
    tmp_path: Path, clock: FakeClock
) -> None:
    async with worker(tmp_path, clock, "hear()") as starting:
        task = asyncio.create_task(ping(starting))
        await until(lambda: starting.pid is not None)
        assert state(starting) == "starting"
        await starting.shutdown()
        with pytest.raises(ModelError, match="closing"):
            await task


async def test_a_worker_whose_first_request_was_cancelled_while_it_started_rests_too(
    tmp_path: Path, clock: FakeClock
) -> None:
    policy = replace(_POLICY, idle_s=0.05)
    go = tmp_path / "go"
    code = _HELLO + (
        f"import time\nnumber = hear()['id']\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
        "say(type='loaded', id=number, dimensions=1, context_tokens=1)\nhear()"
    )
    async with worker(tmp_path, clock, code, policy=policy) as one:
        task = asyncio.create_task(ping(one))
        await until(lambda: one.pid is not None)
        task.cancel()
        await asyncio.wait([task])
        assert state(one) == "starting"
        go.touch()
        await until(lambda: state(one) == "idle" and one.pid is None)


async def test_a_worker_that_starts_is_not_ended_by_the_rest_of_the_one_before(
    tmp_path: Path, clock: FakeClock, lives: Callable[[], int]
) -> None:
    policy = replace(_POLICY, idle_s=0.3)
    slow = "import time\nif life == 2: time.sleep(0.6)\n"
    code = slow + _READY + "say(type='pong', id=hear()['id'])\nif life == 2: hear()"
    async with worker(tmp_path, clock, code, policy=policy) as one:
        assert isinstance(await ping(one), Pong)
        await until(lambda: one._session is None)
        assert isinstance(await ping(one), Pong)
    assert lives() == 2
