"""AttachGateway: lets commands and windows of the same user use the Partner that hosts the home.

A connection carries one request and its answer. Only the user who owns the home can reach the socket (its
folder is 0700, the socket 0600), which lies in a folder that no sandbox is given. Who reaches it all the
same from inside of one is known by `peer`, and could not show the proof: a token beside the socket, made
anew by each host, which comes with every request.
"""

from __future__ import annotations

import asyncio
import hmac
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from datetime import datetime
from typing import Any, Literal, get_args

from pydantic import BaseModel, ValidationError

from partner_desktop.base import log, private
from partner_desktop.base.errors import HostError, PartnerError
from partner_desktop.base.paths import Home
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.elicitation import ElicitationAnswer
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways import peer, wire
from partner_desktop.gateways.audit_ask import AuditAsk, audit_ask
from partner_desktop.gateways.command_ask import CommandAsk, CommandVerb
from partner_desktop.gateways.conversation_ask import ConversationAsk, Verb
from partner_desktop.gateways.model_ask import ModelAsk, ModelVerb
from partner_desktop.gateways.permission_ask import PermissionAsk, PermissionVerb
from partner_desktop.gateways.record_ask import RecordAsk, RecordVerb
from partner_desktop.gateways.server_ask import ServerAsk, ServerVerb
from partner_desktop.gateways.session import ChatAsk, LocalSession, ManageAsk, ManageVerb, RunAsk, Verdict
from partner_desktop.permission.request import StandingAnswer

_log = log.area("attach")

#: Connections at once; more are told so.
MOST_CLIENTS = 64
_MOST_MESSAGES = 200
#: Requests whose answer is a list.
_LISTS = frozenset({"abilities", "commands", "conversations", "models", "permissions", "records", "servers"})
#: Seconds that a client is listened to after a refusal, so that it can read why.
_DRAIN_S = 2.0
#: Requests of one who only looks on: a host does not wait for their end.
_LOOKING_ON = ("follow", "watch")
_PROOF_BYTES = 32
_NO_PROOF = "This does not come from a command of Partner's on this home, or from one of another version."


class Request(BaseModel):
    """Any request; `op` says which fields count."""

    op: str
    proof: str = ""
    text: str = ""
    conversation_id: str | None = None
    cwd: str = ""
    approve: StandingAnswer = StandingAnswer.ASK
    key: str = ""
    params: dict[str, Any] = {}  # Any: it came as JSON; checked against the ability's schema later
    action_id: str = ""
    verdict: Verdict = "reject"
    version: str = ""
    change: ManageVerb | None = None
    name: str = ""
    limit: int = 200
    action: str = ""
    kind: str = ""
    outcome: str = ""
    since: datetime | None = None
    until: datetime | None = None
    entries: int | None = None
    verb: Verb = "list"
    path: str = ""
    force: bool = False
    model_verb: ModelVerb = "list"
    secret: str = ""
    server_verb: ServerVerb = "list"
    shown_hash: str = ""
    permission_verb: PermissionVerb = "list"
    command_verb: CommandVerb = "list"
    record_verb: RecordVerb = "list"
    title: str = ""
    bound: bool = False
    program: str = ""
    can_ask: bool = False
    answer: Literal["accept", "decline", "cancel"] = "cancel"


class AttachGateway:
    """The host's side. A part of the AgentContext, launched last."""

    name = "attach"

    def __init__(self, session: LocalSession, home: Home) -> None:
        self._session = session
        self._home = home
        self._path = home.socket
        self._proof = ""
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()
        self._followers: set[asyncio.Task[None]] = set()
        self._watching = TaskSet("attach")

    async def launch(self) -> None:
        """Listen. The lock is held, so what lies there is a dead host's."""
        try:
            self._home.prepare_runtime()
            self._path.unlink(missing_ok=True)
            self._home.proof.unlink(missing_ok=True)
            self._proof = os.urandom(_PROOF_BYTES).hex()
            private.write_text(self._home.proof, self._proof)
            self._server = await asyncio.start_unix_server(
                self._serve, path=self._path, limit=wire.LINE_LIMIT_BYTES
            )
            self._path.chmod(0o600)
        except OSError as error:
            raise HostError(f"The local socket {self._path} cannot be opened ({error.strerror}).") from error

    async def shutdown(self) -> None:
        if self._server is None:
            return
        self._server.close()
        for client in tuple(self._clients):
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        await self._watching.close()
        for path in (self._path, self._home.proof):
            path.unlink(missing_ok=True)
        with suppress(OSError):
            self._path.parent.rmdir()
        self._server = None

    async def idle(self) -> None:
        """Wait until no client is being served: a command that hosts must not leave others hanging.

        Who only looks on finds, or becomes, the next host.
        """
        while served := self._clients - self._followers:
            await asyncio.wait(served)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        others = len(self._clients)
        self._clients.add(task)
        try:
            if others < MOST_CLIENTS and (stranger := peer.refusal(writer.get_extra_info("socket"))):
                _log.warning("a connection was refused: %s", stranger)
                await _refuse(writer, stranger)
                await _drain(reader)
            elif others < MOST_CLIENTS:
                await self._handle(reader, writer)
            elif others < 2 * MOST_CLIENTS:
                await _refuse(writer, f"{MOST_CLIENTS} commands use this Partner already; try again later.")
                await _drain(reader)
        except (ConnectionError, TimeoutError, asyncio.CancelledError):
            pass  # the client left, or we are closing: its turn goes on without it
        except Exception:  # noqa: BLE001 - a bridge: one bad client never takes the host down
            _log.exception("a client could not be served")
        finally:
            self._clients.discard(task)
            self._followers.discard(task)
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        watched = False
        try:
            async with asyncio.timeout(wire.REQUEST_TIMEOUT_S):
                body = await wire.receive(reader)
            if body is None:
                return
            request = Request.model_validate(body)
            if not hmac.compare_digest(request.proof.encode("utf-8", "replace"), self._proof.encode()):
                raise HostError(_NO_PROOF)
            watched = request.op in _LOOKING_ON or request.bound
            if watched:
                self._end_with_client(reader, looks_on=request.op in _LOOKING_ON)
            async with aclosing(self._answers(request)) as answers:
                async for answer in answers:
                    await wire.send(writer, answer)
            await wire.send(writer, {"end": True})
        except ValidationError as error:
            await _refuse(writer, _misfit(error))
        except PartnerError as error:
            await _refuse(writer, str(error))
            if not watched:  # else somebody reads it already
                await _drain(reader)

    def _end_with_client(self, reader: asyncio.StreamReader, *, looks_on: bool) -> None:
        """Who looks on, or binds a run to itself, says nothing more: the end of what it says is its end."""
        task = asyncio.current_task()
        assert task is not None
        if looks_on:
            self._followers.add(task)

        async def watch() -> None:
            with suppress(ConnectionError):
                while await reader.read(1024):
                    pass
            task.cancel()

        watching = self._watching.start("client", watch())
        task.add_done_callback(lambda _task: watching.cancel())

    async def _answers(self, request: Request) -> AsyncGenerator[JsonObject, None]:
        if request.op in _LISTS:
            yield {"result": await self._listed(request)}
        elif request.op == "manage" and request.change is not None:
            yield {"result": await self._session.manage(ManageAsk(request.change, request.key, request.name))}
        elif request.op == "backup":
            yield {"result": await self._session.backup(request.path, force=request.force)}
        elif request.op == "audit_words":
            yield {"result": await self._session.audit_words()}
        elif request.op == "export_audit":
            ask = _audit_ask(request)
            yield {"result": await self._session.export_audit(ask, request.path, force=request.force)}
        elif request.op == "raise":
            yield {"result": await self._session.raise_window()}
        elif request.op == "begin":
            yield {"result": await self._session.begin(request.title)}
        elif request.op == "stop" and request.conversation_id:
            await self._session.stop(request.conversation_id)
        elif request.op == "answer":
            await self._session.answer(request.key, ElicitationAnswer(request.answer, request.params))
        elif request.op == "messages" and request.conversation_id:
            limit = min(request.limit, _MOST_MESSAGES)
            yield {"result": await self._session.messages(request.conversation_id, limit=limit)}
        else:
            async with aclosing(self._events(request)) as events:
                async for event in events:
                    yield {"event": event}

    async def _listed(self, request: Request) -> list[Json]:
        session = self._session
        if request.op == "abilities":
            return await session.abilities()
        if request.op == "conversations":
            return await session.conversations(_conversation_ask(request))
        if request.op == "commands":
            return await session.commands(CommandAsk(request.command_verb, name=request.name))
        if request.op == "records":
            return await session.records(RecordAsk(request.record_verb, name=request.name))
        return await self._listed_settings(request)

    async def _listed_settings(self, request: Request) -> list[Json]:
        session = self._session
        if request.op == "servers":
            server_ask = ServerAsk(request.server_verb, name=request.name, shown_hash=request.shown_hash)
            return await session.servers(server_ask)
        if request.op == "permissions":
            return await session.permissions(PermissionAsk(request.permission_verb, name=request.name))
        ask = ModelAsk(request.model_verb, name=request.name, path=request.path, secret=request.secret)
        return await session.models(ask)

    def _events(self, request: Request) -> AsyncGenerator[JsonObject, None]:
        if request.op == "chat":
            ask = ChatAsk(
                request.text, request.conversation_id, request.cwd, request.approve, can_ask=request.can_ask
            )
            return self._session.chat(ask)
        if request.op == "run":
            return self._session.run(_run_ask(request))
        if request.op == "audit":
            return self._session.audit(_audit_ask(request))
        if request.op == "follow":
            return self._session.follow(request.conversation_id or "")
        if request.op == "watch":
            return self._session.watch()
        if request.op == "decide" and request.verdict in get_args(Verdict):
            return self._session.decide(request.action_id, request.verdict, version=request.version)
        raise HostError(f"This Partner does not know the request `{request.op}`; is it of another version?")


def _run_ask(request: Request) -> RunAsk:
    return RunAsk(
        request.key,
        request.params,
        request.cwd,
        request.approve,
        conversation_id=request.conversation_id or "",
        title=request.title,
        bound=request.bound,
        program=request.program,
        can_ask=request.can_ask,
    )


def _audit_ask(request: Request) -> AuditAsk:
    return audit_ask(
        action=request.action,
        kind=request.kind,
        outcome=request.outcome,
        since=request.since,
        until=request.until,
        entries=request.entries,
    )


def _conversation_ask(request: Request) -> ConversationAsk:
    return ConversationAsk(
        request.verb,
        conversation_id=request.conversation_id or "",
        text=request.text,
        path=request.path,
        limit=request.limit,
    )


async def _refuse(writer: asyncio.StreamWriter, sentence: str) -> None:
    await wire.send(writer, {"failed": sentence})


async def _drain(reader: asyncio.StreamReader) -> None:
    """Closing on what was not read yet would take the answer away from the other side."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_S):
            while await reader.read(65_536):
                pass


def _misfit(error: ValidationError) -> str:
    first = error.errors(include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"This request does not fit: `{place}`: {first['msg']}. Is it of another version of Partner?"
