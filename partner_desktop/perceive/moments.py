"""Moments as a person says them, in the local time zone: the date, the weekday, how long ago."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
#: Up to this many seconds "in the future" two moments are the same: messages of two conversations overlap.
_OVERLAP = timedelta(seconds=60)
#: From how many seconds on a unit is counted in, the longest first.
_UNITS = (
    (2 * 365 * _DAY, 365 * _DAY, "year"),
    (61 * _DAY, 30 * _DAY, "month"),
    (14 * _DAY, 7 * _DAY, "week"),
    (_DAY, _DAY, "day"),
    (_HOUR, _HOUR, "hour"),
    (_MINUTE, _MINUTE, "minute"),
)


def in_words(at: datetime, *, zone: tzinfo | None = None) -> str:
    """`Saturday, 21 November 2026, 07:02 (CET, UTC+01:00)`; `zone`: the machine's own by default."""
    local = at.astimezone(zone)
    offset = f"{local:%z}"
    return (
        f"{local:%A}, {local.day} {local:%B %Y}, {local:%H:%M} "
        f"({local.tzname()}, UTC{offset[:3]}:{offset[3:5]})"
    )


def iso(at: datetime, *, zone: tzinfo | None = None) -> str:
    """For machines: ISO 8601 with the local offset, to the second."""
    return at.astimezone(zone).isoformat(timespec="seconds")


def gap(earlier: datetime, now: datetime) -> str | None:
    """`3 days ago`; `None` where the clock must have been set back since."""
    passed = now - earlier
    if passed < -_OVERLAP:
        return None
    seconds = max(0, int(passed.total_seconds()))
    for least, unit, name in _UNITS:
        if seconds >= least:
            number = seconds // unit
            return f"{number} {name}{'' if number == 1 else 's'} ago"
    return "just now"


def duration(seconds: float) -> str:
    """`3 days 4 hours`: the two largest units."""
    rest, parts = int(seconds), []
    for unit, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        number, rest = divmod(rest, unit)
        if number:
            parts.append(f"{number} {name}{'' if number == 1 else 's'}")
    return " ".join(parts[:2]) or "less than a minute"
