"""The wire between a command and the host: one JSON-RPC message a line, over a private local socket."""

from __future__ import annotations

import asyncio
import json

from partner_desktop.domain.json_value import Json, JsonObject

#: The longest message that is sent or taken.
MOST_BYTES = 8 * 1024 * 1024
#: Seconds that the other side may leave a message unread.
_SEND_TIMEOUT_S = 30.0


def message(body: JsonObject) -> str:
    """A message of JSON-RPC, in ASCII: that carries undecodable paths unharmed."""
    return json.dumps({"jsonrpc": "2.0", **body})


async def send(writer: asyncio.StreamWriter, text: str) -> None:
    """Write a message and wait until the other side keeps up; one that does not read is cut off."""
    writer.write(text.encode("ascii") + b"\n")
    try:
        # Not wait_for: on Python 3.11 it swallows a cancellation that comes as the line is sent.
        async with asyncio.timeout(_SEND_TIMEOUT_S):
            await writer.drain()
    except TimeoutError:
        writer.transport.abort()
        raise


def json_line(body: Json) -> str:
    """One line for a person or a pipe; half characters are replaced."""
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
