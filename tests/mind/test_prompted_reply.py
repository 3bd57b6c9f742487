"""The model's reply: sent word by word as the prompt has it, thoughts apart, and never nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import pytest

from partner_desktop.base.errors import ContextOverflowError, ModelError
from partner_desktop.domain.evidence import NoAbility
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.mind.question import Cut, ReplyRequest, Thought
from partner_desktop.model.chat import ChatMessage, ChatPiece, ChatUsage
from tests.mind.scripted_models import TURN, Prompted, Said
from tests.support import WAIT_S

PROMPT = (
    PromptPart("system", "persona", "You are {said} Partner.", 1),
    PromptPart("system", "capabilities", "Much.", 1),
    PromptPart("user", "dialog", "Hi", 1),
    PromptPart("assistant", "dialog", "Hello", 1),
    PromptPart("user", "context", "<context/>", 1),
    PromptPart("user", "input", "<input>{x} <|im_end|></input>", 1),
)
REQUEST = ReplyRequest(
    text="what now?",
    evidence=[NoAbility((), near=False, text="what now?")],
    abilities=(),
    prompt=PROMPT,
    turn=TURN,
)


async def heard(prompted: Prompted) -> tuple[str, str]:
    """What was thought, and what was said."""
    thought, words = "", ""
    async for piece in prompted.mind.reply(REQUEST):
        if isinstance(piece, Thought):
            thought += piece
        else:
            words += piece
    return thought, words


async def starters() -> str:
    return "".join([piece async for piece in Prompted().starter.reply(REQUEST)])


async def test_what_is_sent_is_the_prompt_word_by_word() -> None:
    prompted = Prompted("All is well.")
    assert await heard(prompted) == ("", "All is well.")
    call = prompted.models.calls[0]
    assert call.messages == (
        ChatMessage("system", "You are {said} Partner.\n\nMuch."),
        ChatMessage("user", "Hi"),
        ChatMessage("assistant", "Hello"),
        ChatMessage("user", "<context/>\n\n<input>{x} <|im_end|></input>"),
    )
    assert (call.question, call.trunk, call.turn, call.schema) == ("reply", 3, TURN, None)
    assert not prompted.told


async def test_thoughts_come_as_thoughts_from_tags_and_from_endpoints() -> None:
    events: Said = [
        ChatPiece("From the server. ", reasoning=True),
        ChatPiece("<th"),
        ChatPiece("ink>from the text</thi"),
        ChatPiece("nk>\n\nHello"),
        ChatPiece(" there"),
        ChatUsage(),
    ]
    assert await heard(Prompted(events)) == ("From the server. from the text", "Hello there")


@pytest.mark.parametrize(
    "said", ["", " \n ", "<think>never closed", "<think>a</think>\n ", [ChatUsage()], [ChatPiece("a", True)]]
)
async def test_a_reply_without_words_becomes_the_starters_visibly(said: Said) -> None:
    prompted = Prompted(said)
    _, words = await heard(prompted)
    assert words == await starters()
    assert prompted.told == [("reply", "The model's reply was empty; the starter mind answered instead.")]


@pytest.mark.parametrize("before", [[], [ChatPiece("hm", True)], [ChatPiece("<think>hm")]])
async def test_a_failure_before_any_word_is_said_and_the_starter_answers(before: list[ChatPiece]) -> None:
    _, words = await heard(Prompted([*before, ModelError("The worker ended.")]))
    lead = "The model did not answer: The worker ended. Here is what can be said without it.\n\n"
    assert words == lead + await starters()


async def test_a_failure_in_the_midst_is_raised_behind_what_was_said() -> None:
    prompted = Prompted([ChatPiece("Half a "), ModelError("The worker ended.")])
    reply = aiter(prompted.mind.reply(REQUEST))
    assert await anext(reply) == "Half a "
    with pytest.raises(ModelError, match="The worker ended"):
        await anext(reply)


async def test_a_call_that_breaks_off_is_a_failure() -> None:
    with pytest.raises(ModelError):
        await heard(Prompted([ChatPiece("Half a "), ChatUsage(end="failed")]))


async def test_too_long_a_prompt_is_for_the_caller_to_shorten() -> None:
    overflow = ContextOverflowError("It is too long.", prompt_tokens=9_000, context_tokens=4_096)
    with pytest.raises(ContextOverflowError):
        await heard(Prompted(overflow))


async def test_a_reply_that_reached_its_longest_length_ends_with_a_mark_and_without_a_notice() -> None:
    prompted = Prompted([ChatPiece("And then"), ChatUsage(end="length")])
    pieces = [piece async for piece in prompted.mind.reply(REQUEST)]
    assert [type(piece) for piece in pieces] == [str, Cut]
    assert "".join(pieces) == "And then"
    assert prompted.told == []


async def test_an_answer_that_stands_in_for_endless_thoughts_is_not_marked_as_cut() -> None:
    prompted = Prompted([ChatPiece("Hm", reasoning=True), ChatUsage(end="length")])
    pieces = [piece async for piece in prompted.mind.reply(REQUEST)]
    assert not any(isinstance(piece, Cut) for piece in pieces)
    assert any(type(piece) is str for piece in pieces)


async def test_who_stops_listening_stops_the_model() -> None:
    prompted = Prompted([ChatPiece("One"), asyncio.Event()])
    reply = cast("AsyncGenerator[str, None]", prompted.mind.reply(REQUEST))
    async with asyncio.timeout(WAIT_S), aclosing(reply):
        assert await anext(reply) == "One"
    assert prompted.models.closed == 1


async def test_cancelling_the_listener_stops_the_model() -> None:
    prompted = Prompted([ChatPiece("One"), asyncio.Event()])
    listener = asyncio.create_task(heard(prompted))
    async with asyncio.timeout(WAIT_S):
        await prompted.models.asked.wait()
        listener.cancel()
        with pytest.raises(asyncio.CancelledError):
            await listener
        await prompted.models.left.wait()
