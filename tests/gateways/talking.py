"""A websocket client of a test, and a host that says whatever the test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from partner_desktop.api.operations import Operations
from partner_desktop.api.services import Services
from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.operation import Caller, OnlyFrom, operation
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import Event
from partner_desktop.domain.message import Conversation, Message, Role
from partner_desktop.gateways.settings import GatewaySettings, WebsocketSettings
from partner_desktop.gateways.websocket.admission import read_token
from partner_desktop.gateways.websocket.gateway import WebsocketGateway
from tests.support import WAIT_S

Frame = dict[str, Any]

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


class Talker:
    """Everything that a client was told, and a bounded wait for what it has not been told yet."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.frames: list[Frame] = []
        self._asked = 0

    async def tell(self, method: str, **params: object) -> int:
        """Send a request; its id."""
        self._asked += 1
        body = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        await self.connection.send(json.dumps(body))
        return self._asked

    async def next(self) -> Frame:
        async with asyncio.timeout(WAIT_S):
            self.frames.append(json.loads(await self.connection.recv()))
        return self.frames[-1]

    async def until(self, fits: Callable[[Frame], object]) -> Frame:
        """The next frame that fits."""
        async with asyncio.timeout(WAIT_S):
            while not fits(await self.next()):
                pass
        return self.frames[-1]

    async def answer(self, request_id: int | None) -> Frame:
        """The answer to a request; with `None` to what was none."""
        return await self.until(lambda frame: "id" in frame and frame["id"] == request_id)

    async def ask(self, method: str, **params: object) -> Any:
        """The result of a request."""
        answer = await self.answer(await self.tell(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    async def refused(self, method: str, **params: object) -> Frame:
        """The error of a request."""
        answer = await self.answer(await self.tell(method, **params))
        assert "result" not in answer, answer
        error: Frame = answer["error"]
        return error

    async def is_heard(self) -> bool:
        """Whether the next request is answered."""
        return isinstance(await self.ask("conversations.list", limit=1), list)

    async def told(self, method: str) -> Frame:
        """What the next notification of this method tells."""
        frame: Frame = (await self.until(lambda frame: frame.get("method") == method))["params"]
        return frame

    async def event(self, kind: str, **facts: object) -> Frame:
        """The next event of a type, with these facts, and where it belongs."""
        found = await self.until(
            lambda frame: (
                frame.get("method") == "event"
                and frame["params"]["event"]["type"] == kind
                and all(frame["params"]["event"][name] == value for name, value in facts.items())
            )
        )
        told: Frame = found["params"]
        return told

    async def begin(self, text: str) -> str:
        """Say something in a new conversation; its id."""
        return str((await self.ask("messages.send", text=text))["conversation_id"])

    async def farewell(self) -> tuple[int | None, str]:
        """Wait for the end of the connection."""
        async with asyncio.timeout(WAIT_S):
            with suppress(ConnectionClosed):
                async for text in self.connection:
                    self.frames.append(json.loads(text))
            await self.connection.wait_closed()
        return self.connection.close_code, self.connection.close_reason or ""

    @property
    def events(self) -> list[Frame]:
        told = [frame["params"] for frame in self.frames if frame.get("method") == "event"]
        return [one for one in told if one["conversation_id"]]

    @property
    def heard_only_an_error(self) -> bool:
        """Whether all that it was told is one error that answers no request."""
        return [(frame["id"], *frame) for frame in self.frames] == [(None, "jsonrpc", "id", "error")]


@asynccontextmanager
async def talker(gateway: WebsocketGateway, token: str, **more: Any) -> AsyncIterator[Talker]:
    """A client that is known; an empty token leaves the hello to the test."""
    address = f"ws://127.0.0.1:{gateway.port}"
    async with connect(address, proxy=None, max_size=None, close_timeout=1, **more) as connection:
        one = Talker(connection)
        if token:
            await one.ask("client.hello", token=token, name="test")
        yield one


async def open_gateway(partner: Partner, **settings: Any) -> tuple[WebsocketGateway, str]:
    """Switch the websocket gateway of a Partner on; it and its token."""
    wanted = GatewaySettings(websocket=WebsocketSettings(enabled=True, port=0, **settings))
    await partner.gateways.apply(wanted)
    gateway = partner.gateways.running("websocket")
    assert isinstance(gateway, WebsocketGateway)
    return gateway, read_token(partner.home)


@asynccontextmanager
async def small_gateway(
    host: SmallHost, home: Home, *, settings: WebsocketSettings | None = None, **more: Any
) -> AsyncIterator[tuple[WebsocketGateway, str]]:
    """A gateway on a small host, and its token."""
    gateway = WebsocketGateway(host.face, settings or WebsocketSettings(port=0), home, **more)
    await gateway.launch()
    try:
        yield gateway, read_token(home)
    finally:
        await gateway.shutdown()


class SmallHost:
    """Holds messages and publishes what it is told to; nothing answers."""

    def __init__(self) -> None:
        self.held: dict[str, list[Message]] = {}
        self.conversations = SmallConversations(self.held)
        self.messages = SmallMessages(self.held)
        self._listeners: list[Callable[[Event], None]] = []

    @property
    def operations(self) -> Operations:
        return Operations({"conversations": self.conversations, "messages": self.messages})

    @property
    def face(self) -> Services:
        """This, for a gateway."""
        return cast("Services", self)

    def publish(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            listener(event)

    def subscribe(self, deliver: Callable[[Event], None]) -> Callable[[], None]:
        self._listeners.append(deliver)
        return lambda: self._listeners.remove(deliver)


@dataclass
class SmallConversations:
    """Those of a small host."""

    held: dict[str, list[Message]]

    @operation(Caller.CLIENT)
    async def get(self, conversation_id: str) -> Conversation:
        """One of them."""
        if conversation_id not in self.held:
            raise UsageError(f"There is no conversation {conversation_id}.")
        return Conversation(conversation_id, "Held", NOW, NOW)

    @operation(Caller.CLIENT)
    async def list(self, *, limit: int) -> Sequence[Conversation]:
        """All."""
        return [await self.get(name) for name in self.held][:limit]

    async def create(self) -> Conversation:
        name = f"c{len(self.held) + 1}"
        self.held[name] = []
        return await self.get(name)


@dataclass
class SmallMessages:
    """What was said to a small host."""

    held: dict[str, list[Message]]

    @operation(Caller.CLIENT)
    async def send(
        self,
        text: str,
        *,
        conversation_id: str | None = None,
        source: Annotated[str, OnlyFrom(Caller.LOCAL)] = "",
    ) -> Message:
        """Keep it."""
        assert conversation_id is not None
        held = self.held[conversation_id]
        count = len(held) + 1
        message = Message(f"m{count}", conversation_id, Role.USER, text, NOW, position=count, source=source)
        held.append(message)
        return message

    @operation(Caller.CLIENT)
    async def list(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> Sequence[Message]:
        """A page."""
        return [one for one in self.held[conversation_id] if before is None or one.position < before][-limit:]
