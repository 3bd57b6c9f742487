"""Between our lines and the `mcp` SDK's streams. Loaded on demand, with `mcp_server.py`.

What is no message is answered here. A request keeps its place in the gate until its answer is written, or it
is settled without one: who does not read answers is not read either.
"""

from __future__ import annotations

import asyncio
import json
from typing import TypeAlias

import anyio
import mcp_types as types
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from partner_desktop.base import log
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.gateways.serving.stdio import LINE_LIMIT_BYTES, StdioWire, TooLong
from partner_desktop.gateways.wire import json_line
from partner_desktop.runner.mcp.protocol.message_filter import SdkReads, SdkStream

_log = log.area("mcp_server")


@dataclass(frozen=True)
class UnreadableLine:
    """A line that is no message."""

    answer: types.JSONRPCError


Received: TypeAlias = types.JSONRPCMessage | UnreadableLine


def parse(line: bytes) -> Received:
    """A message; or what to answer to what is none. Called on the reading thread."""
    try:
        return types.jsonrpc_message_adapter.validate_json(line.decode("utf-8", "replace"), by_name=False)
    except (ValidationError, RecursionError):
        return _misfit(line)


def _misfit(line: bytes) -> UnreadableLine:
    try:
        body = json.loads(line)
    except (ValueError, RecursionError):
        return _refusal(types.PARSE_ERROR, "This line is not JSON.", None)
    asked = isinstance(body, dict) and "method" in body
    number = body.get("id") if asked else None
    known = number if isinstance(number, (str, int)) and not isinstance(number, bool) else None
    return _refusal(types.INVALID_REQUEST, "This line is not a message of JSON-RPC 2.0.", known)


def _refusal(code: int, sentence: str, number: str | int | None) -> UnreadableLine:
    error = types.ErrorData(code=code, message=sentence)
    return UnreadableLine(types.JSONRPCError(jsonrpc="2.0", id=number, error=error))


class _WireEnd(SdkStream):
    """Of the wire, which its owner closes."""

    def __init__(self, wire: StdioWire[Received], gate: asyncio.Semaphore) -> None:
        self._wire = wire
        self._gate = gate

    async def aclose(self) -> None:
        """Nothing."""


class Incoming(_WireEnd, SdkReads):
    """The SDK's `ReadStream`. What is no message is answered here."""

    async def receive(self) -> SessionMessage | Exception:
        while True:
            message = await self._wire.receive()
            if message is None:
                raise anyio.EndOfStream
            if isinstance(message, TooLong):
                most = LINE_LIMIT_BYTES // 2**20
                message = _refusal(types.INVALID_REQUEST, f"A message may have {most} MiB.", None)
            if isinstance(message, UnreadableLine):
                _log.warning("the client sent what is no message: %s", message.answer.error.message)
                await self._wire.send(_line(message.answer))
                continue
            if not isinstance(message, types.JSONRPCRequest):
                return SessionMessage(message)
            await self._gate.acquire()
            return SessionMessage(message, ServerMessageMetadata(on_request_unanswered=self._settled))

    async def _settled(self) -> None:
        self._gate.release()


class Outgoing(_WireEnd):
    """The SDK's `WriteStream`."""

    async def send(self, item: SessionMessage) -> None:
        try:
            await self._wire.send(_line(item.message))
        finally:  # not before: an answer that waits to be read still takes its place
            if isinstance(item.message, (types.JSONRPCResponse, types.JSONRPCError)):
                self._gate.release()


def _line(message: types.JSONRPCMessage) -> bytes:
    return json_line(message.model_dump(by_alias=True, exclude_unset=True)).encode()
