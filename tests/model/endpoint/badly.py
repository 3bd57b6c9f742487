"""A small server that behaves as badly as it is told to, and remembers what was asked of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

#: What a test does with one request: it writes to the line, or lets it hang.
Behaviour = Callable[["Line"], Awaitable[None]]


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any
    """JSON as it came, or `None`."""


class Line:
    """One request and the way to answer it."""

    def __init__(self, seen: Seen, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.seen, self._reader, self._writer = seen, reader, writer
        self.gone = False

    async def send(self, data: bytes) -> None:
        try:
            self._writer.write(data)
            await self._writer.drain()
        except ConnectionError:
            self.gone = True

    async def head(self, status: int = 200, kind: str = "text/event-stream", **more: str) -> None:
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Type: {kind}", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
        await self.send(("\r\n".join(lines) + "\r\n\r\n").encode())

    async def json(self, value: object, status: int = 200, **more: str) -> None:
        await self.head(status, "application/json", **more)
        await self.send(json.dumps(value).encode())

    async def event(self, value: object) -> None:
        await self.send(f"data: {json.dumps(value)}\n\n".encode())

    async def say(self, *words: str, finish: str | None = "stop", done: bool = True) -> None:
        """A well-formed stream."""
        await self.head()
        for word in words:
            await self.event({"choices": [{"delta": {"content": word}, "finish_reason": None}]})
        if finish is not None:
            await self.event({"choices": [{"delta": {}, "finish_reason": finish}]})
        if done:
            await self.send(b"data: [DONE]\n\n")

    async def left(self) -> None:
        """Wait until whoever asked has gone."""
        with suppress(ConnectionError):
            while await self._reader.read(4096):
                pass


async def hang(line: Line) -> None:
    """Takes the request and says nothing."""
    await line.left()


async def listing(line: Line) -> None:
    await line.json({"object": "list", "data": [{"id": "parrot"}, {"id": "owl", "max_model_len": 8192}]})


def saying(*words: str, finish: str | None = "stop", done: bool = True) -> Behaviour:
    async def behave(line: Line) -> None:
        await line.say(*words, finish=finish, done=done)

    return behave


def refusing(status: int, body: object = None, **more: str) -> Behaviour:
    async def behave(line: Line) -> None:
        await line.json(body if body is not None else {"error": {"message": "no"}}, status, **more)

    return behave


def raw(data: bytes, kind: str = "text/event-stream") -> Behaviour:
    async def behave(line: Line) -> None:
        await line.head(kind=kind)
        await line.send(data)

    return behave


class BadServer:
    """Answers `POST` with the behaviours of `script` in turn, the last one for ever; `GET` with `lists`."""

    def __init__(self, *script: Behaviour, lists: Behaviour = listing) -> None:
        self.script, self.lists = list(script), lists
        self.seen: list[Seen] = []
        self.left = asyncio.Event()
        """Set when a call is over, or whoever made it has gone."""

    @property
    def asked(self) -> list[Any]:
        """The bodies of the calls."""
        return [seen.body for seen in self.seen if seen.method == "POST"]

    @property
    def address(self) -> str:
        return self.at("/v1")

    def at(self, path: str) -> str:
        """An address of this server."""
        return f"http://127.0.0.1:{self.port}{path}"

    async def __aenter__(self) -> Self:
        self._handlers: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await _rounds()  # whoever was let in just before is served by now (it takes four), and can be ended
        for handler in list(self._handlers):
            handler.cancel()
        await asyncio.gather(*self._handlers, return_exceptions=True)
        for writer in self._writers:  # also one whose last words nobody reads
            writer.transport.abort()
        await self._server.wait_closed()
        await _rounds()  # a writer that is closed lets its socket go a round later

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._handlers.add(task)
        self._writers.add(writer)
        try:
            line = Line(await _read(reader), reader, writer)
            self.seen.append(line.seen)
            await self._behaviour(line.seen)(line)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            if self.seen and self.seen[-1].method == "POST":
                self.left.set()
            self._handlers.discard(task)
            writer.close()

    def _behaviour(self, seen: Seen) -> Behaviour:
        if seen.method == "GET":
            return self.lists
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]


async def _rounds() -> None:
    for _ in range(8):
        await asyncio.sleep(0)


async def _read(reader: asyncio.StreamReader) -> Seen:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
    data = await reader.readexactly(int(headers.get("content-length", 0)))
    return Seen(method, path, headers, json.loads(data) if data else None)
