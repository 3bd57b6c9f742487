"""Which turns have a term: from the word index, and of turns that came later."""

from __future__ import annotations

import pytest

from partner_desktop.memory.word_postings import WordPostings

MANY = range(5, 200_000, 2)


@pytest.fixture
def postings() -> WordPostings:
    made = WordPostings()
    many = " ".join(map(str, MANY))
    made.fill([("cafe", 2, "3 1"), ("many", len(MANY), many), ("がく", 1, "4"), ("tea", 1, "9")])
    made.add(10, ["café", "tea", "new"])
    made.add(10, ["tea"])
    return made


@pytest.mark.parametrize(
    ("term", "positions"),
    [
        ("cafe", [1, 3, 10]),
        ("café", [1, 3, 10]),
        ("many", list(MANY)),
        ("がく", [4]),
        ("tea", [9, 10]),
        ("new", [10]),
        ("never", []),
    ],
    ids=["plain", "accented", "of more than is read at once", "kana", "again", "later", "never said"],
)
def test_a_term_has_the_turns_that_it_was_said_in_each_once(
    postings: WordPostings, term: str, positions: list[int]
) -> None:
    assert sorted(postings.positions(term).tolist()) == positions


def test_an_empty_index_has_no_turns() -> None:
    made = WordPostings()
    made.fill([])
    assert made.positions("tea").tolist() == []
