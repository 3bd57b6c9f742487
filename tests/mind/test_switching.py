"""Loading or losing a model switches minds, question by question, and the name shows who replies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import pytest

from partner_desktop.base.trace import NullTracer
from partner_desktop.domain.evidence import NoAbility
from partner_desktop.domain.intervention import Confirmation
from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.mind.answerers import SwitchingMind, TracedMind
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractParams,
    GenerateAction,
    JudgeConfirmation,
    Mind,
    PickAbility,
    ReplyRequest,
)
from partner_desktop.model.chat import ChatPiece
from tests.mind.asking import ability, param
from tests.mind.scripted_models import TURN, Prompted, ScriptedModels
from tests.mind.test_prompted_verdict import WAITING
from tests.support import WAIT_S

ZIP = ability("zip_folder", "Pack a folder into a zip archive", level=param("integer"))
UNZIP = ability("unzip", "Unpack a zip archive into a folder")
WANTED = EvaluateIntent("please zip my folder of pictures into an archive", (ZIP, UNZIP), TURN)
REPLY = ReplyRequest(
    text="what now?",
    evidence=[NoAbility((), near=False, text="what now?")],
    abilities=(),
    prompt=(PromptPart("user", "input", "what now?", 1),),
    turn=TURN,
)


class SomeQuestions(ScriptedModels):
    """Serves only the questions that it is told to."""

    questions: frozenset[str] = frozenset()

    def serves(self, question: str, conversation_id: str = "") -> str:
        return self.model if question in self.questions else ""


def switching(prompted: Prompted) -> Mind:
    mind = SwitchingMind(lambda: prompted.starter, lambda _: prompted.mind, prompted.models)
    return TracedMind(mind, NullTracer())


async def said(mind: Mind) -> str:
    return "".join([piece async for piece in mind.reply(REPLY)])


@pytest.mark.promise("mind.switch")
async def test_loading_and_losing_a_model_switches_minds_and_shows_it() -> None:
    prompted = Prompted("From the model.", '{"do": "act", "ability": "local::unzip"}', "Again.")
    mind = switching(prompted)
    starters = "".join([piece async for piece in prompted.starter.reply(REPLY)])

    prompted.models.model = ""
    assert mind.name == "starter"
    assert await said(mind) == starters
    assert (await mind.ask(WANTED)).chosen == ZIP

    prompted.models.model = "small"
    assert mind.name == "small"
    assert await said(mind) == "From the model."
    assert (await mind.ask(WANTED)).chosen == UNZIP

    prompted.models.model = ""
    assert mind.name == "starter"
    assert await said(mind) == starters

    prompted.models.model = "large"
    assert mind.name == "large"
    assert await said(mind) == "Again."


@pytest.mark.promise("mind.switch")
async def test_without_a_model_no_question_asks_one() -> None:
    prompted = Prompted()
    prompted.models.model = ""
    mind = switching(prompted)
    assert (await mind.ask(WANTED)).chosen == ZIP
    assert await mind.ask(PickAbility("2", (ZIP, UNZIP), TURN)) == UNZIP
    assert (await mind.ask(ExtractParams("level=3", ZIP, turn=TURN))).values == {"level": 3}
    judged = await mind.ask(JudgeConfirmation("it might as well be done", [WAITING], TURN))
    assert judged.kind is Confirmation.OTHER
    assert await mind.ask(GenerateAction("write me one", TURN)) is None
    assert prompted.models.calls == []


@pytest.mark.promise("mind.switch")
async def test_each_question_goes_to_whom_it_belongs() -> None:
    prompted = Prompted()
    prompted.models = models = SomeQuestions('{"level": 9}', '{"means": "reject"}')
    models.questions = frozenset({"extract_params", "judge_confirmation"})
    prompted.mind = prompted.make()
    mind = switching(prompted)
    assert mind.name == "starter"
    assert (await mind.ask(WANTED)).chosen == ZIP
    assert (await mind.ask(ExtractParams("as hard as can be", ZIP, turn=TURN))).values == {"level": 9}
    judged = await mind.ask(JudgeConfirmation("I suppose not", [WAITING], TURN))
    assert judged.kind is Confirmation.REJECT
    assert [call.question for call in models.calls] == ["extract_params", "judge_confirmation"]


async def test_a_model_lost_in_the_midst_of_a_turn_leaves_the_question_to_the_starter_mind() -> None:
    prompted = Prompted()
    prompted.models.model = ""
    assert (await prompted.mind.ask(WANTED)).chosen == ZIP
    assert prompted.models.calls == []


async def test_the_prompted_mind_is_made_once_and_not_before_a_model_serves() -> None:
    prompted, made = Prompted("One.", "Two."), []

    def make(_starter: Mind) -> Mind:
        made.append(prompted.mind)
        return prompted.mind

    mind = SwitchingMind(lambda: prompted.starter, make, prompted.models)
    prompted.models.model = ""
    await said(mind)
    assert made == []
    prompted.models.model = "small"
    assert [await said(mind), await said(mind)] == ["One.", "Two."]
    assert len(made) == 1


async def test_the_starter_mind_is_made_with_the_first_question_and_has_its_name_before() -> None:
    prompted, made = Prompted(), []
    prompted.models.model = ""

    def make() -> Mind:
        made.append(prompted.starter)
        return prompted.starter

    mind = SwitchingMind(make, lambda _: prompted.mind, prompted.models)
    assert mind.name == prompted.starter.name
    assert made == []
    assert await said(mind) == await said(mind)
    assert made == [prompted.starter]


async def test_who_stops_listening_stops_the_model_behind_the_switch() -> None:
    prompted = Prompted([ChatPiece("One"), asyncio.Event()])
    reply = cast("AsyncGenerator[str, None]", switching(prompted).reply(REPLY))
    async with asyncio.timeout(WAIT_S), aclosing(reply):
        assert await anext(reply) == "One"
    assert prompted.models.closed == 1
