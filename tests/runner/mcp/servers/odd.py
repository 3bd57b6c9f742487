"""Prints a banner, and answers oddly."""

import sys
from typing import Any

from by_hand import Server  # type: ignore[import-not-found]

PROMISE = {"type": "object", "properties": {"degrees": {"type": "number"}}, "required": ["degrees"]}


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def answer(number: int, text: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"%b"}]}}\n' % (number, text)


def twice(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> None:
    raw(answer(request["id"], b"first") + answer(request["id"], b"second"))


def bytes_(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> None:
    raw(answer(request["id"], b"caf\xe9"))


def deep(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> None:
    nested = b'{"a":' * 20_000 + b"1" + b"}" * 20_000
    raw(
        b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":%b}}\n'
        % (request["id"], nested)
    )


raw(b"Welcome to the odd server!\n\n")
server = Server("odd")
server.tool("twice", twice)
server.tool("bytes", bytes_)
server.tool("deep", deep)
server.tool("broken", lambda *_: {"content": [{"type": "text"}]})
server.tool("kept", lambda *_: {"content": [], "structuredContent": {"degrees": 21.5}}, outputSchema=PROMISE)
warm = {"content": [{"type": "text", "text": "warm"}], "structuredContent": {"degrees": "warm"}}
server.tool("promise", lambda *_: warm, outputSchema=PROMISE)
given = {"content": [{"type": "text", "text": "here"}], "structuredContent": {"a": "a" * 40}}
endless = {"type": "object", "properties": {"a": {"pattern": "^(a+)+$b"}}}
steps = {f"s{n}": {"allOf": [{"$ref": f"#/$defs/s{n + 1}"}] * 2} for n in range(40)}
doubling = {"type": "object", "$defs": {**steps, "s40": {}}, "$ref": "#/$defs/s0"}
server.tool("endless", lambda *_: given, outputSchema=endless)
server.tool("doubling", lambda *_: given, outputSchema=doubling)
server.run()
