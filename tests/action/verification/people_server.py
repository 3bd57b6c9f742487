"""An MCP server over stdio of the standard library alone, which keeps people in memory and forgets some.

`add_person` takes one, of a name that begins with X it only says so; `find_person` looks, and of a name that
begins with Long it tells more than is read.
"""

from __future__ import annotations

import json
import sys
from typing import Any

PEOPLE: dict[str, str] = {}
_TEXT = {"type": "string"}


def tool(name: str, about: str, *params: str, looks: bool) -> dict[str, Any]:
    schema = {"type": "object", "properties": dict.fromkeys(params, _TEXT), "required": [*params]}
    return {
        "name": name,
        "description": about,
        "inputSchema": schema,
        "annotations": {"readOnlyHint": looks, "openWorldHint": False},
    }


TOOLS = [
    tool("add_person", "Add a person", "person_id", "person_name", looks=False),
    tool("find_person", "Find a person", "person_id", looks=True),
]


def call(name: str, given: dict[str, str]) -> dict[str, Any]:
    person_id = given["person_id"]
    if name == "add_person":
        if not given["person_name"].startswith("X"):
            PEOPLE[person_id] = given["person_name"]
        return given
    if person_id not in PEOPLE:
        return {"found": False}
    name = PEOPLE[person_id]
    notes = {"notes": "-" * 230_000} if name.startswith("Long") else {}
    return {"found": True, "person_id": person_id, "person_name": name, **notes}


def answer(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "people", "version": "1"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        told = call(params["name"], params["arguments"])
        return {"content": [{"type": "text", "text": json.dumps(told)}], "structuredContent": told}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message and "method" in message:
        result = answer(message["method"], message.get("params") or {})
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
