"""ListChanges: tells the clients of a server that its lists are different, in both eras of the protocol.

Since 2026-07-28 a client that wants to hear of it keeps a `subscriptions/listen` request open; before, every
client that has shaken hands gets a notification. Use `lifespan` and `listen` for the `Server`, and `join` it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourcesListChanged,
    ToolsListChanged,
)


class Peer:
    """One connection; `session` is there once the client of the older era has shaken hands."""

    session: ServerSession | None = None


class ListChanges:
    """Of one server."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._peers: set[Peer] = set()
        self.listen = ListenHandler(self._bus)

    @asynccontextmanager
    async def lifespan(self, server: Server[Peer]) -> AsyncGenerator[Peer]:
        """Around each connection."""
        del server
        peer = Peer()
        self._peers.add(peer)
        try:
            yield peer
        finally:
            self._peers.discard(peer)

    def join(self, server: Server[Peer]) -> None:
        """Hear of the clients of the older era."""
        server.add_notification_handler("notifications/initialized", types.NotificationParams, self._greet)

    async def _greet(self, ctx: ServerRequestContext[Peer, Any], params: types.NotificationParams) -> None:
        del params
        ctx.lifespan_context.session = ctx.session

    async def tell(self) -> None:
        """Tools and resources are different now."""
        await self._bus.publish(ToolsListChanged())
        await self._bus.publish(ResourcesListChanged())
        for session in [peer.session for peer in self._peers if peer.session is not None]:
            await session.send_tool_list_changed()
            await session.send_resource_list_changed()

    def close(self) -> None:
        """End what listens; each client is told."""
        self.listen.close()
