"""`partner-desktop mcp-server`: our abilities for other programs, over stdin and stdout.

Contract: it ends well (exit 0) when its client closes the pipe or goes, and on a signal, which is how many
clients end their servers. Nothing but the protocol reaches stdout.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import json
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from partner_desktop.base.paths import Home
from partner_desktop.commands.host_link import HostLink
from partner_desktop.commands.options import CommandFolders
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.serving.stdio import claim_stdio

_PROGRAM = "partner-desktop"


def configuration(home: Home | None, action_dir: Path | None) -> JsonObject:
    """The `mcpServers` entry that starts this installation; with the places only where they were named."""
    command = _command()
    arguments: list[Json] = [*command[1:], "mcp-server"]
    if home is not None:
        arguments += ["--home", str(home.root)]
    if action_dir is not None:
        arguments += ["--action-dir", str(action_dir)]
    return {"mcpServers": {_PROGRAM: {"command": command[0], "args": arguments}}}


def _command() -> list[str]:
    """This installation's program by its whole path, or its interpreter and the package."""
    beside = Path(sys.executable).with_name(_PROGRAM)
    started = Path(sys.argv[0]).absolute()
    found = beside if beside.exists() else started if started.name == _PROGRAM else None
    if found is None and shutil.which(_PROGRAM):
        found = Path(str(shutil.which(_PROGRAM))).absolute()
    return [str(found)] if found is not None else [sys.executable, "-m", "partner_desktop"]


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
            f"This waits for an MCP client; `{_PROGRAM} mcp-server --print-config` prints how one starts it."
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
