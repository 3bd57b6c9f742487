"""Patterns that are compiled when they are first used answer as any other."""

from __future__ import annotations

import re

import pytest

from partner_desktop.base.patterns import late

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
