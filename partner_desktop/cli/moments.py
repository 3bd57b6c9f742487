"""Times as a person gives them to a command: a day, a moment, how long ago, or `today`."""

from __future__ import annotations

import argparse
import re
from datetime import datetime, timedelta

_AGO = re.compile(r"(?P<number>\d{1,6})(?P<unit>[mhdw])")
_UNITS = {
    "m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1),
}  # fmt: skip
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DAY_LONG = timedelta(days=1)


def since(text: str) -> datetime:
    """The beginning of what is named; aware. For `type=` of an option."""
    return _moment(text)[0]


def until(text: str) -> datetime:
    """The end of what is named: a day counts to its end."""
    moment, is_day = _moment(text)
    return (moment.replace(tzinfo=None) + _DAY_LONG).astimezone() if is_day else moment


def _moment(text: str) -> tuple[datetime, bool]:
    """The moment, in the person's zone where no other is given, and whether it is a whole day."""
    plain = text.strip().lower()
    now = datetime.now().astimezone()
    if plain == "today":
        return _midnight(now), True
    try:
        if ago := _AGO.fullmatch(plain):
            return now - int(ago["number"]) * _UNITS[ago["unit"]], False
        return datetime.fromisoformat(text.strip()).astimezone(), bool(_DAY.fullmatch(plain))
    except (ValueError, OverflowError, OSError) as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time; use a day such as 2026-05-14, a time such as 2026-05-14T09:30, "
            "how long ago such as 2h or 3d, or today"
        ) from error


def _midnight(moment: datetime) -> datetime:
    return datetime(moment.year, moment.month, moment.day).astimezone()
