"""Answers with a lot, and with bytes."""

import base64
import struct
import sys
import zlib
from typing import Any

from by_hand import Server  # type: ignore[import-not-found]


def big(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> None:
    """The answer is written piece by piece; `tail` puts the id behind it."""
    out, number = sys.stdout.buffer, request["id"]
    text = b'"result":{"content":[{"type":"text","text":"'
    head = b'{"jsonrpc":"2.0",' + (b"" if arguments.get("tail") else b'"id":%d,' % number) + text
    tail = b'"}]}' + (b',"id":%d' % number if arguments.get("tail") else b"") + b"}\n"
    out.write(head)
    block = b"all work and no play " * 3120  # 64 KB
    for _ in range(int(arguments["megabytes"]) * 16):
        out.write(block)
    out.write(tail)
    out.flush()


def png(side: int = 2) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\x00" + b"\xff\x00\x00" * side for _ in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def image(data: str, mime: str) -> dict[str, Any]:
    return {"content": [{"type": "image", "data": data, "mimeType": mime}]}


def encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def linked(server: Server, arguments: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    blob = {"uri": "memo://blob", "mimeType": "application/zip", "blob": encoded(b"PK\x03\x04")}
    return {
        "content": [
            {
                "type": "resource_link",
                "uri": "https://example.org/report",
                "name": "report",
                "mimeType": "text/html",
            },
            {"type": "resource", "resource": {"uri": "memo://a", "mimeType": "text/plain", "text": "a memo"}},
            {"type": "resource", "resource": blob},
        ]
    }


server = Server("huge")
server.tool("big", big)
server.tool("text", lambda server, arguments, request: "line of text\n" * (int(arguments["kilobytes"]) * 80))
numbers = [{"key": number, "value": str(number)} for number in range(60_000)]
server.tool("parts", lambda *_: {"content": [], "structuredContent": {"numbers": numbers}})
server.tool("picture", lambda *_: image(encoded(png()), "image/png"))
server.tool("liar", lambda *_: image(encoded(b"#!/bin/sh\nexit 1\n"), "image/png"))
server.tool("damaged", lambda *_: image("%%%", "image/png"))
wav = b"RIFF\x00\x00\x00\x00WAVEfmt "
server.tool(
    "sound", lambda *_: {"content": [{"type": "audio", "data": encoded(wav), "mimeType": "audio/wav"}]}
)
server.tool("linked", linked)
server.run()
