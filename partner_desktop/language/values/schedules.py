"""Timings in words: `tomorrow at nine`, `in half an hour`, `every second Friday at 3 pm`, `每周一三五早上八点`.

The patterns, and what their words count, are the tables `schedules.toml`; their groups mean the same in every
language, so one reader serves all. What was read is taken out of the text: the rest says what is to be done.
"""  # noqa: E501 - Chinese signs are wide

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.schedule import Cycle, Once, Timing, days_of_rule, is_cron
from partner_desktop.language.rule_table import RuleTable, rule_tables
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.values.named_times import find_festivals
from partner_desktop.language.values.schedule_words import (
    EARLIEST,
    NOON,
    RULE_DAYS,
    SECONDS,
    Got,
    NeverError,
    TimingWords,
    by_day,
    month_of,
    weekday_of,
    weekdays_of,
)

TimingProblem = Literal["", "past", "never", "unclear"]

#: What is an argument, and says no time though it may hold one.
_ARGUMENTS = frozenset({SpanKind.QUOTE, SpanKind.URL, SpanKind.EMAIL, SpanKind.PATH})
_FIRST_SIGN = 0xE100
_FREQUENCIES = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "quarter": "MONTHLY", "year": "YEARLY"}
#: Months that a quarter begins with, and ends with.
_QUARTERS, _QUARTER_ENDS = "1,4,7,10", "3,6,9,12"
#: Where a day is named and no time: the morning.
_USUAL = time(9)
#: So many days of a rule are looked at for its first.
_MOST_DAYS = 2_000


@dataclass(frozen=True)
class SaidTiming:
    """What a text says of when."""

    timing: Timing | None
    """`None`: it says that something is to be at a time, and not one that there is; `problem` says why."""
    rest: str
    """What is to be done then."""
    is_reminder: bool = False
    problem: TimingProblem = ""
    names_day: bool = False
    """With one time: the words say on which day."""
    names_clock: bool = False
    """With one time: they say at what time of that day."""
    bare_clock: bool = False
    """That is by a number alone, which may be of something else: `at 15`."""
    before_lead: str = ""
    """What is said before `remind me`, without the time."""

    @property
    def at(self) -> datetime | None:
        """The single time, on the wall."""
        return self.timing.at if isinstance(self.timing, Once) else None


def read_timing(text: str, now: datetime) -> SaidTiming | None:
    """When a request is to be carried out, `now` as the wall says it; `None`: it says nothing of that."""
    plain, hidden = _without_arguments(text)
    for table in rule_tables("schedules", text):
        found = _Reader(table, plain, now.replace(tzinfo=None)).read()
        if found is not None:
            rest, before = (
                "".join(hidden.get(each, each) for each in part) for part in (found.rest, found.before_lead)
            )
            return replace(found, rest=rest, before_lead=before)
    return None


def words_before_lead(text: str) -> str:
    """What stands before `remind me`; all of it, where nothing asks for a reminder."""
    found = (table["lead"].search(text) for table in rule_tables("schedules", text))
    return text[: min((match.start() for match in found if match is not None), default=len(text))]


def read_target(words: str, now: datetime, *, spans: bool = False) -> SaidTiming | None:
    """What is nothing but a time to come: `six`, `Friday at nine`, `every day at 7`; with `spans`, how long
    from now, too: `ten minutes`.
    """
    for table in rule_tables("schedules", words):
        openings = table.texts("target_openings")
        for opening in (*openings[1:], *openings[:1]) if spans else openings[1:]:
            found = _Reader(table, opening.format(words=words), now.replace(tzinfo=None)).read(alone=True)
            if found is not None and found.timing is not None and not found.rest:
                return found
    return None


def read_day(words: str, now: datetime) -> tuple[date | None, str]:
    """The day that words name, and the words without it."""
    for table in rule_tables("schedules", words):
        reader = _Reader(table, words, now.replace(tzinfo=None))
        day = reader.day()
        if day is not None:
            return day, reader.left
    return None, words


def _without_arguments(text: str) -> tuple[str, Mapping[str, str]]:
    """The text with one sign in place of each path, address and quotation, and what the signs stand for."""
    hidden: dict[str, str] = {}
    plain, end = "", 0
    for span in find_spans(text):
        if span.kind in _ARGUMENTS:
            sign = chr(_FIRST_SIGN + len(hidden))
            hidden[sign] = text[span.start : span.end]
            plain, end = plain + text[end : span.start] + sign, span.end
    return plain + text[end:], hidden


class _Reader:
    """One text by one table. What was read is blanked out, so that nothing is read twice."""

    def __init__(self, table: RuleTable, text: str, now: datetime) -> None:
        self._table, self._text, self._left, self._now = table, text, text, now
        self._words = TimingWords(table, now)
        self._has_day = self._has_clock = self._bare_clock = False

    @property
    def left(self) -> str:
        """What is not read yet."""
        return " ".join(self._left.split())

    def day(self) -> date | None:
        """The day that is named."""
        got = self._take("day")
        try:
            return self._words.said_date(got) if got is not None else None
        except (NeverError, KeyError):
            return None

    def read(self, *, alone: bool = False) -> SaidTiming | None:
        """See `read_timing`; with `alone` the words are of a time and nothing else."""
        if self._table["question"].search(self._text):
            return None
        lead = self._table["lead"].search(self._left)
        is_reminder = lead is not None
        if lead is not None:
            self._taken(lead)
        problem: TimingProblem = ""
        timing: Timing | None = None
        try:
            timing = self._timing(is_reminder=is_reminder or alone)
        except (NeverError, OverflowError):
            problem = "never"
        except KeyError:
            problem = "unclear"
        if timing is None and not problem:
            problem = "unclear"
            if not self._table["sure_lead"].search(self._text):
                return None
        if isinstance(timing, Once) and timing.at <= self._now:
            timing, problem = None, "past"
        named = (self._has_day, self._has_clock, self._bare_clock)
        before = self._left[: lead.start()] if lead is not None else ""
        return SaidTiming(timing, self._rest(), is_reminder, problem, *named, " ".join(before.split()))

    def _timing(self, *, is_reminder: bool) -> Timing | None:
        if (cron := self._take("cron")) is not None:
            return self._by_cron(re.sub(r"\s+", " ", cron.get("line", "")))
        cycle = self._take("cycle")
        # Where nothing says that it is a reminder, a day alone may be of what it is about.
        return self._cycle(cycle) if cycle is not None else self._once(named_only=not is_reminder)

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

    def _by_cron(self, line: str) -> Cycle:
        """Raises: KeyError: it is no such line, NeverError: one that names no time."""
        if not line:
            raise KeyError(line)
        if not is_cron(line):
            raise NeverError
        return Cycle(self._now, cron=line.upper(), until=self._until())

    def _cycle(self, got: Got) -> Cycle:
        if (unit := self._words.unit(got)) in SECONDS or "half" in got:
            return self._at_distances(got, unit)
        rule = self._rule(got, unit)
        but = self._take("but")
        if but is not None:
            rule = f"FREQ=WEEKLY;BYDAY={_all_but(but['weekday'])}"
        since = self._take("since")
        times, until = self._times(), self._until()
        start = self._now if since is None else datetime.combine(self._words.day(since["day"]), time())
        cycle = Cycle(start, rule, times, until=until)
        return replace(cycle, start=self._first(cycle))

    def _first(self, cycle: Cycle) -> datetime:
        """Where counting begins: the first day that the rule names and whose time is still to come."""
        every = cycle.rule
        if "BYDAY" in every or "DAILY" in every:
            every = re.sub(r";?INTERVAL=\d+", "", every)
        for day in islice(days_of_rule(every, cycle.start.date()), _MOST_DAYS):
            for at in cycle.times:
                wall = datetime.combine(day, at)
                if wall > self._now and wall >= cycle.start:
                    return self._now if day == self._now.date() else datetime.combine(day, time())
        raise NeverError

    def _at_distances(self, got: Got, unit: str) -> Cycle:
        count = 30 if "half" in got else self._words.count(got.get("n", "1"))
        every_s = count * (SECONDS["minute"] if "half" in got else SECONDS[unit])
        if every_s <= 0:
            raise NeverError
        between = self._take("between")
        hours = None
        if between is not None:
            hours = (self._words.time_of(between["begin"]), self._words.time_of(between["end"]))
        start = self._now.replace(microsecond=0) + timedelta(seconds=every_s)
        return Cycle(start, every_s=every_s, between=hours, until=self._until())

    def _rule(self, got: Got, unit: str) -> str:
        """The days of a cycle.

        Raises:
            KeyError: They cannot be counted.
        """
        interval = self._words.count(got.get("n", "1"))
        if interval <= 0:
            raise NeverError
        if "weekday" in got and "nth" in got:
            nth, weekday = self._words.count(got["nth"]), weekday_of(got["weekday"])
            return f"FREQ=MONTHLY;BYDAY={nth}{RULE_DAYS[weekday]}"
        if (days := _days_of_week(got)) is not None:
            apart = f"INTERVAL={interval};" if interval > 1 else ""
            return f"FREQ=WEEKLY;{apart}BYDAY={by_day(days)}"
        said = got.get("nth", got.get("dom", ""))
        day = self._words.count(said) if said else 0
        if "month" in got:
            return f"FREQ=YEARLY;BYMONTH={month_of(got['month'])};BYMONTHDAY={self._words.number(got['dom'])}"
        if unit == "year":
            if not day:
                self._take_festival()
                self._refuse_uncounted()
                raise KeyError(unit)
            return f"FREQ=YEARLY;BYMONTH={12 if day < 0 else 1};BYMONTHDAY={day}"
        months = f";BYMONTH={_QUARTER_ENDS if day < 0 else _QUARTERS}" if unit == "quarter" else ""
        by_dom = f";BYMONTHDAY={day}" if day else ""
        return f"FREQ={_FREQUENCIES[unit or 'day']};INTERVAL={interval}{months}{by_dom}"

    def _until(self) -> date | None:
        match = self._table["until"].search(self._left)
        if match is None:
            return None
        self._taken(match)
        got = self._take("day")
        return self._words.said_date(got) if got is not None else None

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
            found.append(self._words.clock(got, part).time())
        return tuple(sorted(found or [time(self._words.part_begins(self._part()))]))

    def _clocks(self) -> Iterator[re.Match[str]]:
        match = self._table["clock"].search(self._left)
        while match is not None:
            yield match
            more = self._table["more_clocks"].match(self._left, match.end())
            match = more or self._table["clock"].search(self._left, match.end())

    # Once.

    def _once(self, *, named_only: bool) -> Once | None:
        self._refuse_uncounted()
        after = self._take("after")
        if after is not None:
            return Once(self._words.after(after))
        got = self._take("day")
        festival = self._take_festival() if got is None else ""
        clock = self._take("clock")
        part = self._part()
        self._has_day = got is not None or bool(festival)
        self._has_clock = clock is not None or bool(part)
        self._bare_clock = clock is not None and not part and set(clock) <= {"hour"}
        if clock is None and (named_only or (got is None and not festival and not part)):
            return None
        if festival:
            day: date | None = self._words.festival(festival)
        else:
            day = self._words.said_date(got) if got is not None else None
        return Once(self._at(day, clock, part))

    def _refuse_uncounted(self) -> None:
        """Raises: KeyError: a day is named that the calendar here does not know."""
        if (got := self._take("uncounted")) is not None:
            raise KeyError(got["name"])

    def _take_festival(self) -> str:
        """The name of a day of the year; empty: none is named."""
        match = next(find_festivals(self._left), None)
        if match is None:
            return ""
        self._taken(match)
        return match.group()

    def _at(self, day: date | None, clock: Got | None, part: str) -> datetime:
        today = self._now.date()
        if clock is None:
            at = time(self._words.part_begins(part)) if part else _USUAL
            return datetime.combine(day or today, at)
        begin = datetime(1, 1, 1)  # noqa: DTZ001 - what a time of day is counted from
        offset = self._words.clock(clock, part, exact=False) - begin
        wall = datetime.combine(day or today, time()) + offset
        hour = offset // timedelta(hours=1)
        is_open = not part and "half" not in clock and "word" not in clock and hour <= NOON
        half_a_day = timedelta(hours=12)
        if day is not None and day != today:
            return wall + half_a_day if is_open and 0 < hour < EARLIEST else wall
        if wall > self._now:
            return wall
        if is_open and 0 < hour < NOON and wall + half_a_day > self._now and "minute" not in clock:
            return wall + half_a_day
        return wall + timedelta(1) if day is None else wall

    def _part(self) -> str:
        got = self._take("part")
        return re.sub(r"\s+", " ", got["part"]) if got is not None else ""


def _days_of_week(got: Got) -> list[int] | None:
    """The days of the week of a cycle; `None`: it is of other days."""
    if "workdays" in got:
        return [0, 1, 2, 3, 4]
    if "weekend" in got:
        return [5, 6]
    if "from_day" in got:
        first, last = weekday_of(got["from_day"]), weekday_of(got["to_day"])
        return [(first + each) % 7 for each in range((last - first) % 7 + 1)]
    return weekdays_of(got["weekday"]) if "weekday" in got else None


def _all_but(said: str) -> str:
    left_out = weekdays_of(said)
    return by_day([day for day in range(7) if day not in left_out])
