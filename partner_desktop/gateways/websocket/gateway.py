"""WebsocketGateway: the server on 127.0.0.1. The one door to the `websockets` library.

Contract: nothing is said to a client that is not known. One client, whatever it sends or does not read,
never holds up the host or another client: frames, their rate, clients, waiting events and every wait are
limited. Connections count from the moment they are accepted until the token was shown; of too many the
oldest goes, so that whoever only holds the door open never keeps others out. `shutdown` lets everybody go
and is idempotent.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from partner_desktop.base import log
from partner_desktop.base.errors import GatewayError, RequestError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import reader_language, system_reason
from partner_desktop.base.paths import Home
from partner_desktop.base.prompts import LANGUAGES
from partner_desktop.base.tasks import TaskSet
from partner_desktop.gateways.rpc import RpcServer, error_answer, parsed_request
from partner_desktop.gateways.settings import WebsocketSettings
from partner_desktop.gateways.websocket import admission
from partner_desktop.gateways.websocket.admission import (
    NO_HELLO,
    TOO_MANY,
    WRONG_TOKEN,
    FarewellError,
    FrameBucket,
    WrongTokens,
    close_reason,
    read_token,
    too_slow,
)
from partner_desktop.gateways.websocket.client import MOST_WAITING, Client, ClientQueue
from partner_desktop.gateways.websocket.protocol import VERSION, Addressing, Connected

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

_log = log.area("websocket")

ADDRESS = "127.0.0.1"
HELLO_TIMEOUT_S = 5.0
#: Seconds that a client may leave a frame unread, and may take to say goodbye.
_SEND_TIMEOUT_S = 20.0
_CLOSE_TIMEOUT_S = 1.0
#: How often the token's file is looked at.
_TOKEN_LOOK_S = 2.0
#: Connections that have not shown the token yet.
_MOST_UNKNOWN = 16


class WebsocketGateway:
    """See the package for what goes over the wire."""

    name = "websocket"

    def __init__(
        self,
        host: Services,
        settings: WebsocketSettings,
        home: Home,
        *,
        hello_timeout_s: float = HELLO_TIMEOUT_S,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._host = host
        self._settings = settings
        self._home = home
        self._hello_timeout_s = hello_timeout_s
        self._most_waiting = most_waiting
        self._id = new_id()
        self._addressing = Addressing()
        self._wrong = WrongTokens()
        self._tasks = TaskSet("websocket")
        self._token = ""
        self._unknown = _Unknown()
        self._known: set[ServerConnection] = set()
        self._server: Server | None = None
        self._undo: Callable[[], None] = lambda: None

    @property
    def port(self) -> int:
        """Where it listens; 0 while it does not."""
        return int(self._server.sockets[0].getsockname()[1]) if self._server else 0

    async def launch(self) -> None:
        """Listen.

        Raises:
            GatewayError: The port is taken, or the token cannot be read.
        """
        self._token = await asyncio.to_thread(read_token, self._home)
        settings = self._settings
        try:
            self._server = await serve(
                self._serve,
                ADDRESS,
                settings.port,
                process_request=self._look_at,
                ping_interval=settings.ping_seconds,
                ping_timeout=2 * settings.ping_seconds,
                open_timeout=self._hello_timeout_s,
                close_timeout=_CLOSE_TIMEOUT_S,
                max_size=settings.max_frame_kib * 1024,
                compression=None,
                server_header=None,
                logger=_library_log(),
                create_connection=_counted(self._unknown),
            )
        except OSError as error:
            raise GatewayError(
                "gateways.port_closed", port=settings.port, address=ADDRESS, reason=system_reason(error)
            ) from error
        self._undo = self._host.subscribe(self._addressing.deliver)
        self._tasks.start("token", self._watch_token())
        _log.info("listening on ws://%s:%s", ADDRESS, self.port)

    async def shutdown(self) -> None:
        self._undo()
        self._undo = lambda: None
        server, self._server = self._server, None
        if server is not None:
            server.close()
            try:
                async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                    await server.wait_closed()
            except TimeoutError:
                for connection in (*self._known, *self._unknown.all):
                    connection.transport.abort()
                await server.wait_closed()
        await self._tasks.close()

    # At the door.

    def _look_at(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse what a web page could have been talked into, before there is a connection."""
        reason = admission.refusal(
            hosts=request.headers.get_all("Host"),
            origins=request.headers.get_all("Origin"),
            allowed=self._settings.allowed_origins,
        )
        if not reason:
            if self._is_token(admission.bearer(request.headers.get_all("Authorization"))):
                self._unknown.leave(connection)
            return None
        _log.warning("a connection was refused: %s", reason)
        return connection.respond(HTTPStatus.FORBIDDEN, reason + "\n")

    async def _serve(self, connection: ServerConnection) -> None:
        try:
            await self._attend(connection, await self._meet(connection))
        except FarewellError as farewell:
            if farewell.code:
                await self._part(connection, farewell.code, str(farewell))
        except ConnectionClosed:
            pass
        finally:
            self._known.discard(connection)

    async def _meet(self, connection: ServerConnection) -> str:
        """Return when the client is known: its hello, which is still to be answered, if it needed one."""
        headers = connection.request.headers if connection.request else Headers()
        given = admission.bearer(headers.get_all("Authorization"))
        hello = ""
        if not given:
            hello, given = await self._hello(connection)
        await self._check(given, peer=str(connection.remote_address[0]))
        self._unknown.leave(connection)
        if len(self._known) >= self._settings.max_clients:
            raise FarewellError(
                TOO_MANY, f"{self._settings.max_clients} clients are connected, which is all there may be."
            )
        self._known.add(connection)
        return hello

    async def _hello(self, connection: ServerConnection) -> tuple[str, str]:
        """The first request, and the token in it."""
        try:
            async with asyncio.timeout(self._hello_timeout_s):
                hello = _as_text(await connection.recv())
            method, params, _ = parsed_request(hello)
        except TimeoutError as error:
            sentence = f"No `client.hello` came within {self._hello_timeout_s:g} s."
            raise FarewellError(NO_HELLO, sentence) from error
        except RequestError as error:
            raise FarewellError(WRONG_TOKEN, str(error)) from error
        token = params.get("token")
        if method != "client.hello" or not isinstance(token, str):
            raise FarewellError(WRONG_TOKEN, "The first request is `client.hello` with the token.")
        return hello, token

    async def _check(self, given: str, *, peer: str) -> None:
        try:
            self._use(await asyncio.to_thread(read_token, self._home))
        except GatewayError as error:
            _log.warning("%s", error)
        if self._is_token(given):
            self._wrong.forget(peer)
            return
        _log.warning("a client with a wrong token was refused")
        await asyncio.sleep(self._wrong.wait_s(peer))
        raise FarewellError(
            WRONG_TOKEN,
            "The token is missing or wrong; `partner-desktop gateway token` prints the right one.",
        )

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token.encode())

    # With a known client.

    async def _attend(self, connection: ServerConnection, hello: str) -> None:
        queue = ClientQueue(most_waiting=self._most_waiting)
        connected = Connected(VERSION, self._id, self._settings.max_frame_kib * 1024)
        client = Client(self._host, self._addressing, queue, connected)
        server = RpcServer(client.operate, client.answer, self._tasks, in_turn=True)
        self._addressing.enter(client)
        farewell = FarewellError()
        reader_language.set(LANGUAGES[0])  # a program, whatever the window speaks
        try:
            if hello:
                await server.take(hello)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._send(connection, queue), name="websocket:send")
                group.create_task(_pace(queue), name="websocket:pace")
                group.create_task(self._receive(connection, server, queue), name="websocket:receive")
                group.create_task(_end(connection), name="websocket:end")
        except* (FarewellError, ConnectionClosed) as group_error:
            reasons = [one for one in group_error.exceptions if isinstance(one, FarewellError) and one.code]
            farewell = reasons[0] if reasons else farewell
        finally:
            server.leave()
            self._addressing.leave(client)
        raise farewell  # here: raised in the clause above it would arrive as a group

    async def _receive(self, connection: ServerConnection, server: RpcServer, queue: ClientQueue) -> None:
        now_s = asyncio.get_running_loop().time
        bucket = FrameBucket(
            per_second=self._settings.frames_per_second, burst=self._settings.frame_burst, now_s=now_s()
        )
        while True:
            data = await connection.recv()
            if not bucket.take(now_s()):
                raise FarewellError(
                    TOO_MANY,
                    f"Too many frames: {self._settings.frames_per_second:g} a second are taken, "
                    f"{self._settings.frame_burst} at once.",
                )
            try:
                text = _as_text(data)
            except RequestError as error:
                queue.put(error_answer(error))
            else:
                await server.take(text)

    async def _send(self, connection: ServerConnection, queue: ClientQueue) -> None:
        while True:
            text = await queue.next()
            try:
                # Not wait_for: on Python 3.11 it swallows a cancellation that comes as the frame is sent.
                async with asyncio.timeout(_SEND_TIMEOUT_S):
                    await connection.send(text)
            except TimeoutError as error:
                raise too_slow() from error

    async def _part(self, connection: ServerConnection, code: int, sentence: str) -> None:
        """Say why, and close; a client that does not even read that is cut off."""
        with suppress(ConnectionClosed, TimeoutError):
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                await connection.send(error_answer(GatewayError("common.told", text=sentence)))
        try:
            async with asyncio.timeout(_CLOSE_TIMEOUT_S):
                await connection.close(code, close_reason(sentence))
        except TimeoutError:
            connection.transport.abort()

    async def _watch_token(self) -> None:
        while True:
            await asyncio.sleep(_TOKEN_LOOK_S)
            with suppress(GatewayError):
                self._use(await asyncio.to_thread(read_token, self._home))

    def _use(self, token: str) -> None:
        """Take a token over; whoever came in with another one is let go."""
        if token == self._token:
            return
        self._token = token
        for connection in tuple(self._known):
            sentence = "The token was renewed; come back with the new one."
            self._tasks.start("renewed", self._part(connection, WRONG_TOKEN, sentence))


class _Unknown:
    """Those at the door, the oldest first."""

    def __init__(self) -> None:
        self.all: dict[ServerConnection, None] = {}

    def enter(self, connection: ServerConnection) -> None:
        self.all[connection] = None
        if len(self.all) > _MOST_UNKNOWN:
            oldest = next(iter(self.all))
            self.leave(oldest)
            oldest.transport.abort()

    def leave(self, connection: ServerConnection) -> None:
        self.all.pop(connection, None)


def _counted(unknown: _Unknown) -> type[ServerConnection]:
    """Connections that count from their acceptance on, though they never ask for anything."""

    class Counted(ServerConnection):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            unknown.enter(self)

        def connection_lost(self, exc: Exception | None) -> None:
            unknown.leave(self)
            super().connection_lost(exc)

    return Counted


def _as_text(data: str | bytes) -> str:
    if isinstance(data, bytes):
        raise RequestError("gateways.binary_frame")
    return data


async def _pace(queue: ClientQueue) -> None:
    await queue.too_slow.wait()
    raise too_slow()


async def _end(connection: ServerConnection) -> None:
    """Whoever waits for room to take more, or for something to send, would never find out."""
    await connection.wait_closed()
    raise FarewellError


def _library_log() -> logging.Logger:
    """What goes wrong on the other side of a connection is no error of ours."""
    library = logging.getLogger("partner.websocket.library")
    library.setLevel(logging.CRITICAL)
    return library
