"""Pictures to a server: as Chat Completions has them, and what happens where its model cannot see."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.domain.message import PictureData
from partner_desktop.model.chat import UNSEEN, ChatRequest
from tests.model.endpoint.badly import BadServer, Behaviour, Line, refusing, saying
from tests.model.endpoint.room import answer, events, model_of, request, served, text_of
from tests.support import FakeClock

pytestmark = pytest.mark.integration

DATA = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def showing(text: str = "What is this?") -> ChatRequest:
    asked = request(text)
    shown = replace(asked.messages[-1], pictures=(PictureData("image/png", DATA),))
    return replace(asked, messages=(*asked.messages[:-1], shown))


def shown_in(body: dict[str, Any]) -> list[bytes]:
    """The pictures of a call, as the server reads them."""
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return []
    begin = "data:image/png;base64,"
    addresses = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    assert all(address.startswith(begin) for address in addresses)
    return [base64.b64decode(address[len(begin) :], validate=True) for address in addresses]


def blind(status: int, **error: Any) -> Behaviour:
    """Answers words, and refuses pictures."""

    async def behave(line: Line) -> None:
        if shown_in(line.seen.body):
            await refusing(status, **error)(line)
        else:
            await line.say("I read it.")

    return behave


async def test_a_server_gets_the_very_bytes_beside_the_words() -> None:
    async with served(saying("A parrot.")) as (server, model):
        said = await events(model, showing())
    assert text_of(said) == "A parrot."
    assert UNSEEN not in said
    (body,) = server.asked
    assert shown_in(body) == [DATA]
    assert body["messages"][-1]["content"][0] == {"type": "text", "text": "What is this?"}
    assert body["messages"][0] == {"role": "system", "content": "You are brief."}


@pytest.mark.parametrize("status", [400, 404, 415, 422, 501])
async def test_what_a_server_refuses_to_see_is_told_and_the_words_are_answered(
    tmp_path: Path, status: int
) -> None:
    kept = tmp_path / "dialects.json"
    async with BadServer(blind(status)) as server:
        async with model_of(server, dialects=kept) as model:
            said = await events(model, showing())
            assert said[0] == UNSEEN
            assert text_of(said) == "I read it."
            assert [len(shown_in(body)) for body in server.asked] == [1, 0]
            assert "cannot see" in server.asked[1]["messages"][-1]["content"]
        async with model_of(server, dialects=kept) as later:  # another start of the app
            assert (await events(later, showing()))[0] == UNSEEN
    assert [len(shown_in(body)) for body in server.asked] == [1, 0, 0]


async def test_a_day_later_it_is_tried_again() -> None:
    clock = FakeClock()
    async with BadServer(blind(400)) as server, model_of(server, clock=clock) as model:
        await answer(model, showing())
        clock.move(timedelta(days=1, seconds=1))
        await answer(model, showing())
    assert [len(shown_in(body)) for body in server.asked] == [1, 0, 1, 0]


async def test_words_alone_are_never_told_to_be_unseen() -> None:
    async with BadServer(blind(400)) as server, model_of(server) as model:
        await answer(model, showing())
        assert UNSEEN not in await events(model, request())
    assert server.asked[-1]["messages"][-1]["content"] == "Hello"


async def test_too_large_a_picture_says_nothing_about_the_models_eyes() -> None:
    async with BadServer(blind(413)) as server, model_of(server) as model:
        assert (await events(model, showing()))[0] == UNSEEN
        await events(model, showing())
    assert [len(shown_in(body)) for body in server.asked] == [1, 0, 1, 0]


@pytest.mark.parametrize(("vision", "calls"), [("no", [0, 0]), ("yes", [1, 0, 1, 0])])
async def test_what_the_settings_say_of_a_model_is_not_found_out_anew(vision: str, calls: list[int]) -> None:
    async with BadServer(blind(400)) as server, model_of(server, vision=vision) as model:
        for _ in range(2):
            assert (await events(model, showing()))[0] == UNSEEN
    assert [len(shown_in(body)) for body in server.asked] == calls


async def test_a_server_that_dislikes_something_else_still_gets_the_picture() -> None:
    async def behave(line: Line) -> None:
        if "stream_options" in line.seen.body:
            await refusing(400)(line)
        else:
            await line.say("A parrot.")

    async with served(behave) as (server, model):
        said = await events(model, showing())
    assert UNSEEN not in said
    assert len(shown_in(server.asked[-1])) == 1
