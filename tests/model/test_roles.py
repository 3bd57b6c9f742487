"""Which question goes first, and that each can be given a model of its own."""

from __future__ import annotations

from typing import get_args

import pytest

from partner_desktop.domain.json_value import JsonObject
from partner_desktop.model.chat import Priority
from partner_desktop.model.model_registry import Roles, priority_of
from partner_desktop.model.settings import ModelSettings, QuestionName
from tests.tables import all_rows


def test_what_is_asked_between_the_steps_of_a_chain_lets_the_conversation_go_first() -> None:
    assert priority_of("reply") is Priority.REPLY
    assert {priority_of(name) for name in ("extract_intents", "read_intervention")} == {Priority.QUESTION}
    assert {priority_of(name) for name in ("correct_chain", "judge_chain")} == {Priority.BACKGROUND}


@all_rows("question", get_args(QuestionName))
def test_every_question_can_have_a_model_and_a_limit_of_its_own(question: str) -> None:
    written = {
        "use": "large",
        "file": [{"name": name, "path": f"/models/{name}.gguf"} for name in ("large", "small")],
        "role": [{"question": question, "model": "small", "max_tokens": 99}],
    }
    roles = Roles(ModelSettings.model_validate(written))
    assert roles.model(question) == "small"
    assert roles.max_tokens(question) == 99
    others = set(get_args(QuestionName)) - {question}
    assert {roles.model(other) for other in others} == {"large"}


@pytest.mark.parametrize(
    ("written", "fixed_form", "expected"),
    [
        ({}, False, (0.4, 0.8, 20)),
        ({"temperature": 0.9}, False, (0.9, 0.8, 20)),
        ({"role": [{"question": "reply", "top_p": 0.5}]}, False, (0.4, 0.5, 20)),
        ({}, True, (0.0, 0.8, 20)),
    ],
)
def test_a_model_recommends_what_the_settings_leave_open(
    written: JsonObject, fixed_form: bool, expected: tuple[float, float, int]
) -> None:
    roles = Roles(ModelSettings.model_validate(written))
    sampling = roles.sampling("reply", fixed_form=fixed_form, max_tokens=None)
    advised = sampling.advised({"temperature": 0.4, "top_p": 0.8, "top_k": 20.0, "min_p": 0.0, "humour": 1.0})
    assert (advised.temperature, advised.top_p, advised.top_k) == expected
    assert (advised.min_p, advised.max_tokens) == (0.0, 1_024)
    assert sampling.advised({}) == sampling
