"""Timing: when something is to be, once or again and again, and the times that this comes to.

Times stand on the wall of a zone. What the clock leaps over in spring is at the same distance behind the leap;
what it comes by twice in autumn is the first of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import takewhile

from partner_desktop.base.late_dataclass import dataclass


@dataclass(frozen=True)
class Once:
    """One time."""

    at: datetime
    """On the wall, without a zone."""


@dataclass(frozen=True)
class Cycle:
    """Days by a rule, and times on each of them; or one time after another at a distance."""

    start: datetime
    """On the wall, without a zone: nothing is before it; distances count from it."""
    rule: str = ""
    """The days, as the RRULE of RFC 5545 without a beginning (`FREQ=WEEKLY;BYDAY=MO,WE`)."""
    times: tuple[time, ...] = ()
    every_s: int = 0
    """Seconds from one time to the next, where no days are counted."""
    between: tuple[time, time] | None = None
    """With `every_s`: only from the one time of day to the other."""
    until: date | None = None
    """The last day."""


Timing = Once | Cycle


def occurrences(timing: Timing, zone: tzinfo, *, after: datetime) -> Iterator[datetime]:
    """The times that are later than `after`, in order, each in `zone`."""
    for wall in _walls(timing, after.astimezone(zone).replace(tzinfo=None)):
        at = wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
        if at > after:
            yield at


def _walls(timing: Timing, after: datetime) -> Iterator[datetime]:
    """Times on the wall, from a little before `after` on."""
    if isinstance(timing, Once):
        yield timing.at
        return
    found = _distances(timing, after) if timing.every_s else _days(timing, after)
    until = timing.until
    yield from takewhile(lambda wall: until is None or wall.date() <= until, found)


def _days(cycle: Cycle, after: datetime) -> Iterator[datetime]:
    from dateutil.rrule import rrulestr  # noqa: PLC0415 - slow to import

    begin = datetime.combine(cycle.start.date(), time())
    rule = rrulestr(cycle.rule, dtstart=begin)
    seen = max(begin, datetime.combine(after.date(), time()) - timedelta(1))
    for day in rule.xafter(seen - timedelta(1), inc=True):
        for at in sorted(cycle.times):
            wall = datetime.combine(day.date(), at)
            if wall >= cycle.start:
                yield wall


def _distances(cycle: Cycle, after: datetime) -> Iterator[datetime]:
    step = timedelta(seconds=cycle.every_s)
    wall = cycle.start + max(0, (after - cycle.start) // step) * step
    while True:
        if cycle.between is None or cycle.between[0] <= wall.time() <= cycle.between[1]:
            yield wall
        wall += step
