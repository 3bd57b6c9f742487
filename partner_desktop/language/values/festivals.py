"""Days of the year that have a name: `Christmas`, `春节`, and seasons and school holidays, which are longer;
what they are called, and when they are, is in the table `festivals.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from partner_desktop.base.paths import shipped

_TABLE: Mapping[str, Any] = tomllib.loads(  # Any: what TOML says
    (shipped("resources") / "language" / "festivals.toml").read_text(encoding="utf-8")
)
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
    if festival < len(_FIXED):
        _, _, month, number, before, after, _ = _FIXED[festival]
        day = date(year, month, number)
    elif festival < len(_FIXED) + len(_OF_MONTH):
        _, _, month, which, weekday, after, _ = _OF_MONTH[festival - len(_FIXED)]
        before, day = 0, _weekday_of_month(year, month, which, weekday)
    else:
        before, after, day = 2, 1, _easter(year)  # from Good Friday to Easter Monday
    return day - timedelta(before), day + timedelta(after + 1)


def is_vague_festival(festival: int) -> bool:
    """Whether the days of the festival are a guess."""
    rows = (*_FIXED, *_OF_MONTH)
    return bool(rows[festival][-1]) if festival < len(rows) else False


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
