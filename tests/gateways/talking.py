"""A websocket client of a test, and a host that says whatever the test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from partner_desktop.api.services import Services
from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import Event
from partner_desktop.domain.message import Conversation, Message, Role
from partner_desktop.gateways.settings import GatewaySettings, WebsocketSettings
from partner_desktop.gateways.token_file import read_token
from partner_desktop.gateways.websocket.gateway import WebsocketGateway
from tests.support import WAIT_S

Frame = dict[str, Any]

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


class Talker:
    """Everything that a client was told, and a bounded wait for what it has not been told yet."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.frames: list[Frame] = []

    async def tell(self, **frame: object) -> None:
        await self.connection.send(json.dumps(frame))

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

    async def kind(self, kind: str) -> Frame:
        """The next frame of a type."""
        return await self.until(lambda frame: frame["type"] == kind)

    async def event(self, kind: str, **facts: object) -> Frame:
        """The next event of a type, with these facts."""
        return await self.until(
            lambda frame: (
                frame["type"] == "event"
                and frame["event"]["type"] == kind
                and all(frame["event"][name] == value for name, value in facts.items())
            )
        )

    async def ask(self, **frame: object) -> Frame:
        """Say something; the answer to it."""
        await self.tell(**frame, ref="asked")
        return await self.until(lambda answer: answer.get("ref") == "asked")

    async def begin(self, text: str) -> str:
        """Say something in a new conversation, and wait for the end of it."""
        await self.tell(type="say", text=text)
        accepted = await self.kind("accepted")
        return str(accepted["conversation"])

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
        return [frame for frame in self.frames if frame["type"] == "event" and frame["conversation"]]


@asynccontextmanager
async def talker(gateway: WebsocketGateway, token: str, **more: Any) -> AsyncIterator[Talker]:
    """A client that is known; an empty token leaves the hello to the test."""
    address = f"ws://127.0.0.1:{gateway.port}"
    async with connect(address, proxy=None, max_size=None, close_timeout=1, **more) as connection:
        one = Talker(connection)
        if token:
            await one.tell(type="hello", token=token, client="test")
            await one.kind("welcome")
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
    host: SmallHost, home: Home, **more: Any
) -> AsyncIterator[tuple[WebsocketGateway, str]]:
    """A gateway on a small host, and its token."""
    gateway = WebsocketGateway(host.face, WebsocketSettings(port=0), home, **more)
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

    async def get(self, conversation_id: str) -> Conversation:
        if conversation_id not in self.held:
            raise UsageError(f"There is no conversation {conversation_id}.")
        return Conversation(conversation_id, "Held", NOW, NOW)

    async def list(self, *, limit: int) -> Sequence[Conversation]:
        return [await self.get(name) for name in self.held][:limit]

    async def create(self) -> Conversation:
        name = f"c{len(self.held) + 1}"
        self.held[name] = []
        return await self.get(name)


@dataclass
class SmallMessages:
    """What was said to a small host."""

    held: dict[str, list[Message]]

    async def send(self, text: str, *, conversation_id: str | None, source: str) -> Message:
        assert conversation_id is not None
        held = self.held[conversation_id]
        count = len(held) + 1
        message = Message(f"m{count}", conversation_id, Role.USER, text, NOW, position=count, source=source)
        held.append(message)
        return message

    async def list(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> Sequence[Message]:
        return [one for one in self.held[conversation_id] if before is None or one.position < before][-limit:]
