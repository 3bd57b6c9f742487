"""A timing as the form has it: plain values by name, each as it is typed, and the way back to terms.

Of a cycle there are four kinds that can be filled in: certain days, one time after another at a distance, a
cron line, and the rule as it is, for days that no field of the form can say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time

from partner_desktop.desktop.wording import tr
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.schedule import Cycle, MissedTerms, Once, Terms, is_cron

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEKLY = re.compile(r"FREQ=WEEKLY;BYDAY=([A-Z,]+)")
_MONTHLY = re.compile(r"FREQ=MONTHLY;BYMONTHDAY=(-?\d+(?:,-?\d+)*)")
_UNITS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400}
_LAST_DAY = 31


class TimingProblemError(Exception):
    """What stands in the form is no timing; the text is a sentence for the person."""


def timing_kind(terms: Terms) -> str:
    """`once`, `days`, `month`, `every`, `cron`, `rule`; empty for what waits for something to happen."""
    cycle = terms.cycle
    if cycle is None:
        return "once" if terms.once is not None else ""
    if cycle.cron:
        return "cron"
    if cycle.every_s:
        return "every"
    if cycle.rule == "FREQ=DAILY" or _WEEKLY.fullmatch(cycle.rule):
        return "days"
    return "month" if _MONTHLY.fullmatch(cycle.rule) else "rule"


def values_of(terms: Terms, now: datetime) -> JsonObject:
    """What the fields begin with, also those of the kinds that it is not; `now` on the wall of its zone."""
    cycle = terms.cycle or Cycle(now)
    weekly, monthly = _WEEKLY.fullmatch(cycle.rule), _MONTHLY.fullmatch(cycle.rule)
    at = terms.once.at if terms.once is not None else now
    amount, unit = _span_of(cycle.every_s or 3600)
    times = cycle.times or (at.time() if terms.once is not None else time(9),)
    return {
        "date": at.date().isoformat(),
        "time": _clock(at.time()),
        "weekdays": list(weekly[1].split(",") if weekly else WEEKDAYS),
        "month_days": monthly[1].replace("-1", tr("last")).replace(",", ", ") if monthly else "1",
        "times": ", ".join(_clock(each) for each in times),
        "amount": amount,
        "unit": unit,
        "begin": _clock(cycle.between[0]) if cycle.between else "",
        "end": _clock(cycle.between[1]) if cycle.between else "",
        "cron": cycle.cron or "0 9 * * *",
        "until": cycle.until.isoformat() if cycle.until is not None else "",
    }


def terms_from(terms: Terms, kind: str, values: Mapping[str, Json], now: datetime) -> Terms:
    """The terms with another timing; `now` on the wall of its zone.

    Raises:
        TimingProblemError: It is none.
    """
    if kind == "once":
        at = datetime.combine(_day(values, "date"), _time(str(values.get("time", ""))))
        if at <= now:
            raise TimingProblemError(tr("That time has passed."))
        return replace(terms, once=Once(at), cycle=None)
    cycle = _cycle(terms.cycle or Cycle(now.replace(second=0, microsecond=0)), kind, values)
    until = _day(values, "until") if values.get("until") else None
    if until is not None and until < now.date():
        raise TimingProblemError(tr("The last day has passed."))
    return replace(terms, once=None, cycle=replace(cycle, until=until))


def with_missed(terms: Terms, missed: Json) -> Terms:
    """The terms with another policy."""
    policies: dict[Json, MissedTerms] = {"usual": "usual", "once": "once", "all": "all", "skip": "skip"}
    return replace(terms, missed=policies.get(missed, terms.missed))


def _cycle(cycle: Cycle, kind: str, values: Mapping[str, Json]) -> Cycle:
    plain = Cycle(cycle.start)
    match kind:
        case "days":
            return replace(plain, rule=_weekly_rule(values.get("weekdays")), times=_times(values))
        case "month":
            return replace(plain, rule=_monthly_rule(values.get("month_days")), times=_times(values))
        case "rule":
            return replace(cycle, times=_times(values))
        case "every":
            return replace(plain, every_s=_seconds(values), between=_between(values))
    return replace(plain, cron=_cron_line(str(values.get("cron", ""))))


def _weekly_rule(chosen: Json) -> str:
    days = [day for day in WEEKDAYS if isinstance(chosen, list) and day in chosen]
    if not days:
        raise TimingProblemError(tr("Choose at least one day."))
    return "FREQ=DAILY" if len(days) == len(WEEKDAYS) else f"FREQ=WEEKLY;BYDAY={','.join(days)}"


def _monthly_rule(text: Json) -> str:
    words = [word for word in re.split(r"[\s,，、;]+", str(text or "")) if word]
    days = [_month_day(word) for word in words]
    if not days:
        raise TimingProblemError(tr("Type days of the month, such as {example}.").format(example="1, 15"))
    return f"FREQ=MONTHLY;BYMONTHDAY={','.join(map(str, days))}"


def _month_day(word: str) -> int:
    if word.casefold() in ("last", "-1", tr("last").casefold()):
        return -1
    day = int(word) if word.isascii() and word.isdigit() else 0
    if not 1 <= day <= _LAST_DAY:
        raise TimingProblemError(tr("“{day}” is not a day of a month.").format(day=word))
    return day


def _times(values: Mapping[str, Json]) -> tuple[time, ...]:
    words = [word for word in re.split(r"[\s,，、;]+", str(values.get("times") or "")) if word]
    if not words:
        raise TimingProblemError(tr("Type times, such as {example}.").format(example="09:00, 18:00"))
    return tuple(sorted({_time(word) for word in words}))


def _seconds(values: Mapping[str, Json]) -> int:
    amount = values.get("amount")
    if not isinstance(amount, (int, float)) or amount <= 0:
        raise TimingProblemError(tr("Type how often, as a number above 0."))
    return max(1, round(amount * _UNITS.get(str(values.get("unit")), 60)))


def _between(values: Mapping[str, Json]) -> tuple[time, time] | None:
    begin, end = str(values.get("begin") or ""), str(values.get("end") or "")
    if not begin and not end:
        return None
    span = _time(begin or "00:00"), _time(end or "23:59")
    if span[0] == span[1]:  # an earlier end is one of the next day
        raise TimingProblemError(tr("The end is to be another time than the beginning."))
    return span


def _cron_line(text: str) -> str:
    line = " ".join(text.split())
    if not is_cron(line):
        raise TimingProblemError(tr("This cron line cannot be read."))
    return line


def _span_of(seconds: int) -> tuple[int, str]:
    for unit in ("days", "hours", "minutes"):
        if seconds % _UNITS[unit] == 0:
            return seconds // _UNITS[unit], unit
    return seconds, "seconds"


def _time(word: str) -> time:
    try:
        return time.fromisoformat(word.strip().replace("：", ":").zfill(5))
    except ValueError:
        raise TimingProblemError(tr("“{word}” is not a time, such as 18:00.").format(word=word)) from None


def _day(values: Mapping[str, Json], name: str) -> date:
    try:
        return date.fromisoformat(str(values.get(name) or ""))
    except ValueError:
        raise TimingProblemError(tr("Type a date, such as {example}.").format(example="2030-05-14")) from None


def _clock(at: time) -> str:
    return f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"
