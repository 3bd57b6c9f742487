"""A connection to one external server, by the `mcp` SDK. Loaded on first use: the SDK takes its time.

The connection itself lives in a task of its own (`link.py`); calls may come from any task of the loop.
Cancelling a call tells the server. Whoever enters `connect` leaves it; nothing of the server is left then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import mcp_types as types
from mcp.client._input_required import InputRequiredRoundsExceededError
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from partner_desktop.base.errors import TellMindError, TryAgainError
from partner_desktop.base.messages import LazySentence, system_reason
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerFailure
from partner_desktop.domain.meta_action import RunnerResponse
from partner_desktop.runner.call import RunScope
from partner_desktop.runner.mcp.port import ConnectionHooks, ResolvedServer, ServerEndedError, ServerFacts
from partner_desktop.runner.mcp.protocol import content
from partner_desktop.runner.mcp.protocol.link import Link
from partner_desktop.runner.mcp.protocol.oversize import OVERSIZED
from partner_desktop.runner.mcp.protocol.tool_calls import RunningCall, start_timed_out
from partner_desktop.runner.mcp.server_log import ServerLog, harmless_line

#: A broken connection is told to the calls first; the process's exit code comes a moment later.
_REASON_TIMEOUT_S = 2.0

Answer = TypeVar("Answer")


@asynccontextmanager
async def connect(
    resolved: ResolvedServer, hooks: ConnectionHooks, *, log: Callable[[str], None]
) -> AsyncGenerator[McpConnection, None]:
    """See `port.Connect`. A server that the first question upset is started again, and asked the old way."""
    server_log = ServerLog(log, resolved.secrets)
    link = Link(resolved, hooks, server_log, mode="legacy" if resolved.legacy else "auto")
    try:
        try:
            async with asyncio.timeout(resolved.start_timeout_s):
                await asyncio.wait([link.opened])
                if link.upset_by_probe:
                    await link.close()
                    link = Link(resolved, hooks, server_log, mode="legacy")
                    await asyncio.wait([link.opened])
        except TimeoutError as error:
            raise ServerEndedError(start_timed_out(resolved, link.step, server_log.last)) from error
        yield McpConnection(link, resolved, link.opened.result())
    finally:
        await link.close()


class McpConnection:
    """Implements `port.Connection`."""

    def __init__(self, link: Link, resolved: ResolvedServer, facts: ServerFacts) -> None:
        self._link, self._resolved = link, resolved
        self.facts = facts

    @property
    def ended(self) -> asyncio.Future[ServerFailure]:
        return self._link.ended

    async def relist(self) -> ServerFacts:
        try:
            async with asyncio.timeout(self._resolved.start_timeout_s):
                self.facts = await self._link.listing.facts()
        except (MCPError, ValidationError, RuntimeError, TimeoutError) as error:
            why = harmless_line(self._resolved.secrets.masked(str(error)), 1000)
            raise TryAgainError("servers.call.list", name=self._resolved.id, why=why) from error
        return self.facts

    async def call(self, tool: str, params: JsonObject, *, scope: RunScope) -> RunnerResponse:
        async def ask(call: RunningCall) -> RunnerResponse:
            result = await self._link.client.call_tool(tool, params, progress_callback=call.progress)
            schema = self._link.message_filter.output_schemas.get(tool)
            arguments = (result, schema, scope.folder)
            if content.is_small(result, schema):
                return content.call_response(
                    *arguments, duration_ms=call.duration_ms, most_steps=content.LITTLE_STEPS
                )
            return await asyncio.to_thread(content.call_response, *arguments, duration_ms=call.duration_ms)

        return await self._run(ask, scope)

    async def read_resource(self, uri: str, *, scope: RunScope) -> RunnerResponse:
        async def ask(call: RunningCall) -> RunnerResponse:
            result = await self._link.client.read_resource(uri)
            return await asyncio.to_thread(
                content.resource_response, result, scope.folder, duration_ms=call.duration_ms
            )

        return await self._run(ask, scope)

    async def get_prompt(self, name: str, arguments: JsonObject, *, scope: RunScope) -> RunnerResponse:
        texts = {key: value if isinstance(value, str) else str(value) for key, value in arguments.items()}

        async def ask(call: RunningCall) -> RunnerResponse:
            result = await self._link.client.get_prompt(name, texts)
            return await asyncio.to_thread(
                content.prompt_response, result, scope.folder, duration_ms=call.duration_ms
            )

        return await self._run(ask, scope)

    async def tell_roots(self) -> None:
        client = self._link.client
        if client.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return  # such a server asks with each call
        try:
            async with asyncio.timeout(_REASON_TIMEOUT_S):
                await client.session.send_notification(types.RootsListChangedNotification())
        except (MCPError, RuntimeError, TimeoutError) as error:
            raise TryAgainError("servers.call.folders", name=self._resolved.id) from error

    async def _run(
        self, ask: Callable[[RunningCall], Awaitable[RunnerResponse]], scope: RunScope
    ) -> RunnerResponse:
        """One question with its time limit; every way in which it can fail becomes ours here."""
        if self.ended.done():
            raise self._lost()
        server, limit = self._resolved.id, scope.timeout_s or self._resolved.timeout_s
        try:
            async with self._link.running.run(scope, limit) as call:
                try:
                    return await ask(call)
                except MCPError as error:
                    return await self._refused(error, call)
        except TimeoutError as error:
            raise TryAgainError("servers.call.no_answer", name=server, seconds=limit) from error
        except ValidationError as error:
            reason = harmless_line(self._resolved.secrets.masked(error.errors()[0]["msg"]), 200)
            raise TellMindError("servers.call.odd_answer", name=server, reason=reason) from error
        except InputRequiredRoundsExceededError as error:
            raise TellMindError("servers.call.asked_again", name=server) from error
        except RuntimeError as error:  # the SDK's word for a session that was left meanwhile
            raise TryAgainError("servers.call.closed", name=server) from error
        except OSError as error:
            why = system_reason(error)
            raise TellMindError("servers.call.not_stored", name=server, reason=why) from error

    async def _refused(self, error: MCPError, call: RunningCall) -> RunnerResponse:
        if error.error.code == OVERSIZED:
            found = self._link.oversized.take(error.error.data)
            if found is not None:
                return await asyncio.to_thread(
                    content.oversized_response, found, call.scope.folder, duration_ms=call.duration_ms
                )
        if error.error.code == types.CONNECTION_CLOSED:
            await asyncio.wait([self.ended], timeout=_REASON_TIMEOUT_S)
            raise self._lost() from error
        told = harmless_line(self._resolved.secrets.masked(error.error.message), 1000)
        reason = told or LazySentence("servers.call.code", code=error.error.code)
        raise TellMindError("servers.call.refused", name=self._resolved.id, reason=reason) from error

    def _lost(self) -> TryAgainError:
        if not self.ended.done():
            return TryAgainError("servers.call.broke", name=self._resolved.id)
        why = self.ended.result().message
        return TryAgainError("servers.call.broke_because", name=self._resolved.id, why=why)
