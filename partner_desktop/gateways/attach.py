"""AttachGateway: lets commands and windows of the same user use the Partner that hosts the home.

One message of JSON-RPC (see `rpc`) a line, both ways; the first request is `client.hello` with the proof as
its `token`. Only the user who owns the home can reach the socket (its folder is 0700, the socket 0600), which
lies in a folder that no sandbox is given. Who reaches it all the same from inside of one is known,
and could not show the proof: a text beside the socket, made anew by each host.

A socket can be reached through any name that leads to it, so the rights of its folder are not all that
stands before it. What the kernel says about the peer cannot be made up by it.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import os
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from partner_desktop.api.operations import Operations
from partner_desktop.base import log, private
from partner_desktop.base.errors import CallerError, HostError, PartnerError, TooLargeError
from partner_desktop.base.messages import LazySentence, reader_language, system_reason
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.paths import Home
from partner_desktop.base.prompts import LANGUAGES
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.window_request import MOST_OPENED, WindowRequest
from partner_desktop.gateways import wire
from partner_desktop.gateways.partner_client import LOOKING_ON
from partner_desktop.gateways.rpc import Answer, RpcServer, error_answer

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

_log = log.area("attach")

#: Connections at once; more are told so.
MOST_CLIENTS = 64
#: Seconds that a client may take to say who it is.
_HELLO_TIMEOUT_S = 10.0
_LONGEST_HELLO_BYTES = 4096
#: Seconds that a client is listened to after a refusal, so that it can read why.
_DRAIN_S = 2.0
_PROOF_BYTES = 32


class AttachGateway:
    """The host's side. A part of the AgentContext, launched last."""

    name = "attach"

    def __init__(self, host: Services, home: Home) -> None:
        self._host = host
        self._home = home
        self._path = home.socket
        self._proof = ""
        self._server: asyncio.Server | None = None
        self._clients: dict[asyncio.Task[None], _Client] = {}
        self._tasks = TaskSet("attach")

    async def launch(self) -> None:
        """Listen. The lock is held, so what lies there is a dead host's."""
        try:
            self._home.prepare_runtime()
            self._path.unlink(missing_ok=True)
            self._home.proof.unlink(missing_ok=True)
            self._proof = os.urandom(_PROOF_BYTES).hex()
            private.write_text(self._home.proof, self._proof)
            self._server = await asyncio.start_unix_server(
                self._serve, path=self._path, limit=wire.MOST_BYTES
            )
            self._path.chmod(0o600)
        except OSError as error:
            raise HostError("gateways.socket_closed", path=self._path, reason=system_reason(error)) from error

    async def shutdown(self) -> None:
        if self._server is None:
            return
        self._server.close()
        for task in tuple(self._clients):
            task.cancel()  # nothing more is read
        await self._tasks.close()
        await asyncio.gather(*self._clients, return_exceptions=True)
        for path in (self._path, self._home.proof):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self._path.parent.rmdir()
        self._server = None

    async def idle(self) -> None:
        """Wait until no client is being served: a command that hosts must not leave others hanging.

        Who only looks on finds, or becomes, the next host.
        """
        while served := [work for task, one in self._clients.items() for work in one.served(task)]:
            await asyncio.wait(served, return_when=asyncio.FIRST_COMPLETED)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        others = len(self._clients)
        client = _Client(self._host, self._tasks, reader, writer, proof=self._proof)
        self._clients[task] = client
        try:
            if others < MOST_CLIENTS:
                stranger = peer_refusal(writer.get_extra_info("socket"))
                if stranger:
                    _log.warning("a connection was refused: %s", LazySentence(stranger))
                    raise CallerError("common.told", text=LazySentence(stranger))
                await client.attend()
            elif others < 2 * MOST_CLIENTS:
                raise CallerError("gateways.too_many_commands", most=MOST_CLIENTS)
        except (ConnectionError, TimeoutError, asyncio.CancelledError):
            pass  # the client left, or we are closing: its turn goes on without it
        except (CallerError, TooLargeError) as error:
            await client.part(error)
        except Exception:  # noqa: BLE001 - a bridge: one bad client never takes the host down
            _log.exception("a client could not be served")
        finally:
            del self._clients[task]
            writer.close()
            with suppress(ConnectionError, TimeoutError, asyncio.CancelledError):
                async with asyncio.timeout(_DRAIN_S):
                    await writer.wait_closed()
            writer.transport.abort()  # who reads nothing keeps nobody from closing


class _Client:
    """One connection."""

    def __init__(
        self,
        host: Services,
        tasks: TaskSet,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        proof: str,
    ) -> None:
        self._host = host
        self._reader = reader
        self._writer = writer
        self._rpc = RpcServer(self._operate, lambda text: wire.send(writer, text), tasks)
        self._hello = AttachHello(host, proof)
        self._own = Operations({"client": self._hello})
        self._asked: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._patience = asyncio.timeout(_HELLO_TIMEOUT_S)

    def served(self, connection: asyncio.Task[None]) -> Sequence[asyncio.Future[None]]:
        """What it waits for; before it has asked for anything all of it, which has an end of its own."""
        if not self._asked.done():
            return [connection, self._asked]
        return self._rpc.at_work(besides=LOOKING_ON)

    async def attend(self) -> None:
        """Until it has gone and everything that it asked for is done.

        Raises:
            TooLargeError: What came is too long to be taken.
        """
        try:
            async with self._patience:
                while line := await self._reader.readline():
                    reader_language.set(self._hello.language)  # of what this line asks for
                    if not self._hello.was_said and len(line) > _LONGEST_HELLO_BYTES:
                        raise CallerError("gateways.no_proof")
                    await self._rpc.take(line)
                    if not self._hello.was_said:
                        await asyncio.sleep(0)  # the hello is looked at
        except ValueError as error:
            most = wire.MOST_BYTES // 2**20
            raise TooLargeError("gateways.too_long", most=most) from error
        finally:
            self._rpc.leave()
            if left := self._rpc.at_work():
                await asyncio.wait(left)

    async def part(self, error: PartnerError) -> None:
        """Say why it is not served; closing on what was not read yet would take that away from it."""
        with suppress(ConnectionError, TimeoutError):
            await wire.send(self._writer, error_answer(error))
            async with asyncio.timeout(_DRAIN_S):
                while await self._reader.read(65_536):
                    pass

    async def _operate(self, name: str, params: JsonObject) -> Answer:
        if not self._hello.was_said and name != "client.hello":
            raise CallerError("gateways.no_proof")
        if name != "client.hello" and self._patience.when() is not None:
            with suppress(RuntimeError):  # it has said its last, and this was among it
                self._patience.reschedule(None)
        if name.startswith("client."):
            return await self._own.begin(name, params, caller=Caller.ATTACHED)
        if not self._asked.done():
            self._asked.set_result(None)
        return await self._host.operations.begin(name, params, caller=Caller.ATTACHED)


class AttachHello:
    """The operations of the connection itself; `client` is their service."""

    def __init__(self, host: Services, proof: str) -> None:
        self._host = host
        self._proof = proof
        self.was_said = False
        self.language = LANGUAGES[0]

    @operation(Caller.ATTACHED)
    def hello(self, token: str, *, language: str = LANGUAGES[0]) -> None:
        """Show that this is a program of the person's: `token` is what stands in the file beside the socket.

        `language` is what its person reads, `en` or `zh`.

        Raises:
            CallerError: It is another text.
        """
        if not hmac.compare_digest(token.encode("utf-8", "replace"), self._proof.encode()):
            raise CallerError("gateways.no_proof")
        self.was_said = True
        self.language = language if language in LANGUAGES else LANGUAGES[0]

    @operation(Caller.ATTACHED)
    def raise_window(
        self,
        *,
        opens: Annotated[Sequence[str], Field(max_length=MOST_OPENED)] = (),
        quick: bool = False,
    ) -> bool:
        """Bring the window to the front; where there is none, its Partner lets the home go when it can.

        `opens`: paths and links that it is to show; `quick`: the small window for one question in its place.
        """
        return self._host.raise_window(WindowRequest(tuple(opens), quick))

    @operation(Caller.ATTACHED)
    def outline(self, services: Sequence[str]) -> Sequence[JsonObject]:
        """What can be asked of some services: name and summary of each."""
        return self._host.operations.outlined(services, Caller.ATTACHED)

    @operation(Caller.ATTACHED)
    def schema(self, name: str) -> JsonObject:
        """What an operation takes, as JSON Schema.

        Raises:
            UnknownOperationError: There is none of this name.
            CallerError: It cannot be asked for from here.
        """
        return self._host.operations.get(name, Caller.ATTACHED).schema(Caller.ATTACHED)


_OTHER_USER, _ELSEWHERE, _UNSEEN = "gateways.other_user", "gateways.from_sandbox", "gateways.unseen"

#: What a sandbox has of its own, and a command of the person has in common with Partner.
_NAMESPACES = ("pid", "user", "mnt")
#: Linux: a descriptor of the very process that connected, from 6.5 on; Python has no name for it.
_SO_PEERPIDFD = 77
#: macOS: `struct xucred`, which begins with a version and the user.
_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES = 0, 1, 76


def peer_refusal(peer: socket.socket) -> str:
    """Why this peer is not answered, the id of a message; empty when it is."""
    if sys.platform != "linux":
        return _refusal_elsewhere(peer)
    return _refusal_on_linux(peer)


def _refusal_elsewhere(peer: socket.socket) -> str:
    with suppress(OSError, struct.error):
        _version, user = struct.unpack_from(
            "=II", peer.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
        )
        return "" if user == os.geteuid() else _OTHER_USER
    return ""  # where the system tells nothing, the rights of the folder have to do


def _refusal_on_linux(peer: socket.socket) -> str:
    """The number of a process may be another's by now; a descriptor of it stays with that process."""
    with ExitStack() as stack:
        try:
            pid, user, _group = struct.unpack(
                "iII", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
            )
            if user != os.geteuid():
                return _OTHER_USER
            if pid <= 0:  # of a namespace that has no number for it here
                return _ELSEWHERE
            process = os.open(f"/proc/{pid}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, process)
            _check_lives(peer)
            for name in _NAMESPACES:
                theirs, ours = os.stat(f"ns/{name}", dir_fd=process), Path(f"/proc/self/ns/{name}").stat()
                if not os.path.samestat(theirs, ours):
                    return _ELSEWHERE
        except OSError:  # it has ended, or it hides what it is
            return _UNSEEN
    return ""


def _check_lives(peer: socket.socket) -> None:
    """That whoever connected had not ended when its number was looked up.

    Raises:
        OSError: It had.
    """
    try:
        process = peer.getsockopt(socket.SOL_SOCKET, _SO_PEERPIDFD)
    except OSError as error:
        if error.errno == errno.ENOPROTOOPT:
            return  # an older kernel; its numbers come round too slowly for one to be had in this moment
        raise
    try:
        signal.pidfd_send_signal(process, 0)
    finally:
        os.close(process)
