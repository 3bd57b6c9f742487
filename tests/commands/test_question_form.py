"""What a server asks is answered line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from partner_desktop.commands.question_form import QuestionForm
from partner_desktop.domain.elicitation import ElicitationAnswer

FIELDS: dict[str, Any] = {
    "day": {"type": "string", "title": "Which day"},
    "seats": {"type": "integer"},
    "window": {"type": "boolean"},
    "class": {"type": "string", "enum": ["first", "second"]},
    "meals": {"type": "array", "items": {"type": "string", "enum": ["fish", "rice"]}},
}


def form(*fields: str, required: Sequence[str] = (), url: str = "") -> QuestionForm:
    schema: dict[str, Any] = {"type": "object", "properties": {name: FIELDS[name] for name in fields}}
    asked: dict[str, Any] = {"id": "1", "server": "train", "message": "Well?\x1b[2J", "url": url}
    return QuestionForm({**asked, "schema": {**schema, "required": list(required)} if fields else {}})


@pytest.mark.parametrize(
    ("asked", "lines", "answer"),
    [
        (form("day", required=["day"]), ["monday"], ElicitationAnswer("accept", {"day": "monday"})),
        (form("day", required=["day"]), [""], ElicitationAnswer("cancel")),
        (form("day", "seats"), ["", "2"], ElicitationAnswer("accept", {"seats": 2})),
        (form("seats", "window"), ["", ""], ElicitationAnswer("accept", {})),
        (form("seats"), ["two", "2"], ElicitationAnswer("accept", {"seats": 2})),
        (form("window"), ["perhaps", "n"], ElicitationAnswer("accept", {"window": False})),
        (form("class"), ["first"], ElicitationAnswer("accept", {"class": "first"})),
        (form("meals"), ["fish, rice"], ElicitationAnswer("accept", {"meals": ["fish", "rice"]})),
        (form(url="https://example.org"), ["y"], ElicitationAnswer("accept")),
        (form(url="https://example.org"), [""], ElicitationAnswer("cancel")),
        (form(), ["no"], ElicitationAnswer("cancel")),
    ],
)
def test_lines_become_the_answer(asked: QuestionForm, lines: list[str], answer: ElicitationAnswer) -> None:
    for line in lines:
        assert asked.answer is None
        assert asked.prompt
        asked.take(line)
    assert asked.answer == answer


def test_a_prompt_names_the_field_what_may_be_said_and_the_way_out() -> None:
    assert form("day", required=["day"]).prompt == "Which day, Enter cancels: "
    assert form("class").prompt == "class (first | second), Enter skips: "
    assert form("window").prompt == "window (y | n), Enter skips: "
    assert form(url="https://example.org").words == "train asks: Well?⟨U+001B⟩[2J\n  https://example.org"
