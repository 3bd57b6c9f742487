"""What a server may ask while a call runs, and what a call may do meanwhile: both eras of the protocol."""

from __future__ import annotations

import asyncio
import json

import pytest

from partner_desktop.base.errors import TellMindError, TryAgainError
from partner_desktop.domain.elicitation import ElicitationAnswer
from partner_desktop.runner.mcp.port import SamplingRequest
from partner_desktop.runner.mcp.protocol.oversize import Oversized
from partner_desktop.runner.mcp.protocol.tool_calls import RunningCalls
from tests.runner.mcp.support import Client, resolved
from tests.support import WAIT_S, ready_in_time

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration


async def test_a_form_is_asked_for_and_its_answer_given_back(client: Client) -> None:
    async with client.connected(resolved("asks")) as connection:
        first = await client.call(connection, "elicit")
        client.answer = ElicitationAnswer("decline")
        second = await client.call(connection, "elicit")
        client.answer = ElicitationAnswer("accept", {"city": 7})
        third = await client.call(connection, "elicit")
    assert json.loads(first.stdout) == {"action": "accept", "content": {"city": "Oslo"}}
    assert json.loads(second.stdout) == {"action": "decline"}
    assert "does not fit the form" in json.loads(third.stdout)["message"]
    asked = client.asked[0]
    assert (asked.server, asked.action_id, asked.conversation_id, asked.message) == (
        "asks",
        "a1",
        "c1",
        "Which city?",
    )
    assert asked.schema["required"] == ["city"]


async def test_a_page_to_visit_is_asked_for(client: Client) -> None:
    client.answer = ElicitationAnswer("accept")
    async with client.connected(resolved("asks")) as connection:
        response = await client.call(connection, "visit")
    assert json.loads(response.stdout) == {"action": "accept"}
    assert (client.asked[0].url, client.asked[0].schema) == ("https://example.org/sign-in", {})


async def test_a_question_is_taken_back_when_its_call_is_cancelled(client: Client) -> None:
    client.wait_for_ever = True
    async with client.connected(resolved("asks")) as connection:
        call = asyncio.create_task(client.call(connection, "elicit"))
        await client.until(lambda: bool(client.asked))
        call.cancel()
        await client.until(lambda: client.withdrawn)
        with pytest.raises(asyncio.CancelledError):
            await call


async def test_the_person_may_think_longer_than_a_call_may_take(client: Client) -> None:
    client.wait_for_ever = True

    async def ended(timeout_s: float) -> bool:
        async with client.connected(resolved("asks", timeout_s=timeout_s)) as connection:
            call = asyncio.create_task(client.call(connection, "elicit"))
            done, _ = await asyncio.wait([call], timeout=timeout_s + 0.7)
            call.cancel()
            await asyncio.wait([call])
            return bool(done)

    over, _ = await ready_in_time(ended, lambda: bool(client.asked))
    assert not over


async def test_a_question_that_comes_when_the_time_has_run_out_is_no_surprise(client: Client) -> None:
    async def late() -> None:
        async with RunningCalls(Oversized()).run(client.scope(), 0.01) as call:
            try:
                await asyncio.Event().wait()
            finally:
                with call.question():
                    pass

    with pytest.raises(TimeoutError):
        await late()


async def test_a_cancelled_call_is_cancelled_at_the_server(client: Client) -> None:
    async with client.connected(resolved("asks")) as connection:
        call = asyncio.create_task(client.call(connection, "wait"))
        await client.logged("waiting")
        call.cancel()
        await client.logged("cancelled")
        with pytest.raises(asyncio.CancelledError):
            await call
        assert (await client.call(connection, "progress")).stdout == "done"


async def test_a_call_that_takes_too_long_is_cancelled_at_the_server(client: Client) -> None:
    async with client.connected(resolved("asks", timeout_s=0.5)) as connection:
        with pytest.raises(TryAgainError, match=r"within 0\.5 s"):
            await client.call(connection, "wait")
        await client.logged("cancelled")


async def test_progress_is_told_a_few_times_a_second(client: Client) -> None:
    async with client.connected(resolved("asks")) as connection:
        await client.call(connection, "progress", steps=500)
    assert client.progress[0] == (1.0, 500.0, "on it")
    assert len(client.progress) < 20


async def test_the_granted_folders_are_told(client: Client) -> None:
    async with client.connected(resolved("asks")) as connection:
        response = await client.call(connection, "roots")
    assert json.loads(response.stdout)["roots"] == [
        {"uri": client.folder.as_uri(), "name": client.folder.name}
    ]


async def test_words_of_a_model_are_announced_only_while_there_is_one(client: Client) -> None:
    asked: list[SamplingRequest] = []

    async def sample(request: SamplingRequest) -> str:
        asked.append(request)
        if len(asked) > 1:
            raise TellMindError("The person said no.")
        return "hello"

    async with client.connected(resolved("asks")) as connection:
        assert json.loads((await client.call(connection, "client")).stdout) == ["elicitation", "roots"]
        refused = json.loads((await client.call(connection, "sample")).stdout)
    client.sample = sample
    async with client.connected(resolved("asks")) as connection:
        assert "sampling" in (await client.call(connection, "client")).stdout
        said = json.loads((await client.call(connection, "sample")).stdout)
        denied = json.loads((await client.call(connection, "sample")).stdout)
    assert "code" in refused
    assert said["content"] == {"type": "text", "text": "hello"}
    assert asked[0].messages == (("user", "Say hello."),)
    assert (asked[0].system, asked[0].max_tokens, asked[0].action_id) == ("Be brief.", 20, "a1")
    assert denied == {"code": -1, "message": "The person said no."}


async def test_a_server_has_so_many_questions_open_and_no_more(client: Client) -> None:
    asked: list[SamplingRequest] = []

    async def never(request: SamplingRequest) -> str:
        asked.append(request)
        await asyncio.Event().wait()
        return ""

    client.sample = never
    async with client.connected(resolved("asks")) as connection:
        first = json.loads((await client.call(connection, "insist")).stdout)
    assert first == {"code": -1, "message": "8 questions are open already."}
    assert len(asked) == 8


async def test_a_log_message_is_passed_on_with_its_level_and_without_control_characters(
    client: Client,
) -> None:
    async with client.connected(resolved("asks")) as connection:
        await client.call(connection, "log")
        await client.logged("[warning] asks: the disk is full")


async def test_a_change_of_its_tools_is_told_and_changes_the_hash(client: Client) -> None:
    async with client.connected(resolved("changes")) as connection:
        await client.call(connection, "learn", name="sing")
        await client.until(lambda: client.changes == 1)
        first = {tool.name: tool for tool in (await connection.relist()).tools}
        assert (await client.call(connection, "sing")).stdout == "learnt"
        await client.call(connection, "learn", name="sing", description="now deletes everything")
        second = {tool.name: tool for tool in (await connection.relist()).tools}
        await client.call(connection, "forget", name="sing")
        await client.until(lambda: client.changes == 3)
        third = {tool.name for tool in (await connection.relist()).tools}
    assert first["sing"].content_hash != second["sing"].content_hash
    assert first["learn"].content_hash == second["learn"].content_hash
    assert third == {"learn", "forget"}


async def test_another_command_behind_the_same_tool_has_another_hash(client: Client) -> None:
    hashes = []
    for shown in ("python one.py", "python two.py"):
        async with client.connected(resolved("changes", shown=shown)) as connection:
            hashes.append(connection.facts.tools[0].content_hash)
    assert hashes[0] != hashes[1]


@pytest.mark.promise("actions.mcp.features")
async def test_everything_that_a_server_of_the_sdk_asks_for_works(client: Client) -> None:
    async def sample(request: SamplingRequest) -> str:
        return f"hello to {request.messages[0][1]}"

    client.sample = sample
    async with client.connected(resolved("features")) as connection:
        assert connection.facts.name == "features 1.2"
        assert connection.facts.instructions == "Ask me anything."
        assert (await client.call(connection, "weather")).stdout == "sunny in Oslo"
        assert client.asked[0].action_id == "a1"
        assert (await client.call(connection, "roots")).stdout == client.folder.as_uri()
        assert (await client.call(connection, "words")).stdout == "hello to Say hello."
        assert (await client.call(connection, "measure")).data == {"degrees": 21.5}
        assert (await client.call(connection, "count", to=3)).stdout == "counted"
        assert client.progress[0] == (1.0, 3.0, "at 1")
        await client.logged("[info] counted")
        await client.call(connection, "learn", name="sing")
        await client.until(lambda: client.changes > 0)
        assert "features::sing" in [tool.key for tool in (await connection.relist()).tools]
        assert (await client.call(connection, "picture")).parts[0].mime == "image/png"
        assert (await connection.read_resource("memo://one", scope=client.scope())).stdout == "buy milk"
        assert (
            await connection.get_prompt("greet", {"who": "Ada"}, scope=client.scope())
        ).stdout == "Greet Ada."
        client.wait_for_ever = True
        call = asyncio.create_task(client.call(connection, "weather"))
        await client.until(lambda: len(client.asked) == 2)
        call.cancel()
        await asyncio.wait_for(asyncio.wait([call]), WAIT_S)
        assert call.cancelled()
        assert client.withdrawn
