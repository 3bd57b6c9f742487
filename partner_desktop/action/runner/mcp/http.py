"""Streamable HTTP and SSE: the SDK's transports over a client that watches what goes through it.

The watch (`http_watch.py`) knows why a server cannot be used, which the SDK does not tell, and keeps long
answers off the loop and out of the memory. Redirects stay within the server's origin; the SDK sees to that.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

import anyio
import httpx2
import mcp_types as types
from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from partner_desktop.action.runner.mcp.config import ResolvedServer
from partner_desktop.action.runner.mcp.failures import protocol_failure
from partner_desktop.action.runner.mcp.http_watch import EVENT_BYTES, HttpWatch
from partner_desktop.action.runner.mcp.oversize import Oversized
from partner_desktop.action.runner.mcp.screen import Screen
from partner_desktop.action.runner.mcp.server_log import ServerLog
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep

_CONNECT_TIMEOUT_S = 15.0
#: A stream of events may be silent for long; a call has its own limit.
_READ_TIMEOUT_S = 24 * 3600.0
_FLOOD_PAUSE_S = 0.002


class HttpTransport:
    """One address of a server; entered once."""

    def __init__(
        self,
        server: ResolvedServer,
        *,
        oversized: Oversized,
        screen: Screen,
        server_log: ServerLog,
        lost: Callable[[], None],
    ) -> None:
        """`lost` is called when nothing more comes from it."""
        self._server, self._screen, self._lost = server, screen, lost
        self._watch = HttpWatch(server, oversized, server_log, lost)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> TransportStreams:
        async with AsyncExitStack() as stack:
            # The certificates of the system take a while to be read.
            await asyncio.to_thread(self._watch.prepare)
            if self._server.transport == "sse":
                streams = sse_client(
                    self._server.url,
                    headers=dict(self._server.headers),
                    timeout=_CONNECT_TIMEOUT_S,
                    sse_read_timeout=_READ_TIMEOUT_S,
                    httpx_client_factory=self._client,
                )
            else:
                client = await stack.enter_async_context(self._client(dict(self._server.headers)))
                streams = streamable_http_client(
                    self._server.url, http_client=client, max_sse_event_size=EVENT_BYTES
                )
            reads, writes = await stack.enter_async_context(streams)
            self._stack = stack.pop_all()
        return _Reads(reads, self._screen, self._lost), _Writes(writes, self._screen)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    def failure(self, step: ServerStep, error: Exception | None) -> ServerFailure:
        """Why it could not be used, or broke."""
        if self._watch.problem:
            reached = step if self._watch.reached else ServerStep.SPAWN
            problem = self._server.secrets.masked(self._watch.problem)
            return ServerFailure(reached, problem, final=self._watch.refused)
        if self._watch.unread:
            return ServerFailure(step, self._watch.unread)
        return protocol_failure(self._server, step, error or ConnectionError("the server closed it"), ())

    def _client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            # A compressed answer could be endless; `HttpWatch` refuses it.
            headers={"accept-encoding": "identity", **(headers or {})},
            timeout=timeout or httpx2.Timeout(_CONNECT_TIMEOUT_S, read=_READ_TIMEOUT_S),
            auth=auth,
            transport=self._watch,
        )


class _Reads:
    """What the SDK reads, sifted; tells when it ends."""

    def __init__(
        self, inner: ReadStream[SessionMessage | Exception], screen: Screen, lost: Callable[[], None]
    ) -> None:
        self._inner, self._screen, self._lost = inner, screen, lost
        self._ready: deque[types.JSONRPCMessage] = deque()

    async def receive(self) -> SessionMessage | Exception:
        try:
            while not self._ready:
                item = await self._inner.receive()
                if isinstance(item, Exception):
                    return item
                self._ready.extend([*self._screen.late(), *self._screen.sift(item.message)])
                if self._screen.floods:
                    await asyncio.sleep(_FLOOD_PAUSE_S)  # the loop is for others, too
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._lost()
            raise
        return SessionMessage(self._ready.popleft())

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:  # the protocol's three arguments, unused
        await self.aclose()


class _Writes:
    """What the SDK writes to; the screen takes note."""

    def __init__(self, inner: WriteStream[SessionMessage], screen: Screen) -> None:
        self._inner, self._screen = inner, screen

    async def send(self, item: SessionMessage, /) -> None:
        self._screen.sent(item.message)
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:  # the protocol's three arguments, unused
        await self.aclose()
