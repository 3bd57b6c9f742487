"""Times as people say them: `last Tuesday`, `in spring`, `over Christmas`, `三天前`, `去年夏天`, `五月初`.

The patterns, and what their words count, are the tables `times.toml`. A group means the same in each of them,
so one reader serves all languages. The words of a text tell which patterns to try, since most name no time.

Days of the year that have a name (`Christmas`, `春节`), and seasons and school holidays, which are longer,
are in the table `festivals.toml`, with when they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from itertools import islice
from typing import Any

from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import Language, groups_of, language_data, rule_table
from partner_desktop.language.values.day_ranges import (
    MOST_TIMES,
    Days,
    InYear,
    NamedDays,
    SaidText,
    around,
    days_ago,
    days_later,
    days_up_to,
    decade,
    season,
    third,
    whole_month,
    whole_unit,
    whole_years,
)
from partner_desktop.language.values.quantities import whole_number

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


_FESTIVAL = re.compile(r"f\d+")
_WORDS = late(r"[a-z]+|\d")


class TimeTable:
    """What one language says of times, and how its words count."""

    def __init__(self, language: Language, rules: str) -> None:
        self.rules = rule_table("times", language)
        names = [pair[language == "zh"] for pair in FESTIVAL_NAMES]
        slots = {
            "festivals": "|".join(f"(?P<f{row}>{name})" for row, name in enumerate(names) if name),
            "festival_signs": "".join(
                sorted({part[0] for name in names for part in name.split("|") if part})
            ),
        }
        self.patterns = {rule: self.rules.each(rule, **slots)[0] for rule in rules.split()}
        self.counts = self._section("counts")
        self.ranges = self._section("ranges")
        self.several = self._section("several")["ago"]
        self.steps = self._section("steps")
        self.units = self._section("units")
        self.weekdays = self._section("weekdays")
        self.months = self._section("months")
        self.seasons = self._section("seasons")
        self.edges = self._section("edges")
        self.thirds = self._section("thirds")

    def _section(self, name: str) -> Mapping[str, Any]:  # Any: what TOML says
        return self.rules.section(name)

    def count(self, words: str) -> tuple[float, float]:
        """The least and the most that `two`, `a few`, `half a` or `几` may be. Raises: KeyError."""
        said = words.split()
        number = next((count for word, count in self.counts.items() if word in said), None)
        return (number[0], number[1]) if number else (whole_number(words), whole_number(words))

    def unit(self, word: str) -> str:
        return str(self.units.get(word, word))

    def step(self, got: Mapping[str, str], name: str = "which") -> int | None:
        """How far `last` or `this coming` is away, where it is said."""
        return int(self.steps[got[name].split()[-1]]) if name in got else None


ENGLISH = TimeTable("en", "date month weekday unit day season festival")
CHINESE = TimeTable("zh", "day week ago date any_year")
_SIGNS = {**ENGLISH.rules.section("signs"), "festival": FESTIVAL_WORDS}
_BY_SIGN = {
    sign: {rule for rule, signs in _SIGNS.items() if sign in re.findall("[a-z]+|[0-9]", signs)}
    for signs in _SIGNS.values()
    for sign in re.findall("[a-z]+|[0-9]", signs)
}


def named_times(said: SaidText) -> Iterator[NamedDays]:
    """The times that the patterns find; they may overlap."""
    for table, rules in ((ENGLISH, _english_rules(said.low)), (CHINESE, _chinese_rules(said.low))):
        for pattern in [pattern for rule, pattern in table.patterns.items() if rule in rules]:
            for match in islice(pattern.finditer(said.low), MOST_TIMES):
                with suppress(ValueError, OverflowError, KeyError):  # no day on the calendar
                    if found := _Reader(table, said, match).read():
                        yield found


def _english_rules(low: str) -> set[str]:
    words = _BY_SIGN.keys() & set(_WORDS.findall(low))
    return {rule for word in words for rule in _BY_SIGN[word]} | (
        {"festival"} if any(pair in low for pair in FESTIVAL_PAIRS) else set()
    )


def _chinese_rules(low: str) -> set[str]:
    return set() if low.isascii() or not CHINESE.rules["signs"].search(low) else {*CHINESE.patterns}


class _Reader:
    """One match of a pattern."""

    def __init__(self, table: TimeTable, said: SaidText, match: re.Match[str]) -> None:
        self._table, self._said, self._match = table, said, match
        self._got = groups_of(match)

    def read(self) -> NamedDays | None:
        """The days that it names; `None` where its words are no time. Raises: ValueError, OverflowError,
        KeyError where there is no such day.
        """
        got, (start, end) = self._got, self._match.span()
        if name := next((name for name in got if name in self._table.ranges), ""):
            first, last, vague = self._table.ranges[name]
            return NamedDays(start, end, around(self._said.today, first, last), vague)
        readers: Mapping[str, Callable[[], NamedDays | None]] = {
            "y": self._date,
            "only": self._years,
            "decade": self._decade,
            "dom": self._day_of_month,
            "weekday": self._weekday,
            "weekend": self._weekend,
            "n": self._ago,
            "several": self._several_ago,
            "rolling": self._up_to_now,
            "before_last": self._before_last,
            "whole": self._whole,
        }
        return next((read for sign, read in readers.items() if sign in got), self._yearly)()

    def _named(self, days: Days, *, vague: bool = False, at: str = "") -> NamedDays:
        return NamedDays(self._match.start(at or 0), self._match.end(), days, vague)

    def _date(self) -> NamedDays:
        got = self._got
        year = int(got["y"]) + (2000 if len(got["y"]) == 2 else 0)
        if "a" in got:
            month, day = int(got["a"]), int(got["b"])
            if month > 12 or (got["mark"] == "." and day <= 12):
                month, day = day, month
            return self._named(around(date(year, month, day), 0, 1))
        if "d" in got:
            return self._named(around(date(year, int(got["m"]), int(got["d"])), 0, 1))
        return self._named(whole_month(year, int(got["m"])))

    def _years(self) -> NamedDays:
        first = int(self._got["only"])
        return self._named(whole_years(first, int(self._got.get("only_last", first))), at="only")

    def _decade(self) -> NamedDays:
        return self._named(decade(whole_number(self._got["decade"])))

    def _day_of_month(self) -> NamedDays | None:
        day = whole_number(self._got["dom"])
        step = self._table.step(self._got, "dom_of")
        if step is None:
            found = self._said.day_of_month(day)
        else:
            found = _day_in(whole_month(self._said.today.year, self._said.today.month + step), day)
        return self._named(found, at="dom") if found else None

    def _ago(self) -> NamedDays:
        """`two or three weeks ago`, `a year and a half from now`."""
        got = self._got
        least, most = self._table.count(got["n"])
        most = self._table.count(got["to_n"])[1] if "to_n" in got else most
        half, plus = 0.5 * ("half" in got), "plus" in got
        least, most = least + half, most + half + plus
        vague = least != most or least != int(least)
        low, high = (-most, -least) if "later" in got else (least, most)
        return self._named(days_ago(self._table.unit(got["unit"]), low, high, self._said.now), vague=vague)

    def _several_ago(self) -> NamedDays:
        least, most = self._table.several
        unit = self._table.unit(self._got["several"])
        return self._named(days_ago(unit, least, most, self._said.now), vague=True)

    def _up_to_now(self) -> NamedDays:
        """`the past three weeks`, `the last month`; or those ahead."""
        got, unit = self._got, self._table.unit(self._got["rolling"])
        least, most = self._table.count(got["rolled"]) if "rolled" in got else (1, 1)
        days = days_up_to(unit, most, self._said.now, ahead="ahead" in got)
        return self._named(days, vague=least != most)

    def _before_last(self) -> NamedDays:
        unit = self._table.unit(self._got["before_last"])
        return self._named(whole_unit(unit, -2, self._said.today))

    def _whole(self) -> NamedDays | None:
        """`last month`, `next weekend`, `上个月初`, `这个月五号`."""
        got, unit, step = self._got, self._table.unit(self._got["whole"]), self._table.step(self._got)
        if unit == "weekend":
            return self._named(self._said.weekend(self._match.start(), step))
        days = whole_unit(unit, step or 0, self._said.today)
        if "number" in got:
            found = _day_in(days, whole_number(got["number"]))
            return self._named(found) if found else None
        days, vague = self._third(days)
        return self._named(days, vague=vague)

    def _weekend(self) -> NamedDays:
        step = self._table.step(self._got, "week")
        if step is None:
            return self._named(self._said.weekend(self._match.start()))
        return self._named(whole_unit("weekend", step, self._said.today))

    def _weekday(self) -> NamedDays | None:
        got, said, start = self._got, self._said, self._match.start()
        if not self._is_weekday():
            return None
        day = self._table.weekdays[got["weekday"][:3]]
        if "n" in got:
            latest = said.weekday(day, start, -1)[0]
            least, most = self._table.count(got["n"])
            days = days_later(latest, -7 * round(most - 1)), days_later(latest, -7 * round(least - 1) + 1)
            return self._named(days, vague=least != most)
        week = self._table.step(got, "behind" if "behind" in got else "week")
        if week is not None:
            days = around(whole_unit("week", week, said.today)[0], day, day + 1)
        elif "before_that" in got:
            days = around(said.weekday(day, start, -1)[0], -7, -6)
        else:
            days = said.weekday(day, start, self._table.step(got))
        return NamedDays(*self._match.span(), days, is_weekday=True)

    def _is_weekday(self) -> bool:
        """`Mon` and `sat` need more: a capital, and a word that makes them a time."""
        got, name = self._got, self._got["weekday"]
        if "leads" not in self._table.rules.names or name.endswith("day"):
            return True
        at = self._match.start("weekday_2" if "behind" in got else "weekday_3")
        led = "behind" in got or "which" in got or self._leads()
        return self._said.text[at].isupper() and bool(led)

    def _leads(self) -> re.Match[str] | None:
        start = self._match.start()
        return self._table.rules["leads"].search(self._said.low[max(start - 24, 0) : start])

    def _yearly(self) -> NamedDays | None:
        """What comes back every year: in a year that is said, or by a word (`last`), or the nearest."""
        got = self._got
        if not self._is_of_year():
            return None
        in_year, vague = self._in_year()
        if "year" in got:
            year: int | None = whole_number(got["year"]) + (2000 if len(got["year"]) == 2 else 0)
        else:
            of = self._table.step(got, "year_of")
            year = None if of is None else self._said.today.year + of
        if year is not None:
            return NamedDays(*self._match.span(), in_year(year), vague, in_year)
        step = self._table.step(got)
        days = self._said.nearest(in_year, step, self._match.start(), of_a_day="day" in got)
        return NamedDays(*self._match.span(), days, vague, in_year) if days else None

    def _is_of_year(self) -> bool:
        """Whether a month or a season is one: `may` and `fall` need a word that makes them a time."""
        got, rules, name = self._got, self._table.rules, self._got.get("month", "")
        if "leads" not in rules.names or not ("season" in got or name):
            return True
        alone = not got.keys() & {"day", "which", "year", "year_of"}
        if "season" in got:
            leads = self._leads() if alone else None
            return not alone or bool(leads and not leads["only"])
        is_verb = (
            bool(rules["also_verbs"].fullmatch(name))
            and self._said.text[self._match.start("month")].islower()
        )
        if alone and rules["doubtful"].fullmatch(name):
            leads = self._leads()
            if not leads or (is_verb and (leads["the"] or leads["only"])):
                return False
        behind = rules["behind_a_verb"].match(self._said.low, self._match.end("month"))
        return not (name == "may" and is_verb and behind)

    def _in_year(self) -> tuple[InYear, bool]:
        """The days of what is named, by the year, and whether they are a guess."""
        got = self._got
        if "season" in got:
            return season(self._table.seasons[got["season"]]), True
        if "edge" in got:
            first, last = self._table.edges[got["edge"][-1]]
            return (lambda year: (whole_month(year, first)[0], whole_month(year, last)[1])), True
        if "month" in got:
            return self._days_of_month(self._table.months.get(got["month"][:3]) or whole_number(got["month"]))
        for name, found in self._match.groupdict().items():
            if found and _FESTIVAL.fullmatch(name):
                return partial(festival_days, int(name[1:])), is_vague_festival(int(name[1:]))
        return (lambda year: whole_years(year, year)), False

    def _days_of_month(self, month: int) -> tuple[InYear, bool]:
        got = self._got
        if not 1 <= month <= 12:
            raise ValueError(month)
        first = got.get("day") or got.get("dated")
        if first is None:
            return (lambda year: self._third(whole_month(year, month))[0]), self._third((date.min, date.max))[
                1
            ]
        day, last = whole_number(first), whole_number(got.get("last_day", first))
        return (lambda year: (date(year, month, day), days_later(date(year, month, last), 1))), False

    def _third(self, days: Days) -> tuple[Days, bool]:
        """A third of the days, where one is named, and whether that is a guess."""
        which, vague = self._table.thirds.get(self._got.get("third", ""), (None, False))
        return (days if which is None else third(days, which)), vague


def _day_in(days: Days, number: int) -> Days | None:
    found = around(days[0], number - 1, number)
    return found if days[0] <= found[0] and found[1] <= days[1] else None
