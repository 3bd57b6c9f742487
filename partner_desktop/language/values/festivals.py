"""Days of the year that have a name: `Christmas`, `春节`, and seasons and school holidays, which are longer;
what they are called, and when they are, is in the table `festivals.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import language_data

_TABLE = language_data("festivals")
_FIXED, _OF_MONTH = _TABLE["fixed"], _TABLE["of_month"]

#: The English and the Chinese names as patterns (empty where there is none), each pair by its number.
FESTIVAL_NAMES: tuple[tuple[str, str], ...] = tuple(
    (row[0], row[1]) for row in (*_FIXED, *_OF_MONTH, _TABLE["easter"])
)
#: Of each English name one of these words, or of these pairs, is a part.
FESTIVAL_WORDS: str = _TABLE["words"]
FESTIVAL_PAIRS: tuple[str, ...] = tuple(_TABLE["pairs"])


def festival_days(festival: int, year: int) -> tuple[date, date]:
    """The first day of a festival in a year and the day after its last. Raises: ValueError, OverflowError."""
    before, day, after = _around(festival, year)
    return day - timedelta(before), day + timedelta(after + 1)


def _around(festival: int, year: int) -> tuple[int, date, int]:
    """The day of a festival, and how many days before and after it are meant."""
    if festival < len(_FIXED):
        _, _, month, number, before, after, _ = _FIXED[festival]
        return before, date(year, month, number), after
    if festival < len(_FIXED) + len(_OF_MONTH):
        _, _, month, which, weekday, after, _ = _OF_MONTH[festival - len(_FIXED)]
        return 0, _weekday_of_month(year, month, which, weekday), after
    return 2, _easter(year), 1  # from Good Friday to Easter Monday


def is_vague_festival(festival: int) -> bool:
    """Whether the days of the festival are a guess."""
    rows = (*_FIXED, *_OF_MONTH)
    return bool(rows[festival][-1]) if festival < len(rows) else False


#: A festival that moves by more days than these has no day by the calendar of the sun.
_MOVES_BY = 10
_SAID = [
    name for row, names in enumerate(FESTIVAL_NAMES) for name in (
        rf"(?P<e{row}>\b(?:{names[0]})\b)" if names[0] else "", f"(?P<c{row}>{names[1]})" if names[1] else ""
    ) if name
]  # fmt: skip
_NAMED = late("|".join(_SAID), re.IGNORECASE)


def find_festivals(text: str) -> Iterator[re.Match[str]]:
    """Where days are named that have one date in a year."""
    return (match for match in _NAMED.finditer(text) if festival_date(match.group(), 2000) is not None)


def festival_date(named: str, year: int) -> date | None:
    """The day of a year that is called so; `None` where it is none, or moves with the moon."""
    match = _NAMED.fullmatch(named)
    if match is None or match.lastgroup is None:
        return None
    before, day, after = _around(int(match.lastgroup[1:]), year)
    return day if before + after < _MOVES_BY else None


def _weekday_of_month(year: int, month: int, which: int, weekday: int) -> date:
    if which:
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (which - 1))
    last = date(year, month + 1, 1) - timedelta(1)
    return last - timedelta((last.weekday() - weekday) % 7)


def _easter(year: int) -> date:
    """Easter Sunday, after the "anonymous Gregorian" computus (Nature, 20 April 1876)."""
    century, in_century = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (in_century // 4) - moon - in_century % 4) % 7
    late = (year % 19 + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)
