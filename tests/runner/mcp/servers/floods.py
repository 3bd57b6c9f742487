"""Sends far more than anybody asked for, then answers."""

import sys
from typing import Any

from by_hand import Server  # type: ignore[import-not-found]

LOG = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"still here"}}\n'
CHANGED = b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
WHAT = {
    "logs": LOG,
    "changes": CHANGED,
    "requests": b'{"jsonrpc":"2.0","id":5,"method":"roots/list"}\n',
    "stdout": b"this is not a message at all, but it is printed again and again\n",
    "answers": b'{"jsonrpc":"2.0","id":987654,"result":{}}\n',
    "endless line": b"x" * 1024,
}


def flood(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    what, size = arguments["what"], int(arguments.get("megabytes", 8)) << 20
    if what == "stderr":
        out, block = sys.stderr.buffer, b"something is wrong, again\n" * 1000
    else:
        out, block = sys.stdout.buffer, WHAT[what] * 1000
    for _ in range(size // len(block) + 1):
        out.write(block)
    if what == "endless line":
        out.write(b"\n")
    out.flush()
    return "done"


server = Server("flood", logging={})
server.tool("flood", flood)
server.run()
