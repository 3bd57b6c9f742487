"""A server that is in order."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from by_hand import Server  # type: ignore[import-not-found]

server = Server("well-behaved", resources={}, prompts={})
NUMBER = {"type": "number"}


def add(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    return f"{arguments['a'] + arguments['b']}"


def where(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    return f"{Path.cwd()} {os.environ.get('GREETING', '')} {os.getpid()}"


def fail(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": "there is no such city"}], "isError": True}


server.tool(
    "add",
    add,
    title="Add two numbers",
    inputSchema={"type": "object", "properties": {"a": NUMBER, "b": NUMBER}, "required": ["a", "b"]},
    annotations={
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
)
server.tool("shout", lambda server, arguments, request: str(arguments["text"]).upper())
server.tool("where", where)
server.tool("fail", fail)
server.methods["resources/list"] = lambda params: {
    "resources": [
        {"uri": "memo://one", "name": "one", "description": "the first memo", "mimeType": "text/plain"}
    ]
}
server.methods["resources/templates/list"] = lambda params: {
    "resourceTemplates": [{"uriTemplate": "memo://{name}", "name": "memo"}]
}
server.methods["resources/read"] = lambda params: {
    "contents": [{"uri": params["uri"], "mimeType": "text/plain", "text": "buy milk"}]
}
server.methods["prompts/list"] = lambda params: {
    "prompts": [
        {
            "name": "greet",
            "title": "Greet",
            "arguments": [{"name": "who", "description": "whom", "required": True}],
        }
    ]
}
server.methods["prompts/get"] = lambda params: {
    "messages": [
        {"role": "user", "content": {"type": "text", "text": f"Greet {params['arguments']['who']}."}}
    ]
}
server.run()
