"""`partner-desktop api serve`: the protocol of the private socket, over stdin and stdout, one message a line.

For a program that starts it, here or by ssh, and is trusted like any command of the person's. It attaches to
the host of the home or becomes it, and ends when its stdin does, with everything answered; where it is the
host and a window wants the home, it reads no more and ends the same way.
"""

from __future__ import annotations

import argparse
import asyncio

from partner_desktop.base.errors import HostError, TooLargeError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.commands.connection import connect
from partner_desktop.commands.options import CommandFolders
from partner_desktop.gateways import wire
from partner_desktop.gateways.remote import attached
from partner_desktop.gateways.rpc import error_answer
from partner_desktop.gateways.serving.stdio import LINE_LIMIT_BYTES, StdioWire, TooLong, claim_stdio


async def api_serve(_options: argparse.Namespace, place: CommandFolders) -> int:
    """Serve until stdin ends.

    Raises:
        PartnerError: The home cannot be used, stdin or stdout is closed, or the host has ended.
    """
    pipes: StdioWire[bytes] = StdioWire(*claim_stdio(), parse=bytes)
    tasks = TaskSet("api-serve")
    try:
        async with connect(*place) as client:
            reader, writer = await attached(place.home)
            pipes.start()
            asking = tasks.start("ask", _ask(pipes, writer))
            client.on_window_wanted(lambda: _end(asking))
            try:
                while line := await reader.readline():
                    await pipes.send(line.rstrip(b"\n"))
                if not asking.done():
                    raise HostError("The Partner that hosts this home has ended; start this again.")
            finally:
                client.on_window_wanted(lambda: None)
                await tasks.close()
                writer.close()
    finally:
        pipes.close()
    return 0


def _end(task: asyncio.Task[None]) -> None:
    task.cancel()


async def _ask(pipes: StdioWire[bytes], writer: asyncio.StreamWriter) -> None:
    """Hand on what comes in; then say that nothing more will."""
    try:
        while (line := await pipes.receive()) is not None:
            if isinstance(line, TooLong):
                most = LINE_LIMIT_BYTES // 2**20
                refused = TooLargeError(f"What came over stdin is longer than {most} MiB.")
                await pipes.send(error_answer(refused).encode())
            elif line.strip():
                await wire.send_line(writer, line)
    except (ConnectionError, TimeoutError):
        return  # the host has gone: whoever reads from it notices
    finally:
        if writer.can_write_eof() and not writer.is_closing():
            writer.write_eof()
