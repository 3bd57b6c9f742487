"""The least of an MCP server: JSON-RPC lines on stdin and stdout, with the standard library only."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

Handler = Callable[["Server", dict[str, Any], dict[str, Any]], Any]
"""Gets the server, the arguments and the whole request; returns the result, or a text, or `None` for none."""


class Server:
    """Answers `initialize`, `tools/list`, `tools/call` and `ping`, and what is added to `methods`."""

    def __init__(self, name: str, **capabilities: Any) -> None:
        self.name, self.capabilities = name, {"tools": {"listChanged": True}, **capabilities}
        self.tools: dict[str, dict[str, Any]] = {}
        self.handlers: dict[str, Handler] = {}
        self.methods: dict[str, Callable[[dict[str, Any]], Any]] = {}
        self.cancelled: list[Any] = []
        self.client: dict[str, Any] = {}
        """What the client said of itself."""
        self._asked = 0

    def tool(self, name: str, handler: Handler, **more: Any) -> None:
        """Offer a tool; `more` goes into its description."""
        empty = {"type": "object", "properties": {}}
        self.tools[name] = {"name": name, "description": f"does {name}", "inputSchema": empty, **more}
        self.handlers[name] = handler

    def send(self, message: dict[str, Any]) -> None:
        sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        sys.stdout.buffer.flush()

    def notify(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request to the client, and wait for its answer; what else comes is answered meanwhile."""
        self._asked += 1
        own_id = f"s{self._asked}"
        self.send({"id": own_id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == own_id and "method" not in message:
                return message.get("result", message.get("error"))
            self.handle(message)

    def read(self) -> dict[str, Any]:
        """The next message; the process ends where its input does."""
        line = sys.stdin.buffer.readline()
        if not line:
            raise SystemExit(0)
        found: dict[str, Any] = json.loads(line)
        return found

    def run(self) -> None:
        while True:
            self.handle(self.read())

    def handle(self, message: dict[str, Any]) -> None:
        method, params = message.get("method", ""), message.get("params") or {}
        if method == "notifications/cancelled":
            self.cancelled.append(params.get("requestId"))
        if "id" not in message or not method:
            return
        result = self.result(method, params, message)
        if isinstance(result, dict) and result.keys() == {"code", "message"}:
            self.send({"id": message["id"], "error": result})
        elif result is not None:
            self.send({"id": message["id"], "result": result})

    def result(self, method: str, params: dict[str, Any], message: dict[str, Any]) -> Any:
        if method == "initialize":
            self.client = params
            info = {"name": self.name, "version": "1"}
            return {"protocolVersion": "2025-06-18", "capabilities": self.capabilities, "serverInfo": info}
        if method in self.methods:
            return self.methods[method](params)
        if method in ("ping", "logging/setLevel"):
            return {}
        if method == "tools/list":
            return {"tools": list(self.tools.values())}
        if method == "tools/call" and params.get("name") in self.handlers:
            found = self.handlers[params["name"]](self, params.get("arguments") or {}, message)
            return {"content": [{"type": "text", "text": found}]} if isinstance(found, str) else found
        return {"code": -32601, "message": f"{method} is not known here"}
