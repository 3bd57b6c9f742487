"""Reading a text as if it lay in `mcp/`."""

from __future__ import annotations

from pathlib import Path

from partner_desktop.base.errors import DescriptorError
from partner_desktop.runner.mcp.configuration.server_file import EntryFault, read_servers
from partner_desktop.runner.mcp.port import ConfiguredServer

FILE = Path("/action/mcp/servers.json")


def servers(text: str) -> dict[str, ConfiguredServer]:
    """The servers by id; nothing may be wrong with any of them."""
    reading = read_servers(text, path=FILE, name="servers")
    assert not reading.faults
    return {each.config.id: each for each in reading.servers}


def faults(text: str) -> tuple[EntryFault, ...]:
    """What is wrong, be it an entry or the whole file."""
    try:
        return read_servers(text, path=FILE, name="servers").faults
    except DescriptorError as error:
        return (EntryFault("", str(error), error.line),)
