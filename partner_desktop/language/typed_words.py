"""Words as they were meant to be typed: `whats` is `what's`, `remeber` is `remember`. Pure.

The table is `resources/language/en/typed.toml`. What is no word of its own and one letter away from what
orders and questions are said with is that word; all else stays, and whatever is the name of a thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache, lru_cache, partial
from typing import TypeAlias

from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import RuleTable, rule_table
from partner_desktop.language.typos import edits

#: What is read in the place of what fits a pattern: letters, and pieces of the text by where they stand.
Meant: TypeAlias = Callable[[re.Match[str]], Iterable[str | tuple[int, int]]]
_GROUP = re.compile(r"\{(\w+)\}")
_WORD = late(r"(?<![\w./~@'’-])[a-z]{5,14}(?![\w/@'’-]|\.\w)")
_LISTS = frozenset({"known", "own"})


def typed_forms(of_names: Container[str] = ()) -> Iterator[tuple[re.Pattern[str], Meant]]:
    """The patterns in their order, each with what its words mean; words with a letter wrong come last.

    `of_names`: words of the names of things, which stay.
    """
    table = rule_table("typed", "en")
    yield from ((table[plain], read_in_place(plain)) for plain in table.names if plain not in _LISTS)
    yield _WORD, lambda found: found.group() if found.group() in of_names else _meant_word(found.group())


def well_typed(text: str) -> str:
    """A text with its words as they were meant to be typed."""
    for pattern, meant in typed_forms():
        text = pattern.sub(partial(_written, meant), text)
    return text


def _written(meant: Meant, found: re.Match[str]) -> str:
    return "".join(each if isinstance(each, str) else found.string[slice(*each)] for each in meant(found))


@lru_cache(maxsize=2_048)
def _meant_word(word: str) -> str:
    table = rule_table("typed", "en")
    known = table.words("known")
    if word in known or word in _of_their_own(table):
        return word
    near = [each for each in known if each[0] == word[0] and edits(word, each, 1) == 1]
    near = near if len(near) == 1 else [each for each in near if each[-1] == word[-1]]
    return near[0] if len(near) == 1 else word


@cache
def _of_their_own(table: RuleTable) -> frozenset[str]:
    """Words that are meant as they are, and several of what is known."""
    known = table.words("known")
    return table.words("own") | {f"{each}s" for each in known} | {each.removesuffix("s") for each in known}


def read_in_place(plain: str) -> Meant:
    """What is read in the place of a construction: its own letters, and where a group stands."""
    pieces = _GROUP.split(plain)

    def meant(found: re.Match[str]) -> Iterator[str | tuple[int, int]]:
        held = {name.rstrip("_0123456789"): name for name, value in found.groupdict().items() if value}
        for number, piece in enumerate(pieces):
            if number % 2 == 0:
                yield from piece
            elif piece in held:
                yield found.span(held[piece])

    return meant
