"""Shipped prompts: read by name and language, filled without being read again."""

from __future__ import annotations

import pytest

from partner_desktop.base.prompts import filled, placeholders, prompt_text


def test_a_prompt_is_there_in_both_languages_and_in_english_for_any_other() -> None:
    assert prompt_text("persona", "en").startswith("You are Partner")
    assert prompt_text("persona", "zh").startswith("你是 Partner")
    assert prompt_text("persona", "fr") == prompt_text("persona", "en")


def test_what_is_filled_in_is_never_read_again() -> None:
    said = 'a {list} of {text} {0} {} {x!r} %s {"do": "act"} {{text}}'
    assert filled("Said: {text}\n{list}", text=said, list="- one") == f"Said: {said}\n- one"


def test_json_in_a_prompt_is_no_placeholder() -> None:
    template = '{"do": "reply"} and {text}'
    assert placeholders(template) == {"text"}
    assert filled(template, text="hello") == '{"do": "reply"} and hello'


@pytest.mark.parametrize("values", [{"text": "hello"}, {"text": "hello", "more": "", "spare": ""}])
def test_a_placeholder_without_a_value_and_a_value_without_one_are_errors(values: dict[str, str]) -> None:
    with pytest.raises(KeyError):
        filled("{text} {more}", **values)
