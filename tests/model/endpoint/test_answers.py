"""What an endpoint says arrives as it was said."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing

import pytest

from partner_desktop.model.chat import ChatPiece, ChatUsage
from tests.model.endpoint.badly import BadServer, Behaviour, Line, hang, raw, refusing, saying
from tests.model.endpoint.room import answer, events, model_of, request, served
from tests.support import WAIT_S

pytestmark = pytest.mark.integration


async def test_an_answer_comes_piece_by_piece_and_ends_with_its_usage() -> None:
    async with served(saying("Good ", "day")) as (server, model):
        said = await events(model)
    assert said == [ChatPiece("Good "), ChatPiece("day"), ChatUsage()]
    assert server.seen[-1].path == "/v1/chat/completions"
    assert server.asked[0] == {
        "model": "parrot",
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 64,
        "temperature": 0.0,
        "top_p": 0.95,
        "messages": [
            {"role": "system", "content": "You are brief."},
            {"role": "user", "content": "Hello"},
        ],
    }


async def test_what_the_server_counted_is_the_usage() -> None:
    async def behave(line: Line) -> None:
        await line.say("Hm", finish="length", done=False)
        usage = {
            "prompt_tokens": 90,
            "completion_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 80},
        }
        await line.event({"choices": [], "usage": usage})
        await line.send(b"data: [DONE]\n\n")

    async with served(behave, context_tokens=8192) as (_, model):
        _, usage = await answer(model)
    assert usage == ChatUsage(90, 80, 7, context_tokens=8192, end="length")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_what_is_thought_is_told_apart_from_what_is_said(field: str) -> None:
    async def behave(line: Line) -> None:
        await line.head()
        await line.event({"choices": [{"delta": {field: "They greet me."}}]})
        await line.event({"choices": [{"delta": {"content": "Hello"}, "finish_reason": "stop"}]})

    async with served(behave) as (_, model):
        said = await events(model)
    assert said[:2] == [ChatPiece("They greet me.", reasoning=True), ChatPiece("Hello")]


async def test_a_server_that_does_not_stream_is_understood() -> None:
    body = {
        "choices": [{"message": {"content": "All at once", "reasoning_content": "Hm."}}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 3},
    }
    async with served(raw(json.dumps(body, indent=2).encode(), "application/json")) as (_, model):
        said = await events(model)
    assert said == [
        ChatPiece("Hm.", reasoning=True),
        ChatPiece("All at once"),
        ChatUsage(5, 0, 3),
    ]


async def test_an_emoji_cut_in_two_by_the_server_arrives_whole() -> None:
    async def behave(line: Line) -> None:
        await line.head()
        await line.send(b'data: {"choices":[{"delta":{"content":"hi \\ud83d"}}]}\n\n')
        await line.send(b'data: {"choices":[{"delta":{"content":"\\ude00!"},"finish_reason":"stop"}]}\n\n')

    async with served(behave) as (_, model):
        text, _ = await answer(model)
    assert text == "hi 😀!"


async def test_leaving_an_answer_closes_the_connection() -> None:
    async def endless(line: Line) -> None:
        await line.head()
        await line.event({"choices": [{"delta": {"content": "and "}}]})
        await line.left()

    async with served(endless) as (server, model):
        async with aclosing(model.chat(request())) as said:
            assert await anext(said) == ChatPiece("and ")
            assert not server.left.is_set()
        async with asyncio.timeout(WAIT_S):
            await server.left.wait()
        assert not model.status().busy


async def test_a_cancelled_call_closes_the_connection() -> None:
    async def silent(line: Line) -> None:
        started.set()
        await line.left()

    started = asyncio.Event()
    async with served(silent) as (server, model):
        call = asyncio.create_task(events(model), name="call")
        async with asyncio.timeout(WAIT_S):
            await started.wait()
            call.cancel()
            await server.left.wait()
        with pytest.raises(asyncio.CancelledError):
            await call


async def test_a_server_that_never_closes_does_not_hold_the_answer_up() -> None:
    async def open_ended(line: Line) -> None:
        await line.say("Done")
        await line.left()

    async with served(open_ended) as (_, model):
        assert (await answer(model))[0] == "Done"


async def test_an_answer_that_ignores_its_limit_is_cut() -> None:
    async def endless(line: Line) -> None:
        await line.head()
        while not line.gone:
            await line.event({"choices": [{"delta": {"content": "more " * 100}}]})

    async with served(endless) as (server, model):
        text, usage = await answer(model, request(max_tokens=16))
        async with asyncio.timeout(WAIT_S):
            await server.left.wait()
    assert usage.end == "length"
    assert len(text) < 6_000


async def test_a_server_without_stream_options_is_asked_without_and_that_is_remembered() -> None:
    picky = refusing(400, {"error": {"message": "Unknown argument", "param": "stream_options"}})
    async with served(picky, saying("Fine")) as (server, model):
        assert (await answer(model))[0] == "Fine"
        assert (await answer(model))[0] == "Fine"
    assert ["stream_options" in body for body in server.asked] == [True, False, False]


async def test_a_model_that_wants_its_limit_named_otherwise_gets_it_so() -> None:
    picky = refusing(400, {"error": {"message": "Unsupported", "param": "max_tokens"}})
    hot = refusing(400, {"error": {"message": "Unsupported", "param": "temperature"}})
    async with served(picky, hot, saying("Fine")) as (server, model):
        assert (await answer(model))[0] == "Fine"
    assert server.asked[2]["max_completion_tokens"] == 64
    assert not {"max_tokens", "temperature", "top_p"} & set(server.asked[2])


async def test_the_first_listed_model_is_taken_where_none_is_named() -> None:
    async with served(saying("Hi"), model="") as (server, model):
        await model.load()
        assert model.status().state == "ready"
        await answer(model)
    assert server.asked[0]["model"] == "parrot"
    assert model.status().description == "parrot"


async def test_what_the_server_says_of_its_context_is_known() -> None:
    async with served(saying("Hi"), model="owl") as (server, model):
        _, usage = await answer(model)
        assert usage.context_tokens == model.status().context_tokens == 8192
        await answer(model)
    assert [seen.method for seen in server.seen] == ["GET", "POST", "POST"]


@pytest.mark.parametrize(
    "lists", [pytest.param(hang, marks=pytest.mark.integration), refusing(404), raw(b"<html>")]
)
async def test_a_server_that_does_not_list_its_models_answers_all_the_same(lists: Behaviour) -> None:
    async with BadServer(saying("Hi"), lists=lists) as server, model_of(server, answer_seconds=1) as model:
        assert (await answer(model))[0] == "Hi"
