"""A worker at the other end of two pipes, for tests that speak to it in frames."""

from __future__ import annotations

import selectors
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from partner_desktop.model.worker.frames import (
    Chat,
    Frame,
    Hello,
    Load,
    Loading,
    Piece,
    PromptMessage,
    Reply,
    Request,
    Unpacker,
    Written,
    packed,
    read_reply,
)
from tests.model.seeing import in_base64
from tests.support import REPOSITORY

#: A worker that computes on a busy machine may say nothing for so long.
_SILENCE_S = 20.0


class Talk:
    """A worker at the other end of two pipes."""

    def __init__(self, *, before: str = "") -> None:
        code = f"{before}\nfrom partner_desktop.model.worker.__main__ import main\nmain()"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self._unpacker = Unpacker()
        self._waiting: list[bytes] = []

    def say(self, *frames: Frame) -> None:
        self.say_bytes(b"".join(packed(frame) for frame in frames))

    def say_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def hear(self) -> Reply:
        """The next reply."""
        while not self._waiting:
            assert self.take(), "the worker has ended"
        return read_reply(self._waiting.pop(0))

    def take(self) -> bool:
        """Wait for bytes, bounded; whether there were any."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            assert selector.select(_SILENCE_S), "the worker says nothing"
        chunk = self.process.stdout.read(65536)
        self._waiting += self._unpacker.feed(chunk)
        return bool(chunk)

    @property
    def has_reply(self) -> bool:
        """Whether a reply is here already."""
        return bool(self._waiting)

    def last_words(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def hear_all(self, request_id: int) -> list[Reply]:
        """What comes until a request's answer, which is the last; other requests' frames are among it."""
        heard: list[Reply] = []
        while True:
            reply = self.hear()
            heard.append(reply)
            if not isinstance(reply, Hello | Loading | Piece) and reply.id == request_id:
                return heard

    def ask(self, request: Request) -> Reply:
        """Say it, and hear its answer; what else comes is passed over."""
        self.say(request)
        return self.hear_all(request.id)[-1]

    def load(self, path: Path, **options: Any) -> Reply:
        """Open a chat model as request 0, after the hello."""
        given = {"context_tokens": 0, "threads": 1, "gpu_layers": 0, **options}
        return self.ask(Load(id=0, path=str(path), kind="chat", **given))

    def chat(self, request: Chat) -> tuple[str, Written]:
        """A whole answer's text, and its end."""
        self.say(request)
        heard = self.hear_all(request.id)
        written = heard[-1]
        assert isinstance(written, Written), written
        return text_of(heard, request.id), written


def text_of(heard: Sequence[Reply], request_id: int) -> str:
    """The pieces of one answer together."""
    return "".join(reply.text for reply in heard if isinstance(reply, Piece) and reply.id == request_id)


def chat_of(
    number: int, *texts: str, system: str = "", pictures: Sequence[bytes] = (), **options: Any
) -> Chat:
    """A request: the user and the assistant in turns, the user first. Greedy, if not said otherwise.

    `pictures` are shown with the last message.
    """
    messages = [PromptMessage(role="system", text=system)] if system else []
    roles: tuple[Literal["user", "assistant"], ...] = ("user", "assistant")
    messages += [PromptMessage(role=roles[at % 2], text=text) for at, text in enumerate(texts)]
    if pictures:
        messages[-1] = messages[-1].model_copy(update={"pictures": tuple(map(in_base64, pictures))})
    return Chat(id=number, messages=tuple(messages), **{"temperature": 0.0, "max_tokens": 32, **options})
