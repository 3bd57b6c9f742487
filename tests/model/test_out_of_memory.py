"""A model that does not fit, or that the kernel ends for want of memory: told with what would fit instead."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import ModelError, OutOfMemoryError
from partner_desktop.base.messages import reader_language
from partner_desktop.model.memory_advice import memory_advice
from partner_desktop.model.memory_fit import free_bytes
from partner_desktop.model.worker.frames import PROTOCOL, Count, Failure
from partner_desktop.model.worker.model_worker import ModelFile, ModelWorker
from partner_desktop.model.worker.process_memory import held_bytes, oom_kills
from partner_desktop.model.worker.worker_session import model_error_of
from tests.model.chatting import chat_model
from tests.model.engine import needs_engine
from tests.model.tiny import make_tiny_model

pytestmark = pytest.mark.integration
#: Of this model it would take some 64 GB.
HUGE_TOKENS = 4_194_304


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small file that holds a long context: 16 KB a token."""
    folder = tmp_path_factory.mktemp("models")
    return make_tiny_model(folder / "large.gguf", context_tokens=HUGE_TOKENS, width=128, layers=64)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("models") / "small.gguf")


@needs_engine
@pytest.mark.skipif((free_bytes() or 0) > 60 << 30, reason="this machine holds even that")
async def test_a_context_that_does_not_fit_is_told_with_one_that_would(large: Path) -> None:
    async with chat_model(large, context_tokens=HUGE_TOKENS) as model:
        with pytest.raises(OutOfMemoryError, match="does not fit into memory") as raised:
            await model.load()
        shorter = re.search(r"With a context of ([\d,]+) tokens it would fit", str(raised.value))
        assert shorter is not None
        assert model.status().reason == str(raised.value)
    async with chat_model(large, context_tokens=int(shorter[1].replace(",", "")) // 8) as model:
        await model.load()
        assert model.status().state == "ready"


#: Opens its model, and is killed by the next question.
_KILLED = (
    "import os, signal\n"
    "def hear():\n"
    "    size = int.from_bytes(sys.stdin.buffer.read(4), 'big')\n"
    "    return json.loads(sys.stdin.buffer.read(size))\n"
    "def say(**frame):\n"
    "    body = json.dumps(frame).encode()\n"
    "    sys.stdout.buffer.write(len(body).to_bytes(4, 'big') + body)\n"
    "    sys.stdout.buffer.flush()\n"
    f"say(type='hello', protocol={PROTOCOL}, pid=os.getpid())\n"
    "say(type='loaded', id=hear()['id'], dimensions=0, context_tokens=8192)\n"
    "hear()\n"
    "open(sys.argv[1], 'a').write('x')\n"
    "os.kill(os.getpid(), signal.SIGKILL)\n"
)


@needs_engine
@pytest.mark.parametrize("starved", [True, False])
async def test_a_worker_that_the_kernel_ended_is_not_tried_again_at_once(
    tmp_path: Path, small: Path, *, starved: bool
) -> None:
    lives = tmp_path / "lives"
    lives.touch()
    command = [sys.executable, "-c", f"import json, sys\n{_KILLED}", str(lives)]
    kills = (lambda: len(lives.read_text())) if starved else (lambda: 0)
    file = ModelFile(small, "chat", 8192)
    worker = ModelWorker(file, clock=SystemClock(), command=command, kills=kills)
    try:
        wanted = OutOfMemoryError if starved else ModelError
        with pytest.raises(wanted) as raised:
            await worker.request(lambda number: Count(id=number, texts=("x",)), timeout_s=None)
        assert ("want of memory" in str(raised.value)) == starved
        assert len(lives.read_text()) == (1 if starved else 2), "what crashed is tried once more"
        assert worker.state == ("failed" if starved else "idle")
        if isinstance(raised.value, OutOfMemoryError):
            assert raised.value.context_tokens == 8192
    finally:
        await worker.shutdown()


@needs_engine
def test_what_would_fit_is_a_shorter_context_else_another_file_else_nothing(
    large: Path, small: Path, tmp_path: Path
) -> None:
    assert "With a context of 32,768 tokens it would fit" in memory_advice(
        large, {}, failed_tokens=HUGE_TOKENS
    )
    assert "With a context of 1,024 tokens" in memory_advice(large, {}, failed_tokens=2048)
    others = {"large": large, "small": small, "gone": tmp_path / "gone.gguf"}
    assert memory_advice(large, others, failed_tokens=512) == "“small” would fit."
    assert memory_advice(tmp_path / "gone.gguf", {}) == "Close other programs, or take a smaller model."


def test_a_failure_for_want_of_memory_says_how_much_in_the_readers_language() -> None:
    fault = Failure(kind="memory", message="m", context_tokens=8192, needed_bytes=6 << 30, free_bytes=3 << 30)
    said = str(model_error_of(fault))
    assert said.startswith("It does not fit into memory: with a context of 8,192 tokens")
    assert said.endswith("it needs about 6.0 GB, and 3.0 GB are free.")
    token = reader_language.set("zh")
    try:
        assert "内存放不下它" in str(model_error_of(fault))
    finally:
        reader_language.reset(token)
    own = Failure(kind="memory", message="It cannot be run: no buffer.", context_tokens=8192)
    error = model_error_of(own)
    assert isinstance(error, OutOfMemoryError)
    assert (str(error), error.context_tokens) == ("It cannot be run: no buffer.", 8192)
    assert not isinstance(model_error_of(Failure(kind="model", message="m")), OutOfMemoryError)


def test_the_kernel_tells_what_a_process_holds_and_what_it_ended() -> None:
    assert held_bytes(os.getpid()) > 1 << 20
    assert held_bytes(1 << 30) == 0
    assert oom_kills() >= 0
