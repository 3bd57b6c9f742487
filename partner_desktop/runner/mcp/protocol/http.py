"""Streamable HTTP and SSE: the SDK's transports over a client that watches what goes through it.

The watch knows why a server cannot be used, which the SDK does not tell, and puts what is too long to be
parsed into a file, exactly as the stdio transport does: the SDK sees a short error in its place
(`oversize.py`). Redirects stay within the server's origin; the SDK sees to that.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from types import TracebackType

import anyio
import httpx2
import mcp_types as types
from mcp.client._transport import ReadStream, TransportStreams, WriteStream
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.domain.mcp_server import ServerFailure, ServerStep
from partner_desktop.runner.mcp.configuration.secrets import masked_address
from partner_desktop.runner.mcp.port import ResolvedServer, SignInDoor
from partner_desktop.runner.mcp.protocol.link_auth import ASIDE, LinkAuth, wants_more
from partner_desktop.runner.mcp.protocol.message_filter import MessageFilter, SdkReads, SdkStream
from partner_desktop.runner.mcp.protocol.oversize import MESSAGE_BYTES, LineReader, Oversized, ReadLine
from partner_desktop.runner.mcp.protocol.sdk_provider import bounded_answer
from partner_desktop.runner.mcp.protocol.tool_calls import causes_of, protocol_failure
from partner_desktop.runner.mcp.server_log import ServerLog

_CONNECT_TIMEOUT_S = 15.0
#: A stream of events may be silent for long; a call has its own limit.
_READ_TIMEOUT_S = 24 * 3600.0
_FLOOD_PAUSE_S = 0.002


class HttpTransport:
    """One address of a server; entered once."""

    def __init__(
        self,
        server: ResolvedServer,
        *,
        oversized: Oversized,
        message_filter: MessageFilter,
        server_log: ServerLog,
        lost: Callable[[], None],
        sign_in: SignInDoor | None = None,
    ) -> None:
        """`lost` is called when nothing more comes from it."""
        self._server, self._filter, self._lost = server, message_filter, lost
        # Who writes a key into the configuration wants that, and nothing else, to be sent.
        has_key = any(name.lower() == "authorization" for name in server.headers)
        self._auth = LinkAuth(server, sign_in) if sign_in is not None and not has_key else None
        self._watch = HttpWatch(server, oversized, server_log, lost, signs_in=self._auth is not None)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> TransportStreams:
        async with AsyncExitStack() as stack:
            # The certificates of the system take a while to be read.
            await asyncio.to_thread(self._watch.prepare)
            if self._server.transport == "sse":
                streams = sse_client(
                    self._server.url,
                    headers=dict(self._server.headers),
                    timeout=_CONNECT_TIMEOUT_S,
                    sse_read_timeout=_READ_TIMEOUT_S,
                    httpx_client_factory=self._client,
                    auth=self._auth,
                )
            else:
                client = await stack.enter_async_context(
                    self._client(dict(self._server.headers), auth=self._auth)
                )
                streams = streamable_http_client(
                    self._server.url, http_client=client, max_sse_event_size=EVENT_BYTES
                )
            reads, writes = await stack.enter_async_context(streams)
            self._stack = stack.pop_all()
        return _Reads(reads, self._filter, self._lost), _Writes(writes, self._filter)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    def failure(self, step: ServerStep, error: Exception | None) -> ServerFailure:
        """Why it could not be used, or broke."""
        if self._watch.problem:
            reached = step if self._watch.reached else ServerStep.SPAWN
            problem = self._server.secrets.masked(self._watch.problem)
            wanted = self._watch.refused and self._auth is not None and self._auth.wanted
            final = self._watch.refused and (wanted or self._auth is None)
            return ServerFailure(reached, problem, final=final, signs_in=wanted and self._watch.names_sign_in)
        if self._watch.unread:
            return ServerFailure(step, self._watch.unread)
        known = error or ConnectionError(sentence_of("servers.end.server_closed"))
        return protocol_failure(self._server, step, known, ())

    def _client(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx2.Timeout | None = None,
        auth: httpx2.Auth | None = None,
    ) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            # A compressed answer could be endless; `HttpWatch` refuses it.
            headers={"accept-encoding": "identity", **(headers or {})},
            timeout=timeout or httpx2.Timeout(_CONNECT_TIMEOUT_S, read=_READ_TIMEOUT_S),
            auth=auth,
            transport=self._watch,
        )


class _Reads(SdkReads):
    """What the SDK reads, sifted; tells when it ends."""

    def __init__(
        self,
        inner: ReadStream[SessionMessage | Exception],
        message_filter: MessageFilter,
        lost: Callable[[], None],
    ) -> None:
        self._inner, self._filter, self._lost = inner, message_filter, lost
        self._ready: deque[types.JSONRPCMessage] = deque()

    async def receive(self) -> SessionMessage | Exception:
        try:
            while not self._ready:
                item = await self._inner.receive()
                if isinstance(item, Exception):
                    return item
                self._ready.extend([*self._filter.late(), *self._filter.sift(item.message)])
                if self._filter.floods:
                    await asyncio.sleep(_FLOOD_PAUSE_S)  # the loop is for others, too
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._lost()
            raise
        return SessionMessage(self._ready.popleft())

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Writes(SdkStream):
    """What the SDK writes to; the screen takes note."""

    def __init__(self, inner: WriteStream[SessionMessage], message_filter: MessageFilter) -> None:
        self._inner, self._filter = inner, message_filter

    async def send(self, item: SessionMessage, /) -> None:
        self._filter.sent(item.message)
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()


#: Of one event: a message, and the names around it.
EVENT_BYTES = MESSAGE_BYTES + 1024
#: What a failure came of, the most telling first.
_MEANINGS: tuple[tuple[type[BaseException], str], ...] = (
    (ssl.SSLCertVerificationError, "servers.reach.certificate"),
    (ssl.SSLError, "servers.reach.tls"),
    (httpx2.UnsupportedProtocol, "servers.reach.scheme"),
    (socket.gaierror, "servers.reach.name"),
    (ConnectionRefusedError, "servers.reach.refused"),
    (httpx2.TimeoutException, "servers.reach.slow"),
    (httpx2.ConnectError, "servers.reach.unreachable"),
)
_GATEWAY_ERRORS = (502, 503, 504)


class HttpWatch(httpx2.AsyncBaseTransport):
    """The transport of the transport. `broken` is called when the server is gone for good."""

    def __init__(
        self,
        server: ResolvedServer,
        oversized: Oversized,
        server_log: ServerLog,
        broken: Callable[[], None],
        *,
        signs_in: bool,
    ) -> None:
        """`signs_in`: a sign-in can help where it refuses."""
        self._server, self._oversized, self._log, self._broken = server, oversized, server_log, broken
        self._signs_in = signs_in
        self._inner: httpx2.AsyncBaseTransport | None = None
        self._host = httpx2.URL(server.url).host
        self.problem = ""
        """Why the server cannot be used: a sentence; empty while it can."""
        self.reached = False
        """Whether it ever answered."""
        self.refused = False
        """Whether it did not accept the credentials, the last time it answered."""
        self.names_sign_in = False
        """Whether it said then where one signs in (RFC 9728)."""
        self.unread = ""
        """Why its last answer could not be taken: a sentence; told where nothing else is known."""
        self._in_use = False

    def prepare(self) -> None:
        """Read the certificates; off the loop."""
        self._inner = httpx2.AsyncHTTPTransport()

    async def aclose(self) -> None:
        if self._inner is not None:
            await self._inner.aclose()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        assert self._inner is not None, "prepare comes first"
        if request.extensions.get(ASIDE):
            return await self._aside(request)
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.TransportError as error:
            self._unreachable(error)
            raise
        self.reached = True
        self._judge(request, response)
        answer = await self._bounded(request, response)
        return self._denied(request, answer) if self.refused else answer

    async def _aside(self, request: httpx2.Request) -> httpx2.Response:
        """To an authorization server: that tells nothing of this one, and must not end its connection."""
        assert self._inner is not None, "prepare comes first"
        try:
            async with asyncio.timeout(_CONNECT_TIMEOUT_S):
                return await bounded_answer(await self._inner.handle_async_request(request))
        except (httpx2.TransportError, TimeoutError):
            return httpx2.Response(503)

    def _denied(self, request: httpx2.Request, answer: httpx2.Response) -> httpx2.Response:
        """With the reason for whoever called, where the server gave none: the SDK has no words for it."""
        asked = _request_id(request)
        if request.method != "POST" or asked is None or isinstance(answer.stream, _Events):
            return answer
        with contextlib.suppress(ValueError, RecursionError):
            said = json.loads(answer.content)
            if isinstance(said, dict) and isinstance(said.get("error"), dict) and "jsonrpc" in said:
                return answer
        error = types.ErrorData(code=types.INTERNAL_ERROR, message=self.problem)
        return _rpc_error(answer, asked, error)

    def _unreachable(self, error: httpx2.TransportError) -> None:
        self.problem = why_unreachable(error, self._host)
        if self._in_use:
            self._broken()

    def _judge(self, request: httpx2.Request, response: httpx2.Response) -> None:
        """Take note of an answer that no MCP server gives."""
        status, kind = response.status_code, _content_type(response)
        self.refused = status in (401, 403)
        self.names_sign_in = self.refused and _wants_sign_in(response)
        if request.method == "DELETE" or (request.method == "GET" and status == 405):
            return
        if kind in ("application/json", "text/event-stream") and status < 400:
            self.problem, self.unread, self._in_use = "", "", True
        elif status in (401, 403):
            advice = self._credentials(response)
            self.problem = self._said("credentials", status=status, advice=advice)
        elif status == 404 and self._in_use:
            self.problem = self._said("session_gone")
        elif status in (404, 405, 410):
            self.problem = self._said("nothing_there", path=request.url.path, status=status)
        elif 300 <= status < 400:
            place = masked_address(response.headers.get("location", ""))
            self.problem = self._said("elsewhere", status=status, place=place[:200])
        elif status in _GATEWAY_ERRORS:
            self.problem = self._said("not_available", status=status)
        elif kind == "text/html":
            self.problem = self._said("web_page")
        elif status == 200 and kind and request.method == "POST":
            self.problem = self._said("other_kind", kind=kind[:60])
        elif status >= 400 and not self._in_use:
            self.problem = self._said("refuses", status=status)
        if self._in_use and status == 404:
            self._broken()

    def _said(self, message: str, **values: object) -> str:
        return sentence_of(f"servers.http.{message}", host=self._host, **values)

    def _credentials(self, response: httpx2.Response) -> str:
        if self._signs_in and wants_more(response):
            return sentence_of("servers.http.more_rights")
        if self._signs_in and self.names_sign_in:
            return sentence_of("servers.http.sign_in")
        names = ", ".join(f"`{name}`" for name in self._server.headers)
        if names:
            return sentence_of("servers.http.check_key", names=names)
        return sentence_of("servers.http.no_key_or_sign_in" if self._signs_in else "servers.http.no_key")

    async def _bounded(self, request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await stream.aclose()
            return self._instead(request, response, LazySentence("servers.http.compressed"))
        if _content_type(response) == "text/event-stream":
            response.stream = _Events(stream, self._oversized, self._say)
            return response
        return await self._whole(request, response, stream)

    async def _whole(
        self, request: httpx2.Request, response: httpx2.Response, stream: httpx2.AsyncByteStream
    ) -> httpx2.Response:
        """An answer in one piece; one that is too long becomes a short error."""
        reader = self._oversized.reader(whole=True)
        try:
            async for chunk in stream:
                await _feed(reader, chunk)
            line = reader.rest()
        finally:
            reader.close()
            await stream.aclose()
        if line is not None:
            line = await _bounded(self._oversized, line)
        if line is None or line.whole:
            body = line.head if line is not None else b""
            return _response(response, body)
        message = await asyncio.to_thread(self._oversized.answer, line)
        if message is None:
            why = LazySentence("servers.http.long_answer", size=line.size >> 20)
            return self._instead(request, response, why)
        return _response(response, message.model_dump_json(by_alias=True, exclude_unset=True).encode())

    def _instead(
        self, request: httpx2.Request, response: httpx2.Response, why: LazySentence
    ) -> httpx2.Response:
        """An error in place of an answer that cannot be taken."""
        self.unread = self._said("unread", why=why)
        told = sentence_of("servers.http.unread_answer", why=why)
        error = types.ErrorData(code=types.PARSE_ERROR, message=told)
        message = types.JSONRPCError(jsonrpc="2.0", id=_request_id(request) or 0, error=error)
        return _response(response, message.model_dump_json(by_alias=True, exclude_unset=True).encode())

    def _say(self, size: int) -> None:
        self._log.say(f"An event of {size >> 20} MB that answers nothing is left out.")


class _Events(httpx2.AsyncByteStream):
    """A stream of events in which no line is longer than a message may be."""

    def __init__(
        self, inner: httpx2.AsyncByteStream, oversized: Oversized, say: Callable[[int], None]
    ) -> None:
        self._inner, self._oversized, self._say = inner, oversized, say
        self._reader = oversized.reader()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            for line in await _feed(self._reader, chunk):
                yield await self._passed(line) + b"\n"
        rest = self._reader.rest()
        if rest is not None:
            yield await self._passed(rest)

    async def _passed(self, line: ReadLine) -> bytes:
        line = await _bounded(self._oversized, line)
        if line.whole:
            return line.head
        message = await asyncio.to_thread(self._oversized.answer, line, prefix=b"data:")
        if message is None:
            self._say(line.size)
            return b": left out"
        return b"data: " + message.model_dump_json(by_alias=True, exclude_unset=True).encode()

    async def aclose(self) -> None:
        self._reader.close()
        await self._inner.aclose()


async def _bounded(oversized: Oversized, line: ReadLine) -> ReadLine:
    """See `Oversized.bounded`; a short line is not worth a thread."""
    return line if len(line.head) < 64 * 1024 else await asyncio.to_thread(oversized.bounded, line)


async def _feed(reader: LineReader, chunk: bytes) -> list[ReadLine]:
    if reader.in_long_line:
        return await asyncio.to_thread(reader.feed, chunk)
    return reader.feed(chunk)


def _request_id(request: httpx2.Request) -> str | int | None:
    """Of the message in a request; `None` for one that wants no answer."""
    try:
        found = json.loads(request.content)["id"]
    except (ValueError, KeyError, TypeError, httpx2.RequestNotRead):
        return None
    return found if isinstance(found, str | int) else None


def _rpc_error(response: httpx2.Response, asked: str | int, error: types.ErrorData) -> httpx2.Response:
    message = types.JSONRPCError(jsonrpc="2.0", id=asked, error=error)
    made = _response(response, message.model_dump_json(by_alias=True, exclude_unset=True).encode())
    made.headers["content-type"] = "application/json"
    return made


def _response(response: httpx2.Response, body: bytes) -> httpx2.Response:
    headers = [
        (name, value)
        for name, value in response.headers.multi_items()
        if name.lower() not in ("content-length", "transfer-encoding", "content-encoding")
    ]
    return httpx2.Response(
        response.status_code, headers=headers, content=body, extensions=response.extensions
    )


def _wants_sign_in(response: httpx2.Response) -> bool:
    """Whether it names where one signs in (RFC 9728)."""
    challenge = response.headers.get("www-authenticate", "").lower()
    return challenge.startswith("bearer") and "resource_metadata" in challenge


def _content_type(response: httpx2.Response) -> str:
    return response.headers.get("content-type", "").partition(";")[0].strip().lower()


def why_unreachable(error: httpx2.TransportError, host: str) -> str:
    """What a failure to connect means: a sentence about the host."""
    causes = causes_of(error)
    found = (meaning for kind, meaning in _MEANINGS if any(isinstance(cause, kind) for cause in causes))
    return sentence_of(next(found, "servers.reach.broke"), host=host)
