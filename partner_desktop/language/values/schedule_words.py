"""What the words of a timing count: days, times of day, spans and numbers; for `schedules.py`.

The words are what the groups of the table `schedules.toml` hold. Nothing is looked for here.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta

from partner_desktop.language.rule_table import RuleTable, groups_of
from partner_desktop.language.values.named_times import festival_date
from partner_desktop.language.values.quantities import whole_number

#: What the groups of a pattern hold, by their names without numbers.
Got = Mapping[str, str]

#: The days of the week, as rules write them.
RULE_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
SECONDS = {"second": 1, "minute": 60, "hour": 3600}
NOON, MIDNIGHT = 12, 24
#: An hour before this one, on another day and without a word for it, is one of the afternoon.
EARLIEST = 6
#: Where a day is named and no time: the morning.
USUAL = time(9)
_ENGLISH_DAYS, _CHINESE_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun"), "一二三四五六日"
_ENGLISH_DAY, _CHINESE_DAY = (
    re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"),
    re.compile(r"[一二三四五六日天]"),
)
#: From one day to another: all between.
_ENGLISH_RANGE, _CHINESE_RANGE = (
    re.compile(r"\b(?:to|til|till|through|thru|until)\b|[-–—]"),
    re.compile(r"[到至~～–—-]"),
)
_CJK_DASH = re.compile(r"[–—]")
_MONTHS_OF_YEAR = 12
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14}
#: A part of the day that begins at this hour or later goes on past midnight.
_NIGHT = 20
#: Noon is said of no hour that is later than this one.
_LAST_OF_NOON = 3


class NeverError(ValueError):
    """There is no such time."""


class TimingWords:
    """The words of one language's table, said at `now` on the wall."""

    def __init__(self, table: RuleTable, now: datetime) -> None:
        self._table, self._now = table, now

    # Spans and numbers.

    def span(self, said: str) -> timedelta:
        """How long it is: `an hour and a half`, `1h30m`, `三刻钟`.

        Raises:
            KeyError: It cannot be counted.
        """
        found = timedelta()
        for match in self._table["span_piece"].finditer(said):
            got = groups_of(match)
            marked = match.groupdict()
            has = {name.rstrip("_0123456789") for name, value in marked.items() if value is not None}
            unit = next((name.removeprefix("unit_") for name in has if name.startswith("unit_")), "")
            unit = unit or got["unit"].casefold()
            share = {"half": 0.5, "quarter": 0.25, "three_quarters": 0.75}
            found += self._shared(unit, sum(value for name, value in share.items() if name in has))
            if "n" in got:
                found += self._span_of_number(got["n"].casefold(), unit)
            elif not has & share.keys():
                found += self._span(1, unit)
        return found

    def _shared(self, unit: str, share: float) -> timedelta:
        """A part of a unit; of one that has days, whole days."""
        found = self._span(1, unit) * share
        return timedelta(found.days) if found > timedelta(2) else found

    def _span_of_number(self, said: str, unit: str) -> timedelta:
        number = said.replace(",", ".")
        if "." in number:
            return self._span(1, unit) * float(number)
        return self._span(self.count(number), unit)

    def _span(self, count: int, unit: str) -> timedelta:
        name = self._table.section("units").get(unit, unit)
        if name in SECONDS:
            return timedelta(seconds=count * SECONDS[name])
        if name in _UNIT_DAYS:
            return timedelta(days=count * _UNIT_DAYS[name])
        months = count * {"year": 12, "quarter": 3}.get(name, 1)
        year, month = divmod(self._now.year * 12 + self._now.month - 1 + months, 12)
        day = min(self._now.day, monthrange(year, month + 1)[1])
        return self._now.replace(year=year, month=month + 1, day=day) - self._now

    def unit(self, got: Got) -> str:
        """What is counted, by its English name; empty: nothing."""
        marked = next((name.removeprefix("unit_") for name in got if name.startswith("unit_")), "")
        said = got.get("unit", "").replace(" ", "")
        return marked or self._table.section("units").get(said, said.rstrip("s") if said.isascii() else said)

    def count(self, words: str) -> int:
        """How many, or the how-manyth; -1 is the last.

        Raises:
            KeyError: It is no number.
        """
        words = re.sub(r"\s+", " ", words)
        known = self._table.section("counts").get(words)
        return int(known) if known is not None else self.number(words)

    def number(self, words: str) -> int:
        """The same of words with blanks as they were said."""
        digits = re.match(r"\d+", words)
        if digits is not None:
            return int(digits.group())
        known = self._table.section("counts").get(words)
        return int(known) if known is not None else whole_number(words)

    def numbers(self, words: str) -> list[int]:
        """Of several days of a month."""
        bare = words.replace("the ", " ").replace(" and ", " ")
        parts = re.findall(r"\d+(?:st|nd|rd|th)?|[^\W\d_]+(?:-[^\W\d_]+)?", bare)
        if not words.isascii():
            parts = [part for part in re.split(r"[号日、和，,跟与]+", words) if part]
        return [self.count(part) for part in parts if part != "on"]

    # Days.

    def said_date(self, got: Got) -> date:
        """The day that is named.

        Raises:
            NeverError: There is no such day.
        """
        today = self._now.date()
        if "word" in got:
            return self.day(got["word"])
        if "weekday" in got:
            return self._named_day(got, today)
        if "weekend" in got:
            return today + timedelta((5 - today.weekday()) % 7)
        if any(name.startswith("edge_") for name in got):
            return self._edge(got, today)
        if "one" in got:
            return self._slashed(got, today)
        return self._numbered_day(got, today)

    def _edge(self, got: Got, today: date) -> date:
        """The first day, the middle one or the last of a week (of work), a month, a quarter or a year."""
        if "month" in got:
            month = month_of(got["month"])
            first = date(today.year, month, 1)
            last = first.replace(day=monthrange(first.year, month)[1])
            year = today.year + (1 if (last if "edge_end" in got else first) < today else 0)
            first, days = date(year, month, 1), monthrange(year, month)[1]
            return first.replace(day=days if "edge_end" in got else 15 if "edge_middle" in got else 1)
        unit = self.unit(got)
        ahead = 1 if "next" in got else 0
        if unit == "week":
            monday = today + timedelta(7 * ahead - today.weekday())
            return monday + timedelta(4 if "edge_end" in got else 2 if "edge_middle" in got else 0)
        months = {"month": 1, "quarter": 3, "year": 12}[unit]
        begin = (today.year * 12 + today.month - 1) // months * months + ahead * months
        first = date(*_year_and_month(begin), 1)
        end = date(*_year_and_month(begin + months), 1) - timedelta(1)
        if "edge_end" in got:
            return end
        if "edge_middle" in got:
            return first + timedelta((end - first).days // 2)
        return first

    def _slashed(self, got: Got, today: date) -> date:
        """`on 24/12`. Raises: KeyError: either number may be the month."""
        one, other = int(got["one"]), int(got["other"])
        if one <= _MONTHS_OF_YEAR and other <= _MONTHS_OF_YEAR and one != other:
            raise KeyError(got["one"])
        dom, month = max(one, other), min(one, other)
        year = {"year": got["year"]} if "year" in got else {}
        return self._numbered_day({"dom": str(dom), "month": str(month), **year}, today)

    def _numbered_day(self, got: Got, today: date) -> date:
        dom = self.number(got["dom"])
        if "next_month" in got:
            first = (today.replace(day=1) + timedelta(32)).replace(day=1)
            return real_date(first.year, first.month, dom)
        if "month" not in got:
            return self._day_of_month(today, dom)
        month = month_of(got["month"])
        if "year" in got:
            return real_date(int(got["year"]), month, dom)
        if "next_year" in got:
            return real_date(today.year + 1, month, dom)
        found = real_date(today.year, month, dom)
        return found if found >= today else real_date(today.year + 1, month, dom)

    def _named_day(self, got: Got, today: date) -> date:
        weekday, which = weekday_of(got["weekday"]), got.get("which", "")
        if "which_next_week" in got:
            which = "下"
        if "week_from" in got:
            return today + timedelta((weekday - today.weekday() - 1) % 7 + 8)
        if which in {"last", "上"}:
            return today - timedelta((today.weekday() - weekday - 1) % 7 + 1)
        if which in {"下", "下下"}:  # of the next week, and of the one after that
            return today + timedelta(weekday - today.weekday() + 7 * len(which))
        if which in {"这", "本"}:
            return today + timedelta(weekday - today.weekday())
        return today + timedelta((weekday - today.weekday() - 1) % 7 + 1)

    def _day_of_month(self, today: date, dom: int) -> date:
        for ahead in range(12):
            year, month = divmod(today.year * 12 + today.month - 1 + ahead, 12)
            if 0 < dom <= monthrange(year, month + 1)[1]:
                found = date(year, month + 1, dom)
                if found >= today:
                    return found
        raise NeverError

    def festival(self, named: str, *, since: int = 0) -> date:
        """The next day of that name; with `since` that many years later."""
        today = self._now.date()
        days = (festival_date(named, today.year + since + ahead) for ahead in (0, 1))
        return next(day for day in days if day is not None and (since or day >= today))

    def day(self, word: str) -> date:
        """`tomorrow`, or a day of the week."""
        steps = self._table.section("day_words").get(re.sub(r"\s+", " ", word))
        if steps is None:
            return self._named_day({"weekday": word}, self._now.date())
        return self._now.date() + timedelta(int(steps))

    # The time of day.

    def clock(self, got: Got, part: str, *, exact: bool = True) -> datetime:
        """A time as a day of the first of January of the year 1, or of the second: midnight ends a day.

        `part`: the part of the day that it is in, as it was said. `exact`: it is of any day, so that midnight
        begins one.
        """
        begin = datetime(1, 1, 1)  # noqa: DTZ001 - a time of day
        if "word" in got:
            known = self._table.section("clock_words")[re.sub(r"\s+", " ", got["word"])]
            hour, minute = map(int, known.split(":"))
            apart = self._minute(got) - (self.count(got["to"]) if "to" in got else 0)
            hour = hour if apart < 0 or not exact else hour % MIDNIGHT
            return begin + timedelta(hours=hour, minutes=minute + apart)
        hour, half = self.number(got["hour"]), got.get("half", "")
        minute, second = self._minute(got), self.number(got.get("second", "0") or "0")
        if half:
            hour = hour % NOON + (NOON if half.startswith("p") else 0)
        elif part:
            hour = self._in_part(hour, part)
        if hour > MIDNIGHT or max(minute, second) >= 60:
            raise NeverError
        back = timedelta(minutes=self.count(got["to"]) if "to" in got else 0)
        hour = hour % MIDNIGHT if exact else hour
        return begin + timedelta(hours=hour, minutes=minute, seconds=second) - back

    def _minute(self, got: Got) -> int:
        if "half_past" in got:
            return 30
        if "quarter_past" in got or "three_quarters_past" in got:
            return 15 if "quarter_past" in got else 45
        return self.count(got.get("minute", "0") or "0") + (self.count(got["past"]) if "past" in got else 0)

    def _in_part(self, hour: int, part: str) -> int:
        begins = self.part_begins(part)
        if begins >= _NIGHT and hour < EARLIEST:
            return hour
        if begins >= NOON and hour < NOON and not (begins == NOON and hour > _LAST_OF_NOON):
            return hour + NOON
        if begins < EARLIEST and hour == NOON:  # 凌晨十二点
            return 0
        return MIDNIGHT if begins >= _NIGHT and hour == NOON else hour

    def part_begins(self, part: str) -> int:
        """The hour that is meant by a part of the day alone.

        Raises:
            KeyError: There is no such part.
        """
        return int(self._table.section("parts")[part])

    def time_of(self, said: str) -> time:
        """`9`, `17:30`, `九`, `5 pm`, `noon`."""
        known = self._table.section("clock_words").get(said)
        if known is not None:
            hour, minute = map(int, known.split(":"))
            return time(hour % MIDNIGHT, minute)
        half = re.search(r"([ap])\.?m\b\.?$", said)
        bare = said[: half.start()].strip() if half is not None else said
        first, _, second = bare.partition(":")
        hour = self.number(first)
        if half is not None:
            hour = hour % NOON + (NOON if half[1] == "p" else 0)
        return time(hour % MIDNIGHT, int(second or 0))


def by_day(days: Sequence[int]) -> str:
    """Days of the week as a rule lists them."""
    return ",".join(RULE_DAYS[day] for day in days)


def weekday_of(said: str) -> int:
    """A day of the week, counted from Monday."""
    if said.isascii():
        return _ENGLISH_DAYS.index(said[:3])
    return _CHINESE_DAYS.index(said[-1].replace("天", "日"))


def weekdays_of(said: str) -> list[int]:
    """Several of them, in the order of the week; from one to another are all between."""
    pattern, through = (_ENGLISH_DAY, _ENGLISH_RANGE) if said.isascii() else (_CHINESE_DAY, _CHINESE_RANGE)
    if re.search(_CJK_DASH, said) and not re.search(f"[{_CHINESE_DAYS}天]", said):
        pattern, through = _ENGLISH_DAY, _ENGLISH_RANGE
    found, end = list[int](), 0
    for match in pattern.finditer(said):
        day = weekday_of(match.group())
        if found and through.search(said[end : match.start()]):
            found += [(found[-1] + each) % 7 for each in range(1, (day - found[-1]) % 7)]
        found.append(day)
        end = match.end()
    return sorted(set(found))


def _year_and_month(months: int) -> tuple[int, int]:
    return months // 12, months % 12 + 1


def month_of(said: str) -> int:
    """`June`, `六`, `6`. Raises: NeverError: there is no such month."""
    if said[:3] in _MONTHS:
        return _MONTHS.index(said[:3]) + 1
    month = int(said) if said.isdecimal() else whole_number(said)
    if not 1 <= month <= len(_MONTHS):
        raise NeverError
    return month


def real_date(year: int, month: int, day: int) -> date:
    """A day of the calendar. Raises: NeverError: there is none."""
    try:
        return date(year, month, day)
    except ValueError as error:
        raise NeverError from error
