"""Dates and times of a message offered to parameters that take them, in the format that is asked for."""

from __future__ import annotations

import re

from partner_desktop.language.arguments.cues import Cues
from partner_desktop.language.arguments.measures import slot_words
from partner_desktop.language.arguments.offers.distribution import Offer
from partner_desktop.language.arguments.reading import Reading
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.values.moments import Moment, wanted_format

_DATE_WORDS = frozenset(
    {"date", "day", "birthday", "deadline", "checkin", "checkout", "datetime", "timestamp", "when"}
)
_TIME_WORDS = frozenset({"time", "clock", "hour"})
_BEGINS = frozenset(
    {"start", "from", "begin", "checkin", "check", "in", "departure", "depart", "after", "since", "pickup"}
)
_ENDS = frozenset({"end", "to", "until", "checkout", "out", "return", "before", "dropoff", "till"})
_BEGIN_CUE = re.compile(
    r"(?:\b(?:from|after|since|between|starting|start|beginning|depart\w*|leav\w*)(?:\s{1,9}on)?\s{1,9}$|从\s{0,9}$)",
    re.IGNORECASE,
)
_END_CUE = re.compile(
    r"(?:\b(?:to|until|till|before|by|through|return\w*|and|ending|end)(?:\s{1,9}on)?\s{1,9}|[-–]\s{0,9}|[到至]\s{0,9})$",
    re.IGNORECASE,
)


def wants_moment(slot: Slot) -> bool:
    """Whether a parameter holds a date or a time: by format, name or what is asked for."""
    if slot.choices or "string" not in slot.types:
        return False
    words = slot_words(slot)
    told = wanted_format(slot.description)
    return (
        slot.is_moment
        or bool(words & _DATE_WORDS)
        or bool(told)
        or (bool(words & _TIME_WORDS) and len(words) <= 2)
    )


def moment_offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    """The moments that fit, written as the parameter asks for."""
    found = []
    for moment in reading.moments:
        written = _written(moment, slot)
        if written:
            score = (
                1.0
                + 0.3 * bool(re.search(r"\d{4}", moment.said))
                + 0.6 * cues.near(reading.said, moment.start, moment.end)
                + _edge(reading.said, slot, moment)
            )
            found.append(
                Offer(
                    written,
                    moment.start,
                    moment.end,
                    score,
                    kind="moment",
                    claims=not _whole_and_part(slot, moment),
                )
            )
    return found


def _whole_and_part(slot: Slot, moment: Moment) -> bool:
    """One moment with date and time serves a date parameter and a time parameter."""
    return (
        moment.has_date
        and moment.has_time
        and "%H:%M" not in wanted_format(slot.description, kind=slot.format)
    )


def _written(moment: Moment, slot: Slot) -> str:
    if moment.at is None:
        return ""
    form = wanted_format(slot.description, kind=slot.format)
    wants_time = bool(slot_words(slot) & _TIME_WORDS) or slot.format == "time"
    if not form:
        form = "%H:%M" if wants_time and not slot_words(slot) & _DATE_WORDS else "%Y-%m-%d"
    date, clock = "%d" in form or "%Y" in form, "%H" in form or "%I" in form
    if (date and not moment.has_date and not clock) or (clock and not date and not moment.has_time):
        return ""
    return moment.at.strftime(form)


def _edge(text: str, slot: Slot, moment: Moment) -> float:
    """`from … to …`: the first is where it starts, the second where it ends."""
    before = text[max(0, moment.start - 20) : moment.start]
    begins, ends = bool(_BEGIN_CUE.search(before)), bool(_END_CUE.search(before))
    words = slot_words(slot) - {"date", "time", "day"}
    if words & _ENDS:
        return 0.5 if ends else -0.5
    if words & _BEGINS:
        return 0.4 if begins else -0.3 if ends else 0.0
    return 0.0
