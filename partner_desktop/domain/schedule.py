"""Schedule: what is done later, at times or whenever something happens; and the times that a timing comes to.

What is to be done is a plan, as it was approved, or a message to the person: then it is a reminder. Each time
that it is done is a firing, one row, so that none is done twice.

Times stand on the wall of a zone. What the clock leaps over in spring is at the same distance behind the
leap; what it comes by twice in autumn is the first of the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import takewhile
from pathlib import PurePath
from typing import Literal

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
    cron: str = ""
    """In place of all of these: a line of five fields, or of six where seconds come first."""
    between: tuple[time, time] | None = None
    """With `every_s`: only from the one time of day to the other."""
    until: date | None = None
    """The last day."""


Timing = Once | Cycle


@dataclass(frozen=True)
class FileLands:
    """A file comes into a folder, whole."""

    folder: str
    """Absolute."""
    pattern: str = "*"
    """Its name, as `fnmatch` reads it: `*.pdf`."""


@dataclass(frozen=True)
class Threshold:
    """A measure gets over a limit, or under it. It fires as that happens, not while it stays so."""

    of: Literal["folder", "free_space", "memory", "processor"]
    limit: float
    """Bytes of a folder and of the free space; percent of the others."""
    over: bool = True
    path: str = ""
    """Of a folder, or of what lies on the disk that is meant; absolute."""


@dataclass(frozen=True)
class ActionEnds:
    """An action comes to its end: one that runs, or any run of an ability."""

    title: str
    action_id: str = ""
    key: str = ""
    """Of the ability, where no single action is meant."""
    how: Literal["any", "done", "failed"] = "any"
    again: bool = False
    """Whenever it does; else the next time alone."""


MissedPolicy = Literal["once", "all", "skip"]
#: `usual`: as the settings say when it comes to that.
MissedTerms = MissedPolicy | Literal["usual"]
#: In place of the step that brings it: a parameter's value is the file that landed.
LANDED = "landed"


def landed_name(lands: FileLands) -> str:
    """A name in the folder by which words can mean the file that will have landed, before there is any."""
    return f"{lands.folder}/{LANDED}{PurePath(lands.pattern).suffix}"


#: What a reminder tells is no longer: a text is a file's matter.
MOST_MESSAGE_CHARS = 2_000


@dataclass(frozen=True)
class Terms:
    """When something is to be done: one of the first five is there."""

    once: Once | None = None
    cycle: Cycle | None = None
    lands: FileLands | None = None
    crosses: Threshold | None = None
    ends: ActionEnds | None = None
    zone: str = ""
    """Of the times: a name as `Europe/Berlin`; empty: the machine's."""
    missed: MissedTerms = "usual"
    """What becomes of times that passed while Partner was closed or the machine slept."""
    message: str = ""
    """What the person is to be told: nothing else is done then. Up to `MOST_MESSAGE_CHARS`."""
    replaces: str = ""
    """The id of the schedule that is to be otherwise."""

    @property
    def timing(self) -> Timing | None:
        """`None`: it waits for something to happen."""
        return self.once or self.cycle

    @property
    def is_reminder(self) -> bool:
        """Whether it does nothing but to tell."""
        return bool(self.message)


#: Times on a wall are between these: a zone's distance may be added and taken off.
_FIRST_WALL, _LAST_WALL = datetime(1970, 1, 1), datetime(9999, 1, 1)  # noqa: DTZ001 - on the wall
#: What a rule may say; it counts days, and hours of a day are no part of it.
_RULE_PARTS = (
    "FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST"
)  # fmt: skip
_FREQUENCIES = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_LONGEST_RULE = 1_000
#: After so many years the calendar is the same again, to the day of the week.
_SAME_YEARS, _SAME_DAYS = 400, timedelta(days=146_097)
#: A rule that names no day in so long at least never does.
_YEARS_AHEAD = 100
#: A clock is put forward by no more than this.
_MOST_LEAPT = timedelta(hours=2)
#: Times in a row that lie outside of the part of the day that is wanted: then none ever lies in it.
_MOST_OUTSIDE = 200_000

FiringState = Literal[
    "begun", "running", "waiting", "done", "failed", "missed", "skipped", "called_off", "refused"
]


@dataclass(frozen=True)
class Firing:
    """One time that a schedule was due."""

    schedule_id: str
    due_at: datetime
    state: FiringState
    """`begun`: it is being started; `waiting`: for the person; `missed`: it was not done, and `why` says so;
    `skipped`: the run before went on; `called_off`: by the person; `refused`: it is not allowed any more."""
    at: datetime
    """When that became so."""
    action_id: str = ""
    message_id: str = ""
    count: int = 1
    """How many times this stands for, of which `due_at` is the last; of missed ones one is done."""
    why: str = ""
    landed: str = ""
    """The file that came, until its action is over: absolute, without links."""
    causes: tuple[str, ...] = ()
    """The ids of the schedules because of which it fired: none of them fires because of it."""


#: How the keys begin under which a schedule is allowed to do what it does; its id follows.
SCHEDULE_KEYS = "schedule::"

ScheduleState = Literal["armed", "paused", "stopped", "over"]


@dataclass(frozen=True)
class Schedule:
    """One row of the schedules table."""

    id: str
    conversation_id: str
    """Where it tells of what it did."""
    title: str
    terms: Terms
    state: ScheduleState
    """`paused` by the person; `stopped` by Partner, for `why`; `over`: nothing is left to be done."""
    created_at: datetime
    why: str = ""
    next_at: datetime | None = None
    """`None`: it waits for something to happen, or is not armed."""
    next_times: tuple[datetime, ...] = ()
    """At most three, in its zone."""
    called_off: tuple[datetime, ...] = ()
    """Single times that are left out."""
    asks: bool = False
    """Each firing asks the person: no standing yes is allowed for what it does."""
    last: Firing | None = None


def occurrences(timing: Timing, zone: tzinfo, *, after: datetime) -> Iterator[datetime]:
    """The times that are later than `after`, in order, each in `zone` and none twice.

    None that is more than some centuries behind the one before it, or behind `after`, is looked for.

    Raises:
        ValueError: The rule or the line is none, or has no end of looking for a time.
    """
    _check_timing(timing)
    try:
        for at in _in_order(timing, zone, after):
            if at > after:
                after = at
                yield at
    except Exception as error:  # whatever the libraries of rules and lines raise for what they cannot reckon
        raise ValueError(str(error)) from error


def _check_timing(timing: Timing) -> None:
    """Refuse what is not to be reckoned at all, or only without an end."""
    wall = timing.at if isinstance(timing, Once) else timing.start
    if wall.tzinfo is not None or not _FIRST_WALL <= wall < _LAST_WALL:
        raise ValueError("it is on no wall")
    if isinstance(timing, Once) or timing.cron:
        return
    if timing.every_s < 0 or not (timing.every_s or (timing.rule and timing.times)):
        raise ValueError("it names no time")


def _in_order(timing: Timing, zone: tzinfo, after: datetime) -> Iterator[datetime]:
    """What the clock leaps over in spring comes behind the leap, among what is due there anyway."""
    leapt: list[datetime] = []
    for wall in _walls(timing, after.astimezone(zone).replace(tzinfo=None)):
        at = wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
        if at.replace(tzinfo=None) != wall:
            leapt.append(at)
            continue
        while leapt and leapt[0] <= at:
            yield leapt.pop(0)
        yield at
    yield from leapt


def _walls(timing: Timing, after: datetime) -> Iterator[datetime]:
    """Times on the wall, from so long before `after` on as a clock leaps at most."""
    after -= _MOST_LEAPT
    if isinstance(timing, Once):
        yield timing.at
        return
    if timing.cron:
        found = _by_cron(timing, after)
    else:
        found = _distances(timing, after) if timing.every_s else _days(timing, after)
    until = timing.until
    yield from takewhile(lambda wall: until is None or wall.date() <= until, found)


def _days(cycle: Cycle, after: datetime) -> Iterator[datetime]:
    begin = cycle.start.date()
    for day in days_of_rule(cycle.rule, begin, since=max(begin, after.date() - timedelta(1))):
        for at in sorted(cycle.times):
            wall = datetime.combine(day, at)
            if wall >= cycle.start:
                yield wall


def days_of_rule(rule: str, begin: date, *, since: date | None = None) -> Iterator[date]:
    """The days of a rule that counts from `begin`; those before `since` are left out.

    Raises:
        ValueError: It is none.
    """
    from dateutil.rrule import rrulestr  # noqa: PLC0415 - slow to import

    said = _check_rule(rule)
    if since is not None:
        begin += _whole_steps(said, since - begin)
    first = datetime.combine(since or begin, time())
    # It is looked for up to the year 9999, which takes long where there is none: so it is begun late.
    ahead = max(0, (date.max.year - _YEARS_AHEAD - first.year) // _SAME_YEARS) * _SAME_DAYS
    found = rrulestr(rule, dtstart=datetime.combine(begin, time()) + ahead)
    first += ahead
    return ((day - ahead).date() for day in found.xafter(first - timedelta(1), inc=True) if day >= first)


def _whole_steps(said: Mapping[str, str], behind: timedelta) -> timedelta:
    """So far a rule can begin later and name the same days from there on; of years and months there are few.

    Its first week may be a part of one, from which `BYSETPOS` would choose another day: so one step less.
    """
    days = {"DAILY": 1, "WEEKLY": 7}.get(said["FREQ"], 0) * int(said.get("INTERVAL", "1"))
    return timedelta(days and max(0, behind.days // days - 1) * days)


def _check_rule(rule: str) -> dict[str, str]:
    """What a rule says; refuse what is more than one about days, or would go on without a step."""
    parts = [part.partition("=")[::2] for part in rule.split(";")]
    said = dict(parts)
    fits = (
        len(rule) <= _LONGEST_RULE
        and len(said) == len(parts)
        and said.keys() <= {*_RULE_PARTS}
        and said.get("FREQ") in _FREQUENCIES
        and re.fullmatch("[1-9][0-9]{0,8}", said.get("INTERVAL", "1")) is not None
        and not re.search(r"\s", rule)
    )
    if not fits:
        raise ValueError(f"it is no rule about days: {rule[:80]}")
    return said


def is_cron(line: str) -> bool:
    """Whether a line of five or six fields names any time."""
    from cronsim import CronSim, CronSimError  # noqa: PLC0415 - nobody waits for it at the start

    try:
        return next(CronSim(line.upper(), datetime(2000, 1, 1)), None) is not None  # noqa: DTZ001 - any day
    except CronSimError:
        return False


def _by_cron(cycle: Cycle, after: datetime) -> Iterator[datetime]:
    from cronsim import CronSim, CronSimError  # noqa: PLC0415 - nobody waits for it at the start

    try:
        return CronSim(cycle.cron.upper(), max(cycle.start, after) - timedelta(seconds=1))
    except CronSimError as error:
        raise ValueError(str(error)) from error


def _lies_in(between: tuple[time, time], at: time) -> bool:
    """Whether a time lies in a part of the day, which may go on past midnight."""
    begin, end = between
    return begin <= at <= end if begin <= end else at >= begin or at <= end


def _distances(cycle: Cycle, after: datetime) -> Iterator[datetime]:
    step = timedelta(seconds=cycle.every_s)
    wall = cycle.start + max(0, (after - cycle.start) // step) * step
    outside = 0
    while outside < _MOST_OUTSIDE:
        if cycle.between is None or _lies_in(cycle.between, wall.time()):
            outside = 0
            yield wall
        outside += 1
        wall += step
