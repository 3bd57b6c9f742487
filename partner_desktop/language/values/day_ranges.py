"""Ranges of days, counted from the day on which a text was said: `last`, `two … ago`, the latest May.

A range ends with the day after its last one. Weeks begin on Monday.
What lies outside the calendar ends with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import rule_table

#: No text names more times of a kind.
MOST_TIMES = 40
Days = tuple[date, date]
InYear = Callable[[int], Days]

#: How many days a unit has, and how many around `two … ago` people mean.
_UNITS: dict[str, tuple[float, int]] = {
    "day": (1, 0), "night": (1, 0), "week": (7, 3), "fortnight": (14, 4), "month": (30.44, 15),
    "quarter": (91.3, 45), "year": (365.25, 183), "decade": (3652.5, 400), "weekend": (7, 0),
}  # fmt: skip
#: Nobody says when so far from it.
_SENTENCE = 200
_SENTENCE_END = late(r"[.!?\n。！？]")


@dataclass(frozen=True)
class NamedDays:
    """`text[start:end]` names days; what stands beside it may still say more."""

    start: int
    end: int
    days: Days
    vague: bool = False
    in_year: InYear | None = None
    """Its days in another year, where it comes back every year."""
    is_weekday: bool = False

    @property
    def is_one_day(self) -> bool:
        return (self.days[1] - self.days[0]).days == 1

    @property
    def whole_year(self) -> int:
        """The year, where it is one as a whole, else 0."""
        year = self.days[0].year
        return year if year < date.max.year and self.days == whole_years(year, year) else 0


def days_later(day: date, days: int) -> date:
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def around(day: date, first: int, end: int) -> Days:
    return days_later(day, first), days_later(day, end)


def whole_month(year: int, month: int) -> Days:
    """A month counted from the January of a year: 0 is the December before."""
    index = year * 12 + month - 1
    return date(index // 12, index % 12 + 1, 1), date((index + 1) // 12, (index + 1) % 12 + 1, 1)


def whole_years(first: int, last: int) -> Days:
    return date(first, 1, 1), date(last + 1, 1, 1)


def decade(number: int) -> Days:
    """`90` and `1990` are the ten years from 1990."""
    first = number if number > 99 else number + (1900 if number >= 30 else 2000)
    return whole_years(first, first + 9)


def season(month: int) -> InYear:
    return lambda year: (whole_month(year, month)[0], whole_month(year, month + 2)[1])


def third(days: Days, which: int) -> Days:
    """The first, the second or the last third of a range: 0, 1, 2."""
    length = (days[1] - days[0]).days // 3
    since = days_later(days[0], length * which)
    return since, days[1] if which == 2 else days_later(since, length)


def days_ago(unit: str, least: float, most: float, now: datetime) -> Days:
    """`two weeks ago`; negative numbers are ahead."""
    if unit in {"hour", "minute"}:
        return around((now - timedelta(minutes=most * (60 if unit == "hour" else 1))).date(), 0, 1)
    if unit == "weekend":
        saturday = days_later(now.date(), -now.weekday() - 2)
        return days_later(saturday, round(-7 * (most - 1))), days_later(saturday, round(-7 * (least - 1)) + 2)
    if unit == "year" and least == int(least) and least > 0:
        return whole_years(now.year - int(most), now.year - int(least))
    if unit == "year":
        unit, least, most = "month", least * 12, most * 12
    length, wide = _UNITS[unit]
    return around(now.date(), -round(most * length) - wide, -round(least * length) + wide + 1)


def days_up_to(unit: str, count: float, now: datetime, *, ahead: bool = False) -> Days:
    """`the past three weeks`, up to today; or the next ones."""
    if unit in {"hour", "minute"}:
        return around((now - timedelta(minutes=count * (60 if unit == "hour" else 1))).date(), 0, 1)
    length = round(count * _UNITS[unit][0])
    return around(now.date(), 0, length + 1) if ahead else around(now.date(), -length, 1)


def whole_unit(unit: str, steps: int, today: date) -> Days:
    """The week, month, quarter or year that lies some steps from this one."""
    monday = days_later(today, 7 * steps - today.weekday())
    if unit in {"week", "weekend"}:
        return around(monday, 5 if unit == "weekend" else 0, 7)
    if unit == "month":
        return whole_month(today.year, today.month + steps)
    if unit == "quarter":
        return season((today.month - 1) // 3 * 3 + 1 + 3 * steps)(today.year)
    return whole_years(today.year + steps, today.year + steps)


@dataclass(frozen=True)
class SaidText:
    """A text that is being read, in small letters too, and when it was said."""

    text: str
    low: str
    now: datetime

    @property
    def today(self) -> date:
        return self.now.date()

    def is_ahead(self, at: int, *, of_a_day: bool = False) -> bool:
        """Whether the sentence around a position speaks of what will be; a single day may be fixed."""
        start = max(self.low.rfind(mark, max(at - _SENTENCE, 0), at) for mark in ".!?\n。！？") + 1
        start = max(start, at - _SENTENCE)
        ending = _SENTENCE_END.search(self.low, at, at + _SENTENCE)
        end = ending.start() if ending else at + _SENTENCE
        if self._says("is_reported", start, end):
            return False
        if of_a_day and self._says("is_fixed", start, end) and not self._says("was", start, end):
            return True
        return self._says("will_be", start, end)

    def _says(self, rule: str, start: int, end: int) -> bool:
        return any(rule_table("times", each)[rule].search(self.low, start, end) for each in ("en", "zh"))

    def nearest(self, in_year: InYear, step: int | None, at: int, *, of_a_day: bool) -> Days | None:
        """What comes back every year: the latest, or the next; `step` is that of a word that says which."""
        way = step if step is not None else int(self.is_ahead(at, of_a_day=of_a_day))
        if way > 0:
            return next((days for days in self._known(in_year, 1) if days[0] > self.today), None)
        latest = next(
            (days for days in self._known(in_year, -1) if days[1 if way else 0] <= self.today), None
        )
        if way < 0 or step is None or latest is None:
            return latest
        # `this May` may lie ahead; `this winter`, said in its March, is the one that crossed the year.
        crossed = (latest[1] - timedelta(1)).year > latest[0].year and (self.today - latest[1]).days < 90
        return latest if crossed else in_year(self.today.year)

    def _known(self, in_year: InYear, step: int) -> Iterator[Days]:
        """The days in the years around this one, one after another; eight years hold a 29th of February."""
        for year in range(self.today.year - step, self.today.year + 9 * step, step):
            with suppress(ValueError, OverflowError):
                yield in_year(year)

    def day_of_month(self, day: int) -> Days | None:
        """The latest such day; `the 31st` may lie two months back."""
        for back in range(4):
            first, end = whole_month(self.today.year, self.today.month - back)
            at = days_later(first, day - 1)
            if first <= at < end and at <= self.today:
                return around(at, 0, 1)
        return None

    def weekday(self, day: int, at: int, step: int | None = None) -> Days:
        """The latest one before today, or this week's, or the next one; Monday is 0."""
        if step == 0:
            return around(self.today, day - self.today.weekday(), day - self.today.weekday() + 1)
        if (step if step is not None else self.is_ahead(at, of_a_day=True)) > 0:
            following = (day - self.today.weekday() - 1) % 7 + 1
            return around(self.today, following, following + 1)
        back = (self.today.weekday() - day - 1) % 7 + 1
        return around(self.today, -back, -back + 1)

    def weekend(self, at: int, step: int | None = None) -> Days:
        said = step is not None
        if not step and self.today.weekday() <= (1 if said else 4) and not self.is_ahead(at):
            step = -1  # on a Monday people call the one that is just over `this weekend`
        return whole_unit("weekend", step or 0, self.today)
