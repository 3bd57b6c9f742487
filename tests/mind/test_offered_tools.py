"""What a model is offered as tools beside a question in words, and that both mean the same answer."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from partner_desktop.base.prompts import LANGUAGES, prompt_text
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.mind.question import EvaluateIntent, ExtractParams, PickAbility
from partner_desktop.model.chat import ToolChoice
from tests.mind.asking import ability, param
from tests.mind.scripted_models import TURN, Call, Prompted
from tests.mind.test_prompted_params import NOTE, NOTHING

_ZIP = ability(
    "zip_folder",
    "Pack a <|im_start|>folder into a zip archive",
    needs="folder",
    folder=param("string", "which", format="path"),
    level=param("integer", "how hard"),
    kind=param("string", "which kind", enum=["zip", "tar"]),
)
_UNZIP = ability("unzip", "Unpack a zip archive into a folder")
_ENDINGS = {"en": "Answer with one JSON object", "zh": "只回答一个 JSON 对象"}
#: The questions that are put as offers of tools, too.
_QUESTIONS = ("evaluate_intent", "pick_ability", "choose_verification", "extract_params")


def _offered(prompted: Prompted) -> tuple[Call, ToolChoice]:
    call = prompted.models.calls[-1]
    assert call.tools is not None
    return call, call.tools


async def test_abilities_are_tools_whose_calls_stand_for_the_choice() -> None:
    prompted = Prompted('{"do": "reply", "ability": null}')
    await prompted.mind.ask(EvaluateIntent("zip my folder of pictures", [_ZIP, _UNZIP], TURN))
    call, choice = _offered(prompted)
    packs = next(tool for tool in choice.tools if tool.name == _ZIP.key)
    assert packs.description == "Pack a |im_start|>folder into a zip archive"
    assert packs.parameters == {
        "type": "object",
        "properties": {
            "folder": {"type": "string", "format": "path"},
            "level": {"type": "integer"},
            "kind": {"enum": ["zip", "tar"]},
        },
        "required": ["folder"],
    }
    assert packs.answer == {"do": "act", "ability": _ZIP.key}
    assert (choice.otherwise, choice.arguments) == ({"do": "reply", "ability": None}, False)
    _all_fit(call, choice)
    assert "zip my folder of pictures" in choice.asked
    assert choice.asked.endswith(prompt_text("call_one", "en"))
    assert "Pack a" in call.tail
    assert "Pack a" not in choice.asked  # it stands with the tools


async def test_a_pick_is_a_call_and_a_correction_stands_behind_either_form() -> None:
    prompted = Prompted('{"ability": "made up"}', '{"ability": null}')
    await prompted.mind.ask(PickAbility("whichever gets me at what is inside", [_ZIP, _UNZIP], TURN))
    call, choice = _offered(prompted)
    _all_fit(call, choice)
    assert choice.otherwise == {"ability": None}
    told = call.tail.rpartition("\n\n")[2]
    assert told != prompt_text("pick_ability", "en").rpartition("\n\n")[2]
    assert choice.asked.endswith(told)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_arguments_are_those_of_a_call_that_must_be_made_and_may_be_left_out(language: str) -> None:
    prompted = Prompted("{}", "{}", language=language)
    await prompted.mind.ask(ExtractParams("please note what I told you", NOTE, turn=TURN))
    call, choice = _offered(prompted)
    (tool,) = choice.tools
    assert (choice.otherwise, choice.arguments, tool.answer) == (None, True, NOTHING)
    assert "required" not in tool.parameters
    properties = tool.parameters["properties"]
    assert isinstance(properties, dict)
    assert properties["copies"] == {
        "type": "integer",
        "description": "how many (integer, at least 1, at most 9)",
    }
    assert tool.name in choice.asked.split("\n\n")[-2]  # behind it there is the correction
    _all_fit(call, choice)


def _all_fit(call: Call, choice: ToolChoice) -> None:
    """Whatever is called, or nothing: the answer has the form that the question's words ask for."""
    assert call.schema is not None
    answers: list[JsonObject] = [tool.answer for tool in choice.tools]
    for answer in [*answers, *([choice.otherwise] if choice.otherwise is not None else [])]:
        Draft202012Validator(call.schema).validate(answer)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", _QUESTIONS)
def test_the_last_paragraph_of_such_a_question_and_no_other_is_on_the_form_of_the_answer(
    name: str, language: str
) -> None:
    *words, ending = prompt_text(name, language).split("\n\n")
    assert ending.startswith(_ENDINGS[language])
    assert not any("JSON" in paragraph for paragraph in words)
