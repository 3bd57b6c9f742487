"""The wire between a command and the host: one JSON-RPC message a line, over a private local socket."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Final

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
    await send_line(writer, text.encode("ascii"))


async def send_line(writer: asyncio.StreamWriter, line: bytes) -> None:
    """The same with a message that is bytes already."""
    writer.write(line + b"\n")
    try:
        # Not wait_for: on Python 3.11 it swallows a cancellation that comes as the line is sent.
        async with asyncio.timeout(_SEND_TIMEOUT_S):
            await writer.drain()
    except TimeoutError:
        writer.transport.abort()
        raise


#: Signs that nobody sees, and that may drive a terminal or turn what stands on it around.
_UNSEEN: Final = re.compile(r"[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def json_line(body: Json) -> str:
    """One line for a person or a pipe: half characters are replaced, unseen ones stand by their numbers."""
    line = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
