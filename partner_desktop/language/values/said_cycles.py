"""Cycles in words: how often, on which days, at which times of them, from when and until when.

The head of a cycle says what is counted; which day of a week, a month or a year is meant may stand anywhere
else in the sentence, and so may the times.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import islice

from partner_desktop.domain.schedule import Cycle, days_of_rule
from partner_desktop.language.values.schedule_words import (
    RULE_DAYS,
    SECONDS,
    USUAL,
    Got,
    NeverError,
    TimingWords,
    by_day,
    month_of,
    weekday_of,
    weekdays_of,
)
from partner_desktop.language.values.timing_text import TimingText

_FREQUENCIES = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "quarter": "MONTHLY", "year": "YEARLY"}
#: Months that a quarter begins with, and ends with.
_QUARTERS, _QUARTER_ENDS = "1,4,7,10", "3,6,9,12"
#: Days that some months do not have: where few months are meant, none is left out for that.
_NOT_IN_EACH = {"29": "28,29;BYSETPOS=-1", "30": "28,29,30;BYSETPOS=-1", "31": "-1"}
#: So many days of a rule are looked at for its first.
_MOST_DAYS = 2_000


class CycleReading:
    """What is left of a text besides the head of a cycle, read into one."""

    def __init__(self, text: TimingText, words: TimingWords, now: datetime) -> None:
        self._text, self._words, self._now = text, words, now

    def read(self, got: Got) -> Cycle:
        """The cycle whose head is `got`.

        Raises:
            NeverError: There is no such time.
            KeyError: It cannot be told which.
        """
        but = self._text.take("but")
        got = self._with_other_head(got)
        if (unit := self._words.unit(got)) in SECONDS or "half" in got or "quarter" in got:
            return self._at_distances(got, unit)
        start = self._since()
        until = self._until()
        rule = self._rule(got, unit)
        if but is not None:
            days = _days_of_week(got) or [*range(7)]
            left = [day for day in days if day not in weekdays_of(but["weekday"])]
            if not left:  # `every Friday except Friday`
                raise NeverError
            rule = f"FREQ=WEEKLY;BYDAY={by_day(left)}"
        times = self._times(is_of_day="BY" in rule or unit != "day")
        cycle = Cycle(start, rule, times, until=until)
        return replace(cycle, start=self._first(cycle))

    def _with_other_head(self, got: Got) -> Got:
        """Where it is said twice how often, the one that says more: `every morning on weekdays`.

        Raises:
            KeyError: Both count something.
        """
        other = self._text.take("cycle")
        if other is None or _is_daily(other):
            return got
        if _is_daily(got) and _days_of_week(other) is not None:
            return other
        raise KeyError("cycle")

    def by_cron(self, line: str) -> Cycle:
        """What a line for cron says."""
        return Cycle(self._now, cron=line.upper(), until=self._until())

    def _first(self, cycle: Cycle) -> datetime:
        """Where counting begins: the first day that the rule names and whose time is still to come."""
        every = cycle.rule
        if "BY" in every or "DAILY" in every:
            every = re.sub(r";?INTERVAL=\d+", "", every)
        for day in islice(days_of_rule(every, cycle.start.date()), _MOST_DAYS):
            if cycle.until is not None and day > cycle.until:
                break
            for at in cycle.times:
                wall = datetime.combine(day, at)
                if wall > self._now and wall >= cycle.start:
                    return self._now if day == self._now.date() else datetime.combine(day, time())
        raise NeverError

    def _at_distances(self, got: Got, unit: str) -> Cycle:
        minutes = 30 if "half" in got else 15 if "quarter" in got else 0
        every_s = minutes * SECONDS["minute"]
        if not every_s:
            every_s = self._words.count(got.get("n", "1")) * SECONDS[unit]
        if every_s <= 0:
            raise NeverError
        between = self._text.take("between")
        hours = self._hours(between) if between is not None else None
        start = self._now.replace(microsecond=0) + timedelta(seconds=every_s)
        return Cycle(start, every_s=every_s, between=hours, until=self._until())

    def _hours(self, got: Got) -> tuple[time, time]:
        begin, end = (self._hour(got[each], got.get(f"{each}_part", "")) for each in ("begin", "end"))
        if end < begin < end.replace(hour=(end.hour + 12) % 24) and end.hour and "m" not in got["end"]:
            end = end.replace(hour=end.hour + 12)  # `from 9 to 5`; `from 23 to 5` is over midnight
        return begin, end

    def _hour(self, said: str, part: str) -> time:
        if part and ":" not in said:
            return self._words.clock({"hour": said}, part).time()
        return self._words.time_of(said)

    def _rule(self, got: Got, unit: str) -> str:
        """The days of a cycle."""
        interval = self._words.count(got.get("n", "2" if "n_other" in got else "1"))
        if interval <= 0:
            raise NeverError
        got = self._with_day(got, unit)
        if "weekday" in got and "nth" in got:
            nth, weekday = self._words.count(got["nth"]), weekday_of(got["weekday"])
            return f"FREQ=MONTHLY;BYDAY={nth}{RULE_DAYS[weekday]}"
        if (days := _days_of_week(got)) is not None:
            apart = f"INTERVAL={interval};" if interval > 1 else ""
            return f"FREQ=WEEKLY;{apart}BYDAY={by_day(days)}"
        numbers = self._days_of_month(got)
        apart = f";INTERVAL={interval}" if interval > 1 else ""
        if unit == "year":
            return self._yearly(got, numbers, apart)
        if "month" in got:
            return f"FREQ=YEARLY;BYMONTH={month_of(got['month'])};BYMONTHDAY={numbers}"
        months = f";BYMONTH={_QUARTER_ENDS if numbers == '-1' else _QUARTERS}" if unit == "quarter" else ""
        by_dom = f";BYMONTHDAY={numbers}" if numbers else ""
        if numbers in _NOT_IN_EACH and (unit == "quarter" or interval > 1):
            by_dom = f";BYMONTHDAY={_NOT_IN_EACH[numbers]}"
        return f"FREQ={_FREQUENCIES[unit or 'day']};INTERVAL={interval}{months}{by_dom}"

    def _with_day(self, got: Got, unit: str) -> Got:
        """With the day that stands elsewhere in the sentence."""
        if any(name in got for name in ("weekday", "nth", "nth_last", "nth_first", "dom", "doms")):
            return got
        rule = {"week": "of_week", "month": "of_month", "quarter": "of_month"}.get(unit)
        found = self._text.take(rule) if rule is not None else None
        if found is None and unit == "year":
            found = self._text.take("day")
            if found is not None and not {"month", "dom"} <= found.keys():
                raise KeyError(unit)
        return {**got, **found} if found is not None else got

    def _days_of_month(self, got: Got) -> str:
        """As a rule lists them; empty: none is named."""
        if "nth_last" in got or "nth_first" in got:
            return "-1" if "nth_last" in got else "1"
        said = got.get("nth", got.get("dom", ""))
        if "doms" in got:
            return ",".join(map(str, sorted(set(self._words.numbers(got["doms"])))))
        return str(self._words.count(said)) if said else ""

    def _yearly(self, got: Got, day: str, apart: str) -> str:
        if "month" in got:
            return f"FREQ=YEARLY{apart};BYMONTH={month_of(got['month'])};BYMONTHDAY={day}"
        if day:
            return f"FREQ=YEARLY{apart};BYMONTH={12 if day == '-1' else 1};BYMONTHDAY={day}"
        self._text.take("uncounted")
        named = self._text.take_festival()
        days = {self._words.festival(named, since=year) for year in range(3)} if named else set[date]()
        if len({(each.month, each.day) for each in days}) == 1:
            day_of = days.pop()
            return f"FREQ=YEARLY{apart};BYMONTH={day_of.month};BYMONTHDAY={day_of.day}"
        raise KeyError("year")

    def _since(self) -> datetime:
        match = self._text.take("since")
        got = self._text.take("day") if match is not None else None
        if got is None:
            return self._now
        self._text.take("onward")
        return datetime.combine(self._words.said_date(got), time())

    def _until(self) -> date | None:
        lasts = self._text.take("lasts")
        if lasts is not None:
            span = self._words.span(lasts["span"])
            if span < timedelta(1):
                raise KeyError(lasts["span"])
            return (self._now + span).date() - timedelta(1)
        if self._text.take("until") is None:
            return None
        got = self._text.take("day")
        if got is None:
            raise KeyError("until")
        return self._words.said_date(got)

    def _times(self, *, is_of_day: bool) -> tuple[time, ...]:
        """The times of day; `is_of_day`: a day is named, which has a usual one.

        Raises:
            KeyError: None is said.
        """
        part = ""
        found: list[time] = []
        offset = self._text.take_offset()
        for match in [*self._text.clocks()]:
            got = self._text.taken(match)
            part = got.get("part", "") or self._text.take_part() or part
            found.append(self._words.clock(got, part).time())
        if not found:
            part = self._text.take_part()
            if not part and is_of_day:
                return (USUAL,)
            found = [time(self._words.part_begins(part))]
        if offset is not None:
            shift = self._words.span(offset["span"]) * (-1 if "back" in offset else 1)
            found = [(datetime.combine(date(2000, 1, 2), at) + shift).time() for at in found]
        return tuple(sorted(set(found)))


def _is_daily(got: Got) -> bool:
    """Whether nothing but each day is counted."""
    counted = got.keys() - {"unit", "unit_day"}
    return not counted and got.get("unit", "day") in {"day", "dai", "天", "日"}


def _days_of_week(got: Got) -> list[int] | None:
    """The days of the week of a cycle; `None`: it is of other days."""
    if "workdays" in got:
        return [0, 1, 2, 3, 4]
    if "weekend" in got:
        return [5, 6]
    return weekdays_of(got["weekday"]) if "weekday" in got else None
