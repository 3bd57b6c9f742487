"""Asks its client: the person, the folders, a model; tells progress, logs, and can be cancelled."""

from __future__ import annotations

import json
import sys
from typing import Any

from by_hand import Server  # type: ignore[import-not-found]

server = Server("asks", logging={})
FORM = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def elicit(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    return json.dumps(
        server.ask(
            "elicitation/create", message=arguments.get("message", "Which city?"), requestedSchema=FORM
        )
    )


def visit(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    url = "https://example.org/sign-in"
    return json.dumps(
        server.ask("elicitation/create", mode="url", message="Sign in", url=url, elicitationId="e1")
    )


def sample(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    message = {"role": "user", "content": {"type": "text", "text": "Say hello."}}
    return json.dumps(
        server.ask("sampling/createMessage", messages=[message], systemPrompt="Be brief.", maxTokens=20)
    )


def insist(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    """Asks a model twenty times at once; tells the first answer."""
    message = {"role": "user", "content": {"type": "text", "text": "Say hello."}}
    params = {"messages": [message], "maxTokens": 20}
    for number in range(20):
        server.send({"id": f"i{number}", "method": "sampling/createMessage", "params": params})
    return json.dumps(server.read().get("error"))


def progress(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    token = request["params"]["_meta"]["progressToken"]
    steps = int(arguments.get("steps", 3))
    for step in range(steps):
        server.notify(
            "notifications/progress", progressToken=token, progress=step + 1, total=steps, message="on it"
        )
    return "done"


def log(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> str:
    server.notify(
        "notifications/message", level="warning", logger="asks", data="the disk is \x1b[31mfull\x07"
    )
    return "logged"


def wait(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> None:
    """Never answers; says on stderr when it is cancelled."""
    print("waiting", file=sys.stderr, flush=True)
    while request["id"] not in server.cancelled:
        server.handle(server.read())
    print("cancelled", file=sys.stderr, flush=True)


for handler in (elicit, visit, sample, insist, progress, log, wait):
    server.tool(handler.__name__, handler)
server.tool("roots", lambda server, arguments, request: json.dumps(server.ask("roots/list")))
server.tool("client", lambda server, arguments, request: json.dumps(sorted(server.client["capabilities"])))
server.run()
