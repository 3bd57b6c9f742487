"""Times of a question that are told by something that happened: `the day before Ann came`, `安来的前一天`.

`when we moved` is a time, but `tell me when we moved` asks for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.values.chinese_times import CHINESE_COUNT, CHINESE_UNITS
from partner_desktop.language.values.past_times import (
    CHINESE_OFFSET,
    OFFSET,
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


_HAPPENED = r"(?P<event>[^,.?!;:\n，。？！；]{2,100})"
#: Someone or something that did it; `when asked` tells no time, and `when did` asks for one.
_SUBJECT = r"(?=\s+(?:(?-i:[A-Z])|(?:i|we|you|he|she|they|it|my|our|his|her|their|the|an?|some\w+)\b))"
_EVENT = late(
    rf"\b(?:{OFFSET}|(?:on\s+|in\s+)?(?:the|that)\s+(?P<same>{'|'.join(UNIT_DAYS)})"
    r"\s+(?:of|when|that|(?=(?-i:[A-Z])|(?:i|we|you|he|she|they|my|our|his|her|their)\b))"
    rf"|(?P<when>when){_SUBJECT})\s*\b{_HAPPENED}",
    re.IGNORECASE,
)
_EVENT_END = late(
    r"\s+(?:what|where|who|how|why|which|when)\b"
    r"|\s+(?:did|do|does|was|were|have|had|is|are|will)\s+(?:i|you|we|he|she|they|it|there)\b",
    re.IGNORECASE,
)
_NO_EVENT = late(
    r"(?:that|this|it|then|last|next|which|we|i|you|asked|needed|possible|necessary)\W*", re.IGNORECASE
)
_CHINESE_EVENT = late(
    rf"(?P<event>[^\s,，。？！?!；;、]{{1,20}}?)(?:{CHINESE_OFFSET}"
    rf"|(?P<count>{CHINESE_COUNT})个?(?P<length>{'|'.join(CHINESE_UNITS)})(?:之|以)?后"
    r"|(?:的)?[那当](?P<same>天|晚|日|周|个?月|年)|(?P<when>的时候|那时候?|那会儿))"
)
_BEFORE_EVENT = late(r".*(?:记得|知道|说过|在|于)|^(?:我们|我|你|就是|那么?)(?=..)")
_NO_CHINESE_EVENT = late(
    r"(?:我|你|他|她|它|这|那|大|咱)们?|大家|的|之|了|到|也|都|又|就|还|.{0,3}(?:打算|准备|计划|要)"
)
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
    for match in _EVENT.finditer(text):
        event = " ".join(_EVENT_END.split(match["event"], maxsplit=1)[0].split(" ")[:10]).rstrip()
        asks = match["when"] and _WHEN.search(text, max(match.start() - 24, 0), match.end("when"))
        if asks or len(event) < 2 or _NO_EVENT.fullmatch(event) or _is_time(event):
            continue
        if match["unit"]:
            offset, span = offset_days(match)
        else:
            offset, span = 0, UNIT_DAYS[(match["same"] or "day").lower()]
        yield EventTime(match.start(), match.start("event") + len(event), event, offset, span)


def _chinese_events(text: str) -> Iterator[EventTime]:
    for match in _CHINESE_EVENT.finditer(text):
        event = _BEFORE_EVENT.sub("", match["event"])
        if (
            len(event) < (1 if "的" in match[0] else 2)
            or _NO_CHINESE_EVENT.fullmatch(event)
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
