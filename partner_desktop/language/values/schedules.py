"""Timings in words: `tomorrow at nine`, `in half an hour`, `every second Friday at 3 pm`, `每周一三五早上八点`.

The patterns, and what their words count, are the tables `schedules.toml`; their groups mean the same in every
language, so one reader serves all. What was read is taken out of the text: the rest says what is to be done.
"""  # noqa: E501 - Chinese signs are wide

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.schedule import Cycle, Once, Timing, is_cron
from partner_desktop.language.rule_table import RuleTable, rule_tables
from partner_desktop.language.spans import SCAN_LIMIT, SpanKind, find_spans
from partner_desktop.language.values.said_cycles import CycleReading
from partner_desktop.language.values.schedule_words import EARLIEST, NOON, USUAL, Got, NeverError, TimingWords
from partner_desktop.language.values.timing_text import TimingText, with_times_mended

TimingProblem = Literal["", "past", "never", "unclear"]

#: What is an argument, and says no time though it may hold one.
_ARGUMENTS = frozenset({SpanKind.QUOTE, SpanKind.URL, SpanKind.EMAIL, SpanKind.PATH})
_FIRST_SIGN = 0xE100
#: Days of the week and dates with a slash between them.
_NO_PATH = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*/?){2,7}|\d{1,2}/\d{1,2}(?:/\d{4})?", re.IGNORECASE
)
#: From the home or the root to the ending of a name, whatever words are in it.
_FILE = re.compile(
    r"(?:~|(?<![\w~./]))/[^\s\"'`<>|?*,;:()（）「」《》，。、；：？！]*?\.[A-Za-z][A-Za-z0-9]{0,5}(?![A-Za-z0-9./])"
)
#: The rest of the day: hours at which it is later, the first that is not as near as this.
_LATER_HOURS, _NOT_SOON = (15, 18, 21), timedelta(hours=2)
#: A part of the day goes on so long.
_PART = timedelta(hours=5)


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
    names_weekday: bool = False
    """That is by a day of the week alone, which may be of every week: `Sunday`."""
    names_clock: bool = False
    """They say at what time of that day."""
    bare_clock: bool = False
    """That is by a number alone, which may be of something else: `at 15`."""
    open_half: bool = False
    """It does not say which half of the day: `half six`."""
    before_lead: str = ""
    """What is said before `remind me`, without the time."""
    zone: str = ""
    """The time zone that the times are of, where one is named: `Asia/Tokyo`."""

    @property
    def at(self) -> datetime | None:
        """The single time, on the wall."""
        return self.timing.at if isinstance(self.timing, Once) else None


def read_timing(text: str, now: datetime) -> SaidTiming | None:
    """When a request is to be carried out, `now` as the wall says it; `None`: it says nothing of that."""
    plain, hidden = without_arguments(text)
    for table in rule_tables("schedules", text):
        found = _Reader(table, plain, now).read()
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
    found = _only_time(words, now, spans=spans)
    return found[1] if found is not None else None


def with_time(wanted: str, words: str, now: datetime) -> str | None:
    """What was wanted without a time, with the one that words are; `None`: they are none."""
    times = (_only_time(each, now, spans=True) for each in _times_alone(words))
    found = next((time for time in times if time is not None), None)
    if found is None:
        return None
    (form,) = next(iter(rule_tables("schedules", wanted))).texts("with_time")
    return form.format(time=found[0], words=wanted)


def _times_alone(words: str) -> Iterator[str]:
    """Words, and the one clause that does not tell on what occasion: `when i get home, like half 6`."""
    yield words
    for table in rule_tables("schedules", words):
        clauses = [clause.strip() for clause in re.split("[,;，；]", words) if clause.strip()]
        times = [clause for clause in clauses if not table["occasion"].search(clause)]
        if len(clauses) > 1 and len(times) == 1:
            yield times[0]


def read_time_of_that(text: str, now: datetime) -> SaidTiming | None:
    """When what was just spoken of is to be done: `do it every day at nine`; `None`: that is not said."""
    for table in rule_tables("schedules", text):
        found = _Reader(table, text, now).read(alone=True)
        if found is not None and found.timing is not None and table["that_deed"].search(found.rest):
            return None if found.is_reminder else found
    return None


def _only_time(words: str, now: datetime, *, spans: bool) -> tuple[str, SaidTiming] | None:
    """The words as a time is said, and the time; `None`: they are more, or none."""
    words = words.strip(" .!。！,，")
    for table in rule_tables("schedules", words):
        openings = table.texts("target_openings")
        for opening in (*openings[1:], *openings[:1]) if spans else openings[1:]:
            said = opening.format(words=words)
            found = _Reader(table, said, now).read(alone=True)
            if found is not None and found.timing is not None and not found.rest:
                return said, found
    return None


def read_day(words: str, now: datetime) -> tuple[date | None, str]:
    """The day that words name, and the words without it."""
    for table in rule_tables("schedules", words):
        reader = _Reader(table, words, now)
        day = reader.day()
        if day is not None:
            return day, reader.left
    return None, words


def without_arguments(text: str) -> tuple[str, Mapping[str, str]]:
    """The text with one sign in place of each path, address and quotation, and what the signs stand for."""
    hidden: dict[str, str] = {}
    plain, end = "", 0
    spans = [(span.start, span.end) for span in find_spans(text) if span.kind in _ARGUMENTS]
    for start, stop in sorted([*spans, *(match.span() for match in _FILE.finditer(text[:SCAN_LIMIT]))]):
        if stop <= end or _NO_PATH.fullmatch(text[start:stop]):
            continue
        if start < end:  # the name goes on where its first words end: `~/早上九点.txt`
            hidden[plain[-1]] += text[end:stop]
            end = stop
            continue
        sign = chr(_FIRST_SIGN + len(hidden))
        hidden[sign] = text[start:stop]
        plain, end = plain + text[end:start] + sign, stop
    return plain + text[end:], hidden


class _Reader:
    """One text by one table."""

    def __init__(self, table: RuleTable, text: str, now: datetime) -> None:
        self._table = table
        self._said = with_times_mended(table, text)
        self._text = TimingText(table, self._said)
        self._zone = self._text.take_zone()
        if self._zone and now.tzinfo is not None:
            now = now.astimezone(ZoneInfo(self._zone))
        self._now = now.replace(tzinfo=None)
        self._words = TimingWords(table, self._now)
        self._has_day = self._has_weekday = self._has_clock = self._bare_clock = self._is_exact = False
        self._open_half = False

    @property
    def left(self) -> str:
        """What is not read yet."""
        return self._text.words_left

    def day(self) -> date | None:
        """The day that is named."""
        got = self._text.take("day")
        try:
            return self._words.said_date(got) if got is not None else None
        except (NeverError, KeyError):
            return None

    def read(self, *, alone: bool = False) -> SaidTiming | None:
        """See `read_timing`; with `alone` the words are of a time and nothing else."""
        if self._table["question"].search(self._said):
            return None
        lead = self._table["lead"].search(self._text.left)
        is_reminder = lead is not None
        if lead is not None:
            self._text.taken(lead)
        problem: TimingProblem = ""
        timing: Timing | None = None
        clocked = any(True for _ in self._text.clocks())
        try:
            timing = self._timing(is_reminder=is_reminder or alone)
        except (NeverError, OverflowError):
            problem = "never"
        except KeyError:
            problem = "unclear"
        if timing is None and not problem:
            problem = "unclear"
            if not self._table["sure_lead"].search(self._said):
                return None
        if isinstance(timing, Once) and timing.at <= self._now:
            timing, problem = None, "past"
        named = (
            self._has_day,
            self._has_weekday,
            clocked if isinstance(timing, Cycle) else self._has_clock,
            self._bare_clock,
            self._open_half,
        )
        before = self._text.left[: lead.start()] if lead is not None else ""
        before = self._without_glue(before)
        return SaidTiming(timing, self._rest(), is_reminder, problem, *named, before, self._zone)

    def _timing(self, *, is_reminder: bool) -> Timing | None:
        cycles = CycleReading(self._text, self._words, self._now)
        if (cron := self._text.take("cron")) is not None:
            line = re.sub(r"\s+", " ", cron.get("line", ""))
            if not line:
                raise KeyError(line)
            if not is_cron(line):
                raise NeverError
            return cycles.by_cron(line)
        # Where nothing says that it is a reminder, a day alone may be of what it is about.
        cycle = self._text.take("cycle")
        if cycle is None and self._text.take("endless") is not None:
            raise NeverError
        timing = cycles.read(cycle) if cycle is not None else self._once(named_only=not is_reminder)
        self._check_cycle_is_read(timing)
        if self._is_exact:
            self._text.take("by_then")  # `by Friday 5 pm`; of a day alone nobody knows how long before
        for doubtful in ("deadline", "zone_unknown") if is_reminder and timing is not None else ():
            if self._text.take(doubtful) is not None:
                raise KeyError(doubtful)
        return timing

    def _check_cycle_is_read(self, timing: Timing | None) -> None:
        """Once is not what was said: `every ninth Monday`. Raises: KeyError: as here."""
        if isinstance(timing, Cycle):
            return
        for rule in ("nth_unread", "month_unread") if timing is not None else ("nth_unread",):
            if self._text.take(rule) is not None:
                raise KeyError(rule)

    def _rest(self) -> str:
        return self._without_glue(self._text.left)

    def _without_glue(self, left: str) -> str:
        rest = re.sub(r"\s{2,}", " ", left).strip()
        before = ""
        while rest != before:
            before, rest = rest, self._table["glue"].sub("", rest).strip()
        return rest

    # Once.

    def _once(self, *, named_only: bool) -> Once | None:
        if (got := self._text.take("uncounted")) is not None:
            raise KeyError(got["name"])
        offset = self._text.take_offset()
        after = self._text.take("after") if offset is None else None
        if after is not None:
            return self._after(
                self._words.span(after["span"]), counts_days=_counts_days(after["span"], self._words)
            )
        got = self._text.take("day")
        festival = self._text.take_festival() if got is None else ""
        clock = self._text.take("clock")
        later = self._text.take("later") if clock is None else None
        part = self._text.take_part()
        self._has_day = got is not None or bool(festival)
        self._has_weekday = got is not None and got.keys() == {"weekday"}
        self._has_clock = clock is not None or bool(part) or later is not None
        self._is_exact = self._has_day and clock is not None
        self._bare_clock = clock is not None and not part and set(clock) <= {"hour"}
        says_no_time = got is None and not festival and not part and (later is None or "today" not in later)
        if clock is None and ((named_only and later is None) or says_no_time):
            return None
        if festival:
            day: date | None = self._words.festival(festival)
        else:
            day = self._words.said_date(got) if got is not None else None
        if later is not None and not part and (day is None or day == self._now.date()):
            return Once(self._later_today())
        return Once(self._at(day, clock, part, self._shift(offset)))

    def _after(self, span: timedelta, *, counts_days: bool) -> Once:
        """So long from now; where days are counted, at the time of day that is named beside them."""
        at = self._now + span
        if not counts_days:
            return Once(at)
        clock, part = self._text.take("clock"), self._text.take_part()
        return Once(self._at(at.date(), clock, part) if clock is not None or part else at)

    def _shift(self, offset: Got | None) -> timedelta:
        if offset is None:
            return timedelta()
        return self._words.span(offset["span"]) * (-1 if "back" in offset else 1)

    def _later_today(self) -> datetime:
        """A time of the rest of the day that is not too soon."""
        today = datetime.combine(self._now.date(), time())
        good = (today.replace(hour=hour) for hour in _LATER_HOURS)
        soon = self._now.replace(second=0, microsecond=0) + timedelta(hours=1)
        return next((at for at in good if at - self._now >= _NOT_SOON), soon)

    def _at(self, day: date | None, clock: Got | None, part: str, shift: timedelta = timedelta()) -> datetime:
        today = self._now.date()
        if clock is None:
            return self._in_part(day, part) + shift
        begin = datetime(1, 1, 1)  # noqa: DTZ001 - what a time of day is counted from
        offset = self._words.clock(clock, part, exact=False) - begin + shift
        wall = datetime.combine(day or today, time()) + offset
        hour = (offset - shift) // timedelta(hours=1)
        is_open = not part and "half" not in clock and "word" not in clock and hour <= NOON
        is_open = is_open and not clock["hour"].startswith("0")
        self._open_half = is_open
        half_a_day = timedelta(hours=12)
        if day is not None and day != today:
            later = is_open and 0 < hour < EARLIEST and not self._table["wakes"].search(self._said)
            return wall + half_a_day if later else wall
        if wall > self._now:
            return wall
        if is_open and 0 < hour < NOON and wall + half_a_day > self._now:
            return wall + half_a_day
        return wall + timedelta(1) if day is None else wall

    def _in_part(self, day: date | None, part: str) -> datetime:
        """A day without a time of it, or only a part of one; what goes on already is still to come."""
        at = time(self._words.part_begins(part)) if part else USUAL
        wall = datetime.combine(day or self._now.date(), at)
        if part and wall <= self._now and (day is None or day == self._now.date()):
            soon = self._now.replace(second=0, microsecond=0) + timedelta(hours=1)
            if soon.date() == wall.date() and at.hour >= NOON and soon - wall < _PART:
                return soon
            return wall + timedelta(1) if day is None else wall
        return self._later_today() if not part and day == self._now.date() and wall <= self._now else wall


def _counts_days(span: str, words: TimingWords) -> bool:
    """Whether a span is one of days, weeks, months or years."""
    return words.span(span) >= timedelta(1) and not re.search(r"hour|hrs?\b|\dh|min|sec|[时钟分秒]", span)
