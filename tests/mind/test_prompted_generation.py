"""A new script from a model: a form for what it is, plain text for its code, and nothing rather than half."""

from __future__ import annotations

import json

import pytest

from partner_desktop.base.errors import ModelError
from partner_desktop.domain.json_value import Json
from partner_desktop.mind.question import GenerateAction, GeneratedAction
from partner_desktop.model.chat import ChatPiece, ChatUsage
from tests.mind.scripted_models import TURN, Prompted, Said

ASKED = GenerateAction("something that counts the lines of a file", TURN)
FOLDER: dict[str, Json] = {"name": "file", "type": "path", "description": "which", "required": True}
PLAN: dict[str, Json] = {
    "name": "count_lines",
    "description": "Count the lines of a file",
    "language": "python",
    "params": [FOLDER, {"name": "loud", "type": "boolean", "description": "", "required": False}],
}
CODE = 'import sys\nprint("{said}", sys.argv)\n'


def plan(**changes: Json) -> str:
    return json.dumps({**PLAN, **changes})


async def test_a_script_comes_in_two_answers_and_its_code_is_never_json() -> None:
    prompted = Prompted(plan(), CODE)
    assert await prompted.mind.ask(ASKED) == GeneratedAction(
        name="count_lines",
        description="Count the lines of a file",
        language="python",
        params={
            "type": "object",
            "properties": {
                "file": {"type": "string", "format": "path", "description": "which"},
                "loud": {"type": "boolean", "description": ""},
            },
            "required": ["file"],
        },
        code=CODE,
    )
    first, second = prompted.models.calls
    assert first.schema is not None
    assert second.schema is None
    assert "count_lines" in second.tail


@pytest.mark.parametrize(
    "said",
    [
        CODE,
        f"```python\n{CODE}```",
        f"Here it is:\n\n```py\n{CODE}```\nHave fun!",
        f"<think>```\nno\n```</think>\n~~~\n{CODE}~~~",
        f"```python\n{CODE}",
        f"\n\n{CODE}\n\n",
    ],
)
async def test_fences_and_words_around_the_code_are_taken_off(said: str) -> None:
    found = await Prompted(plan(), said).mind.ask(ASKED)
    assert found is not None
    assert found.code == CODE


@pytest.mark.parametrize(
    "bad", ["", "```\n```", "<think>only that", "def broken(:\n", "a\x00b", [ChatUsage()]]
)
async def test_code_that_is_none_is_asked_for_once_more_and_then_there_is_none(bad: Said) -> None:
    prompted = Prompted(plan(), bad, CODE)
    assert await prompted.mind.ask(ASKED) is not None
    prompted = Prompted(plan(), bad, bad)
    assert await prompted.mind.ask(ASKED) is None
    assert [question for question, _ in prompted.told] == ["generate_action"]


async def test_code_that_was_cut_is_none() -> None:
    cut: Said = [ChatPiece("print(1)\n"), ChatUsage(end="length")]
    assert await Prompted(plan(), cut, cut).mind.ask(ASKED) is None


@pytest.mark.parametrize(
    "bad",
    [
        plan(name="../../etc/passwd"),
        plan(name="Count Lines"),
        plan(description=" "),
        plan(language="rust"),
        plan(params=[FOLDER, FOLDER]),
        plan(params=[{**FOLDER, "name": "a-b; rm"}]),
        plan(params="file"),
        plan(code="print(1)"),
        "{}",
    ],
)
async def test_a_plan_that_does_not_fit_is_asked_for_once_more_and_then_there_is_none(bad: str) -> None:
    assert await Prompted(bad, plan(), CODE).mind.ask(ASKED) is not None
    prompted = Prompted(bad, bad)
    assert await prompted.mind.ask(ASKED) is None
    assert prompted.told


async def test_shell_is_not_read_as_python() -> None:
    found = await Prompted(plan(language="shell"), 'for f in *; do wc -l "$f"; done').mind.ask(ASKED)
    assert found is not None
    assert found.language == "shell"


async def test_a_failing_model_writes_no_script() -> None:
    prompted = Prompted(plan(), ModelError("The worker ended."))
    assert await prompted.mind.ask(ASKED) is None
    assert "The worker ended." in prompted.told[0][1]


async def test_the_starter_mind_writes_no_script_and_says_so() -> None:
    assert await Prompted().starter.ask(ASKED) is None
