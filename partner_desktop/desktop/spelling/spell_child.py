"""The process that holds dictionaries and looks words up in them, for the window must not.

A line in is a question, a line out its answer, both JSON: `{"check": [word, …]}` → `{"wrong": [word, …]}`,
`{"suggest": word}` → `{"words": [word, …]}`. It ends with its input. A dictionary is read in about a second
and takes some 40 MB; that and the seconds that some suggestions take are why it is a process of its own.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Any

_MOST_SUGGESTED = 5
#: Words of a dictionary that are looked at for what it is written in.
_LOOKED_AT = 500


class Dictionary:
    """One language's."""

    def __init__(self, stem: str) -> None:
        from spylls.hunspell import Dictionary as Hunspell  # noqa: PLC0415 - the only one who needs it

        self._words: Any = Hunspell.from_files(stem)  # it has no types
        some = islice(self._words.dic.words, 0, None, max(1, len(self._words.dic.words) // _LOOKED_AT))
        self._scripts = frozenset(script for word in some for script in _scripts(word.stem))

    def may_have(self, word: str) -> bool:
        """Whether it is written in letters of this language."""
        return self._scripts.issuperset(_scripts(word))

    def has(self, word: str) -> bool:
        """Whether it is a word of this language."""
        return bool(self._words.lookup(word))

    def like(self, word: str) -> Iterator[str]:
        """Words that may be meant."""
        yield from self._words.suggest(word)


def _scripts(word: str) -> frozenset[str]:
    """`LATIN`, `CYRILLIC` …: what Unicode's names of its letters begin with."""
    return frozenset(unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha())


def _answer(question: dict[str, Any], dictionaries: list[Dictionary]) -> dict[str, list[str]]:
    if "check" in question:
        return {"wrong": [word for word in question["check"] if _is_wrong(word, dictionaries)]}
    word = question["suggest"]
    found = dict[str, None]()
    for each in (each for one in dictionaries if one.may_have(word) for each in one.like(word)):
        found[each] = None
        if len(found) == _MOST_SUGGESTED:  # the further ones take seconds to be found, and fit less
            break
    return {"words": [*found]}


def _is_wrong(word: str, dictionaries: list[Dictionary]) -> bool:
    word = word.replace("’", "'")
    able = [one for one in dictionaries if one.may_have(word)]
    return bool(able) and not any(one.has(word) for one in able)


def answer_questions() -> None:
    """Read the dictionaries that the command line names, and answer."""
    dictionaries = []
    for stem in sys.argv[1:]:
        try:
            dictionaries.append(Dictionary(stem))
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the file: the others are there
            sys.stderr.write(f"{stem}: {error!r}\n")
    for line in sys.stdin.buffer:
        answer = json.dumps(_answer(json.loads(line), dictionaries))
        sys.stdout.buffer.write(answer.encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    answer_questions()
