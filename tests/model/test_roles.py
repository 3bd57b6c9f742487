"""Which question goes first, and that each can be given a model of its own."""

from __future__ import annotations

from typing import get_args

import pytest

from partner_desktop.model.chat import Priority
from partner_desktop.model.model_registry import Roles, priority_of
from partner_desktop.model.settings import ModelSettings, QuestionName


def test_what_is_asked_between_the_steps_of_a_chain_lets_the_conversation_go_first() -> None:
    assert priority_of("reply") is Priority.REPLY
    assert {priority_of(name) for name in ("extract_intents", "read_intervention")} == {Priority.QUESTION}
    assert {priority_of(name) for name in ("correct_chain", "judge_chain")} == {Priority.BACKGROUND}


@pytest.mark.parametrize("question", get_args(QuestionName))
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
