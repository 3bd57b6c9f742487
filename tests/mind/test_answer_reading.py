"""From a model's text to a checked answer: the one object, or a flaw, whatever the text is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner_desktop.domain.json_value import Json
from partner_desktop.mind.prompted.answers import json_object, object_schema, one_of, or_null, read_answer
from partner_desktop.mind.prompted.mind import bare_code
from partner_desktop.mind.prompted.prompts import FlawError

pytestmark = pytest.mark.integration

ANY_JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
CHOICE = object_schema(do=one_of("reply", "act"), ability=or_null({"type": "string"}))
VALID = json.dumps({"do": "act", "ability": "local::zip"})


@given(st.text() | st.text(alphabet='{}[]":,\\u0123dnulltrue <>/`\n', max_size=60))
def test_any_text_is_an_answer_or_flawed_and_nothing_else(text: str) -> None:
    for read in (json_object, bare_code, lambda said: read_answer(CHOICE, said)):
        try:
            read(text)
        except FlawError:
            continue


def test_what_is_nested_as_deep_as_may_be_read_is_flawed_and_nothing_else() -> None:
    for depth in range(900, 1_000):
        with pytest.raises(FlawError):
            read_answer(CHOICE, f'{{"do": {"[" * depth}{"]" * depth}, "ability": null}}')


@given(st.dictionaries(st.text(max_size=8), ANY_JSON, max_size=4))
def test_an_object_comes_through_as_it_is(value: dict[str, Json]) -> None:
    assert json_object(json.dumps(value)) == value


@given(st.integers(0, len(VALID) - 1), st.characters(), st.booleans())
def test_a_damaged_answer_is_never_another_choice(place: int, other: str, cut: bool) -> None:
    damaged = VALID[:place] if cut else VALID[:place] + other + VALID[place + 1 :]
    try:
        found = read_answer(CHOICE, damaged)
    except FlawError:
        return
    assert found["do"] == "act"
    assert found["ability"] is not None
