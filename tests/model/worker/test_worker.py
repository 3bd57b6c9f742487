"""The worker as a process, spoken to through its pipes alone."""

from __future__ import annotations

import base64
import struct
import sys
from pathlib import Path

import pytest

from partner_desktop.model.llama_embedder import shipped_model
from partner_desktop.model.worker.frames import (
    MAX_FRAME_BYTES,
    PROTOCOL,
    Cancel,
    Embed,
    Embedded,
    Failure,
    Hello,
    Load,
    Loaded,
    Ping,
    Pong,
)
from tests.model.engine import LONG_TEXTS, needs_engine
from tests.model.worker.talk import Talk
from tests.support import WAIT_S

pytestmark = pytest.mark.integration


def load(path: Path, number: int = 0) -> Load:
    return Load(id=number, path=str(path), kind="embed", context_tokens=256, threads=1)


def test_it_says_hello_first_and_ends_when_its_stdin_closes(talk: Talk) -> None:
    assert talk.hear() == Hello(protocol=PROTOCOL, pid=talk.process.pid)
    assert talk.process.stdin is not None
    talk.process.stdin.close()
    assert talk.process.wait(WAIT_S) == 0
    assert talk.last_words() == ""


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (struct.pack(">I", 5) + b"hello", "A garbled frame: Invalid JSON"),
        (struct.pack(">I", 21) + b'{"type":"nonsense"   ', "A garbled frame"),
        (struct.pack(">I", MAX_FRAME_BYTES + 1), "above the limit"),
        (b"GET / HTTP/1.1\r\n", "above the limit"),
    ],
)
def test_a_garbled_or_oversized_frame_ends_it_with_the_reason(talk: Talk, data: bytes, why: str) -> None:
    talk.hear()
    talk.say_bytes(data)
    failure = talk.hear()
    assert isinstance(failure, Failure)
    assert (failure.id, failure.kind) == (None, "protocol")
    assert why in failure.message
    assert talk.process.wait(WAIT_S) == 2
    assert why in talk.last_words()


def test_what_cannot_be_done_is_answered_and_it_lives_on(talk: Talk, tmp_path: Path) -> None:
    talk.hear()
    talk.say(Embed(id=1, texts=("a",)), load(tmp_path / "lost.gguf", 2), Ping(id=3), Cancel(id=99))
    talk.say(Load(id=4, path="x", kind="chat", context_tokens=1, threads=1))
    replies = {reply.id: reply for reply in (talk.hear() for _ in range(4)) if not isinstance(reply, Hello)}
    assert replies == {
        1: Failure(id=1, kind="request", message="No model is loaded."),
        2: Failure(id=2, kind="model", message="The model file lost.gguf is not there."),
        3: Pong(id=3),
        4: Failure(id=4, kind="model", message="The model file x is not there."),
    }


@needs_engine
def test_urgent_work_goes_first_pings_are_answered_and_cancelled_work_stops(talk: Talk) -> None:
    talk.hear()
    talk.say(load(shipped_model()))
    assert talk.hear() == Loaded(id=0, dimensions=384, context_tokens=256)
    talk.say(Embed(id=1, texts=LONG_TEXTS), Embed(id=2, texts=LONG_TEXTS[:2]))
    talk.say(Embed(id=3, texts=("now",), urgent=True), Ping(id=4))
    assert talk.hear() == Pong(id=4)
    urgent = talk.hear()
    assert isinstance(urgent, Embedded)
    assert urgent.id == 3
    assert len(base64.b64decode(urgent.data)) == 384 * 4
    talk.say(Cancel(id=1))
    assert talk.hear() == Failure(id=1, kind="cancelled", message="It was cancelled.")
    last = talk.hear()
    assert isinstance(last, Embedded)
    assert last.id == 2


@needs_engine
def test_it_ends_at_once_when_the_app_goes_in_the_middle_of_work(talk: Talk) -> None:
    talk.hear()
    talk.say(load(shipped_model()))
    talk.hear()
    talk.say(Embed(id=1, texts=LONG_TEXTS * 10), Ping(id=2))
    assert talk.hear() == Pong(id=2)
    assert talk.process.stdin is not None
    talk.process.stdin.close()
    assert talk.process.wait(WAIT_S) == 0


#: Prints to descriptor 1, from when that is stderr until the end, whatever the worker does meanwhile.
_NOISE = """
import os, threading, time
def shout():
    while os.readlink("/proc/self/fd/1") != os.readlink("/proc/self/fd/2"):
        time.sleep(0.001)
    while True:
        os.write(1, b"native noise\\n")
        print("Python's own noise", flush=True)
        time.sleep(0.001)
threading.Thread(target=shout, daemon=True).start()
"""


@needs_engine
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
def test_what_others_print_never_reaches_the_protocol(tmp_path: Path) -> None:
    talk = Talk(before=_NOISE)
    try:
        talk.hear()
        talk.say(load(shipped_model()))
        assert isinstance(talk.hear(), Loaded)
        talk.say(Embed(id=1, texts=("a", "b")))
        assert isinstance(talk.hear(), Embedded)
        talk.say(load(_cut(tmp_path)))
        refused = talk.hear()
        assert isinstance(refused, Failure)
        assert refused.message.endswith("cannot be read: it is damaged or incomplete.")
        assert talk.process.stdin is not None
        talk.process.stdin.close()
        words = talk.last_words()
    finally:
        talk.close()
    assert "native noise\n" in words
    assert "Python's own noise\n" in words
    assert "not within the file bounds" in words, "what llama.cpp says of its errors is kept too"


def _cut(folder: Path) -> Path:
    path = folder / "cut.gguf"
    path.write_bytes(shipped_model().read_bytes()[:9_000_000])
    return path


@needs_engine
def test_a_model_that_makes_no_embeddings_is_refused(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "other.gguf"
    pooling, kind = b"bert.pooling_type", struct.pack("<I", 4)
    mean, none = struct.pack("<I", 1), struct.pack("<I", 0)
    data = shipped_model().read_bytes()
    assert data.count(pooling + kind + mean) == 1
    path.write_bytes(data.replace(pooling + kind + mean, pooling + kind + none))
    talk.hear()
    talk.say(load(path))
    assert talk.hear() == Failure(id=0, kind="model", message="other.gguf is not an embedding model.")
