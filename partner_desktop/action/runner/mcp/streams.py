"""The two streams between a transport of our own and the SDK's session."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

import anyio
import anyio.lowlevel
import mcp_types as types
from mcp.shared.message import SessionMessage


class Reads:
    """What the SDK reads: the messages that wait, one at a time."""

    def __init__(self, taken: Callable[[int], None]) -> None:
        self._taken = taken
        self._waiting: deque[tuple[types.JSONRPCMessage, int]] = deque()
        self._news = asyncio.Event()
        self._closed = False

    def put(self, message: types.JSONRPCMessage, size: int) -> None:
        self._waiting.append((message, size))
        self._news.set()

    def close(self) -> None:
        """No more is to come; what waits is still given."""
        self._closed = True
        self._news.set()

    async def receive(self) -> SessionMessage | Exception:
        if self._waiting:
            await anyio.lowlevel.checkpoint()  # a backlog leaves room for others
        while not self._waiting:
            if self._closed:
                raise anyio.EndOfStream
            self._news.clear()
            await self._news.wait()
        message, size = self._waiting.popleft()
        self._taken(size)
        return SessionMessage(message)

    async def aclose(self) -> None:
        self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Writes:
    """What the SDK writes to."""

    def __init__(self, send: Callable[[types.JSONRPCMessage], Awaitable[None]]) -> None:
        self._send = send
        self._closed = False

    async def send(self, item: SessionMessage, /) -> None:
        if self._closed:
            raise anyio.ClosedResourceError
        await self._send(item.message)

    async def aclose(self) -> None:
        self._closed = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
