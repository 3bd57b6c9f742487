"""JSON-RPC 2.0 over any wire that carries texts: requests, results, errors, notifications, cancellation.

An operation that goes on telling (what follows from a message, the events of a conversation) tells by
notifications that name its request, until its result ends them (C client, S server):

    C {"jsonrpc": "2.0", "id": 7, "method": "events.say", "params": {"text": "hello", …}}
    S {"jsonrpc": "2.0", "method": "$/item", "params": {"id": 7, "item": {"type": "reply", …}}}
    S {"jsonrpc": "2.0", "id": 7, "result": null}
    C {"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": 7}}

`$/cancel` ends what goes on telling and what has not begun, which is answered so; a call that has begun is
done and has its answer. An error has the sentence for the person as `message`, and in `data` the `code` that
tells one reason from another. Requests may be sent without waiting; batches are not taken.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import aclosing, nullcontext, suppress
from dataclasses import field
from typing import Final, TypeAlias

from partner_desktop.base import log
from partner_desktop.base.errors import (
    CancelledRequestError,
    ParametersError,
    PartnerError,
    RequestError,
    TooLargeError,
    UnknownOperationError,
)
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.wire import MOST_BYTES, message

_log = log.area("rpc")

#: Requests of one connection at work at once: while there are so many, nothing more is read from it.
MOST_AT_ONCE = 64
#: Of those that go on telling; more are refused.
MOST_STREAMS = 32

RequestId: TypeAlias = int | str
#: A result, or a generator of what is told bit by bit.
Answer: TypeAlias = Json | AsyncGenerator[Json, None]
#: Does what a method asks for.
Operate: TypeAlias = Callable[[str, JsonObject], Awaitable[Answer]]
#: Puts a text on the wire, and waits while the other side does not keep up.
Send: TypeAlias = Callable[[str], Awaitable[None]]

_EXAMPLE = '{"jsonrpc": "2.0", "id": 1, "method": "conversations.list", "params": {}}'


class RpcServer:
    """The end that is asked; one for each connection.

    Requests are begun in their order and done beside each other; each has one answer. `leave` is for a client
    that goes: what goes on telling it ends, what was to be done is done.
    """

    def __init__(self, operate: Operate, send: Send, tasks: TaskSet, *, in_turn: bool = False) -> None:
        """`in_turn`: one request is done behind the other."""
        self._turn = asyncio.Lock() if in_turn else nullcontext()
        self._operate = operate
        self._send = send
        self._tasks = tasks
        self._work: dict[RequestId, _Request] = {}
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._left = False

    def at_work(self, *, besides: Collection[str] = ()) -> list[asyncio.Task[None]]:
        """The requests that are not answered yet, without those of some methods."""
        return [one.task for one in self._work.values() if one.method not in besides]

    async def take(self, text: str | bytes) -> None:
        """Begin what a message asks for; returns once that is under way, later while there is no room."""
        try:
            method, params, request_id = parsed_request(text)
            if method == "$/cancel":
                self._take_back(_id_of(params))
            elif request_id is None:
                raise _MisfitError("gateways.no_id", None)
            elif request_id in self._work:
                raise _MisfitError("gateways.id_at_work", request_id)
            else:
                await self._room.acquire()
                request = self._work[request_id] = _Request(request_id, method, params)
                request.task = self._tasks.start(method[:80], self._do(request))
        except _MisfitError as error:
            with suppress(_UnheardError):
                await self._say(error_answer(error, error.request_id))

    def leave(self) -> None:
        """The client says nothing more."""
        self._left = True
        for request in self._work.values():
            if request.streams:
                request.task.cancel()

    def _take_back(self, request_id: RequestId | None) -> None:
        request = self._work.get(request_id) if request_id is not None else None
        if request is not None:
            # Behind its beginning: what never began could not answer.
            asyncio.get_running_loop().call_soon(request.cancel)

    async def _do(self, request: _Request) -> None:
        try:
            text = await self._answer(request)
            request.answered = True
            await self._say(text)
        except _UnheardError:
            pass
        finally:
            del self._work[request.id]
            self._room.release()

    async def _answer(self, request: _Request) -> str:
        try:
            return _short_enough(message({"id": request.id, "result": await self._result(request)}))
        except asyncio.CancelledError:
            if not request.taken_back:
                raise
            return error_answer(CancelledRequestError("gateways.cancelled"), request.id)
        except PartnerError as error:
            return error_answer(error, request.id)
        except _UnheardError:
            raise
        except Exception:  # noqa: BLE001 - a bridge: one bad request never takes the host down
            _log.exception("%s could not be done", request.method[:80])
            return _refused(request.id, _INTERNAL, "internal", sentence_of("gateways.surprise"))

    async def _result(self, request: _Request) -> Json:
        async with self._turn:
            request.begun = True
            answer = await self._operate(request.method, request.params)
        if not isinstance(answer, AsyncGenerator):
            return answer
        async with aclosing(answer) as items:
            if sum(one.streams for one in self._work.values()) >= MOST_STREAMS:
                raise TooLargeError("gateways.too_many_streams", most=MOST_STREAMS)
            request.streams = True
            if self._left:
                raise _UnheardError
            async for item in items:
                told: JsonObject = {"method": "$/item", "params": {"id": request.id, "item": item}}
                await self._say(_short_enough(message(told)))
        return None

    async def _say(self, text: str) -> None:
        try:
            await self._send(text)
        except (ConnectionError, TimeoutError) as error:
            raise _UnheardError from error  # whoever reads the connection notices, too


@dataclass(eq=False)
class _Request:
    """One that is at work."""

    id: RequestId
    method: str
    params: JsonObject
    task: asyncio.Task[None] = field(init=False)
    begun: bool = False
    streams: bool = False
    taken_back: bool = False
    answered: bool = False
    """Its answer is on its way: taken back now it would get a second one."""

    def cancel(self) -> None:
        """What has begun would be done half or all the same, and nobody could tell."""
        if not self.answered and (self.streams or not self.begun):
            self.taken_back = True
            self.task.cancel()


def error_answer(error: PartnerError, request_id: RequestId | None = None) -> str:
    """The answer to what cannot be done; without an id, to what was no request."""
    number = next((_NUMBERS[each] for each in type(error).__mro__ if each in _NUMBERS), _FAILED)
    return _refused(request_id, number, error.code, str(error))


def _refused(request_id: RequestId | None, number: int, code: str, sentence: str) -> str:
    error: JsonObject = {"code": number, "message": sentence, "data": {"code": code}}
    return message({"id": request_id, "error": error})


def _short_enough(text: str) -> str:
    if len(text) > MOST_BYTES:
        raise TooLargeError("gateways.answer_too_long", most=MOST_BYTES // 2**20)
    return text


class _UnheardError(Exception):
    """Nobody is there who could be told."""


class _MisfitError(RequestError):
    """What came is no request; the id as far as it could be read."""

    def __init__(self, message_id: str, request_id: RequestId | None, /, **values: object) -> None:
        super().__init__(message_id, **values)
        self.request_id = request_id


class _NoJsonError(_MisfitError):
    """What came is not even JSON."""


#: The numbers that JSON-RPC has itself, and one of the Language Server Protocol; every other reason is
#: −32000, told apart by its `code`.
_NUMBERS: Final[dict[type[PartnerError], int]] = {
    _NoJsonError: -32700,
    RequestError: -32600,
    UnknownOperationError: -32601,
    ParametersError: -32602,
    TooLargeError: -32602,
    CancelledRequestError: -32800,
}
_INTERNAL, _FAILED = -32603, -32000


def parsed_request(text: str | bytes) -> tuple[str, JsonObject, RequestId | None]:
    """Method, parameters and id of a request; of a notification without the id.

    Raises:
        RequestError: It is none.
    """
    try:
        body: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _NoJsonError("gateways.no_json", None, example=_EXAMPLE) from error
    given = body if isinstance(body, dict) else {}
    method, params, request_id = given.get("method"), given.get("params", {}), _id_of(given)
    if given.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise _MisfitError("gateways.no_rpc", request_id, example=_EXAMPLE)
    if not isinstance(params, dict):
        raise _MisfitError("gateways.params_object", request_id)
    return method, params, request_id


def _id_of(body: JsonObject) -> RequestId | None:
    found = body.get("id")
    return found if isinstance(found, (int, str)) and not isinstance(found, bool) else None
