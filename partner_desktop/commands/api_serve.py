"""`partner-desktop api serve`: the protocol of the private socket, over stdin and stdout, one message a line.

For a program that starts it, here or by ssh, and is trusted like any command of the person's. It attaches to
the host of the home or becomes it. It ends when its stdin does, or when a window wants the home from it, with
everything answered that has an end of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json

from partner_desktop.base.errors import HostError, PartnerError, TooLargeError
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet, happens
from partner_desktop.commands.connection import connect
from partner_desktop.commands.options import CommandFolders
from partner_desktop.domain.json_value import Json
from partner_desktop.gateways import wire
from partner_desktop.gateways.partner_client import LOOKING_ON
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
    relay = _Relay(place.home, pipes, tasks)
    wanted = asyncio.Event()
    try:
        async with connect(*place, stays=True) as client:
            client.on_window_wanted(wanted.set)
            pipes.start()
            asking = tasks.start("ask", relay.ask())
            ends = asking, *(tasks.start("end", happens(event)) for event in (wanted, relay.lost))
            try:
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                asking.cancel()
                await relay.finish()
            finally:
                await tasks.close()
                relay.close()
            if relay.lost.is_set():
                raise HostError("terminal.host_ended")
    finally:
        pipes.close()
    return 0


class _Relay:
    """Between the pipes and the socket of the host, which is opened for the first thing that is asked."""

    def __init__(self, home: Home, pipes: StdioWire[bytes], tasks: TaskSet) -> None:
        self._home = home
        self._pipes = pipes
        self._tasks = tasks
        self._writer: asyncio.StreamWriter | None = None
        self._unanswered: dict[Json, str] = {}
        """The methods of what was asked, by its id."""
        self._answered = asyncio.Event()
        self.lost = asyncio.Event()
        """The host has ended."""

    async def ask(self) -> None:
        """Hand on what comes in, to its end."""
        try:
            while (line := await self._pipes.receive()) is not None:
                if isinstance(line, TooLong):
                    most = LINE_LIMIT_BYTES // 2**20
                    refused = TooLargeError("terminal.stdin_too_long", most=most)
                    await self._pipes.send(error_answer(refused).encode())
                elif line.strip():
                    self._note_request(line)
                    await wire.send_line(await self._attached(), line)
        except PartnerError as error:
            await self._pipes.send(error_answer(error).encode())
            self._lose()
        except (ConnectionError, TimeoutError):
            self._lose()

    async def finish(self) -> None:
        """Wait for the answers to what was asked, but for those of who only looks on."""
        while not self.lost.is_set() and set(self._unanswered.values()) - set(LOOKING_ON):
            self._answered.clear()
            await self._answered.wait()

    def close(self) -> None:
        """Go; what still went on telling ends."""
        if self._writer is not None:
            self._writer.close()

    async def _attached(self) -> asyncio.StreamWriter:
        if self._writer is None:
            reader, self._writer = await attached(self._home)
            self._tasks.start("answer", self._answer(reader))
        return self._writer

    async def _answer(self, reader: asyncio.StreamReader) -> None:
        try:
            while line := await reader.readline():
                await self._pipes.send(line.rstrip(b"\n"))
                self._note_answer(line)
        except (ConnectionError, ValueError):
            pass  # it has ended, or it is no host of ours
        self._lose()

    def _lose(self) -> None:
        self.lost.set()
        self._answered.set()

    def _note_request(self, line: bytes) -> None:
        body = _object(line)
        if isinstance(body.get("id"), int | str) and body.get("method") != "$/cancel":
            self._unanswered[body["id"]] = str(body.get("method"))

    def _note_answer(self, line: bytes) -> None:
        body = _object(line)
        if "method" not in body:
            self._unanswered.pop(body.get("id"), None)
            self._answered.set()


def _object(line: bytes) -> dict[str, Json]:
    try:
        body: Json = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}
