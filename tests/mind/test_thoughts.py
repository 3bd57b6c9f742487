"""What a model thinks aloud at the beginning is told from what it says, however the pieces fall."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from partner_desktop.mind.prompted.answers import ThoughtGate, said
from partner_desktop.mind.question import Thought
from tests.tables import all_rows


def parted(pieces: list[str]) -> tuple[str, str]:
    """What was thought, and what was said."""
    gate = ThoughtGate()
    found = [one for piece in pieces for one in gate.take(piece)] + gate.end()
    thought = "".join(one for one in found if isinstance(one, Thought))
    return thought, "".join(one for one in found if not isinstance(one, Thought))


@all_rows(
    "text, thought, words",
    [
        ("<think>well</think>Hello.", "well", "Hello."),
        ("\n <thinking>well\n</thinking>\n\nHello.", "well\n", "Hello."),
        ("<REASONING>a < b </b></reasoning>Hello <think>", "a < b </b>", "Hello <think>"),
        ("<think>a</think><think>b</think>Hello", "ab", "Hello"),
        ("<think></think>Hello", "", "Hello"),
        ("<think>never closed </thin", "never closed </thin", ""),
        ("Hello <think>not a thought</think>", "", "Hello <think>not a thought</think>"),
        ("<b>bold</b>", "", "<b>bold</b>"),
        ("<thin", "", "<thin"),
        ("  \n", "", ""),
        ("<think>İİİ</think>Hello", "İİİ", "Hello"),
        (
            "<|channel|>analysis<|message|>well<|end|><|start|>assistant<|channel|>final<|message|>Hello",
            "well",
            "Hello",
        ),
    ],
)
def test_thoughts_and_words_are_told_apart_however_they_are_split(
    text: str, thought: str, words: str
) -> None:
    assert parted([text]) == (thought, words)
    assert parted(list(text)) == (thought, words)
    for cut in range(1, len(text)):
        assert parted([text[:cut], text[cut:]]) == (thought, words)
    assert said(text) == words


@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", "<thi", "nk>", "</", "a", " ", "\n", "<", ">"]), max_size=12
    )
)
@pytest.mark.integration
def test_nothing_is_lost_and_the_splits_make_no_difference(pieces: list[str]) -> None:
    thought, words = parted(pieces)
    assert (thought, words) == parted(list("".join(pieces)))
    assert len(thought) + len(words) <= len("".join(pieces))


def test_words_pass_at_once_when_they_can_be_no_thought() -> None:
    gate = ThoughtGate()
    assert gate.take("Hel") == ["Hel"]
    assert gate.take("<think>") == ["<think>"]


def test_the_end_of_a_thought_that_the_template_began_ends_it_in_a_whole_answer() -> None:
    assert said('Let me see.\n</think>\n\n{"do": "reply"}').strip() == '{"do": "reply"}'
    assert said('{"text": "remove </think>"}') == '{"text": "remove </think>"}'
    assert said("<think>a\n</think>\nb").strip() == "b"
