"""Streams, seen from the app: small programs in the worker's place do what a worker should not."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from partner_desktop.base.errors import ContextOverflowError, ModelError, SchemaError
from partner_desktop.model.worker.frames import MAX_FRAME_BYTES, Count, Piece, Pong, Reply
from partner_desktop.model.worker.model_worker import ModelFile, ModelWorker
from partner_desktop.model.worker.watchdog import RestartPolicy, SilenceLimits
from partner_desktop.model.worker.worker_session import ReplyQueue
from tests.model.engine import needs_engine, until
from tests.model.worker.test_model_worker import _HELLO, _READY, _STAND_IN
from tests.support import WAIT_S, FakeClock

pytestmark = [needs_engine, pytest.mark.integration]

_POLICY = RestartPolicy(
    delays_s=(0.0,) * 5, patience=SilenceLimits(look_s=0.1, looks=4, leave_looks=3, hello_s=4.0, load_s=1.0)
)
_SERVE = _READY + "import threading, time\nasked = hear()\n"


@asynccontextmanager
async def worker(tmp_path: Path, clock: FakeClock, code: str) -> AsyncIterator[ModelWorker]:
    command = [sys.executable, "-c", _STAND_IN + code, str(tmp_path / "lives")]
    model = ModelFile(tmp_path / "m.gguf", "chat", 8)
    one = ModelWorker(model, clock=clock, policy=_POLICY, command=command)
    try:
        yield one
    finally:
        await one.shutdown()


@pytest.fixture
def lives(tmp_path: Path) -> Callable[[], int]:
    """How often a process was started."""
    return lambda: len((tmp_path / "lives").read_text()) if (tmp_path / "lives").exists() else 0


def _count(number: int) -> Count:
    return Count(id=number, texts=())


async def read(
    worker: ModelWorker, request: Callable[[int], Count] = _count, *, into: list[str] | None = None
) -> list[str]:
    """The whole stream: its words, then the type of its answer."""
    words = [] if into is None else into
    async with asyncio.timeout(WAIT_S), aclosing(worker.stream(request)) as frames:
        async for frame in frames:
            words.append(frame.text if isinstance(frame, Piece) else frame.type)
    return words


def say(*words: str) -> str:
    return "".join(f"say(type='piece', id=asked['id'], text={word!r})\n" for word in words)


_DONE = "say(type='counted', id=asked['id'], tokens=[])\nhear()"


async def test_pieces_come_in_order_and_the_answer_after_them(tmp_path: Path, clock: FakeClock) -> None:
    async with worker(tmp_path, clock, _SERVE + say("a", "b", "c") + _DONE) as one:
        words = await read(one)
    assert ("".join(words[:-1]), words[-1]) == ("abc", "counted")


async def test_a_stream_that_broke_after_its_first_word_is_not_asked_again(
    tmp_path: Path, clock: FakeClock, lives: Callable[[], int]
) -> None:
    async with worker(tmp_path, clock, _SERVE + say("half") + "os.kill(os.getpid(), 9)") as one:
        seen: list[str] = []
        with pytest.raises(
            ModelError, match=r"^The model ended unexpectedly in the middle of its answer; the next message "
        ):
            await read(one, into=seen)
        assert (seen, lives()) == (["half"], 1)


async def test_a_stream_that_broke_before_its_first_word_is_asked_once_more(
    tmp_path: Path, clock: FakeClock, lives: Callable[[], int]
) -> None:
    code = _SERVE + "if life == 1: os.kill(os.getpid(), 11)\n" + say("whole") + _DONE
    async with worker(tmp_path, clock, code) as one:
        assert await read(one) == ["whole", "counted"]
    assert lives() == 2


async def test_silence_that_answers_pings_is_patience_and_silence_that_does_not_is_the_end(
    tmp_path: Path, clock: FakeClock
) -> None:
    ponging = "for _ in range(12): say(type='pong', id=hear()['id'])\n"
    async with worker(tmp_path, clock, _SERVE + ponging + say("at last") + _DONE) as slow:
        assert await read(slow) == ["at last", "counted"]
    async with worker(tmp_path, clock, _SERVE + say("one") + "time.sleep(600)") as stuck:
        with pytest.raises(ModelError, match="ended unexpectedly in the middle of its answer"):
            await read(stuck)


async def test_a_worker_that_does_not_stop_when_it_is_told_to_is_killed(
    tmp_path: Path, clock: FakeClock
) -> None:
    ponging = (
        "while True:\n    told = hear()\n    if told['type'] == 'ping': say(type='pong', id=told['id'])\n"
    )
    async with worker(tmp_path, clock, _SERVE + say("one") + ponging) as deaf:
        async with aclosing(deaf.stream(_count)) as frames:
            async for frame in frames:
                assert isinstance(frame, Piece)
                break
        pid = deaf.pid
        assert pid is not None
        await until(lambda: deaf.pid is None)


async def test_one_that_stops_when_it_is_told_to_lives_on(tmp_path: Path, clock: FakeClock) -> None:
    code = (
        _SERVE
        + say("one")
        + (
            "while True:\n    told = hear()\n"
            "    if told['type'] == 'ping': say(type='pong', id=told['id'])\n"
            "    elif told['type'] == 'cancel':\n"
            "        say(type='failure', id=told['id'], kind='cancelled', message='x')\n"
            "    else:\n        asked = told\n        say(type='piece', id=asked['id'], text='two')\n"
            "        say(type='counted', id=asked['id'], tokens=[])\n"
        )
    )
    async with worker(tmp_path, clock, code) as one:
        async with aclosing(one.stream(_count)) as frames:
            async for _ in frames:
                break
        pid = one.pid
        assert one._session is not None
        session = one._session
        await until(lambda: not session.working)
        assert await read(one) == ["two", "counted"]
        assert one.pid == pid


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        ("kind='overflow', message='Too long.', prompt_tokens=9, context_tokens=8", ContextOverflowError),
        ("kind='schema', message='No such form.'", SchemaError),
        ("kind='model', message='Broken.'", ModelError),
    ],
)
async def test_a_failure_is_told_by_its_kind(
    tmp_path: Path, clock: FakeClock, failure: str, error: type[ModelError]
) -> None:
    async with worker(
        tmp_path, clock, _SERVE + f"say(type='failure', id=asked['id'], {failure})\nhear()"
    ) as one:
        with pytest.raises(error) as raised:
            await read(one)
        assert type(raised.value) is error


async def test_a_load_may_take_long_as_long_as_it_gets_on(tmp_path: Path, clock: FakeClock) -> None:
    code = _HELLO + (
        "import threading, time\nnumber = hear()['id']\n"
        "def listen():\n"
        "    while True:\n"
        "        told = hear()\n"
        "        if told['type'] == 'ping': say(type='pong', id=told['id'])\n"
        "threading.Thread(target=listen, daemon=True).start()\n"
        "for step in range(15):\n"
        "    time.sleep(0.1)\n"
        "    say(type='loading', id=number, progress=step / 15)\n"
        "if life == 1: say(type='loaded', id=number, dimensions=0, context_tokens=8)\n"
        "while True:\n"
        "    time.sleep(0.1)\n"
        "    if life > 1: say(type='loading', id=number, progress=step / 15)\n"
    )
    async with worker(tmp_path, clock, code) as one:
        assert (await one.load()).context_tokens == 8
        assert one.progress == 1.0
        await one.unload()
        with pytest.raises(ModelError, match="got no further with its model within 1 s, twice in a row"):
            await asyncio.wait_for(one.load(), WAIT_S)


async def test_a_program_that_never_says_hello_is_given_up(tmp_path: Path, clock: FakeClock) -> None:
    policy = RestartPolicy(delays_s=(0.0,) * 5, patience=SilenceLimits(hello_s=0.2))
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    mute = ModelWorker(ModelFile(tmp_path / "m", "chat", 8), clock=clock, policy=policy, command=command)
    with pytest.raises(ModelError, match=r"did not say hello within 0\.2 s, twice in a row"):
        await mute.load()
    await mute.shutdown()


async def test_a_request_that_is_too_large_for_the_pipe_is_refused(tmp_path: Path, clock: FakeClock) -> None:
    async with worker(tmp_path, clock, _SERVE + _DONE) as one:
        with pytest.raises(ModelError, match="too much text"):
            await read(one, lambda number: Count(id=number, texts=("x" * MAX_FRAME_BYTES,)))
        assert await read(one) == ["counted"]


async def test_a_burst_of_pieces_arrives_whole(tmp_path: Path, clock: FakeClock) -> None:
    burst = "for _ in range(5000): say(type='piece', id=asked['id'], text='x')\n"
    async with worker(tmp_path, clock, _SERVE + burst + _DONE) as one:
        words = await read(one)
    assert "".join(words[:-1]) == "x" * 5000


async def test_whoever_waits_is_told_when_the_model_is_given_back(tmp_path: Path, clock: FakeClock) -> None:
    async with worker(tmp_path, clock, _SERVE + "time.sleep(600)") as one:
        waiting = asyncio.create_task(read(one))
        await until(lambda: one._session is not None and one._session.busy)
        await one.unload()
        with pytest.raises(ModelError, match=r"^The model was unloaded\.$"):
            await waiting


class CountingLoop:
    """The running loop, and how often another thread had to wake it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.wakes = 0
        self.call_later = self._loop.call_later

    def call_soon_threadsafe(self, work: Callable[[], None]) -> None:
        self.wakes += 1
        self._loop.call_soon_threadsafe(work)


async def test_a_stream_wakes_the_loop_once_and_so_does_what_comes_after_a_silence() -> None:
    loop, taken, all_there = CountingLoop(), list[Reply](), asyncio.Event()

    def take(reply: Reply) -> None:
        taken.append(reply)
        if len(taken) < 4:
            inbox.put(Pong(id=len(taken)))  # while the one before is being taken
        else:
            all_there.set()

    inbox = ReplyQueue(cast("asyncio.AbstractEventLoop", loop), take)
    inbox.put(Pong(id=0))
    async with asyncio.timeout(WAIT_S):
        await all_there.wait()
    assert (loop.wakes, taken) == (1, [Pong(id=number) for number in range(4)])
    inbox.drain()  # as the timer does, that finds nothing
    inbox.put(Pong(id=4))
    assert loop.wakes == 2
    inbox.drain()
    assert taken[-1] == Pong(id=4)
