"""Who waits for a reply comes before what runs in the background."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from partner_desktop.model.chat import ChatPiece, Priority
from partner_desktop.model.endpoint.chat_model import EndpointChatModel
from partner_desktop.model.endpoint.constraint import DialectMemory
from partner_desktop.model.settings import EndpointModel
from tests.model.endpoint.badly import BadServer, Line
from tests.model.endpoint.room import answer, request, served
from tests.support import WAIT_S, HastyClock


async def echo(line: Line) -> None:
    """Says the question, and goes on for ever with a long one."""
    text = line.seen.body["messages"][-1]["content"]
    if text == "long":
        await line.head()
        await line.event({"choices": [{"delta": {"content": text}}]})
        await line.left()
    else:
        await line.say(text)


async def test_background_work_waits_for_the_reply_and_questions_do_not() -> None:
    async with served(echo) as (server, model), asyncio.timeout(WAIT_S):
        async with aclosing(model.chat(request("long", priority=Priority.REPLY))) as reply:
            assert await anext(reply) == ChatPiece("long")
            background = asyncio.create_task(
                answer(model, request("later", priority=Priority.BACKGROUND)), name="background"
            )
            text, _ = await answer(model, request("now", priority=Priority.QUESTION))
            assert text == "now"
            assert not background.done()
        assert (await background)[0] == "later"
    assert [body["messages"][-1]["content"] for body in server.asked] == ["long", "now", "later"]


async def test_whoever_gives_up_waiting_holds_nobody_up() -> None:
    async with served(echo) as (server, model), asyncio.timeout(WAIT_S):
        async with aclosing(model.chat(request("long"))) as reply:
            await anext(reply)
            waiting = [
                asyncio.create_task(
                    answer(model, request(text, priority=Priority.BACKGROUND)), name=f"background {text}"
                )
                for text in ("one", "two")
            ]
            await asyncio.sleep(0)
            waiting[0].cancel()
            await asyncio.wait(waiting[:1])
        assert (await waiting[1])[0] == "two"
    assert [body["messages"][-1]["content"] for body in server.asked] == ["long", "two"]
    assert not model.status().busy


async def test_no_more_calls_go_out_than_a_server_can_put_in_order() -> None:
    async with served(echo) as (server, model), asyncio.timeout(WAIT_S):
        replies = [model.chat(request("long")) for _ in range(4)]
        for reply in replies:
            await anext(reply)
        fifth = asyncio.create_task(answer(model, request("five")), name="fifth")
        await asyncio.sleep(0)
        assert len(server.asked) == 4
        await replies[2].aclose()
        assert (await fifth)[0] == "five"
        for reply in replies:
            await reply.aclose()


async def test_a_new_key_is_used_by_the_next_call_and_cuts_no_answer_off() -> None:
    keys, go_on = ["sk-old"], asyncio.Event()

    async def key() -> str:
        return keys[-1]

    async def slow(line: Line) -> None:
        await line.head()
        await line.event({"choices": [{"delta": {"content": "long"}}]})
        await go_on.wait()
        await line.event({"choices": [{"delta": {"content": "er"}, "finish_reason": "stop"}]})
        await line.send(b"data: [DONE]\n\n")

    settings = EndpointModel(name="cluster", base_url="x", model="parrot", context_tokens=512)
    async with BadServer(slow, echo) as server, asyncio.timeout(WAIT_S):
        settings = settings.model_copy(update={"base_url": server.address})
        dialects = DialectMemory(None, clock=HastyClock())
        model = EndpointChatModel(settings, key=key, clock=HastyClock(), dialects=dialects)
        async with aclosing(model.chat(request("slow"))) as reply:
            assert await anext(reply) == ChatPiece("long")
            keys.append("sk-new")
            await model.unload()
            assert (await answer(model, request("now")))[0] == "now"
            go_on.set()
            assert await anext(reply) == ChatPiece("er")
        await model.unload()
        assert model.status().state == "idle"
        await model.shutdown()
    assert [seen.headers["authorization"] for seen in server.seen] == ["Bearer sk-old", "Bearer sk-new"]
