"""A program that uses our MCP server by writing lines, and a host that does what the test wants."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast

from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.mcp_server import serve
from partner_desktop.gateways.partner_client import PartnerClient
from tests.support import WAIT_S

Answer = dict[str, Any]
Events = AsyncGenerator[JsonObject, None]


class OneHost:
    """Leads to one host, or to one after the other."""

    def __init__(self, *clients: PartnerClient) -> None:
        self._clients = list(clients)
        self.news = asyncio.Event()

    def use(self) -> AbstractAsyncContextManager[PartnerClient]:
        @asynccontextmanager
        async def used() -> AsyncIterator[PartnerClient]:
            yield self._clients[0] if len(self._clients) == 1 else self._clients.pop(0)

        return used()

    async def changed(self) -> None:
        await self.news.wait()
        self.news.clear()


class ScriptedHost(PartnerClient):
    """Offers these abilities; `run` says what happens in a call, of its parameters."""

    def __init__(self, run: Callable[[JsonObject], Events], *abilities: JsonObject) -> None:
        self.listed: list[Json] = [*abilities] or [ability("local::work")]
        self.begun: list[Json] = []
        self._run = run

    async def call(self, operation: str, /, **params: Json) -> Json:
        if operation == "abilities.list":
            return list(self.listed)
        if operation == "conversations.create":
            self.begun.append(params["title"])
            return {"id": f"conversation-{len(self.begun)}"}
        assert operation == "servers.settled"
        return None

    def stream(self, operation: str, /, **params: Json) -> AsyncGenerator[Json, None]:
        assert operation == "events.run"
        return cast("AsyncGenerator[Json, None]", self._run(params))


def ability(key: str, **info: Any) -> JsonObject:
    """As it is listed."""
    known = {"key": key, "description": "d", "params": {"type": "object", "properties": {}}}
    return {"key": key, "off": False, "path": None, "info": known | info}


def result(**action: Any) -> JsonObject:
    """The end of a call."""
    return {"type": "result", "action": {"title": "Work", "status": "succeeded", "stdout": "", **action}}


class Program:
    """The other side of the wire."""

    def __init__(self, reader: asyncio.StreamReader, sink: int) -> None:
        self._reader = reader
        self._sink = sink
        self._number = 0
        self.told: list[Answer] = []
        """What was said unasked."""

    async def write(self, line: bytes) -> None:
        await asyncio.to_thread(_write, self._sink, line + b"\n")

    async def say(self, method: str, params: JsonObject | None = None, **more: Json) -> None:
        await self.write(
            json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}, **more}).encode()
        )

    async def ask(self, method: str, params: JsonObject | None = None) -> Answer:
        """Ask, and wait for the answer."""
        return await self.answer(await self.begin(method, params))

    async def begin(self, method: str, params: JsonObject | None = None) -> int:
        self._number += 1
        await self.say(method, params, id=self._number)
        return self._number

    async def call(self, name: str, **arguments: Json) -> Answer:
        """The result of a tool."""
        answer = await self.ask("tools/call", {"name": name, "arguments": arguments})
        found: Answer = answer["result"]
        return found

    async def answer(self, number: int | None) -> Answer:
        """The answer to one request; what comes before it is kept in `told`."""
        while True:
            message = await self.next()
            if message.get("id") == number and "method" not in message:
                return message
            self.told.append(message)

    async def hear(self, method: str) -> Answer:
        """The next notification of a kind."""
        while True:
            for message in self.told:
                if message.get("method") == method:
                    self.told.remove(message)
                    return message
            self.told.append(await self.next())

    async def next(self) -> Answer:
        async with asyncio.timeout(WAIT_S):
            line = await self._reader.readline()
        assert line, "the server has ended"
        found: Answer = json.loads(line)
        return found

    def leave(self) -> None:
        """Close what the server reads."""
        if self._sink >= 0:
            os.close(self._sink)
        self._sink = -1

    async def shake_hands(self, name: str = "Tester") -> Answer:
        info: JsonObject = {"name": name, "version": "1"}
        params: JsonObject = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
        answer = await self.ask("initialize", params)
        await self.say("notifications/initialized")
        return answer


def _write(sink: int, line: bytes) -> None:
    view = memoryview(line)
    while view:
        view = view[os.write(sink, view) :]


@asynccontextmanager
async def served(host: OneHost) -> AsyncIterator[Program]:
    """A program that has shaken hands with our server; at the end it leaves, and the server ends."""
    to_server, from_program = os.pipe()
    to_program, from_server = os.pipe()
    reader = asyncio.StreamReader(limit=1024 * 1024)
    protocol = asyncio.StreamReaderProtocol(reader)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: protocol, os.fdopen(to_program, "rb", buffering=0))
    serving = loop.create_task(serve(host, to_server, from_server))
    program = Program(reader, from_program)
    try:
        await program.shake_hands()
        yield program
    finally:
        program.leave()
        async with asyncio.timeout(WAIT_S):
            await serving
        transport.close()
        os.close(to_server)
        os.close(from_server)
