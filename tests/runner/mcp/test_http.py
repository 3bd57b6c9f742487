"""Servers at an address: streamable HTTP and SSE, and why an address does not do."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from partner_desktop.base.errors import TryAgainError
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.runner.mcp.port import ServerEndedError
from tests.runner.mcp import servers
from tests.runner.mcp.support import START_S, Client, at, beating
from tests.support import WAIT_S

pytestmark = pytest.mark.integration


@asynccontextmanager
async def serving(kind: str) -> AsyncIterator[tuple[str, asyncio.subprocess.Process]]:
    """The SDK's server at an address of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-B",
        servers.path("features"),
        kind,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), START_S)
        yield line.decode().strip(), process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.mark.promise("actions.mcp.formats")
@pytest.mark.parametrize("kind", ["http", "sse"])
@pytest.mark.slow
async def test_a_server_at_an_address_is_used_like_any_other_until_it_is_gone(
    client: Client, kind: str
) -> None:
    async with serving(kind) as (url, process), client.connected(at(url, kind)) as connection:
        assert connection.facts.name == "features 1.2"
        assert (await client.call(connection, "weather")).stdout == "sunny in Oslo"
        assert (await client.call(connection, "count", to=3)).stdout == "counted"
        assert client.progress[0] == (1.0, 3.0, "at 1")
        async with beating() as beats:
            big = await client.call(connection, "big", megabytes=20)
        assert big.truncated
        assert big.stdout_path is not None
        assert big.stdout_path.stat().st_size > 19 * 1024**2
        assert max(beats.held_s) < 0.05
        process.kill()
        with pytest.raises(TryAgainError, match="The connection to remote broke"):
            await client.call(connection, "measure")
        failure = await asyncio.wait_for(asyncio.shield(connection.ended), WAIT_S)
        assert failure.step is ServerStep.RUN


def answering(status: int, body: bytes = b"", **headers: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        seen: list[str] = []  # noqa: RUF012 - shared by the requests on purpose

        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.seen.append(f"{self.command} {self.path} {self.headers.get('X-Key', '')}")
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            if "Content_Length" not in headers:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = answer  # noqa: N815 - the base class looks for these

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@asynccontextmanager
async def web(handler: type[BaseHTTPRequestHandler], seen: list[str] | None = None) -> AsyncIterator[str]:
    """A web server that is no MCP server; `seen`: for a handler that takes notes."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.seen = seen  # type: ignore[attr-defined]
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()
        thread.join()


async def failure_of(client: Client, url: str, kind: str = "http", **more: object) -> ServerFailure:
    with pytest.raises(ServerEndedError) as ended:
        async with client.connected(at(url, kind, **more)):
            pass
    return ended.value.failure


@pytest.mark.parametrize("kind", ["http", "sse"])
async def test_an_address_that_does_not_do_says_why(client: Client, kind: str) -> None:
    key = {"X-Key": "secret"}
    html = b"<html>hello</html>"
    cases: list[tuple[type[BaseHTTPRequestHandler], str]] = [
        (answering(401), "refused with 401: check the key in the header `X-Key`"),
        (answering(403), "refused with 403"),
        (
            answering(401, WWW_Authenticate='Bearer resource_metadata="https://x.org/.well-known/x"'),
            "refused with 401: check the key in the header `X-Key`",
        ),
        (answering(404), "Nothing answers at /mcp"),
        (answering(200, html, Content_Type="text/html"), "a web page, not with MCP"),
        (answering(503), "not available just now"),
        (
            answering(307, Location="http://localhost:1/elsewhere?code=hush"),
            "leads elsewhere (307, http://localhost:1/elsewhere?code=•••)",
        ),
        (answering(418), "refuses what was asked (418)"),
    ]
    for handler, sentence in cases:
        async with web(handler) as url:
            failure = await failure_of(client, url, kind, headers=key)
        assert sentence in failure.message, failure.message
        assert "secret" not in failure.message
        assert failure.step is ServerStep.HANDSHAKE
        assert all(seen.endswith("/mcp secret") for seen in handler.seen)  # type: ignore[attr-defined]


async def test_an_answer_that_is_broken_says_in_which_way(client: Client) -> None:
    cases: list[tuple[type[BaseHTTPRequestHandler], str]] = [
        (answering(200, b'{"jsonrpc": ', Content_Type="application/json"), "does not follow the protocol"),
        (answering(200, b"hello", Content_Type="text/plain"), "answers with text/plain, not with MCP"),
        (
            answering(200, b"{}", Content_Type="application/json", Content_Encoding="gzip"),
            "cannot be read, because it is compressed although that was not asked for",
        ),
        (
            answering(200, b"{", Content_Type="application/json", Content_Length="500"),
            "without sending complete message body",
        ),
    ]
    for handler, sentence in cases:
        async with web(handler) as url:
            failure = await failure_of(client, url)
        assert sentence in failure.message, failure.message
        assert "TaskGroup" not in failure.message


async def test_an_address_that_cannot_be_reached_says_why(client: Client) -> None:
    async with web(answering(200)) as url:
        tls = await failure_of(client, url.replace("http:", "https:"))
    refused = await failure_of(client, url)
    unknown = await failure_of(client, "http://no-such-name.invalid/mcp")
    assert "does not speak TLS" in tls.message
    assert "refuses the connection" in refused.message
    assert "is not known; check the name" in unknown.message
    assert {each.step for each in (tls, refused, unknown)} == {ServerStep.SPAWN}


async def test_an_address_that_never_answers_is_given_up(client: Client) -> None:
    async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(swallow, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        failure = await failure_of(client, f"http://127.0.0.1:{port}/mcp", start_timeout_s=1.0)
        assert "within 1 s" in failure.message


class Restarted(BaseHTTPRequestHandler):
    """An MCP server of the handshake era that is begun anew in mid-session: it knows nobody then."""

    restarted = False

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        tool = {"name": "hello", "inputSchema": {"type": "object"}}
        said = {"content": [{"type": "text", "text": "hello"}]}
        version = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
        results = {
            "initialize": {**version, "serverInfo": {"name": "forgetful", "version": "1"}},
            "tools/list": {"tools": [tool]},
            "tools/call": said,
        }
        if self.restarted:
            self.say(404)
        elif "id" not in asked:
            self.say(202)
        elif asked["method"] in results:
            self.say(200, {"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]})
        else:
            error = {"code": -32601, "message": "unknown"}
            self.say(200, {"jsonrpc": "2.0", "id": asked["id"], "error": error})

    def do_GET(self) -> None:
        self.say(405)

    def do_DELETE(self) -> None:
        self.say(200)

    def say(self, status: int, body: object = None) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Mcp-Session-Id", "1")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


class Young(Restarted):
    """Knows the protocol of 2026, and leaves out of what kind its answers are."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append(asked["method"])  # type: ignore[attr-defined]
        tool = {"name": "hello", "inputSchema": {"type": "object"}}
        listed = {"ttlMs": 0, "cacheScope": "private"}
        versions = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **listed}
        old = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
        results = {
            "server/discover": {**versions, "serverInfo": {"name": "young", "version": "1"}},
            "initialize": {**old, "serverInfo": {"name": "young", "version": "1"}},
            "tools/list": {"tools": [tool], **listed},
            "tools/call": {"content": [{"type": "text", "text": "hello"}]},
        }
        if "id" not in asked:
            self.say(202)
        else:
            self.say(200, {"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]})


@pytest.mark.parametrize("legacy", [False, True])
async def test_an_answer_that_does_not_say_its_kind_is_whole_and_the_older_protocol_is_spoken_if_told(
    client: Client, *, legacy: bool
) -> None:
    seen: list[str] = []
    async with web(Young, seen) as url, client.connected(at(url, legacy=legacy)) as connection:
        assert (await client.call(connection, "hello")).stdout == "hello"
    assert ("initialize" in seen, "server/discover" in seen) == (legacy, not legacy)


async def test_a_server_that_knows_the_session_no_more_ends_it_so_that_another_begins(
    client: Client,
) -> None:
    class Handler(Restarted):
        pass

    async with web(Handler) as url, client.connected(at(url)) as connection:
        assert (await client.call(connection, "hello")).stdout == "hello"
        Handler.restarted = True
        with pytest.raises(TryAgainError):
            await client.call(connection, "hello")
        failure = await asyncio.wait_for(asyncio.shield(connection.ended), WAIT_S)
    assert failure.step is ServerStep.RUN
    assert "does not know this session any more" in failure.message
