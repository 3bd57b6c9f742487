"""The times of a schedule: the next ones, and those that passed. Blocking: off the loop."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

from partner_desktop.base.errors import UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.time_zone import machine_zone
from partner_desktop.domain.schedule import Cycle, Schedule, Terms, occurrences

#: Of the times that passed so many are counted; more are as many.
MOST_COUNTED = 1_000
#: Of them so many are done by the policy `all`.
MOST_DONE = 10
#: Days of the week, and every second or fourth of them, are the same at this distance.
_WEEKS = timedelta(weeks=4)
#: Times of a cycle whose distances are looked at.
_LOOKED_AT = 12


def zone_called(name: str) -> tzinfo:
    """The zone of this name; without one the machine's.

    Raises:
        UsageError: There is no such zone any more.
    """
    name = name or machine_zone()
    if not name:
        return datetime.now(UTC).astimezone().tzinfo or UTC
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise UsageError("schedules.no_zone", zone=name[:80]) from error


def times_of(schedule: Schedule, after: datetime) -> Iterator[datetime]:
    """Its times later than `after`, in its zone, but for those that the person called off.

    Raises:
        UsageError: Its zone is not there, or its rule is none.
    """
    off = set(schedule.called_off)
    terms = schedule.terms
    if terms.cycle is not None and after < schedule.created_at:
        terms = replace(terms, cycle=_begun_before(terms.cycle, after))
    return (at for at in times_by(terms, after) if at not in off)


def _begun_before(cycle: Cycle, after: datetime) -> Cycle:
    """The clock was put back to before the schedule was made: its days count from as many weeks earlier."""
    behind = cycle.start - (after.replace(tzinfo=None) - timedelta(days=2))
    if behind <= timedelta():
        return cycle
    return replace(cycle, start=cycle.start - (behind // _WEEKS + 1) * _WEEKS)


def times_by(terms: Terms, after: datetime) -> Iterator[datetime]:
    """The times of terms; see `times_of`."""
    if terms.timing is None:
        return
    zone = zone_called(terms.zone)
    try:
        yield from occurrences(terms.timing, zone, after=after)
    except (ValueError, TypeError, ArithmeticError, KeyError) as error:  # a rule, or a day out of bounds
        raise UsageError("schedules.no_rule") from error


def next_time(schedule: Schedule, after: datetime) -> datetime | None:
    """The next one; errors as `times_of`."""
    return next(times_of(schedule, after), None)


def next_times(schedule: Schedule, now: datetime, *, count: int = 3) -> tuple[datetime, ...]:
    """The next ones of a schedule that is armed; none where they cannot be told."""
    if schedule.state != "armed" or schedule.next_at is None:
        return ()
    try:
        zone = zone_called(schedule.terms.zone)
        found = islice(times_of(schedule, schedule.next_at), count - 1)
        return (schedule.next_at.astimezone(zone), *found)
    except UsageError:
        return ()


@dataclass(frozen=True)
class PassedTimes:
    """Times of a schedule that are due or passed."""

    due: tuple[datetime, ...]
    """The latest of them, the last one last; at most `MOST_DONE`."""
    count: int
    """All of them."""
    next_at: datetime | None
    """The first that is still to come."""

    before: datetime | None = None
    """The last of those that are not among `due`; `None`: all of them are."""


def passed_times(schedule: Schedule, now: datetime, *, seen: datetime | None) -> PassedTimes:
    """What is due of a schedule whose `next_at` has come. `seen`: the latest time that was seen to.

    Errors as `times_of`.
    """
    assert schedule.next_at is not None, "it is due"
    due: list[datetime] = [schedule.next_at]
    after = schedule.next_at if seen is None else max(schedule.next_at, seen)
    before: datetime | None = None
    count = 1
    for at in times_of(schedule, after):
        if at > now:
            return PassedTimes(tuple(due), count, at, before)
        count += 1
        due.append(at)
        if len(due) > MOST_DONE:
            before = due.pop(0)
        if count >= MOST_COUNTED:
            return _far_behind(schedule, now)
    return PassedTimes(tuple(due), count, None, before)


def _far_behind(schedule: Schedule, now: datetime) -> PassedTimes:
    """Of very many times the latest: looked for backwards, in growing stretches."""
    stretch = timedelta(minutes=10)
    while True:
        found = list(islice((at for at in times_of(schedule, now - stretch)), MOST_COUNTED))
        past = [at for at in found if at <= now]
        if past or stretch > timedelta(days=800):
            break
        stretch *= 4
    coming = next((at for at in found if at > now), None) or next_time(schedule, now)
    kept = past[-MOST_DONE:]
    before = past[-MOST_DONE - 1] if len(past) > MOST_DONE else schedule.next_at
    return PassedTimes(tuple(kept), MOST_COUNTED, coming, before)


def is_too_often(terms: Terms, now: datetime, *, shortest_s: int) -> bool:
    """Whether it comes again and again at too short a distance; errors as `times_of`."""
    cycle = terms.cycle
    if cycle is None:
        return False
    if not cycle.cron and not cycle.rule and cycle.every_s < 1:
        return True
    found = list(islice(times_by(terms, now), _LOOKED_AT))
    return any((later - earlier).total_seconds() < shortest_s for earlier, later in pairwise(found))
