"""What stands in a prompt for the dialog before it: the newest summaries, and how many are not told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from partner_desktop.communication.prompt_prefix import dialog_history
from partner_desktop.context.tokens import EstimatedTokens
from partner_desktop.domain.remembered import MemoryUnit
from partner_desktop.domain.snapshot import PromptPart

AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def units(number: int) -> list[MemoryUnit]:
    return [
        MemoryUnit(
            f"u{one}",
            "c",
            10 * one,
            10 * one + 10,
            AT + timedelta(days=one),
            summary=f"Part {one} is of boats. It has <b>{one}</b> harbours. " * 4,
        )
        for one in range(number)
    ]


def told(number: int, most_tokens: int, language: str = "en") -> PromptPart:
    part = dialog_history(
        units(number), language=language, most_tokens=most_tokens, counter=EstimatedTokens()
    )
    assert part is not None
    assert (part.role, part.name, part.message_id) == ("user", "dialog_history", "")
    assert part.tokens == EstimatedTokens().count(part.text)
    return part


def test_with_room_every_part_is_told_with_its_time_and_nothing_ends_its_element() -> None:
    text = told(4, 10_000).text
    assert text.count("<part from=") == 4
    assert text.index("2026-03-02T12:00") < text.index("2026-03-05T12:00")
    assert "&lt;b&gt;3&lt;/b&gt;" in text
    assert "not told here" not in text


@pytest.mark.parametrize(
    ("language", "words"), [("en", "older parts are not told here"), ("zh", "更早的内容没有写在这里")]
)
def test_without_room_the_newest_are_told_and_the_others_counted(language: str, words: str) -> None:
    part = told(200, 600, language)
    shown = part.text.count("<part from=")
    assert 1 < shown < 10
    assert "Part 199 is" in part.text
    assert words in part.text
    assert str(200 - shown) in part.text
    assert part.tokens <= 600


def test_of_one_summary_that_is_too_long_whole_sentences_are_told_and_a_mark() -> None:
    part = told(2, 120)
    assert part.text.count("<part from=") == 1
    assert part.text.rstrip().endswith(". […]</part>\n</dialog_history>")
    assert "An older part" in part.text
    assert part.tokens <= 120


def test_where_nothing_was_rolled_nothing_is_told() -> None:
    assert dialog_history([], language="en", most_tokens=100, counter=EstimatedTokens()) is None
