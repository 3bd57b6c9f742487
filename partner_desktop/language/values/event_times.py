"""Times of a question that are told by something that happened: `the day before Ann came`, `安来的前一天`.

`when we moved` is a time, but `tell me when we moved` asks for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.values.named_times import CHINESE, ENGLISH
from partner_desktop.language.values.past_times import (
    UNIT_DAYS,
    chinese_distance,
    chinese_offset_days,
    offset_days,
    past_times,
)

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
