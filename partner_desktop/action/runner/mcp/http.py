"""Streamable HTTP and SSE."""

from __future__ import annotations

import asyncio
from types import TracebackType

import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from partner_desktop.action.runner.mcp.config import ResolvedServer
from partner_desktop.action.runner.mcp.failures import protocol_failure
from partner_desktop.action.runner.mcp.oversize import Oversized
from partner_desktop.action.runner.mcp.screen import Screen
from partner_desktop.action.runner.mcp.server_log import ServerLog
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep


class HttpTransport:
    """One address of a server; entered once."""

    def __init__(
        self, server: ResolvedServer, *, oversized: Oversized, screen: Screen, server_log: ServerLog
    ) -> None:
        self._server, self._oversized, self._screen, self._log = server, oversized, screen, server_log
        self.lost = asyncio.Event()

    async def __aenter__(self) -> TransportStreams:
        self._client = httpx2.AsyncClient(headers=self._server.headers)
        if self._server.transport == "sse":
            self._streams = sse_client(self._server.url, headers=self._server.headers)
        else:
            self._streams = streamable_http_client(self._server.url, http_client=self._client)
        return await self._streams.__aenter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._streams.__aexit__(kind, error, trace)
        await self._client.aclose()

    def failure(self, step: ServerStep, error: Exception | None) -> ServerFailure:
        return protocol_failure(step, error or RuntimeError("no reason is known"), ())
