"""Patterns that are compiled when they are first used answer as any other."""

from __future__ import annotations

import re

import pytest

from partner_desktop.base.patterns import late, needed_words
from tests.tables import all_rows

_WORD = r"(?P<first>[a-z])[a-z]*"


def test_a_late_pattern_answers_as_the_compiled_one() -> None:
    ours, theirs = late(_WORD, re.IGNORECASE), re.compile(_WORD, re.IGNORECASE)
    for _ in range(2):  # compiled, and as it was kept
        assert ours.findall("One two") == theirs.findall("One two")
        assert ours.sub(r"\g<first>", "One two") == "O t"
        assert ours.fullmatch("One two") is None
    assert (ours.pattern, ours.flags) == (theirs.pattern, theirs.flags)


def test_a_pattern_that_is_wrong_is_told_of_at_its_first_use() -> None:
    wrong = late("(")
    with pytest.raises(re.error, match="unterminated"):
        wrong.search("text")


@all_rows(
    "pattern, words",
    [
        (r"\bwhat (?:does|do) it\b", {"what "}),
        (r"(?:undo|take back)(?! it)", {"undo", "take back"}),
        (r"colou?rs", {"colo"}),
        (r"(?:please )?(?P<deed>zip|unzip)s*", {"zip", "unzip"}),
        (r"(?:please )*zi+p", {"zi"}),
        (r"[\]a]bc{2,}d{0,3}", {"bc"}),
        (r"\u4e00|\x41b\.\d", None),
        (r"(?:one|[0-9]+)", None),
        (r"撤销|\[恢复\]", {"撤销", "[恢复]"}),
        (r"ÉTÉ now", {" now"}),
        (r"(?x) a b", None),
        (r"(?<=the )(?:list)", {"list"}),
        (r"|a", None),
    ],
)
def test_what_a_text_must_have_is_told_from_the_pattern(pattern: str, words: set[str] | None) -> None:
    assert needed_words(pattern) == (words or set())


@pytest.mark.parametrize("text", ["THIS", "thıs", "thİs", "thiſ", "nothing", ""])
def test_a_text_without_the_words_of_a_pattern_gets_the_same_answer(text: str) -> None:
    said, theirs = r"(?P<it>this)", re.compile(r"(?P<it>this)", re.IGNORECASE)
    for method in ("search", "match", "fullmatch"):
        found = getattr(late(said, re.IGNORECASE), method)(text)
        assert bool(found) == bool(getattr(theirs, method)(text))
    assert late(said, re.IGNORECASE).findall(text) == theirs.findall(text)
    assert [one[0] for one in late(said, re.IGNORECASE).finditer(text)] == theirs.findall(text)
    assert late(said, re.IGNORECASE).sub("that", text) == theirs.sub("that", text)
    assert late(said, re.IGNORECASE).split(text) == theirs.split(text)
