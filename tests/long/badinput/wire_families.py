"""Kinds of input that come over a wire: requests to every operation, frames of a websocket."""

from __future__ import annotations

import asyncio
import json
import random
import struct
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from partner_desktop.app import Partner
from partner_desktop.base.operation import Caller
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.rpc import RpcServer
from partner_desktop.gateways.settings import WebsocketSettings
from partner_desktop.gateways.websocket.admission import read_token
from partner_desktop.gateways.websocket.gateway import WebsocketGateway
from tests.gateways.talking import SmallHost
from tests.long.badinput.damage import damaged_bytes, damaged_json, json_text, odd_value
from tests.long.badinput.family import Family, check_sentence
from tests.long.badinput.small_home import make_small_home
from tests.support import HastyClock

#: What is answered later than this by a busy machine, is not answered.
_PATIENCE_S = 15.0
#: Of what goes on telling, so many things are enough.
_MOST_ITEMS = 3
_INTERNAL = -32603
_TEXTS = (
    *("hello", "", "remind me in 2 minutes to drink", "x" * 3000, "明天九点", "yes", "local::upper"),
    *("2026-05-13T08:00:00Z", "a" * 26, '"', "%", "*"),
)
#: In which the end of half a frame does not come.
_PAUSE_S = 0.05


class Requests(Family):
    """JSON-RPC requests to a whole Partner: damaged ones, and odd parameters for every operation."""

    name = "requests"
    #: They look for other programs' servers and models, write where they are told, or reach the network.
    _LEFT_OUT: ClassVar[tuple[str, ...]] = ("finds.", "downloads.", "models.", "servers.", "checks.")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._made = make_small_home(folder / "small")
        self._runner = asyncio.Runner()
        self._told: list[dict[str, Any]] = []  # Any: frames
        self._partner = self._runner.run(self._launched())
        self._ids = self._runner.run(self._known_ids())
        self._operations = {
            each.name: each.schema(Caller.ATTACHED)
            for each in self._partner.operations
            if each.caller <= Caller.ATTACHED and not each.name.startswith(self._LEFT_OUT)
        }

    async def _launched(self) -> Partner:
        partner = Partner(self._made.home, self._made.action_dir, meaning=False, quiet_clock=HastyClock())
        await partner.launch()
        self._tasks = TaskSet("requests")
        self._server = RpcServer(self._operate, self._send, self._tasks)
        return partner

    async def _known_ids(self) -> dict[str, list[str]]:
        """Ids that are really there, so that not every request ends at the first look."""
        (conversation,) = await self._partner.conversations.list()
        messages = await self._partner.messages.list(conversation.id)
        actions = await self._partner.actions.list()
        return {
            "conversation_id": [conversation.id],
            "conversation_ids": [conversation.id],
            "message_id": [one.id for one in messages],
            "reply_id": [one.id for one in messages],
            "action_id": [one.id for one in actions],
            "key": ["local::upper"],
        }

    async def _operate(self, method: str, params: JsonObject) -> Json | AsyncGenerator[Json, None]:
        answer = await self._partner.operations.begin(method, params, caller=Caller.ATTACHED)
        return _first_of(answer) if isinstance(answer, AsyncGenerator) else answer

    async def _send(self, text: str) -> None:
        self._told.append(json.loads(text))

    def make(self, dice: random.Random) -> bytes:
        name = dice.choice(list(self._operations))
        params: Any = {  # Any: JSON
            param: self._value(param, schema, dice)
            for param, schema in self._operations[name].get("properties", {}).items()
            if dice.random() < 0.8
        }
        params.pop("cwd", None)
        if dice.random() < 0.4:
            params = damaged_json(params, dice)
        request: Any = {"jsonrpc": "2.0", "id": 7, "method": name, "params": params}
        if dice.random() < 0.1:
            request = damaged_json(request, dice)
        text = json_text(request, dice) if dice.random() < 0.2 else json.dumps(request)
        return text.encode("utf-8", "surrogatepass")

    def _value(self, name: str, schema: JsonObject, dice: random.Random) -> Any:  # Any: JSON
        if dice.random() < 0.1:
            return odd_value(dice)
        if name in self._ids and dice.random() < 0.8:
            known = self._ids[name]
            return known if name.endswith("s") else dice.choice(known)
        if name in ("path", "folder") or schema.get("format") == "path":
            return str(
                self.folder
                / dice.choice(("", "out", "small", "\0", "a/b/c", "é" * 300, "small/conversation.json"))
            )
        kinds = schema.get("anyOf") or [schema]
        one = dice.choice(kinds) if isinstance(kinds, list) else schema
        if not isinstance(one, dict):
            return odd_value(dice)
        if one.get("enum"):
            return dice.choice(list(one["enum"]))  # type: ignore[arg-type]
        items, parts = one.get("items") or {}, one.get("properties", {})
        made: dict[Any, Any] = {
            "string": lambda: dice.choice(_TEXTS),
            "integer": lambda: dice.choice((0, 1, 3, -1, 50, 2**31, 2**63 - 1, 2**63, 2**70)),
            "number": lambda: dice.choice((0.5, -1.0, 1e308)),
            "boolean": lambda: dice.random() < 0.5,
            "null": lambda: None,
            "array": lambda: [self._value(name, items, dice) for _ in range(dice.randint(0, 3))],
            "object": lambda: {part: self._value(part, sub, dice) for part, sub in parts.items()},
        }  # fmt: skip
        return made.get(one.get("type"), lambda: odd_value(dice))()

    def take(self, given: bytes) -> str:
        return self._runner.run(self._taken(given.decode("utf-8", "surrogatepass")))

    async def _taken(self, text: str) -> str:
        self._told.clear()
        async with asyncio.timeout(_PATIENCE_S):
            await self._server.take(text)
            while self._server.at_work():  # noqa: ASYNC110 - what it does is its own
                await asyncio.sleep(0.001)
        answers = [one for one in self._told if "method" not in one]
        if not answers:
            assert '"$/cancel"' in text or "$" in text, "no answer"
            return "no answer is due"
        (answer,) = answers
        if "result" in answer:
            return "done"
        error = answer["error"]
        assert error["code"] != _INTERNAL, f"an internal error: {text[:200]}"
        check_sentence(error["message"])
        return "refused"

    def close(self) -> None:
        self._runner.run(self._closed())
        self._runner.close()

    async def _closed(self) -> None:
        self._server.leave()
        await self._tasks.close()
        await self._partner.close()


async def _first_of(items: AsyncGenerator[Json, None]) -> AsyncGenerator[Json, None]:
    """The beginning of what goes on telling: nothing more has to come."""
    count = 0
    try:
        while count < _MOST_ITEMS:
            async with asyncio.timeout(0.2):
                yield await anext(items)
            count += 1
    except (TimeoutError, StopAsyncIteration):
        pass
    finally:
        await items.aclose()


_METHODS = (
    *("conversations.list", "client.hello", "client.open", "messages.send", "$/cancel"),
    "client.protocol",
)
_KEY = "dGhlIHNhbXBsZSBub25jZQ=="


class WebsocketFrames(Family):
    """Bytes behind a good handshake, or a handshake that is none."""

    name = "websocket_frames"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._home = Home(folder / "home")
        self._home.root.mkdir()
        self._runner = asyncio.Runner()
        self._gateway = WebsocketGateway(SmallHost().face, WebsocketSettings(port=0), self._home)
        self._runner.run(self._gateway.launch())
        self._hello = (
            f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self._gateway.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {_KEY}\r\nSec-WebSocket-Version: 13\r\n"
            f"Authorization: Bearer {read_token(self._home)}\r\n\r\n"
        ).encode()

    @staticmethod
    def _request(method: str, **params: object) -> bytes:
        return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()

    def make(self, dice: random.Random) -> bytes:
        if dice.random() < 0.15:
            return damaged_bytes(self._hello, dice)
        request: Any = json.loads(self._request(dice.choice(_METHODS), limit=1))
        text = json_text(damaged_json(request, dice), dice).encode("utf-8", "surrogatepass")
        frames = []
        for _ in range(dice.randint(1, 4)):
            kind = dice.choice((*(0x1,) * 12, 0x2, 0x0, 0x8, 0x9, 0xA, 0x3, 0xF))
            frames.append(_frame(kind, text if kind < 8 else text[:100], final=dice.random() < 0.9))
        data = b"".join(frames)
        return self._hello + (damaged_bytes(data, dice) if dice.random() < 0.3 else data)

    def take(self, given: bytes) -> str:
        return self._runner.run(self._taken(given))

    async def _taken(self, given: bytes) -> str:
        async with asyncio.timeout(_PATIENCE_S):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._gateway.port)
            heard = b""
            try:
                if given.startswith(self._hello):  # what came with it would end it before it began
                    writer.write(self._hello)
                    heard = await reader.readuntil(b"\r\n\r\n")
                writer.write(given.removeprefix(self._hello) + _frame(0x8, b""))
                with suppress(TimeoutError):  # half a frame is waited for
                    async with asyncio.timeout(_PAUSE_S):
                        while piece := await reader.read(65_536):
                            heard += piece
            except (ConnectionError, asyncio.IncompleteReadError):
                pass
            finally:
                writer.close()
            assert b"Traceback" not in heard, heard
            assert b"-32603" not in heard, heard
            if not heard.startswith(b"HTTP/1.1 101"):
                return "refused"
            return "answered" if b"jsonrpc" in heard else "closed"

    def close(self) -> None:
        self._runner.run(self._gateway.shutdown())
        self._runner.close()


def _frame(kind: int, data: bytes, *, final: bool = True) -> bytes:
    """A frame of a client, masked with nothing."""
    head = bytes([(0x80 if final else 0) | kind])
    if len(data) < 126:
        head += bytes([0x80 | len(data)])
    else:
        head += bytes([0x80 | 126]) + struct.pack(">H", min(len(data), 65_535))
    return head + b"\0\0\0\0" + data[:65_535]


WIRE_FAMILIES: tuple[type[Family], ...] = (Requests, WebsocketFrames)
