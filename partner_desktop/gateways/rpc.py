"""JSON-RPC 2.0 over any wire that carries texts: requests, results, errors, notifications, cancellation.

An operation that goes on telling (what follows from a message, the events of a conversation) tells by
notifications that name its request, until its result ends them (C client, S server):

    C {"jsonrpc": "2.0", "id": 7, "method": "events.say", "params": {"text": "hello", …}}
    S {"jsonrpc": "2.0", "method": "$/item", "params": {"id": 7, "item": {"type": "reply", …}}}
    S {"jsonrpc": "2.0", "id": 7, "result": null}
    C {"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": 7}}

What was cancelled is answered, too. An error has the sentence for the person as `message`, and in `data` the
`code` that tells one reason from another. Requests may be sent without waiting; batches are not taken.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import aclosing
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
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.wire import MOST_BYTES, message

_log = log.area("rpc")

#: The numbers that JSON-RPC has itself; every other reason is −32000, told apart by its `code`.
_NO_JSON, _NO_REQUEST, _UNKNOWN, _MISFIT, _INTERNAL, _FAILED = -32700, -32600, -32601, -32602, -32603, -32000
#: Of the Language Server Protocol.
_CANCELLED = -32800
_NUMBERS: Final[dict[type[PartnerError], int]] = {
    RequestError: _NO_REQUEST,
    UnknownOperationError: _UNKNOWN,
    ParametersError: _MISFIT,
    TooLargeError: _MISFIT,
    CancelledRequestError: _CANCELLED,
}

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
_SURPRISE = "Something went wrong inside Partner; its log has the details."


class RpcServer:
    """The end that is asked; one for each connection.

    Requests are begun in their order and done beside each other. `leave` is for a client that goes: what
    goes on telling it ends, what was to be done is done.
    """

    def __init__(self, operate: Operate, send: Send, tasks: TaskSet) -> None:
        self._operate = operate
        self._send = send
        self._tasks = tasks
        self._work: dict[RequestId, tuple[str, asyncio.Task[None]]] = {}
        self._streams: set[RequestId] = set()
        self._taken_back: set[RequestId] = set()
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._left = False

    def at_work(self, *, besides: Collection[str] = ()) -> list[asyncio.Task[None]]:
        """The requests that are not answered yet, without those of some methods."""
        return [task for method, task in self._work.values() if method not in besides]

    async def take(self, text: str | bytes) -> None:
        """Begin what a message asks for; returns once that is under way, later while there is no room."""
        try:
            method, params, request_id = _read(text)
            if method == "$/cancel":
                self._take_back(_id_of(params))
            elif request_id is None:
                raise _MisfitError(None, "A request has an `id`, a number or a text.")
            elif request_id in self._work:
                raise _MisfitError(request_id, "A request with this `id` is still at work.")
            else:
                await self._room.acquire()
                task = self._tasks.start(method[:80], self._do(request_id, method, params))
                self._work[request_id] = method, task
        except _MisfitError as error:
            await self._tell(error.request_id, error.number, RequestError.code, str(error))

    def leave(self) -> None:
        """The client says nothing more."""
        self._left = True
        for request_id in tuple(self._streams):
            self._work[request_id][1].cancel()

    def _take_back(self, request_id: RequestId | None) -> None:
        if request_id in self._work and request_id not in self._taken_back:
            self._taken_back.add(request_id)
            # Behind its beginning: what never began could not answer.
            asyncio.get_running_loop().call_soon(self._work[request_id][1].cancel)

    async def _do(self, request_id: RequestId, method: str, params: JsonObject) -> None:
        try:
            await self._say({"id": request_id, "result": await self._done(request_id, method, params)})
        except asyncio.CancelledError:
            if request_id not in self._taken_back:
                raise
            await self.refuse(request_id, CancelledRequestError("It was cancelled."))
        except PartnerError as error:
            await self.refuse(request_id, error)
        except (ConnectionError, TimeoutError):
            pass  # nobody is there who could be told; who reads the connection notices, too
        except Exception:  # noqa: BLE001 - a bridge: one bad request never takes the host down
            _log.exception("%s could not be done", method[:80])
            await self._tell(request_id, _INTERNAL, "internal", _SURPRISE)
        finally:
            del self._work[request_id]
            self._streams.discard(request_id)
            self._taken_back.discard(request_id)
            self._room.release()

    async def _done(self, request_id: RequestId, method: str, params: JsonObject) -> Json:
        answer = await self._operate(method, params)
        if not isinstance(answer, AsyncGenerator):
            return answer
        async with aclosing(answer) as items:
            if len(self._streams) >= MOST_STREAMS:
                raise TooLargeError(f"One connection can have {MOST_STREAMS} requests that go on telling.")
            self._streams.add(request_id)
            if self._left:
                raise ConnectionError
            async for item in items:
                await self._say({"method": "$/item", "params": {"id": request_id, "item": item}})
        return None

    async def refuse(self, request_id: RequestId | None, error: PartnerError) -> None:
        """Answer with an error."""
        number = next((_NUMBERS[each] for each in type(error).__mro__ if each in _NUMBERS), _FAILED)
        await self._tell(request_id, number, error.code, str(error))

    async def _tell(self, request_id: RequestId | None, number: int, code: str, sentence: str) -> None:
        error: JsonObject = {"code": number, "message": sentence, "data": {"code": code}}
        await self._say({"id": request_id, "error": error})

    async def _say(self, body: JsonObject) -> None:
        text = message(body)
        if len(text) > MOST_BYTES:
            raise TooLargeError(f"The answer is longer than {MOST_BYTES // 2**20} MiB; ask for less at once.")
        await self._send(text)


class _MisfitError(Exception):
    """What came is no request."""

    def __init__(self, request_id: RequestId | None, sentence: str, *, number: int = _NO_REQUEST) -> None:
        super().__init__(sentence)
        self.request_id = request_id
        self.number = number


def _read(text: str | bytes) -> tuple[str, JsonObject, RequestId | None]:
    """Method, parameters and id of a request; of a notification without the id."""
    try:
        body: Json = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _MisfitError(None, f"This is not JSON. Example: {_EXAMPLE}", number=_NO_JSON) from error
    given = body if isinstance(body, dict) else {}
    method, params, request_id = given.get("method"), given.get("params", {}), _id_of(given)
    if given.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise _MisfitError(request_id, f"This is no request of JSON-RPC 2.0. Example: {_EXAMPLE}")
    if not isinstance(params, dict):
        raise _MisfitError(request_id, "`params` is an object: the parameters by their names.")
    return method, params, request_id


def _id_of(body: JsonObject) -> RequestId | None:
    found = body.get("id")
    return found if isinstance(found, (int, str)) and not isinstance(found, bool) else None
