"""The wire between a command and the host: one JSON object a line, over a private local socket."""

from __future__ import annotations

import asyncio
import json

from partner_desktop.base.errors import HostError
from partner_desktop.domain.json_value import Json, JsonObject

#: The longest line that is taken; longer ones end the connection.
LINE_LIMIT_BYTES = 8 * 1024 * 1024
#: Seconds that the other side may leave a line unread.
SEND_TIMEOUT_S = 30.0
#: Seconds that a client may take to say what it wants.
REQUEST_TIMEOUT_S = 10.0


async def send(writer: asyncio.StreamWriter, body: JsonObject) -> None:
    """Write one object and wait until the other side keeps up."""
    # ASCII carries undecodable paths unharmed.
    writer.write(json.dumps(body).encode("ascii") + b"\n")
    # Not wait_for: on Python 3.11 it swallows a cancellation that comes as the line is sent.
    async with asyncio.timeout(SEND_TIMEOUT_S):
        await writer.drain()


def json_line(body: Json) -> str:
    """One line for a person or a pipe; half characters are replaced."""
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


async def receive(reader: asyncio.StreamReader) -> JsonObject | None:
    """The next object; `None` when the other side is gone.

    Raises:
        HostError: What came is not one JSON object a line.
    """
    try:
        line = await reader.readline()
    except ValueError as error:
        most = LINE_LIMIT_BYTES // 2**20
        raise HostError(f"What came over the local socket is longer than {most} MiB.") from error
    if not line:
        return None
    try:
        body: Json = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise HostError("What came over the local socket is not a message of Partner's.") from error
    if not isinstance(body, dict):
        raise HostError("What came over the local socket is not a message of Partner's.")
    return body
