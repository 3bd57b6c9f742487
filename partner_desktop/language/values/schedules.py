"""Timings in words: `tomorrow at nine`, `in half an hour`, `every second Friday at 3 pm`, `每周一三五早上八点`.

The patterns, and what their words count, are the tables `schedules.toml`; their groups mean the same in every
language, so one reader serves all. What was read is taken out of the text: the rest says what is to be done.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.schedule import Cycle, Once, Timing
from partner_desktop.language.rule_table import RuleTable, rule_tables
from partner_desktop.language.values.named_times import festival_date, find_festivals
from partner_desktop.language.values.quantities import whole_number

Problem = Literal["", "past", "never", "unclear"]
Got = Mapping[str, str]

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_ENGLISH_DAYS, _CHINESE_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun"), "一二三四五六日"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SECONDS = {"second": 1, "minute": 60, "hour": 3600}
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_FREQUENCIES = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "quarter": "MONTHLY", "year": "YEARLY"}
#: Where a day is named and no time: the morning.
_USUAL = time(9)
_NOON, _MIDNIGHT = 12, 24
#: An hour before this one, on another day and without a word for it, is one of the afternoon.
_EARLIEST = 6


@dataclass(frozen=True)
class SaidTiming:
    """What a text says of when."""

    timing: Timing | None
    """`None`: it says that something is to be at a time, and not one that there is; `problem` says why."""
    rest: str
    """What is to be done then."""
    is_reminder: bool = False
    problem: Problem = ""


class _NeverError(ValueError):
    """There is no such time."""


def read_timing(text: str, now: datetime) -> SaidTiming | None:
    """When a request is to be carried out, `now` as the wall says it; `None`: it says nothing of that."""
    for table in rule_tables("schedules", text):
        found = _Reader(table, text, now.replace(tzinfo=None)).read()
        if found is not None:
            return found
    return None


class _Reader:
    """One text by one table. What was read is blanked out, so that nothing is read twice."""

    def __init__(self, table: RuleTable, text: str, now: datetime) -> None:
        self._table, self._text, self._left, self._now = table, text, text, now

    def read(self) -> SaidTiming | None:
        """See `read_timing`."""
        if self._table["question"].search(self._text):
            return None
        is_reminder = self._take("lead") is not None
        problem: Problem = ""
        timing: Timing | None = None
        try:
            cycle = self._take("cycle")
            timing = self._cycle(cycle) if cycle is not None else self._once(named_only=not is_reminder)
        except (_NeverError, OverflowError):
            problem = "never"
        except KeyError:
            problem = "unclear"
        if timing is None and not problem:
            if not is_reminder:
                return None
            problem = "unclear"
        if isinstance(timing, Once) and timing.at <= self._now:
            timing, problem = None, "past"
        return SaidTiming(timing, self._rest(), is_reminder, problem)

    def _rest(self) -> str:
        rest = re.sub(r"\s{2,}", " ", self._left)
        before = ""
        while rest != before:
            before, rest = rest, self._table["glue"].sub("", rest).strip()
        return rest

    def _take(self, rule: str) -> Got | None:
        match = self._table[rule].search(self._left)
        return None if match is None else self._taken(match)

    def _taken(self, match: re.Match[str]) -> Got:
        self._left = f"{self._left[: match.start()]}{' ' * len(match.group())}{self._left[match.end() :]}"
        return {
            name.rstrip("_0123456789"): value.strip().casefold()
            for name, value in match.groupdict().items()
            if value is not None
        }

    # Again and again.

    def _cycle(self, got: Got) -> Cycle:
        if (unit := self._unit(got)) in _SECONDS or "half" in got:
            return self._at_distances(got, unit)
        rule = self._rule(got, unit)
        but = self._take("but")
        if but is not None:
            rule = f"FREQ=WEEKLY;BYDAY={self._all_but(but['weekday'])}"
        since = self._take("since")
        times, until = self._times(), self._until()
        start = self._now if since is None else datetime.combine(self._day(since["day"]), time())
        cycle = Cycle(start, rule, times, until=until)
        return replace(cycle, start=self._first(cycle))

    def _first(self, cycle: Cycle) -> datetime:
        """Where counting begins: the first day that the rule names and whose time is still to come."""
        from dateutil.rrule import rrulestr  # noqa: PLC0415 - slow to import

        every = (
            re.sub(r";?INTERVAL=\d+", "", cycle.rule)
            if "BYDAY" in cycle.rule or "DAILY" in cycle.rule
            else cycle.rule
        )
        begin = datetime.combine(cycle.start.date(), time())
        days = islice(rrulestr(every, dtstart=begin).xafter(begin - timedelta(1)), 2_000)
        for day in days:
            for at in cycle.times:
                wall = datetime.combine(day.date(), at)
                if wall > self._now and wall >= cycle.start:
                    return (
                        datetime.combine(day.date(), time()) if wall.date() != self._now.date() else self._now
                    )
        raise _NeverError

    def _at_distances(self, got: Got, unit: str) -> Cycle:
        count = 30 if "half" in got else self._count(got.get("n", "1"))
        every_s = count * (60 if "half" in got else _SECONDS[unit])
        if every_s <= 0:
            raise _NeverError
        between = self._take("between")
        hours = None
        if between is not None:
            hours = (_time_of(between["begin"]), _time_of(between["end"]))
        start = self._now.replace(microsecond=0) + timedelta(seconds=every_s)
        return Cycle(start, every_s=every_s, between=hours, until=self._until())

    def _rule(self, got: Got, unit: str) -> str:
        if "workdays" in got:
            return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        if "weekend" in got:
            return "FREQ=WEEKLY;BYDAY=SA,SU"
        if "from_day" in got:
            first, last = _weekday(got["from_day"]), _weekday(got["to_day"])
            days = [(first + each) % 7 for each in range((last - first) % 7 + 1)]
            return f"FREQ=WEEKLY;BYDAY={_by_day(days)}"
        interval = self._count(got.get("n", "1")) * (3 if unit == "quarter" else 1)
        if interval <= 0:
            raise _NeverError
        if "weekday" in got and "nth" in got:
            return f"FREQ=MONTHLY;BYDAY={self._count(got['nth'])}{_DAYS[_weekday(got['weekday'])]}"
        if "weekday" in got:
            return f"FREQ=WEEKLY;INTERVAL={interval};BYDAY={_by_day(_weekdays(got['weekday']))}"
        frequency = _FREQUENCIES[unit or "day"]
        months = ";BYMONTH=1,4,7,10" if unit == "quarter" else ""
        if unit == "quarter":
            interval = 1
        if "nth" in got:
            return f"FREQ={frequency};INTERVAL={interval}{months};BYMONTHDAY={self._count(got['nth'])}"
        if "month" in got:
            return f"FREQ=YEARLY;BYMONTH={_month(got['month'])};BYMONTHDAY={self._number(got['dom'])}"
        if unit == "year":
            if (festival := next(find_festivals(self._left), None)) is not None:
                self._taken(festival)
            raise KeyError(unit)
        if "dom" in got:
            return f"FREQ={frequency};INTERVAL={interval}{months};BYMONTHDAY={self._number(got['dom'])}"
        return f"FREQ={frequency};INTERVAL={interval}"

    def _all_but(self, said: str) -> str:
        left_out = _weekdays(said)
        return _by_day([day for day in range(7) if day not in left_out])

    def _until(self) -> date | None:
        match = self._table["until"].search(self._left)
        if match is None:
            return None
        self._taken(match)
        got = self._take("day")
        return self._date(got) if got is not None else None

    def _times(self) -> tuple[time, ...]:
        """The times of day of a cycle.

        Raises:
            KeyError: None is said.
        """
        part = ""
        found: list[time] = []
        for match in [*self._clocks()]:
            got = self._taken(match)
            part = got.get("part", "") or self._part() or part
            found.append(self._clock(got, part).time())
        if not found:
            found = [time(int(self._table.section("parts")[self._part() or "?"]))]
        return tuple(sorted(found))

    def _clocks(self) -> Iterator[re.Match[str]]:
        match = self._table["clock"].search(self._left)
        if match is None:
            return
        yield match
        more = self._table["more_clocks"].match(self._left, match.end())
        end = match.end()
        while more is not None:
            yield more
            end = more.end()
            more = self._table["more_clocks"].match(self._left, end)
        while (match := self._table["clock"].search(self._left, end)) is not None:
            yield match
            end = match.end()

    # Once.

    def _once(self, *, named_only: bool) -> Once | None:
        """`named_only`: nothing says that it is a reminder, so a day alone may be of what it is about."""
        after = self._take("after")
        if after is not None:
            return Once(self._after(after))
        got = self._take("day")
        festival = next(find_festivals(self._left), None) if got is None else None
        if festival is not None:
            self._taken(festival)
        clock = self._take("clock")
        part = self._part()
        if clock is None and (named_only or (got is None and festival is None and not part)):
            return None
        if festival is not None:
            day: date | None = self._festival(festival.group())
        else:
            day = self._date(got) if got is not None else None
        return Once(self._at(day, clock, part))

    def _at(self, day: date | None, clock: Got | None, part: str) -> datetime:
        if clock is None:
            at = time(int(self._table.section("parts")[part])) if part else _USUAL
            return datetime.combine(day or self._now.date(), at)
        offset = self._clock(clock, part, exact=False)
        is_open = not part and "half" not in clock and "word" not in clock and offset.hour <= _NOON
        wall = datetime.combine(day or self._now.date(), time()) + timedelta(
            days=offset.day - 1, hours=offset.hour, minutes=offset.minute, seconds=offset.second
        )
        if day is not None and day != self._now.date():
            early = is_open and 0 < offset.hour < _EARLIEST and ":" not in clock.get("said", "")
            return wall + timedelta(hours=12) if early else wall
        if (
            wall <= self._now
            and is_open
            and offset.hour < _NOON
            and wall + timedelta(hours=12) > self._now
            and "minute" not in clock
        ):
            return wall + timedelta(hours=12)
        if wall <= self._now and day is None:
            return wall + timedelta(1)
        return wall

    def _after(self, got: Got) -> datetime:
        now = self._now
        if "n" not in got and "half" in got:
            return now + self._span(1, got["unit"]) / 2
        count, unit = self._count(got.get("n", "1")), got["unit"]
        span = self._span(count, unit)
        if "half" in got:
            span += self._span(1, unit) / 2
        if "more" in got:
            span += self._span(self._count(got["more"]), got["more_unit"])
        return now + span

    def _span(self, count: int, unit: str) -> timedelta:
        name = self._table.section("units").get(unit, unit)
        if name in _SECONDS:
            return timedelta(seconds=count * _SECONDS[name])
        if name in _UNIT_DAYS:
            return timedelta(days=count * _UNIT_DAYS[name])
        months = count * (12 if name == "year" else 1)
        year, month = divmod(self._now.year * 12 + self._now.month - 1 + months, 12)
        day = min(self._now.day, monthrange(year, month + 1)[1])
        return self._now.replace(year=year, month=month + 1, day=day) - self._now

    def _date(self, got: Got) -> date:
        today = self._now.date()
        if "word" in got:
            return self._day(got["word"])
        if "weekend" in got:
            return today + timedelta((5 - today.weekday()) % 7)
        if "month_end" in got:
            return today.replace(day=monthrange(today.year, today.month)[1])
        if "weekday" in got:
            return self._named_day(got, today)
        dom = self._number(got["dom"])
        if "next_month" in got:
            first = (today.replace(day=1) + timedelta(32)).replace(day=1)
            return _real(first.year, first.month, dom)
        if "month" not in got:
            return self._day_of_month(today, dom)
        month = _month(got["month"])
        if "year" in got:
            return _real(int(got["year"]), month, dom)
        found = _real(today.year, month, dom)
        return found if found >= today else _real(today.year + 1, month, dom)

    def _named_day(self, got: Got, today: date) -> date:
        weekday, which = _weekday(got["weekday"]), got.get("which", "")
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
            if dom <= monthrange(year, month + 1)[1] and (found := date(year, month + 1, dom)) >= today:
                return found
        raise _NeverError

    def _festival(self, named: str) -> date:
        today = self._now.date()
        days = (festival_date(named, year) for year in (today.year, today.year + 1))
        return next(day for day in days if day is not None and day >= today)

    def _day(self, word: str) -> date:
        steps = self._table.section("day_words").get(re.sub(r"\s+", " ", word))
        if steps is None:
            return self._named_day({"weekday": word}, self._now.date())
        return self._now.date() + timedelta(int(steps))

    # What words count.

    def _part(self) -> str:
        got = self._take("part")
        return re.sub(r"\s+", " ", got["part"]) if got is not None else ""

    def _clock(self, got: Got, part: str, *, exact: bool = True) -> datetime:
        """A time as a day of the first of January of the year 1, or of the second: midnight ends a day."""
        begin = datetime(1, 1, 1)  # noqa: DTZ001 - a time of day
        if "word" in got:
            hour, minute = map(
                int, self._table.section("clock_words")[re.sub(r"\s+", " ", got["word"])].split(":")
            )
            if exact and hour == _MIDNIGHT:
                hour = 0
            return begin + timedelta(hours=hour, minutes=minute)
        hour = self._number(got["hour"])
        minute = self._number(got.get("minute", "0") or "0")
        minute = 30 if "half_past" in got else 15 if "quarter_past" in got else minute
        minute += self._count(got["past"]) if "past" in got else 0
        second = self._number(got.get("second", "0") or "0")
        half = got.get("half", "")
        if half:
            hour = hour % 12 + (12 if half.startswith("p") else 0)
        elif part:
            hour = self._in_part(hour, part)
        if hour > _MIDNIGHT or minute > 59 or second > 59:
            raise _NeverError
        found = begin + timedelta(hours=hour % 24 if exact else hour, minutes=minute, seconds=second)
        back = self._count(got["to"]) if "to" in got else 0
        if back:
            found += timedelta(days=0 if exact and found.hour else 0) - timedelta(minutes=back)
        return found

    def _in_part(self, hour: int, part: str) -> int:
        begins = int(self._table.section("parts")[part])
        if begins >= 20 and hour < _EARLIEST:
            return hour
        if begins >= _NOON and hour < _NOON and not (begins == _NOON and hour > 3):
            return hour + 12 if hour or begins >= _NOON else hour
        if begins < _EARLIEST and hour == _NOON:  # 凌晨十二点
            return 0
        night = begins >= 20 and hour == _NOON
        return _MIDNIGHT if night else hour

    def _unit(self, got: Got) -> str:
        marked = next((name.removeprefix("unit_") for name in got if name.startswith("unit_")), "")
        said = got.get("unit", "").replace(" ", "")
        return marked or self._table.section("units").get(said, said.rstrip("s") if said.isascii() else said)

    def _count(self, words: str) -> int:
        words = re.sub(r"\s+", " ", words)
        known = self._table.section("counts").get(words)
        return int(known) if known is not None else self._number(words)

    def _number(self, words: str) -> int:
        digits = re.match(r"\d+", words)
        if digits is not None:
            return int(digits.group())
        known = self._table.section("counts").get(words)
        return int(known) if known is not None else whole_number(words)


def _by_day(days: list[int]) -> str:
    return ",".join(_DAYS[day] for day in days)


def _weekday(said: str) -> int:
    if said.isascii():
        return _ENGLISH_DAYS.index(said[:3])
    return _CHINESE_DAYS.index(said[-1].replace("天", "日"))


def _weekdays(said: str) -> list[int]:
    words = (
        re.findall(r"[a-z]{3,}", said.replace(" and ", " "))
        if said.isascii()
        else re.findall(f"[{_CHINESE_DAYS}天]", said)
    )
    return sorted({_weekday(word) for word in words})


def _month(said: str) -> int:
    if said[:3] in _MONTHS:
        return _MONTHS.index(said[:3]) + 1
    month = int(said) if said.isdecimal() else whole_number(said)
    if not 1 <= month <= 12:
        raise _NeverError
    return month


def _real(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise _NeverError from error


def _time_of(said: str) -> time:
    hour, _, minute = said.partition(":")
    return time(int(hour) % 24, int(minute or 0))
