"""Words as they were meant to be typed: `whats` is `what's`, `remeber` is `remember`. Pure.

The table is `resources/language/en/typed.toml`. A slip of the fingers in a word that orders and questions are
said with is that word; all else stays, and whatever is the name of a thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import TypeAlias

from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import rule_table

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
    yield _WORD, lambda found: found[0] if found[0] in of_names else slips().get(found[0], found[0])


def well_typed(text: str) -> str:
    """A text with its words as they were meant to be typed."""
    for pattern, meant in typed_forms():
        text = pattern.sub(partial(_written, meant), text)
    return text


def _written(meant: Meant, found: re.Match[str]) -> str:
    return "".join(each if isinstance(each, str) else found.string[slice(*each)] for each in meant(found))


@cache
def slips() -> Mapping[str, str]:
    """What a known word becomes with a letter left out, doubled or swapped with its neighbour → that word.

    Another letter in its place makes other words: `remote`, `massage`, `sundae`.
    """
    table = rule_table("typed", "en")
    known = table.words("known")
    words = (
        known
        | table.words("own")
        | {f"{each}s" for each in known}
        | {each.removesuffix("s") for each in known}
    )
    slips: dict[str, str] = {}
    for word in known:
        for at in range(1, len(word)):
            before, letter, behind = word[:at], word[at], word[at + 1 :]
            slips |= {before + behind: word, before + letter + letter + behind: word}
            slips[before + behind[:1] + letter + behind[1:]] = word
    return {slip: word for slip, word in slips.items() if slip not in words}


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
