"""An invalid answer: asked for once more without being shown again, then the starter's answer, visibly."""

from __future__ import annotations

import asyncio
import json

import pytest

from partner_desktop.base.errors import ContextOverflowError, ModelError
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import TurnRef
from partner_desktop.mind.question import EvaluateIntent, ExtractParams, JudgeConfirmation, PickAbility
from partner_desktop.model.chat import ChatEvent, ChatPiece, ChatUsage
from tests.mind.asking import ability, param
from tests.mind.scripted_models import TURN, FixedPrefix, Prompted, Said
from tests.mind.test_prompted_verdict import WAITING
from tests.support import WAIT_S
from tests.tables import all_rows

ZIP = ability("zip_folder", "Pack a folder into a zip archive", level=param("integer", "how hard", maximum=9))
UNZIP = ability("unzip", "Unpack a zip archive into a folder")
CHOICE = EvaluateIntent("please zip my folder of pictures into an archive", (ZIP, UNZIP), TURN)

MARK = "zebra"
INVALID: dict[str, Said] = {
    "garbage": f"Sure! The {MARK} is what you mean.",
    "empty": "",
    "empty object": "{}",
    "null": "null",
    "list": f'["{MARK}"]',
    "wrong enum": json.dumps({"do": "act", "ability": f"local::{MARK}"}),
    "wrong choice": json.dumps({"do": MARK, "ability": None}),
    "act on nothing": json.dumps({"do": "act", "ability": None}),
    "truncated": f'{{"do": "act", "ability": "local::{MARK}',
    "extra key": json.dumps({"do": "reply", "ability": None, MARK: 1}),
    "missing key": json.dumps({"do": "reply"}),
    "wrong type": json.dumps({"do": "act", "ability": [MARK]}),
    "twice a key": f'{{"do": "reply", "do": "act", "ability": "{MARK}"}}',
    "endless number": '{"do": "reply", "ability": NaN}',
    "two objects": '{"do": "reply", "ability": null} {"do": "reply", "ability": null}',
    "half a character": '{"do": "act", "ability": "\\ud800"}',
    "too deep": '{"do": ' + "[" * 5_000,
    "only thoughts": f"<think>{MARK}",
    "cut off": [ChatPiece('{"do": "reply", "ability": null}'), ChatUsage(end="length")],
}


@pytest.mark.promise("mind.invalid")
@all_rows("invalid", INVALID.values())
async def test_an_invalid_answer_is_never_replayed_and_ends_in_the_starters_answer_visibly(
    invalid: Said,
) -> None:
    prompted = Prompted(invalid, invalid)
    assert await prompted.mind.ask(CHOICE) == await prompted.starter.ask(CHOICE)
    first, second = prompted.models.calls
    assert second.messages[:-1] == first.messages[:-1]
    assert second.tail.startswith(first.tail)
    assert 0 < len(second.tail) - len(first.tail) < 300
    assert MARK not in "".join(message.text for message in second.messages)
    meant = "which ability is meant"
    assert prompted.told == [
        (
            "evaluate_intent",
            f"The model's answer could not be used ({meant}); the starter mind answered instead.",
        )
    ]


@pytest.mark.promise("mind.invalid")
@all_rows("invalid", INVALID.values())
async def test_the_second_answer_counts_when_it_is_valid(invalid: Said) -> None:
    prompted = Prompted(invalid, json.dumps({"do": "act", "ability": "local::unzip"}))
    assert (await prompted.mind.ask(CHOICE)).chosen == UNZIP
    assert not prompted.told


@pytest.mark.promise("mind.invalid")
@pytest.mark.parametrize(
    "invalid", ["{}", MARK, '{"level": "9"}', '{"level": 10}', '{"level": true}', "null"]
)
async def test_invalid_arguments_end_in_the_starters_and_never_in_nothing(invalid: str) -> None:
    prompted = Prompted(invalid, invalid)
    request = ExtractParams("zip it with level=7", ZIP, turn=TURN)
    assert (await prompted.mind.ask(request)).values == {"level": 7}
    assert [question for question, _ in prompted.told] == ["extract_params"]
    assert MARK not in prompted.models.calls[1].tail


@pytest.mark.promise("mind.invalid")
async def test_an_invalid_pick_and_verdict_end_in_the_starters() -> None:
    prompted = Prompted("{}", '{"ability": 1}', "[]", '{"means": "yes"}')
    pick = PickAbility("whichever gets me at what is inside", (ZIP, UNZIP), TURN)
    assert await prompted.mind.ask(pick) is None
    judge = JudgeConfirmation("it might as well be done", [WAITING], TURN)
    assert (await prompted.mind.ask(judge)).kind is Confirmation.OTHER
    assert [question for question, _ in prompted.told] == ["pick_ability", "judge_confirmation"]


@pytest.mark.parametrize("around", ["```json\n{}\n```", "<think>hm {{</think>\n{}", "  {}\n\n", "```\n{}```"])
async def test_a_fence_or_a_thought_around_an_answer_does_no_harm(around: str) -> None:
    answer: Json = {"do": "act", "ability": "local::unzip"}
    prompted = Prompted(around.replace("{{", "\0").replace("{}", json.dumps(answer)).replace("\0", "{"))
    assert (await prompted.mind.ask(CHOICE)).chosen == UNZIP


async def test_reasoning_beside_the_answer_is_no_part_of_it() -> None:
    events: list[ChatEvent] = [
        ChatPiece("I think {", reasoning=True),
        ChatPiece('{"do": "act", "ability": "local::unzip"}'),
        ChatUsage(),
    ]
    assert (await Prompted(events).mind.ask(CHOICE)).chosen == UNZIP


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_a_model_that_fails_is_told_and_left_alone_for_the_rest_of_the_turn(language: str) -> None:
    prompted = Prompted(ModelError("The worker ended."), language=language)
    known = await prompted.starter.ask(CHOICE)
    assert await prompted.mind.ask(CHOICE) == known
    assert await prompted.mind.ask(CHOICE) == known
    assert len(prompted.models.calls) == 1
    assert len(prompted.told) == 1
    assert "The worker ended." in prompted.told[0][1]
    prompted.models.answers.append('{"do": "act", "ability": "local::unzip"}')
    later = EvaluateIntent(CHOICE.text, CHOICE.abilities, TurnRef("chat", "next"))
    assert (await prompted.mind.ask(later)).chosen == UNZIP


@pytest.mark.parametrize("said", [[], [ChatPiece('{"do": ')]])
async def test_a_silent_model_is_not_waited_for_without_end(said: list[ChatEvent]) -> None:
    prompted = Prompted([*said, asyncio.Event()])
    mind = prompted.make(silence_s=0.05)
    async with asyncio.timeout(WAIT_S):
        assert await mind.ask(CHOICE) == await prompted.starter.ask(CHOICE)
    assert "in time" in prompted.told[0][1]
    assert prompted.models.closed == 1


async def test_cancelling_a_question_stops_the_model() -> None:
    prompted = Prompted([asyncio.Event()])
    question = asyncio.create_task(prompted.mind.ask(CHOICE))
    async with asyncio.timeout(WAIT_S):
        await prompted.models.asked.wait()
        question.cancel()
        with pytest.raises(asyncio.CancelledError):
            await question
    assert prompted.models.closed == 1
    assert not prompted.told


async def test_a_conversation_too_long_for_the_model_is_left_out_of_the_question_visibly() -> None:
    overflow = ContextOverflowError("It is too long.", prompt_tokens=9_000, context_tokens=4_096)
    prompted = Prompted(
        overflow,
        '{"do": "act", "ability": "local::unzip"}',
        prefix=FixedPrefix(("user", "long"), ("assistant", "longer")),
    )
    assert (await prompted.mind.ask(CHOICE)).chosen == UNZIP
    assert [message.role for message in prompted.models.calls[1].messages] == ["system", "user"]
    assert prompted.models.calls[1].trunk == 1
    assert "too long" in prompted.told[0][1]


async def test_what_is_too_long_even_so_ends_in_the_starters_answer() -> None:
    overflow = ContextOverflowError("It is too long.", prompt_tokens=9_000, context_tokens=4_096)
    prompted = Prompted(overflow, overflow, prefix=FixedPrefix(("user", "long"), ("assistant", "longer")))
    assert await prompted.mind.ask(CHOICE) == await prompted.starter.ask(CHOICE)
    assert len(prompted.told) == 2


async def test_a_call_that_ends_badly_without_an_error_is_no_answer() -> None:
    text = '{"do": "act", "ability": "local::unzip"}'
    prompted = Prompted([ChatPiece(text), ChatUsage(end="failed")])
    assert await prompted.mind.ask(CHOICE) == await prompted.starter.ask(CHOICE)
    assert prompted.told


async def test_an_answer_without_end_is_given_up() -> None:
    flood: Said = [ChatPiece("x" * 10_000)] * 30
    prompted = Prompted(flood, flood)
    assert await prompted.mind.ask(CHOICE) == await prompted.starter.ask(CHOICE)
    assert prompted.models.closed == 2
