"""MessageFilter: what a server sends is sifted before the SDK sees it.

The SDK takes each message as it comes: a flood of notifications or requests becomes a flood of tasks, an
answer that nobody waits for is looked up, and one tool with a wrong schema sinks the whole list. Here both
get an allowance, stray answers are dropped, and tools that cannot be read are left out with a line in the
log.
`sent` and `sift` may be called from different threads.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from mcp_types import methods
from pydantic import ValidationError

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.runner.mcp.protocol.oversize import find_envelope
from partner_desktop.runner.mcp.server_log import RateLimit

#: More than any server that is in order sends.
_PER_S, _BURST = 200.0, 1000
#: Requests cost more: each is a task until it is answered, and the answer until the server has read it.
_REQUESTS_PER_S, _REQUESTS_BURST = 10.0, 100
#: A change of its lists is told this often; the last one is never lost.
_CHANGES_PER_S, _CHANGES_BURST = 4.0, 8
_CHATTER = re.compile(
    rb'\s*{\s*"jsonrpc"\s*:\s*"2.0"\s*,\s*"method"\s*:\s*"(notifications/(?:message|progress|\w+/list_changed))"'
)
_HEAD_BYTES = 512
_LIST_VERSION = "2025-11-25"


class SdkStream(ABC):
    """An end of a connection as the SDK holds it."""

    @abstractmethod
    async def aclose(self) -> None: ...

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:  # the protocol's three arguments, unused
        await self.aclose()


class SdkReads(SdkStream):
    """What the SDK reads, one message after the other."""

    @abstractmethod
    async def receive(self) -> SessionMessage | Exception:
        """Raises: anyio.EndOfStream: There is no more."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class MessageFilter:
    """Of one connection."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """`say` takes a line for the server's log, on the thread that sifts."""
        self._say = say
        self._expected: dict[str, str] = {}
        self._modern: set[str] = set()
        """Of these, the requests by the protocol of 2026, whose answers say of what kind they are."""
        self._rate_limit = RateLimit(_PER_S, _BURST)
        self._changes = RateLimit(_CHANGES_PER_S, _CHANGES_BURST)
        self._strays = RateLimit(_PER_S, _BURST)
        self._requests = RateLimit(_REQUESTS_PER_S, _REQUESTS_BURST)
        self._late: dict[str, types.JSONRPCNotification] = {}
        self.output_schemas: dict[str, JsonObject] = {}
        """Of each tool that has one. The SDK is not told: it would check results on the loop."""

    def sent(self, message: types.JSONRPCMessage) -> None:
        """Take note of what goes out."""
        if isinstance(message, types.JSONRPCRequest):
            self._expected[str(message.id)] = message.method
            meta = (message.params or {}).get("_meta")
            if isinstance(meta, dict) and types.PROTOCOL_VERSION_META_KEY in meta:
                self._modern.add(str(message.id))
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._forget((message.params or {}).get("requestId"))

    def sift(self, message: types.JSONRPCMessage) -> list[types.JSONRPCMessage]:
        """What of it is passed on now."""
        if isinstance(message, types.JSONRPCNotification):
            return self._notified(message)
        if isinstance(message, types.JSONRPCRequest):
            return self._asked(message)
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            modern = str(message.id) in self._modern
            method = self._forget(message.id)
            if method is None:
                self._strays.take()
                return []
            if modern and isinstance(message, types.JSONRPCResponse):
                # A client has to take an answer without it for a whole one; the SDK refuses it.
                message.result.setdefault("resultType", "complete")
            if method == "tools/list" and isinstance(message, types.JSONRPCResponse):
                self._sift_tools(message.result)
        return [message]

    def _forget(self, request_id: object) -> str | None:
        """Nobody waits for it any more; its method, if somebody did."""
        self._modern.discard(str(request_id))
        return self._expected.pop(str(request_id), None)

    def late(self) -> list[types.JSONRPCMessage]:
        """The changes that were held back, once the flood is over; ask now and then while it `holds`."""
        if not self._late or not self._changes.take():
            return []
        held, self._late = list(self._late.values()), {}
        return [*held]

    @property
    def holds(self) -> bool:
        """Whether changes are held back."""
        return bool(self._late)

    @property
    def floods(self) -> bool:
        """Whether something was refused just now."""
        allowances = (self._rate_limit, self._strays, self._changes, self._requests)
        return any(each.exhausted for each in allowances)

    def refuses(self, line: bytes) -> bool:
        """In a flood: whether a line is one more that nobody needs, told without parsing it."""
        if not self.floods:
            return False
        chatter = _CHATTER.match(line)
        if chatter is not None:
            return self._refuses(chatter.group(1).decode())
        found = find_envelope(line[:_HEAD_BYTES], line[-_HEAD_BYTES:])
        stray = found is not None and str(found.request_id) not in self._expected
        return stray and not self._strays.take()

    def _notified(self, message: types.JSONRPCNotification) -> list[types.JSONRPCMessage]:
        if self._refuses(message.method):
            return []
        self._tell_refused()
        return [message]

    def _asked(self, message: types.JSONRPCRequest) -> list[types.JSONRPCMessage]:
        if self._requests.take():
            return [message]
        if self._requests.refused == 1:
            self._say(f"(requests left out: it sends more than {_REQUESTS_PER_S:g} a second)")
        return []

    def _refuses(self, method: str) -> bool:
        if not method.endswith("/list_changed"):
            return not self._rate_limit.take()
        if self._changes.take():
            return False
        self._late[method] = types.JSONRPCNotification(jsonrpc="2.0", method=method)
        return True

    def _tell_refused(self) -> None:
        refused, self._rate_limit.refused = self._rate_limit.refused, 0
        if refused > 1:
            self._say(f"({refused} notifications left out: it sends more than {_PER_S:g} a second)")

    def _sift_tools(self, result: JsonObject) -> None:
        listed = result.get("tools")
        if not isinstance(listed, list):
            return
        kept = []
        for tool in listed:
            problem = _problem(tool)
            if problem:
                name = tool.get("name") if isinstance(tool, dict) else None
                self._say(f"The tool {name!r:.130} is left out: {problem}.")
            elif isinstance(tool, dict):
                self._take_output_schema(tool)
                kept.append(tool)
        result["tools"] = [*kept]

    def _take_output_schema(self, tool: JsonObject) -> None:
        schema, name = tool.pop("outputSchema", None), str(tool["name"])
        if isinstance(schema, dict):
            self.output_schemas[name] = schema
        else:
            self.output_schemas.pop(name, None)


def _problem(tool: object) -> str:
    """Why the SDK could not read this tool: a part of a sentence; empty if it can."""
    if not isinstance(tool, dict):
        return "its description is not an object"
    if not isinstance(tool.get("name"), str):
        return "its name is not a text"
    try:
        methods.validate_server_result("tools/list", _LIST_VERSION, {"tools": [tool]})
        types.Tool.model_validate(tool, by_name=False)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part not in ("tools", 0)) or "its description"
        return f"{place} is wrong ({first['msg'][:200]})"
    return ""
