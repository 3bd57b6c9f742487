"""An MCP server over stdio of the standard library alone: it starts in a few hundredths of a second.

`python plain_server.py [--tools a,b] [--hang] [--gate FIFO] [--die CODE WORDS] [--lives FILE] [--offers J]`.
Behind a gate it starts once somebody has opened that for writing. Its tools: `pid` gives its process id; any
other says its name and its arguments. `grow` adds a tool and says so; `end` ends the process in mid-call;
`silent` gives no answer. With `--lives` it counts its starts in that file and describes its tools anew in
each life; from the second on it waits until the file says `go`. With `--offers` it answers as that JSON says:
results by method, texts of resources by address; a prompt gives its name and its arguments, and stderr says
what is read.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

TOOLS = sys.argv[sys.argv.index("--tools") + 1].split(",") if "--tools" in sys.argv else ["pid"]
OFFERS: dict[str, Any] = {}
LIFE = 0


def say(body: dict[str, Any]) -> None:
    print(json.dumps({"jsonrpc": "2.0", **body}), flush=True)


def listed() -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    return [
        {"name": name, "description": f"the tool {name}{LIFE or ''}", "inputSchema": schema} for name in TOOLS
    ]


def call(params: dict[str, Any]) -> dict[str, Any]:
    name = params["name"]
    if name == "end":
        sys.exit(3)
    if name == "grow":
        TOOLS.append("grown")
        say({"method": "notifications/tools/list_changed"})
    text = str(os.getpid()) if name == "pid" else f"{name} {json.dumps(params.get('arguments', {}))}"
    return {"content": [{"type": "text", "text": text}]}


def offered(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "resources/read":
        uri = params["uri"]
        print(f"read {uri}", file=sys.stderr, flush=True)
        return {"contents": [{"uri": uri, "text": OFFERS.get(uri, uri)}]}
    text = f"{params['name']} {json.dumps(params.get('arguments', {}))}"
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if method in OFFERS:
        return dict(OFFERS[method])
    if OFFERS and method in ("resources/read", "prompts/get"):
        return offered(method, params)
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {"listChanged": True}},
            "serverInfo": {"name": "plain", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": listed()}
    if method == "tools/call":
        return call(params)
    return {} if method == "ping" else None


def live(path: str) -> None:
    global LIFE  # noqa: PLW0603 - one process, one life
    with open(path, "a+") as file:  # noqa: PTH123 - pathlib would lengthen each start
        file.write("x")
        file.seek(0)
        LIFE = file.read().count("x")
        while LIFE > 1 and not file.read().count("go"):
            time.sleep(0.01)
            file.seek(0)


def main() -> None:
    if "--die" in sys.argv:
        at = sys.argv.index("--die")
        print(sys.argv[at + 2], file=sys.stderr, flush=True)
        sys.exit(int(sys.argv[at + 1]))
    if "--gate" in sys.argv:
        open(sys.argv[sys.argv.index("--gate") + 1], "rb").read()  # noqa: PTH123, SIM115 - as in `live`
    if "--offers" in sys.argv:
        OFFERS.update(json.loads(sys.argv[sys.argv.index("--offers") + 1]))
    if "--lives" in sys.argv:
        live(sys.argv[sys.argv.index("--lives") + 1])
    if "--hang" in sys.argv:
        time.sleep(3600)
    print("plain server is here", file=sys.stderr, flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        params = message.get("params") or {}
        if message["method"] == "tools/call" and params["name"] == "silent":
            continue
        result = answer(message["method"], params)
        if result is None:
            say({"id": message["id"], "error": {"code": -32601, "message": "unknown"}})
        else:
            say({"id": message["id"], "result": result})


if __name__ == "__main__":
    main()
