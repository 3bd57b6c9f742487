"""When something is to be done, in the spoken language: from what was planned, never from what was said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import islice
from pathlib import Path
from typing import assert_never
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from partner_desktop.base.messages import nth_word, sentence_of
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.base.time_zone import machine_zone
from partner_desktop.domain.schedule import ActionEnds, Cycle, FileLands, Once, Terms, Threshold, occurrences

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WORKDAYS, _WEEKEND = (0, 1, 2, 3, 4), (5, 6)
_UNITS = ((3600, "hour"), (60, "minute"), (1, "second"))
#: Below these it is said how long it takes still.
_SOON = timedelta(hours=1)
_SOON_IN_SECONDS = timedelta(seconds=60)
#: So many times are shown before a yes.
_NEXT_TIMES = 3
_SIZES = ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB"))


def when_in_words(terms: Terms, *, now: datetime | None = None) -> str:
    """`every weekday at 18:00`, `when a new PDF file lands in ~/Downloads`.

    `now`, on the wall of the zone of the terms: with it a single time is told as `time_in_words` does.
    """
    happening = terms.lands or terms.crosses or terms.ends
    if happening is not None:
        return _happening(happening)
    if terms.once is not None:
        said = time_in_words(terms.once.at, now.replace(tzinfo=None)) if now else _once(terms.once)
    else:
        said = _cycle(terms.cycle) if terms.cycle is not None else ""
    if terms.zone and terms.zone != machine_zone():
        return sentence_of("timing.of_zone", when=said, zone=terms.zone)
    return said


def time_in_words(at: datetime, now: datetime) -> str:
    """`tomorrow at 09:00`, `in 2 minutes (14:03)`, `Fri 4 Dec at 18:00`; both have a zone, or neither."""
    if at.tzinfo is not None:
        now = now.astimezone(at.tzinfo)
    left = at - now
    if timedelta() < left < _SOON:
        return sentence_of("timing.soon", span=_span_left(left), time=_time(at.time()))
    days = (at.date() - now.date()).days
    if abs(days) <= 1:
        near = ("today", "tomorrow", "yesterday")[days]
        return sentence_of(f"timing.{near}", time=_time(at.time()))
    return _that_day(at, with_year=at.year != now.year)


def due_in_words(terms: Terms, at: datetime, now: datetime) -> str:
    """A time that something is due, on the wall of its zone, which is named where it is not the machine's."""
    if terms.zone and terms.zone != machine_zone():
        with suppress(ValueError, OSError, KeyError):  # there is no such zone any more
            when = time_in_words(at.astimezone(ZoneInfo(terms.zone)), now)
            return sentence_of("timing.of_zone", when=when, zone=terms.zone)
    return time_in_words(at.astimezone(), now)


def next_times_of(terms: Terms, now: datetime) -> tuple[datetime, ...]:
    """The next three times in their zone; none for what waits for something to happen."""
    timing = terms.timing
    if timing is None:
        return ()
    try:
        return tuple(islice(occurrences(timing, terms_zone(terms, now), after=now), _NEXT_TIMES))
    except ValueError:  # a rule of another version
        return ()


def terms_zone(terms: Terms, now: datetime) -> tzinfo:
    """The zone of its times; the machine's where none is named, or the named one is not known here."""
    name = terms.zone or machine_zone()
    try:
        return ZoneInfo(name) if name else now.astimezone().tzinfo or UTC
    except (ZoneInfoNotFoundError, ValueError):
        return now.astimezone().tzinfo or UTC


def _span_left(left: timedelta) -> str:
    seconds = round(left.total_seconds())
    if left < _SOON_IN_SECONDS:
        return _counted("seconds", seconds)
    return _counted("minutes", round(seconds / 60))


def _counted(unit: str, count: int) -> str:
    return nth_word(f"timing.span.{unit}", int(count != 1)).format(count=count)


def _that_day(at: datetime, *, with_year: bool) -> str:
    return sentence_of(
        f"timing.that_{'year' if with_year else 'day'}",
        weekday=nth_word("timing.short_weekdays", at.weekday()),
        day=at.day,
        month=nth_word("timing.short_months", at.month - 1),
        year=at.year,
        time=_time(at.time()),
    )


def _once(once: Once) -> str:
    return _that_day(once.at, with_year=True)


def _time(at: time) -> str:
    return f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"


def _listed(items: Sequence[str]) -> str:
    """`a, b and c`."""
    *before, last = items
    if not before:
        return last
    return sentence_of("timing.and", first=sentence_of("timing.comma").join(before), last=last)


# Again and again.


def _cycle(cycle: Cycle) -> str:
    if cycle.cron:
        said = sentence_of("timing.cron", line=shown(cycle.cron))
    elif cycle.every_s:
        said = _at_distances(cycle)
    else:
        times = _listed([_time(at) for at in sorted(cycle.times)])
        said = sentence_of("timing.days_at", days=_days(cycle), times=times)
    return _until(said, cycle.until) if cycle.until is not None else said


def _until(said: str, day: date) -> str:
    month = nth_word("timing.months", day.month - 1)
    return sentence_of("timing.until", when=said, day=day.day, month=month, year=day.year)


def _at_distances(cycle: Cycle) -> str:
    size, unit = next((size, unit) for size, unit in _UNITS if cycle.every_s % size == 0)
    said = sentence_of("timing.every", span=_counted(unit, cycle.every_s // size))
    if cycle.between is None:
        return said
    begin, end = map(_time, cycle.between)
    return sentence_of("timing.between", every=said, begin=begin, end=end)


def _days(cycle: Cycle) -> str:
    rule = dict(part.split("=", 1) for part in cycle.rule.split(";") if "=" in part)
    try:
        match rule.get("FREQ"):
            case "DAILY":
                return _every("daily", rule)
            case "WEEKLY":
                return _weekly(rule, cycle.start)
            case "MONTHLY":
                return _monthly(rule, cycle.start)
            case "YEARLY":
                return _yearly(rule, cycle.start)
    except (ValueError, IndexError):  # a rule that somebody wrote himself
        pass
    return sentence_of("timing.by_rule", rule=cycle.rule)


def _every(unit: str, rule: Mapping[str, str], days: str = "") -> str:
    count = int(rule.get("INTERVAL", "1"))
    which = {1: "", 2: "_second"}.get(count, "_other")
    return sentence_of(f"timing.{unit}{which}", count=count, days=days)


def _weekly(rule: Mapping[str, str], start: datetime) -> str:
    named = sorted(_DAYS.index(day) for day in rule["BYDAY"].split(",")) if "BYDAY" in rule else []
    if rule.get("INTERVAL", "1") == "1":
        if tuple(named) == _WORKDAYS:
            return sentence_of("timing.workdays")
        if tuple(named) == _WEEKEND:
            return sentence_of("timing.weekend")
        if len(named) == len(_DAYS) - 1:
            (left_out,) = set(range(len(_DAYS))).difference(named)
            return sentence_of("timing.but", days=nth_word("timing.weekdays", left_out))
    days = _listed([nth_word("timing.weekdays", day) for day in named or [start.weekday()]])
    if rule.get("INTERVAL") == "2" and len(named) > 1:
        return sentence_of("timing.weeks_second", days=days)
    return _every("weekly", rule, days)


def _monthly(rule: Mapping[str, str], start: datetime) -> str:
    if "BYDAY" in rule:
        nth, weekday = int(rule["BYDAY"][:-2]), _DAYS.index(rule["BYDAY"][-2:])
        days = sentence_of(
            "timing.weekday_of_month",
            nth=nth_word("timing.nth", max(nth, 0)),
            weekday=nth_word("timing.weekdays", weekday),
        )
    else:
        doms = [max(int(day), 0) for day in rule.get("BYMONTHDAY", str(start.day)).split(",")]
        doms = doms[-1:] if "BYSETPOS" in rule else doms  # that day, or the last that a month has
        days = sentence_of("timing.day_of_month", nth=_listed([nth_word("timing.doms", dom) for dom in doms]))
    if "BYMONTH" in rule:
        months = _listed([nth_word("timing.months", int(month) - 1) for month in rule["BYMONTH"].split(",")])
        return sentence_of("timing.of_months", days=days, months=months)
    return _every("monthly", rule, days)


def _yearly(rule: Mapping[str, str], start: datetime) -> str:
    month = nth_word("timing.months", int(rule.get("BYMONTH", start.month)) - 1)
    day = int(rule.get("BYMONTHDAY", start.day))
    if day < 0:
        return _every("yearly", rule, sentence_of("timing.last_day_of_year", month=month))
    return _every("yearly", rule, sentence_of("timing.day_of_year", day=day, month=month))


# Something happens.


def _happening(happening: FileLands | Threshold | ActionEnds) -> str:
    match happening:
        case FileLands():
            return _lands(happening)
        case Threshold():
            return _crosses(happening)
        case ActionEnds(title=title, how=how, again=again):
            return sentence_of(f"timing.ends_{how}{'_again' if again else ''}", title=title)
        case _:
            assert_never(happening)


def _lands(lands: FileLands) -> str:
    folder, kind = display_path(Path(lands.folder)), lands.pattern.removeprefix("*.")
    if lands.pattern in {"*", "*.*"}:
        return sentence_of("timing.lands", folder=folder)
    if kind != lands.pattern and kind.isalnum():
        return sentence_of("timing.lands_kind", folder=folder, kind=kind.upper())
    return sentence_of("timing.lands_named", folder=folder, pattern=lands.pattern)


def _crosses(crosses: Threshold) -> str:
    side = "over" if crosses.over else "under"
    path = display_path(Path(crosses.path)) if crosses.path else ""
    match crosses.of:
        case "folder":
            return sentence_of(f"timing.folder_{side}", path=path, limit=_size(crosses.limit))
        case "free_space" if path:
            return sentence_of(f"timing.free_{side}_at", path=path, limit=_size(crosses.limit))
        case "free_space":
            return sentence_of(f"timing.free_{side}", limit=_size(crosses.limit))
        case "memory" | "processor":
            return sentence_of(f"timing.{crosses.of}_{side}", limit=f"{crosses.limit:g} %")
        case _:
            assert_never(crosses.of)


def _size(size_bytes: float) -> str:
    factor, unit = next(((factor, unit) for factor, unit in _SIZES if size_bytes >= factor), (1, "B"))
    return f"{size_bytes / factor:.4g} {unit}"
