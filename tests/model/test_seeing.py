"""A model in a file that can see: what it says of itself, and what befalls pictures on their way to it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.domain.message import PictureData
from partner_desktop.model.chat import ChatEvent, ChatModel, ChatPiece, ChatRequest, ChatUsage
from partner_desktop.model.worker.frames import MOST_PICTURES_BYTES
from tests.model.chatting import HASTY, answer, asked, chat_model
from tests.model.engine import needs_engine, until
from tests.model.seeing import make_tiny_projector, png
from tests.model.tiny import make_tiny_model

pytestmark = [needs_engine, pytest.mark.integration]

_RED, _GREEN = png((220, 20, 20)), png((20, 220, 20))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="module")
def projector(file: Path) -> Path:
    return make_tiny_projector(file.with_name("mmproj-tiny.gguf"))


def showing(*pictures: bytes, text: str = "what is this?") -> ChatRequest:
    request = asked(text, tokens=24)
    shown = tuple(PictureData("image/png", data) for data in pictures)
    return replace(request, messages=(replace(request.messages[-1], pictures=shown),))


async def events_of(model: ChatModel, request: ChatRequest) -> list[ChatEvent]:
    async with aclosing(model.chat(request)) as events:
        return [event async for event in events]


def unseen_in(events: Sequence[ChatEvent]) -> list[str]:
    """Why pictures were left out."""
    return [event.why for event in events if isinstance(event, ChatPiece) and event.unseen]


def words_in(events: Sequence[ChatEvent]) -> str:
    assert isinstance(events[-1], ChatUsage)
    return "".join(event.text for event in events if isinstance(event, ChatPiece))


async def test_it_answers_to_what_is_shown_and_says_before_that_it_can_see(
    file: Path, projector: Path
) -> None:
    async with chat_model(file, policy=HASTY, projector=str(projector)) as model:
        assert model.status().sees
        red = await events_of(model, showing(_RED))
        green = await events_of(model, showing(_GREEN))
        assert unseen_in([*red, *green]) == []
        assert words_in(red) != words_in(green)
        assert words_in(await events_of(model, showing(_RED))) == words_in(red)
        assert (model.status().sees, model.status().note) == (True, "")


async def test_a_model_without_a_projector_says_that_it_cannot_see(file: Path) -> None:
    async with chat_model(file, policy=HASTY) as model:
        assert not model.status().sees
        events = await events_of(model, showing(_RED))
        assert unseen_in(events) == [""]
        assert words_in(events)


async def test_a_picture_that_cannot_be_read_is_told_with_its_reason_and_the_words_are_answered(
    file: Path, projector: Path
) -> None:
    async with chat_model(file, policy=HASTY, projector=str(projector)) as model:
        events = await events_of(model, showing(_RED[:50]))
        assert unseen_in(events) == ["The picture could not be read (it is damaged)."]
        assert words_in(events)
        assert model.status().sees
        too_large = await events_of(model, showing(_RED + bytes(MOST_PICTURES_BYTES)))
        assert "smaller copies" in unseen_in(too_large)[0]
        whole = await events_of(model, showing(_RED + bytes(MOST_PICTURES_BYTES - len(_RED))))
        assert unseen_in(whole) == []


async def test_a_projector_that_is_of_another_model_is_told_and_the_words_are_answered(
    file: Path, tmp_path: Path
) -> None:
    foreign = make_tiny_projector(tmp_path / "mmproj.gguf", width=96)
    async with chat_model(file, policy=HASTY, projector=str(foreign)) as model:
        events = await events_of(model, showing(_RED))
        assert "mismatch" in unseen_in(events)[0]
        assert words_in(events)
        assert not model.status().sees
        assert "mismatch" in model.status().note
        make_tiny_projector(foreign)
        assert unseen_in(await events_of(model, showing(_RED))) == []
        assert model.status().sees


async def test_a_projector_that_is_not_there_is_told_before_anything_is_shown(
    file: Path, tmp_path: Path
) -> None:
    async with chat_model(file, policy=HASTY, projector=str(tmp_path / "gone.gguf")) as model:
        assert not model.status().sees
        assert "gone.gguf" in model.status().note
        events = await events_of(model, showing(_RED))
        assert unseen_in(events)
        assert words_in(events)


async def test_a_crash_over_a_picture_ends_the_process_alone_and_the_picture_is_not_shown_again(
    file: Path, tmp_path: Path
) -> None:
    deadly = make_tiny_projector(tmp_path / "mmproj.gguf", heads=0)
    async with chat_model(file, policy=HASTY, projector=str(deadly)) as model:
        before, _ = await answer(model, asked())
        events = await events_of(model, showing(_RED))
        assert unseen_in(events) == ["The model's process ended while it looked at the picture."]
        assert words_in(events)
        pid = model.pid
        assert unseen_in(await events_of(model, showing(_RED, text="and now?")))
        assert model.pid == pid
        assert (await answer(model, asked()))[0] == before


@pytest.mark.promise("model.cancel")
async def test_an_answer_to_a_picture_is_given_up_and_the_next_is_as_ever(file: Path, tmp_path: Path) -> None:
    slow = make_tiny_projector(tmp_path / "mmproj.gguf", side=14 * 40, layers=60)
    async with chat_model(file, policy=HASTY, projector=str(slow)) as model:
        before, _ = await answer(model, asked())
        pid = model.pid
        reading = asyncio.create_task(events_of(model, showing(_RED)))
        await until(lambda: model.status().busy)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert (await answer(model, asked()))[0] == before
        assert model.pid == pid
