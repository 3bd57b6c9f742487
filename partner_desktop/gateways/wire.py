"""The wire between a command and the host: one JSON object a line, over a private local socket."""

from __future__ import annotations

import asyncio
import json

from partner_desktop.base.errors import HostError
from partner_desktop.domain.json_value import Json, JsonObject

#: The longest line that is taken; longer ones end the connection.
LINE_LIMIT_BYTES = 8 * 1024 * 1024


async def send(writer: asyncio.StreamWriter, body: JsonObject) -> None:
    """Write one object and wait until the other side keeps up."""
    writer.write(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    await writer.drain()


async def receive(reader: asyncio.StreamReader) -> JsonObject | None:
    """The next object; `None` when the other side is gone.

    Raises:
        HostError: What came is not one JSON object a line.
    """
    try:
        line = await reader.readline()
        if not line:
            return None
        body: Json = json.loads(line)
    except (ValueError, UnicodeDecodeError) as error:
        raise HostError("What came over the local socket is not a message of Partner's.") from error
    if not isinstance(body, dict):
        raise HostError("What came over the local socket is not a message of Partner's.")
    return body
