"""What a card and the panel say of a run, in the terms of its form."""

from __future__ import annotations

import pytest

from partner_desktop.desktop.card.words import asked_title, decision_words, params_words
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.events import DecisionEvent
from partner_desktop.domain.json_value import Json, JsonObject

from .samples import count_action

_SCHEMA: JsonObject = {
    "properties": {"what": {"title": "What for"}, "files": {}, "runId": {"title": "Run"}},
}


def test_parameters_are_called_as_in_the_form_and_stand_in_its_order() -> None:
    params: JsonObject = {"other": "z", "runId": "28d1", "what": "Stamp", "files": ""}
    record = count_action(params=params, schema=_SCHEMA, paths=())
    assert params_words(record) == "What for: Stamp · Files: “” · Run: 28d1 · Other: z"


@pytest.mark.promise("actions.card.complete")
@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("a\nb · Run: /tmp", "“a⟨↵⟩b · Run: /tmp”"),
        ("Run: /tmp", "“Run: /tmp”"),
        ("a” · Run: “/tmp", "“a⟨U+201D⟩ · Run: ⟨U+201C⟩/tmp”"),
        (["a”, “b"], "“a⟨U+201D⟩, ⟨U+201C⟩b”"),
        (["mv", "א", "ב"], "“mv”, “א⟨L⟩”, “ב”"),
        ("10:30", "10:30"),
    ],
)
def test_no_text_looks_like_the_next_argument(what: Json, said: str) -> None:
    record = count_action(params={"what": what, "runId": "1"}, schema=_SCHEMA, paths=())
    assert params_words(record) == f"What for: {said} · Run: 1"


def test_what_is_asked_for_is_called_as_in_the_form() -> None:
    assert asked_title(count_action(schema=_SCHEMA, asked_param="runId")) == "Run"


def test_a_refusal_stands_as_a_sentence() -> None:
    event = DecisionEvent(
        conversation_id="c1",
        exchange_id="e1",
        action_id="a1",
        outcome="deny",
        scope="once",
        by="rule",
        reason="the rule “deny local::*” denies it",
    )
    assert resolve_text(decision_words(event, None)) == "The rule “deny local::*” denies it."
