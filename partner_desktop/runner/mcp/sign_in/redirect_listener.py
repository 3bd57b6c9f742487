"""RedirectListener: where the browser comes back to after a sign-in, on the loopback.

Contract: it listens on 127.0.0.1 from `async with` to its end, and no longer. The first request with the
awaited state is the answer; anything else is told that it is not, and changes nothing: any page of the web
may send the browser here. What comes in is never shown, followed or logged, and each page is fixed text.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import secrets
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from partner_desktop.base.messages import current_language, sentence_of
from partner_desktop.base.tasks import TaskSet

_PATH = "/callback"
_HEAD_BYTES = 16 * 1024
_HEAD_TIMEOUT_S = 10.0
#: What an answer may say (RFC 6749 and 9207); the rest is not looked at.
_KNOWN = ("code", "state", "iss", "error", "error_description")


class RedirectListener:
    """Entered once. `port` 0: any that is free."""

    def __init__(self, port: int = 0) -> None:
        self.port = port
        self._state = ""
        self._answer: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()
        self._tasks = TaskSet("sign-in redirect")
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        """Raises OSError: The port is taken."""
        self._server = await asyncio.start_server(self._take, "127.0.0.1", self.port, limit=_HEAD_BYTES)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self._tasks.close()
        await self._server.wait_closed()

    @property
    def uri(self) -> str:
        """The redirect URI."""
        return f"http://127.0.0.1:{self.port}{_PATH}"

    def expect(self, state: str) -> None:
        """Only an answer with this state counts."""
        self._state = state

    async def answer(self) -> dict[str, str]:
        """What the authorization server said, by its parameters."""
        return await asyncio.shield(self._answer)

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._tasks.start("request", self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, ValueError):
                async with asyncio.timeout(_HEAD_TIMEOUT_S):
                    head = await reader.readuntil(b"\r\n\r\n")
                    writer.write(self._page(head.decode("latin-1")))
                    await writer.drain()
        except asyncio.LimitOverrunError:
            return
        finally:
            writer.close()

    def _page(self, head: str) -> bytes:
        """What the browser shows."""
        first, *lines = head.split("\r\n")
        method, target, *_ = (*first.split(" "), "", "")
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (x.partition(":") for x in lines)
        }
        parts = urlsplit(target)
        # Another name that leads here is a page of the web that wants to read along.
        if method != "GET" or parts.path != _PATH or headers.get("host") != f"127.0.0.1:{self.port}":
            return _document("404 Not Found", "servers.sign_in.page_none")
        said: dict[str, str] = {}
        for name, value in parse_qsl(parts.query, max_num_fields=100):
            if name in _KNOWN and said.setdefault(name, value) != value:
                return _document("400 Bad Request", "servers.sign_in.page_none")
        if not self._state or not secrets.compare_digest(
            said.get("state", "").encode(), self._state.encode()
        ):
            return _document("400 Bad Request", "servers.sign_in.page_other")
        if not self._answer.done():
            self._answer.set_result(said)
        return _document(
            "200 OK", "servers.sign_in.page_no" if "error" in said else "servers.sign_in.page_yes"
        )


def _document(status: str, message: str) -> bytes:
    sentence = html.escape(sentence_of(message))
    style = "font:1.1rem system-ui;margin:20vh auto;max-width:32rem;padding:0 1rem"
    body = (
        f'<!doctype html><html lang="{current_language()}"><meta charset="utf-8"><title>Partner</title>'
        f'<body style="{style}"><p>{sentence}</p>'
    ).encode()
    lines = (
        f"HTTP/1.1 {status}",
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        "Referrer-Policy: no-referrer",
        "Cache-Control: no-store",
        "Connection: close",
    )
    return "\r\n".join((*lines, "", "")).encode() + body
