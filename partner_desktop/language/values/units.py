"""Units of measure: what a unit measures, and how one becomes another."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.language.rule_table import language_data

#: Dimensions whose numbers are names, not factors: 5 € are not 10 $.
_UNSCALED = frozenset({"temperature", "money"})
#: Written without a number, a single letter or a word of grammar is no unit.
_TOO_SHORT = 2


@dataclass(frozen=True)
class Unit:
    """One unit: what it measures and how many of the base unit it is."""

    name: str
    dimension: str
    factor: Decimal


def _units() -> Mapping[str, Sequence[Unit]]:
    found: dict[str, list[Unit]] = {}
    for dimension, rows in _TABLE["units"].items():
        for row in rows:
            names, _, factor = row.partition(" = ")
            for name in names.split():
                found.setdefault(name, []).append(Unit(name, dimension, Decimal(factor)))
    return found


_TABLE = language_data("units")
_NOT_ALONE = frozenset(_TABLE["not_alone"].split())
UNITS = _units()
#: What Chinese numbers count or measure, as a pattern.
COUNTED = "|".join(
    sorted({*_TABLE["counters"].split(), *(name for name in UNITS if name >= "一")}, key=len, reverse=True)
)
#: Words of a parameter → what it measures.
DIMENSION_WORDS: Mapping[str, str] = {
    word: dimension for dimension, words in _TABLE["asked"].items() for word in words.split()
}


def meanings(word: str) -> Sequence[Unit]:
    """What a unit's name may mean (`m`: a metre, or a million bytes)."""
    return UNITS.get(word.lower(), ())


@lru_cache(maxsize=512)
def asked_units(name: str, description: str) -> tuple[Unit, ...]:
    """The units that a parameter's name (`timeout_s`) or description (`in meters`) states, surest first."""
    suffix = re.split(r"[_\-]", name)[-1].lower() if len(name) >= _TOO_SHORT else ""
    found = (
        list(meanings(suffix)) if suffix not in {"in", "d", "g", "t", "b", "c", "second", "v", "n"} else []
    )
    for match in re.finditer(r"[A-Za-z]+(?:/[A-Za-z]+(?:\^?[2²])?)?|%|°[CF]?|[一-鿿]+", description[:400]):
        word = match.group().lower()
        usable = "/" in word or len(word) > _TOO_SHORT or _after_in(description, match.start())
        if usable and word not in _NOT_ALONE:
            found += meanings(word) or _unit_at_end(word)
    return tuple(found)


def _unit_at_end(words: str) -> Sequence[Unit]:
    """The unit that Chinese words end with: `喝了多少毫升`."""
    ends = (words[-length:] for length in (3, 2) if not words.isascii())
    return next((UNITS[end] for end in ends if end in UNITS), ())


def _after_in(description: str, position: int) -> bool:
    return bool(re.search(r"(?:\bin |\(|, )$", description[max(0, position - 4) : position]))


def converted(value: Decimal, unit: str, asked: tuple[Unit, ...]) -> Decimal:
    """The value in the first asked unit of the same dimension; as it is where none is asked."""
    pairs = ((have, want) for want in asked for have in meanings(unit) if have.dimension == want.dimension)
    have, want = next(pairs, (None, None))
    if have is None or want is None or have.factor == want.factor:
        return value
    if have.dimension in _UNSCALED:
        return _temperature(value, have.factor, want.factor) if have.dimension == "temperature" else value
    return (value * have.factor / want.factor).quantize(Decimal("1e-9")).normalize()


def _temperature(value: Decimal, have: Decimal, want: Decimal) -> Decimal:
    celsius = {1: value, 2: (value - 32) * 5 / 9, 3: value - Decimal("273.15")}[int(have)]
    wanted = {1: celsius, 2: celsius * 9 / 5 + 32, 3: celsius + Decimal("273.15")}[int(want)]
    return wanted.quantize(Decimal("0.01"))
