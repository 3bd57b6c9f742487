"""`partner-desktop mcp-server`: our abilities for other programs, over stdin and stdout.

Contract: it ends well (exit 0) when its client closes the pipe or goes, and on a signal, which is how many
clients end their servers. Nothing but the protocol reaches stdout.

`HostLink` keeps a command that lives long in touch with the Partner of the home: it attaches to the host, or
becomes it; when the host ends it looks for the next one or becomes it, and when a window wants the home it
lets it go as soon as nothing is in use, and attaches to the window. `keep` is the one task that opens and
closes; it ends after `close`, or when no host can be had.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path
from typing import Literal

from partner_desktop.base import log
from partner_desktop.base.errors import HostError, HostGoneError, PartnerError
from partner_desktop.base.own_program import PROGRAM, start_command
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet, happens
from partner_desktop.commands.connection import connect, somebody_hosts
from partner_desktop.commands.options import CommandFolders
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.serving.stdio import claim_stdio


def configuration(home: Home | None, action_dir: Path | None) -> JsonObject:
    """The `mcpServers` entry that starts this installation; with the places only where they were named."""
    command = start_command()
    arguments: list[Json] = [*command[1:], "mcp-server"]
    if home is not None:
        arguments += ["--home", str(home.root)]
    if action_dir is not None:
        arguments += ["--action-dir", str(action_dir)]
    return {"mcpServers": {PROGRAM: {"command": command[0], "args": arguments}}}


async def mcp_server(options: argparse.Namespace, place: CommandFolders) -> int:
    """Serve until the client goes; or print what another program takes over as it stands.

    Raises:
        PartnerError: The home cannot be used, or stdin or stdout is closed.
    """
    if options.print_config:
        named = options.home is not None or "PARTNER_HOME" in os.environ
        config = configuration(place.home if named else None, place.action_dir)
        print(json.dumps(config, indent=2, ensure_ascii=False))
        return 0
    source, sink = claim_stdio()
    if os.isatty(source):
        hint = (
            f"This waits for an MCP client; `{PROGRAM} mcp-server --print-config` prints how one starts it."
        )
        print(hint, file=sys.stderr)
    # By a signal: for an MCP server that is an ordinary end, and everything is closed by then.
    with suppress(asyncio.CancelledError):
        await _serve(HostLink(*place), source, sink)
    return 0


async def _serve(link: HostLink, source: int, sink: int) -> None:
    """Serve, and keep the host; the end of one is the end of the other."""
    gateway = await asyncio.to_thread(importlib.import_module, "partner_desktop.gateways.mcp_server")
    loop = asyncio.get_running_loop()
    keeping = loop.create_task(link.keep(), name="mcp-server:host")
    serving = loop.create_task(gateway.serve(link, source, sink), name="mcp-server:serve")
    try:
        await asyncio.wait({keeping, serving}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            link.close()  # commands that are attached to us are served to their end
            await keeping
            await serving
        else:
            await keeping  # no host can be had
    finally:
        for task in (serving, keeping):  # the calls end before their host does
            task.cancel()
            await asyncio.wait({task})


_log = log.area("mcp_server")

#: Seconds that whoever wants a client waits for a host.
_PATIENCE_S = 45.0
#: Times in a row that a host may not be had, once there was one, and seconds between them.
_TRIES = 5
_PAUSE_S = 2.0

_Ending = Literal["lost", "yielded", "closed"]


class HostLink:
    """Implements `gateways.serving.reach.Reach`."""

    def __init__(self, home: Home, action_dir: Path | None) -> None:
        self._home = home
        self._action_dir = action_dir
        self._client: PartnerClient | None = None
        self._there = asyncio.Event()
        self._users = 0
        self._unused = asyncio.Event()
        self._unused.set()
        self._closing = asyncio.Event()
        self._changed = asyncio.Event()
        self._tasks = TaskSet("host-link")

    async def keep(self) -> None:
        """Until `close`.

        Raises:
            PartnerError: The home cannot be used, or no host can be had any more.
        """
        failures, held = 0, False
        while not self._closing.is_set():
            try:
                async with connect(self._home, self._action_dir, stays=True) as client:
                    ending = await self._hold(client)
                failures, held = 0, True
                if ending == "yielded":
                    await somebody_hosts(self._home)
            except PartnerError as error:
                failures += 1
                if failures >= _TRIES or not (held or isinstance(error, HostGoneError)):
                    raise
                _log.warning("no Partner can be reached: %s", error)
                await self._pause()

    def close(self) -> None:
        """Let `keep` end."""
        self._closing.set()

    @asynccontextmanager
    async def use(self) -> AsyncIterator[PartnerClient]:
        """See `Reach.use`."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while (client := self._client) is None:
                    await self._there.wait()
        except TimeoutError as error:
            raise HostError("terminal.no_partner") from error
        self._users += 1
        self._unused.clear()
        try:
            yield client
        finally:
            self._users -= 1
            if not self._users:
                self._unused.set()

    async def changed(self) -> None:
        """See `Reach.changed`."""
        await self._changed.wait()
        self._changed.clear()

    async def _hold(self, client: PartnerClient) -> _Ending:
        """Lend the client until its host is lost, a window wants the home, or `close`."""
        async with aclosing(client.stream("events.watch")) as events:
            await anext(events)  # from here on nothing is missed
            wanted = asyncio.Event()
            client.on_window_wanted(wanted.set)
            waits: dict[_Ending, asyncio.Task[None]] = {
                "lost": self._tasks.start("watch", self._watch(events)),
                "yielded": self._tasks.start("yield", happens(wanted)),
                "closed": self._tasks.start("close", happens(self._closing)),
            }
            self._client = client
            self._there.set()
            self._changed.set()
            try:
                await asyncio.wait(waits.values(), return_when=asyncio.FIRST_COMPLETED)
                ending = next(ending for ending, task in waits.items() if task.done())
            finally:
                self._client = None
                self._there.clear()
                for task in waits.values():
                    task.cancel()
                await asyncio.wait(waits.values())
        if ending == "yielded":
            await self._unused.wait()
        return ending

    async def _watch(self, events: AsyncIterator[Json]) -> None:
        with suppress(PartnerError):  # the host has ended
            async for _event in events:
                self._changed.set()

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PAUSE_S):
                await self._closing.wait()
