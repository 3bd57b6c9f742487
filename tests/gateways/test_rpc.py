"""JSON-RPC over a plain pipe: every request has one answer, whatever it is, and the server goes on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

import pytest

from partner_desktop.api.operations import MOST_CHARACTERS, Operations
from partner_desktop.base.errors import UsageError
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.gateways.rpc import MOST_AT_ONCE, MOST_STREAMS, RpcServer
from partner_desktop.gateways.wire import MOST_BYTES
from tests.support import WAIT_S

Told = dict[str, Any]


class Works:
    """A service for all that can go wrong."""

    def __init__(self) -> None:
        self.begun, self.go_on = asyncio.Event(), asyncio.Event()
        self.ended: list[str] = []

    @operation(Caller.CLIENT)
    def repeat(self, text: str) -> str:
        """The same."""
        return text

    @operation(Caller.CLIENT)
    async def wait(self) -> str:
        """Ends when it may."""
        self.begun.set()
        await self.go_on.wait()
        self.ended.append("wait")
        return "done"

    @operation(Caller.CLIENT)
    async def count(self, to: int) -> AsyncGenerator[int, None]:
        """One number after another; without an end beyond a hundred."""
        try:
            for number in range(min(to, 100)):
                yield number
            self.begun.set()
            await asyncio.Event().wait() if to > 100 else None
        finally:
            self.ended.append("count")

    @operation(Caller.CLIENT)
    def refuse(self) -> None:
        """Never."""
        raise UsageError("Not today.")

    @operation(Caller.CLIENT)
    def break_down(self) -> None:
        """An error that nobody thought of."""
        raise TimeoutError("of something inside")

    @operation(Caller.CLIENT)
    def thing(self) -> object:
        """What has no form."""
        return object()

    @operation(Caller.CLIENT)
    def talk(self) -> str:
        """More than anybody could read."""
        return "x" * MOST_BYTES

    @operation(Caller.ATTACHED)
    def trust(self) -> None:
        """For friends."""


class Pipe:
    """Both ends of a connection: what is said here comes back as `told`."""

    def __init__(self, works: Works, tasks: TaskSet) -> None:
        self.told: list[Told] = []
        self.reads = asyncio.Event()
        self.reads.set()
        self.lost = False
        self.server = RpcServer(self._operate, self._send, tasks)
        self._operations = Operations({"works": works})
        self._news = asyncio.Event()

    async def _operate(self, method: str, params: JsonObject) -> Json | AsyncGenerator[Json, None]:
        return await self._operations.begin(method, params, caller=Caller.CLIENT)

    async def _send(self, text: str) -> None:
        if self.lost:
            raise ConnectionResetError
        self.told.append(json.loads(text))
        self._news.set()
        await self.reads.wait()

    async def ask(self, request_id: int | str, method: str, **params: Json) -> None:
        body = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        await self.server.take(json.dumps(body))

    async def cancel(self, request_id: Json) -> None:
        body = {"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": request_id}}
        await self.server.take(json.dumps(body))

    async def until(self, fits: Callable[[], object]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not fits():
                self._news.clear()
                await self._news.wait()

    async def answer(self, request_id: int | str | None) -> Told:
        await self.until(lambda: self.answers(request_id))
        return self.answers(request_id)[0]

    def answers(self, request_id: int | str | None) -> list[Told]:
        return [one for one in self.told if "id" in one and one["id"] == request_id]

    def items(self, request_id: int | str) -> list[Json]:
        told = [one["params"] for one in self.told if one.get("method") == "$/item"]
        return [one["item"] for one in told if one["id"] == request_id]


@pytest.fixture
async def works() -> Works:
    return Works()


@pytest.fixture
async def tasks() -> AsyncIterator[TaskSet]:
    one = TaskSet("test")
    yield one
    await one.close()


@pytest.fixture
async def pipe(works: Works, tasks: TaskSet) -> Pipe:
    return Pipe(works, tasks)


def request(method: str = "works.repeat", **params: Json) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


@pytest.mark.parametrize(
    ("said", "number", "code", "words", "about"),
    [
        ("not json", -32700, "invalid_request", "not JSON", None),
        (request(text="half")[:40], -32700, "invalid_request", "not JSON", None),
        (b"\x00\xff", -32700, "invalid_request", "not JSON", None),
        ("[" * 100_000, -32700, "invalid_request", "not JSON", None),
        (f"[{request(text='a batch')}]", -32600, "invalid_request", "no request of JSON-RPC 2.0", None),
        ('"text"', -32600, "invalid_request", "no request of JSON-RPC 2.0", None),
        ('{"id": 1, "method": "works.repeat"}', -32600, "invalid_request", "no request of JSON-RPC 2.0", 1),
        ('{"jsonrpc": "2.0", "id": 1, "result": 5}', -32600, "invalid_request", "no request", 1),
        ('{"jsonrpc": "2.0", "method": "works.repeat"}', -32600, "invalid_request", "has an `id`", None),
        (request().replace("1", "1.5"), -32600, "invalid_request", "has an `id`", None),
        (request().replace("1", "null"), -32600, "invalid_request", "has an `id`", None),
        (request().replace("{}", "[1]"), -32600, "invalid_request", "`params` is an object", 1),
        (request("works.dance"), -32601, "unknown_operation", "There is no operation works.dance", 1),
        (request("x" * 100_000), -32601, "unknown_operation", "There is no operation xxx", 1),
        (request(), -32602, "invalid_parameters", "text is missing", 1),
        (request(text=5), -32602, "invalid_parameters", "text: input should be", 1),
        (request(text="a", loud=True), -32602, "invalid_parameters", "no parameter loud", 1),
        (request(text="a" * MOST_CHARACTERS), -32602, "too_large", "are the most", 1),
        (request("works.talk"), -32602, "too_large", "longer than 8 MiB", 1),
        (request("works.thing"), -32000, "unencodable_result", "cannot be told", 1),
        (request("works.trust"), -32000, "not_allowed", "cannot be asked for from here", 1),
        (request("works.refuse"), -32000, "usage", "Not today.", 1),
    ],
)
async def test_what_cannot_be_done_is_one_error_with_its_code_and_the_next_request_is_answered(
    pipe: Pipe, said: str | bytes, number: int, code: str, words: str, about: int | None
) -> None:
    await pipe.server.take(said)
    told = await pipe.answer(about)
    assert (told["error"]["code"], told["error"]["data"]) == (number, {"code": code})
    assert words in told["error"]["message"]
    assert len(told["error"]["message"]) < 500
    await pipe.ask("next", "works.repeat", text="there")
    assert (await pipe.answer("next"))["result"] == "there"
    assert len(pipe.told) == 2


@pytest.mark.logs_errors
async def test_a_surprise_inside_is_one_sentence_for_the_asker_and_a_report_in_the_log(
    pipe: Pipe, caplog: pytest.LogCaptureFixture
) -> None:
    await pipe.ask(1, "works.break_down")
    error = (await pipe.answer(1))["error"]
    assert (error["code"], error["data"]["code"]) == (-32603, "internal")
    assert error["message"] == "Something went wrong inside Partner; its log has the details."
    assert "works.break_down could not be done" in caplog.text
    assert "of something inside" in caplog.text


async def test_the_items_of_a_stream_come_in_order_and_end_with_a_result(pipe: Pipe) -> None:
    await pipe.ask("s", "works.count", to=5)
    assert (await pipe.answer("s"))["result"] is None
    assert pipe.items("s") == [0, 1, 2, 3, 4]
    assert pipe.told[-1]["id"] == "s"


async def test_an_id_is_used_again_when_its_answer_came_and_not_before(pipe: Pipe, works: Works) -> None:
    await pipe.ask(1, "works.wait")
    await works.begun.wait()
    await pipe.ask(1, "works.repeat", text="too early")
    assert "still at work" in (await pipe.answer(1))["error"]["message"]
    works.go_on.set()
    await pipe.until(lambda: len(pipe.answers(1)) == 2)
    await asyncio.gather(*pipe.server.at_work())
    await pipe.ask(1, "works.repeat", text="now")
    await pipe.until(lambda: [one.get("result") for one in pipe.answers(1)] == [None, "done", "now"])


async def test_a_stream_that_is_taken_back_ends_and_is_answered_so_once(pipe: Pipe, works: Works) -> None:
    await pipe.ask(1, "works.count", to=1_000)
    await works.begun.wait()
    await pipe.cancel(1)
    await pipe.cancel(1)
    error = (await pipe.answer(1))["error"]
    assert (error["code"], error["data"]["code"]) == (-32800, "cancelled")
    await asyncio.gather(*pipe.server.at_work())
    assert works.ended == ["count"]
    assert len(pipe.answers(1)) == 1


async def test_a_call_that_has_begun_is_done_and_has_its_answer(pipe: Pipe, works: Works) -> None:
    await pipe.ask(1, "works.wait")
    await pipe.cancel(1)
    await works.begun.wait()
    await pipe.cancel(1)
    works.go_on.set()
    assert "error" not in await pipe.answer(1)
    assert works.ended == ["wait"]


async def test_taking_back_what_has_hardly_begun_has_ended_or_never_was_is_no_error(pipe: Pipe) -> None:
    await pipe.ask(1, "works.count", to=1_000)
    await pipe.cancel(1)
    assert (await pipe.answer(1))["error"]["data"]["code"] == "cancelled"
    over: list[Json] = [1, "never", None, 1.5, [1]]
    for gone in over:
        await pipe.cancel(gone)
    await pipe.ask(2, "works.repeat", text="there")
    assert (await pipe.answer(2))["result"] == "there"
    assert len(pipe.answers(1)) == 1


async def test_an_answer_that_is_on_its_way_is_the_only_one(pipe: Pipe) -> None:
    pipe.reads.clear()
    await pipe.ask(1, "works.repeat", text="there")
    await pipe.answer(1)  # sent, and not read yet
    await pipe.cancel(1)
    await asyncio.sleep(0)
    pipe.reads.set()
    await asyncio.gather(*pipe.server.at_work())
    assert [one["result"] for one in pipe.told] == ["there"]


async def test_for_whoever_leaves_streams_end_and_what_was_asked_is_done(pipe: Pipe, works: Works) -> None:
    await pipe.ask(1, "works.count", to=1_000)
    await works.begun.wait()
    await pipe.ask(2, "works.wait")
    told = len(pipe.told)
    pipe.server.leave()
    works.go_on.set()
    await asyncio.gather(*pipe.server.at_work(), return_exceptions=True)
    assert sorted(works.ended) == ["count", "wait"]
    assert [answer.get("id") for answer in pipe.told[told:]] == [2], "a stream that was cut has no answer"


async def test_a_lost_connection_is_no_error_of_the_server(pipe: Pipe, works: Works) -> None:
    pipe.lost = True
    await pipe.server.take("not json")
    await pipe.ask(1, "works.refuse")
    await pipe.ask(2, "works.count", to=5)
    await asyncio.gather(*pipe.server.at_work())
    assert works.ended == ["count"]


async def test_so_many_streams_go_on_at_once_and_no_more(pipe: Pipe) -> None:
    for number in range(MOST_STREAMS + 1):
        await pipe.ask(number, "works.count", to=1_000)
    error = (await pipe.answer(MOST_STREAMS))["error"]
    assert (error["data"]["code"], str(MOST_STREAMS) in error["message"]) == ("too_large", True)
    await pipe.cancel(0)
    await pipe.answer(0)
    await pipe.ask("again", "works.count", to=3)
    assert (await pipe.answer("again"))["result"] is None


@pytest.mark.slow
async def test_ten_thousand_requests_without_a_pause_are_all_answered(pipe: Pipe) -> None:
    for number in range(10_000):
        await pipe.ask(number, "works.repeat", text=str(number))
    await asyncio.gather(*pipe.server.at_work())
    assert {one["id"]: one["result"] for one in pipe.told} == {n: str(n) for n in range(10_000)}


async def test_from_one_who_reads_nothing_no_more_is_taken_than_may_be_at_work(
    pipe: Pipe, works: Works
) -> None:
    pipe.reads.clear()
    for number in range(MOST_AT_ONCE):
        await pipe.ask(number, "works.repeat", text="unread")
    further = asyncio.ensure_future(pipe.ask("further", "works.wait"))
    await pipe.until(lambda: len(pipe.told) == MOST_AT_ONCE)
    assert not further.done()
    assert not works.begun.is_set()
    pipe.reads.set()
    async with asyncio.timeout(WAIT_S):
        await further
        await works.begun.wait()
