"""Pictures in a whole Partner: the reply's model gets them, other questions get words, the blind say so."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from partner_desktop.app import Partner
from partner_desktop.config.entries import PutValue
from partner_desktop.domain.events import AbilitiesEvent, ReplyEvent, UsageEvent
from partner_desktop.domain.model_status import EndpointDraft
from tests.model.endpoint.badly import BadServer, Behaviour, Line, refusing
from tests.model.engine import needs_engine
from tests.model.seeing import make_tiny_projector
from tests.model.tiny import make_tiny_model
from tests.runtime.conversations.test_message_pictures import picture, png
from tests.support import UPPER_SCRIPT, Watcher

pytestmark = pytest.mark.integration

CANNOT = "This model cannot see pictures; this answers the words alone."


def shown_in(body: dict[str, Any]) -> list[bytes]:
    """The pictures of a call, wherever they stand in it."""
    parts = [part for one in body["messages"] if isinstance(one["content"], list) for part in one["content"]]
    addresses = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [base64.b64decode(address.partition(",")[2], validate=True) for address in addresses]


def words_in(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    return str(content if isinstance(content, str) else content[0]["text"])


def reading(*, sees: bool) -> Behaviour:
    async def behave(line: Line) -> None:
        body = line.seen.body
        if shown_in(body) and not sees:
            await refusing(400)(line)
        elif "response_format" in body:
            await line.say('{"do": "reply"}')
        else:
            await line.say("It is a parrot." if shown_in(body) else "I read it.")

    return behave


def replies(server: BadServer) -> list[dict[str, Any]]:
    return [body for body in server.asked if "response_format" not in body]


async def use(partner: Partner, server: BadServer) -> None:
    name = await partner.models.add_endpoint(EndpointDraft("eyes", server.address, "parrot"), "")
    await partner.models.use(name)


async def say(
    partner: Partner, watcher: Watcher, text: str, *paths: Path, to: str | None = None
) -> tuple[str, str]:
    """Say it, to its end; the conversation's id and the answer."""
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=to, pictures=paths)
    await watcher.done()
    done = [event for event in watcher.events if isinstance(event, ReplyEvent) and event.done]
    return message.conversation_id, "\n".join(event.text for event in done)


async def test_the_reply_gets_the_very_bytes_and_the_questions_before_it_get_words(
    partner: Partner, watcher: Watcher, action_dir: Path, tmp_path: Path
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent) and bool(event.changed))
    async with BadServer(reading(sees=True)) as server:
        await use(partner, server)
        asked = "could the text about the morning be made louder somehow"
        place, said = await say(partner, watcher, asked, picture(tmp_path))
        assert said == "It is a parrot."
        assert [shown_in(body) for body in replies(server)] == [[png()]]
        assert 'pictures="1"' in words_in(replies(server)[0])
        before = [body for body in server.asked if "response_format" in body]
        assert before
        assert not any(map(shown_in, before))
        assert all("Pictures attached to what was said: 1." in words_in(body) for body in before)
        # What is said next may still be about it.
        await say(partner, watcher, "and which colours has it?", to=place)
        assert shown_in(replies(server)[-1]) == [png()]
        assert '<pictures shown="before">1</pictures>' in words_in(replies(server)[-1])
        assert "Pictures attached" not in words_in(server.asked[-2])
        # Anew, too.
        line = await partner.messages.line(place)
        watcher.events.clear()
        await partner.messages.regenerate(line.reply_id)
        await watcher.done()
        assert shown_in(replies(server)[-1]) == [png()]


@needs_engine
async def test_a_model_in_a_file_that_can_see_replies_to_what_is_shown(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    file = make_tiny_model(tmp_path / "seeing.gguf", context_tokens=16_384)
    make_tiny_projector(tmp_path / "mmproj-seeing.gguf")
    await partner.config.change("model", PutValue(("temperature",), 0), PutValue(("max_tokens",), 32))
    await partner.models.use(await partner.models.add_file(file))
    (one,) = partner.models.list()
    assert one.sees
    place, said = "", ""
    for text, shown in (("what could this animal be?", [picture(tmp_path)]), ("and its colours?", [])):
        place, said = await say(partner, watcher, text, *shown, to=place or None)
        assert said
        assert "the words alone" not in said
        told = await watcher.until(
            lambda event: isinstance(event, UsageEvent) and event.call.question == "reply"
        )
        assert isinstance(told, UsageEvent)
        assert (told.call.model, told.call.end in ("stop", "length")) == ("seeing", True)


async def test_a_picture_that_its_model_cannot_read_is_told_with_the_reason(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    file = make_tiny_model(tmp_path / "seeing.gguf", context_tokens=16_384)
    make_tiny_projector(tmp_path / "mmproj-seeing.gguf")
    await partner.config.change("model", PutValue(("max_tokens",), 32))
    await partner.models.use(await partner.models.add_file(file))
    broken = tmp_path / "broken.png"
    broken.write_bytes(png()[:40])
    _, said = await say(partner, watcher, "what could this animal be?", broken)
    assert said.startswith("The picture could not be read (it is damaged). This answers the words alone.\n\n")


async def test_a_model_that_cannot_see_says_so_once_and_answers_the_words(
    partner: Partner, watcher: Watcher, tmp_path: Path
) -> None:
    async with BadServer(reading(sees=False)) as server:
        await use(partner, server)
        place, said = await say(partner, watcher, "what could this animal be?", picture(tmp_path))
        assert said == f"{CANNOT}\n\nI read it."
        assert (await say(partner, watcher, "and otherwise?", to=place))[1] == "I read it."
        await partner.config.change("model", PutValue(("language",), "zh"))
        _, said = await say(partner, watcher, "这是什么动物呢？", picture(tmp_path))
        assert said == "这个模型看不了图片，以下只回答文字部分。\n\nI read it."


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("what a day", "I cannot see pictures; that takes a model that can."),
        ("今天真不错呀", "我看不了图片，这需要一个能看图的模型"),
    ],
)
async def test_the_starter_mind_says_that_it_cannot_see_and_answers_the_words(
    partner: Partner, watcher: Watcher, tmp_path: Path, *, text: str, begins: str
) -> None:
    _, said = await say(partner, watcher, text, picture(tmp_path))
    assert said.startswith(begins)
    assert len(said) > len(begins) + 40
