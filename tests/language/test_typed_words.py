"""Words typed in haste are read as they were meant; names, paths and words of their own stay."""

from __future__ import annotations

from pathlib import Path

import pytest
import spylls.hunspell
from spylls.hunspell import Dictionary

from partner_desktop.language.spoken_words import in_plain_words
from partner_desktop.language.typed_words import slips, well_typed
from tests.tables import all_rows

MEANT = {
    "whats in old things": "what's in old things",
    "dont do that, its wrong": "don't do that, its wrong",
    "youre slow and ive no time": "you're slow and i've no time",
    "remeber my locker code": "remember my locker code",
    "delte the foldr": "delete the folder",
    "in the picturs": "in the pictures",
    "my sisters birthday": "my sister's birthday",
}
#: Words of their own, names of files, and what only resembles a word.
STAY = [
    "my shipping address",
    "she was in mourning",
    "open shoppng.txt",
    "in ~/picturs",
    "the sisters of mercy",
    # A letter away from what orders are said with, and other words.
    "return the remote",
    "book a massage",
    "allergic to starch",
    "the remainder of the sundae",
    "rewind the sundry tapes",
    "covert pleas",
]


@all_rows("said, meant", MEANT.items())
def test_a_word_is_read_as_it_was_meant(said: str, meant: str) -> None:
    assert well_typed(said) == meant


@pytest.mark.parametrize("said", STAY)
def test_what_is_no_slip_stays(said: str) -> None:
    assert well_typed(said) == said


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # spylls leaves files to be closed
def test_no_slip_is_a_word_of_english() -> None:
    english = Dictionary.from_files(str(Path(spylls.hunspell.__file__).parent / "data" / "en" / "en_US"))
    assert [word for word in slips() if english.lookup(word) or english.lookup(word.title())] == []


def test_a_word_of_a_name_on_the_disk_is_no_slip() -> None:
    assert in_plain_words("open foldr").plain == "open folder"
    assert in_plain_words("open foldr", ["foldr notes"]).plain == "open foldr"


def test_free_text_stays_as_it_was_typed() -> None:
    plain = in_plain_words("remeber that whats done is done")
    assert plain.own("what's done is done") == "whats done is done"
