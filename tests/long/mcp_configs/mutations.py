"""Damages configurations, and looks at what the reader makes of them."""

from __future__ import annotations

import random
from pathlib import Path

from partner_desktop.base.errors import DescriptorError
from partner_desktop.runner.mcp.configuration.server_file import ServerFile, read_servers

_PIECES = (
    *'{}[]",:\\/*\n\r\t\0 ',
    '"command"',
    '"url"',
    '"mcpServers"',
    '"args"',
    "null",
    "true",
    "-1",
    "1e999",
    "0.1",
    '"\\ud83d"',
    '"\\u0000"',
    "//",
    "/*",
    "*/",
    "::",
    "${env:",
    "${input:x}",
    "}",
    "http://",
    "\ufeff",
    "\u202e",
    "é",
    "“",
    "\U0001f600",
)
FILE = Path("/action/mcp/servers.json")


def mutated(whole: str, seed: int) -> str:
    """The text with a few damages; the same seed damages in the same way."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 6)):
        at = chance.randint(0, len(whole))
        end = min(len(whole), at + chance.choice((0, 0, 1, 1, 2, 8, 40)))
        kind = chance.randint(0, 3)
        if kind == 0:
            whole = whole[:at] + whole[end:]
        elif kind == 1:
            whole = whole[:at] + chance.choice(_PIECES) + whole[end:]
        elif kind == 2:
            whole = whole[:end] + whole[at:]
        else:
            whole = whole[:at] + chance.choice(_PIECES) * chance.choice((1, 2, 50)) + whole[at:]
    return whole


def check(text: str) -> ServerFile | None:
    """Read a text; `None` if it was refused as a whole.

    Raises:
        AssertionError: A fault that cannot be shown, or a server that cannot be.
    """
    lines = text.count("\n") + 1
    try:
        reading = read_servers(text, path=FILE, name="servers")
    except DescriptorError as error:
        _check_fault(str(error), error.line, lines)
        return None
    for fault in reading.faults:
        _check_fault(fault.message, fault.line, lines)
    ids = [each.config.id for each in reading.servers]
    assert len(ids) == len(set(ids))
    for each in reading.servers:
        config = each.config
        assert config.id.isprintable()
        assert bool(config.command) == (config.transport == "stdio")
        assert bool(config.url) != (config.transport == "stdio")
        assert 0 < config.timeout_s <= 86_400
        assert each.line is not None
        assert 1 <= each.line <= lines
        assert all(hint and "\n" not in hint for hint in each.hints)
        repr(each).encode()
    return reading


def _check_fault(message: str, line: int | None, lines: int) -> None:
    assert message
    assert message.isprintable(), message
    assert line is not None
    assert 1 <= line <= lines
