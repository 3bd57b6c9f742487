"""Schedules as they come in a day's use, and what came of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import islice

from partner_desktop.domain.schedule import (
    Cycle,
    FileLands,
    Firing,
    FiringState,
    Once,
    Schedule,
    Terms,
    Timing,
    occurrences,
)

from .samples import NOON

WEEKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"


def every_weekday(now: datetime = NOON) -> Terms:
    """At six in the evening."""
    return Terms(cycle=Cycle(wall(now), rule=WEEKDAYS, times=(time(18),)))


def tomorrow_at_nine(now: datetime = NOON, message: str = "Call Ann") -> Terms:
    """A reminder."""
    return Terms(once=Once(datetime.combine(now.date() + timedelta(1), time(9))), message=message)


def pdf_lands() -> Terms:
    """A trigger."""
    return Terms(lands=FileLands("/home/user/Downloads", "*.pdf"))


def wall(at: datetime) -> datetime:
    """Without its zone, which is that of the tests' machine."""
    return at.replace(tzinfo=None)


def schedule(
    schedule_id: str, title: str, terms: Terms, *, now: datetime = NOON, **facts: object
) -> Schedule:
    """One that is armed, with its next times."""
    timing: Timing | None = terms.timing
    times = tuple(islice(occurrences(timing, UTC, after=now), 3)) if timing is not None else ()
    made = Schedule(
        schedule_id, "c1", title, terms, "armed", now - timedelta(days=3), next_at=next(iter(times), None)
    )
    return replace(made, next_times=times, **facts)  # type: ignore[arg-type] # a test's own facts


def firing(
    schedule_id: str, due_at: datetime, state: FiringState = "done", *, why: str = "", count: int = 1
) -> Firing:
    """What came of one time."""
    action_id = "" if state in ("missed", "skipped", "called_off") else f"run-{due_at:%d%H%M}"
    return Firing(schedule_id, due_at, state, due_at, action_id=action_id, why=why, count=count)
