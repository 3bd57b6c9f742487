"""Times as people name them when they speak of what was: `last Tuesday`, `since March`, `三天前`.

For a memory that recalls what was said: a time is a range of days, counted from the moment at which the text
was said or asked. A month, a weekday or a festival without a year is the latest one, but the next one in a
text that speaks of what will be; seasons are those of the north. It runs on every turn: patterns alone.

A time of a question can be told by something that happened: `the day before Ann came`, `安来的前一天`. `when
we moved` is a time, but `tell me when we moved` asks for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import groups_of
from partner_desktop.language.spans import SCAN_LIMIT
from partner_desktop.language.values.day_ranges import (
    MOST_TIMES,
    Days,
    NamedDays,
    SaidText,
    around,
    days_later,
    third,
)
from partner_desktop.language.values.named_times import CHINESE, ENGLISH, named_times


@dataclass(frozen=True)
class PastTime:
    """`text[start:end]` names the days from `since` up to `until`, which is no longer one of them.

    `before June` begins with the first day of all, `since June` ends with the day of `now`.
    """

    start: int
    end: int
    since: date
    until: date
    vague: bool
    """The words leave it open, and the range is wide enough for what they may mean."""


def past_times(text: str, now: datetime) -> tuple[PastTime, ...]:
    """The times of a text that was said or asked at `now`, in order; they do not overlap."""
    text = text[:SCAN_LIMIT]
    said = SaidText(text, _lowered(text), now)
    found = list(named_times(said))
    if not found:
        return ()
    apart: list[NamedDays] = []
    for time in sorted(found, key=lambda time: (time.start, -time.end)):
        if not apart or time.start >= apart[-1].end:
            apart.append(time)
    joined = _joined(said, apart[:MOST_TIMES])
    return tuple(
        PastTime(time.start, time.end, *time.days, time.vague)
        for time in joined
        if time.days[0] < time.days[1]
    )


def _lowered(text: str) -> str:
    """The text in small letters and with plain apostrophes, each where it stood."""
    low = text.lower().replace("’", "'")
    return (
        low if len(low) == len(text) else "".join(sign.lower() if sign.isascii() else sign for sign in text)
    )


_FROM = late(r"(?P<from>\b(?:between|from)\s+(?:the\s+)?|自?从)$")
_TO = late(r"\s*(?:(?P<and>and|和|与)|to|until|till|through|[-–—]|到|至)\s*(?:the\s+)?")
_OF_YEAR = late(r"\s*(?:,|'s|’s|in|at|on|over|the|的|\s)*")
_BESIDE = late(r"[\s,，（(]*(?:the\s+)?")
_BEFORE = 24


def _joined(said: SaidText, times: list[NamedDays]) -> Iterator[NamedDays]:
    """The times with what the words between and beside them say."""
    position = 0
    while position < len(times):
        time = times[position]
        while (position := position + 1) < len(times) and (both := _together(said, time, times[position])):
            time = both
        yield _beside(said, time)


def _together(said: SaidText, time: NamedDays, following: NamedDays) -> NamedDays | None:
    """`last year in May` and `from Monday to Wednesday` are one time."""
    between = said.low[time.end : following.start]
    if len(between) > _BEFORE:
        return None
    if time.whole_year and following.in_year and _OF_YEAR.fullmatch(between):
        days = _or_none(following, time.whole_year)
        return replace(following, start=time.start, days=days) if days else None
    days_beside = _BESIDE.fullmatch(between) and time.is_one_day and following.is_one_day
    if days_beside and time.is_weekday != following.is_weekday:  # `Tuesday, May 7th`
        return replace(following if time.is_weekday else time, start=time.start, end=following.end)
    return _from_to(said, time, following, _TO.fullmatch(between))


def _from_to(
    said: SaidText, time: NamedDays, following: NamedDays, to: re.Match[str] | None
) -> NamedDays | None:
    """`from Monday to Wednesday`: one range, of which the beginning comes before the end."""
    lead = _FROM.search(said.low[max(time.start - _BEFORE, 0) : time.start])
    if not to or (to["and"] and not lead and not said.low.startswith("之间", following.end)):
        return None
    since, until = time.days[0], following.days[1]
    if since >= until and time.is_weekday and following.is_weekday:
        since = days_later(since, -7)
    elif since >= until and time.in_year and (earlier := _or_none(time, since.year - 1)):
        since = earlier[0]
    if since >= until:
        return None
    start = time.start - len(lead[0]) if lead else time.start
    return NamedDays(start, following.end, (since, until), time.vague or following.vague)


def _or_none(time: NamedDays, year: int) -> Days | None:
    try:
        return time.in_year(year) if time.in_year else None
    except (ValueError, OverflowError):
        return None


UNIT_DAYS = {
    "day": 1, "night": 1, "evening": 1, "morning": 1, "week": 7, "weekend": 7, "month": 30, "year": 365,
}  # fmt: skip


def _beside(said: SaidText, time: NamedDays) -> NamedDays:
    """`early May`, `two days before Christmas`, `since March`, `三月以来`."""
    english, chinese = ENGLISH.rules, CHINESE.rules
    long = (time.days[1] - time.days[0]).days >= 7
    if long and (part := english["third_before"].search(_words_before(said, time))):
        named = groups_of(part)
        which = 0 if "first" in named else 1 if "second" in named else 2
        time = replace(time, start=time.start - len(part[0]), days=third(time.days, which), vague=True)
    if said.low.startswith(("'s", "’s"), time.end):
        return time  # `after Monday's meeting`
    if before := english["distance_before"].search(_words_before(said, time)):
        return _away(time, *offset_days(before), start=time.start - len(before[0]), end=time.end)
    if behind := chinese["distance_behind"].match(said.low, time.end):
        return _away(time, *chinese_offset_days(behind), start=time.start, end=behind.end())
    if side := english["side_before"].search(_words_before(said, time)):
        return replace(time, start=time.start - len(side[0]), days=_open(said, time, side))
    if suffix := chinese["side_behind"].match(said.low, time.end):
        lead = chinese["side_before"].search(_words_before(said, time))
        start = time.start - len(lead[0]) if lead else time.start
        return replace(time, start=start, end=suffix.end(), days=_open(said, time, suffix))
    return time


def _away(time: NamedDays, offset: int, span: int, *, start: int, end: int) -> NamedDays:
    edge = days_later(time.days[1], -1) if offset > 0 else time.days[0]
    return NamedDays(start, end, around(edge, offset, offset + span), time.vague)


def _words_before(said: SaidText, time: NamedDays) -> str:
    return said.low[max(time.start - 2 * _BEFORE, 0) : time.start]


def _open(said: SaidText, time: NamedDays, side: re.Match[str]) -> Days:
    since, until = time.days
    tomorrow = days_later(said.today, 1)
    if side["before"]:
        return date.min, since
    if side["since"]:
        return since, max(tomorrow, until)
    return until, tomorrow if until < tomorrow else date.max


def offset_days(off: re.Match[str]) -> tuple[int, int]:
    """From the day of the event to the days that are meant, and how many they are."""
    unit = UNIT_DAYS[off["unit"].lower()]
    if off["n"] is None:
        return (-unit if off["back"] else 1), unit
    days = round(ENGLISH.count(off["n"].lower())[1] * unit)
    return (-days if off["back"] else days), 1


def chinese_offset_days(off: re.Match[str]) -> tuple[int, int]:
    """The same of a distance in Chinese."""
    return (1, 1) if off["next"] else chinese_distance(off["n"], off["unit"], back=bool(off["back"]))


def chinese_distance(words: str, unit: str, *, back: bool) -> tuple[int, int]:
    """`三`, `天` → from the day of the event, and one day; one week or more is meant as a whole."""
    length = {"week": 7, "month": 30, "year": 365}.get(CHINESE.unit(unit), 1)
    count = max(round(sum(CHINESE.count(words)) / 2), 1)
    if count == 1 and length > 1:
        return (-length if back else 1), length
    return (-count if back else count) * length, 1


#: What stands behind is not read.
_LONGEST_QUESTION = 1_000


@dataclass(frozen=True)
class EventTime:
    """`text[start:end]` names days by something that happened: look for `event`, and count from its day."""

    start: int
    end: int
    event: str
    offset_days: int
    """From the day of the event to the first day that is meant."""
    span_days: int


#: Whatever the day is, a time is a time.
_ANY_DAY = datetime(2024, 6, 15)  # noqa: DTZ001 - a day on the calendar
_WHEN = late(
    r"\bwhen\s+(?:did|was|were|is|are|do|does|had|have|has|will|would|exactly|am|should|can|could)\b|\bwhen\s*\?"
    r"|\b(?:tell|know|remember|recall|sure|idea|remind|forgot|forget)\b[^.?!]{0,12}\bwhen\b|\bsince\s+when\b"
    r"|\b(?:what|which)\s+(?:day|date|month|year|week|weekday|weekend|season)\b"
    r"|\bwhat(?:'s|’s|\s+is|\s+was)\s+the\s+(?:date|day)\b|\bhow\s+long\s+ago\b"
    r"|什么时候|啥时候|什么时间|什么日子|何时|几时|哪[天年日周]|哪一[天年周]|哪个(?:月|星期|周末)"
    r"|[几多]号(?!线)|几月|(?:星期|周|礼拜)几"
    r"|多久(?:之|以)?前|多少[天年]前|几[天年]前(?=.{0,12}(?:[？?]|的事))",
    re.IGNORECASE,
)


def event_times(text: str) -> tuple[EventTime, ...]:
    """The times of a question that are told by something that happened, in order."""
    text = text[:_LONGEST_QUESTION]
    return (*_english_events(text), *(() if text.isascii() else _chinese_events(text)))


def _english_events(text: str) -> Iterator[EventTime]:
    rules = ENGLISH.rules
    for match in rules["event"].finditer(text):
        event = " ".join(rules["event_end"].split(match["event"], maxsplit=1)[0].split(" ")[:10]).rstrip()
        asks = match["when"] and _WHEN.search(text, max(match.start() - 24, 0), match.end("when"))
        if asks or len(event) < 2 or rules["no_event"].fullmatch(event) or _is_time(event):
            continue
        if match["unit"]:
            offset, span = offset_days(match)
        else:
            offset, span = 0, UNIT_DAYS[(match["same"] or "day").lower()]
        yield EventTime(match.start(), match.start("event") + len(event), event, offset, span)


def _chinese_events(text: str) -> Iterator[EventTime]:
    rules = CHINESE.rules
    for match in rules["event"].finditer(text):
        event = rules["before_event"].sub("", match["event"])
        if (
            len(event) < (1 if "的" in match[0] else 2)
            or rules["no_event"].fullmatch(event)
            or _is_time(event)
        ):
            continue
        offset, span = chinese_offset_days(match) if match["n"] or match["next"] else (0, 1)
        if match["count"]:
            offset, span = chinese_distance(match["count"], match["length"], back=False)
        if match["same"]:
            span = {"周": 7, "年": 365}.get(match["same"], 30 if match["same"].endswith("月") else 1)
        yield EventTime(match.end("event") - len(event), match.end(), event, offset, span)


def _is_time(event: str) -> bool:
    """Whether a time stands first in it, as in `the day before Christmas`: that is no event to look for."""
    times = past_times(event, _ANY_DAY)
    return bool(times) and (times[0].start <= len("the ") or not event.isascii())
