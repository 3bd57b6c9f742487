"""Dates and times in a message: where they stand, and what they are on the calendar; and time zones by the
places that people name: `Tokyo` → `Asia/Tokyo`.

Finding is done by patterns, the tables `moments.toml` and `zones.toml`, cheap enough for every message.
Reading is done by `dateparser`, which is slow to import and to warm up, so only what was found goes there, in
a thread.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late, lowered
from partner_desktop.language.rule_table import language_data, rule_table
from partner_desktop.language.spans import SCAN_LIMIT
from partner_desktop.language.values.named_times import CHINESE, ENGLISH, festival_date, find_festivals
from partner_desktop.language.values.quantities import chinese

_ZONES = language_data("zones")
_BY_PLACE = {
    city.replace("_", " ").casefold(): f"{area}/{city}"
    for area, cities in _ZONES["cities"].items()
    for city in cities.split()
} | {place.casefold(): zone for zone, places in _ZONES["beside"].items() for place in places.split(",")}

#: `Asia/Tokyo` as it is written, and places; longer names first, so that none is taken for its beginning.
_AREAS = "|".join((*_ZONES["cities"], "Antarctica", "Etc"))
_WRITTEN = rf"(?:{_AREAS})(?:/[A-Za-z_+\-0-9]+){{1,2}}"
_PLACES = sorted(_BY_PLACE, key=len, reverse=True)
_LATIN = "|".join(re.escape(place) for place in _PLACES if place[0] < "\u2e80")
_CJK = "|".join(place for place in _PLACES if place[0] >= "\u2e80")
_ZONE = late(rf"\b(?:{_WRITTEN}|{_LATIN})\b|{_CJK}", re.IGNORECASE)


def zones_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and zone of every place and zone that a text names."""
    for match in _ZONE.finditer(text):
        named = match.group()
        yield match.start(), match.end(), named if "/" in named else _BY_PLACE[lowered(named)]


def zone_of(text: str) -> str:
    """The zone that a text as a whole is; empty when it is none that is known here."""
    bare = re.sub(r"\s+time$", "", text.strip().rstrip(".?!。？"), flags=re.IGNORECASE)
    found = list(zones_in(bare))
    return found[0][2] if len(found) == 1 and found[0][:2] == (0, len(bare)) else ""


#: Characters above which the loop is not held.
_LONG = 400
_ENGLISH, _CHINESE = rule_table("moments", "en"), rule_table("moments", "zh")
_CHINESE_DAYS = _CHINESE.section("days")
_FORMATS = tuple(row.partition(" => ")[::2] for row in _ENGLISH.texts("formats"))


@dataclass(frozen=True)
class Moment:
    """`text[start:end]` names a day, a time of day, or both."""

    start: int
    end: int
    said: str
    has_date: bool
    has_time: bool
    at: datetime | None = None
    """What it is on the calendar, once it was read."""
    states_today: bool = False
    """It says which day today is, and asks for nothing."""


@lru_cache(maxsize=64)
def find_moments(text: str) -> tuple[Moment, ...]:
    """The dates and times of a text, unread, in order."""
    text = text[:SCAN_LIMIT]
    said = (rules["today_is"].search(text) for rules in (_ENGLISH, _CHINESE))
    where = min((match.span() for match in said if match), default=(-1, -1))
    found = [
        Moment(
            match.start(), match.end(), match.group(),
            has_date=bool(match["date"]), has_time=bool(match["time"] or match["clock"]),
            states_today=where[0] <= match.start() < where[1],
        )
        for match in _ENGLISH["moment"].finditer(text)
    ]  # fmt: skip
    for match in _CHINESE["day"].finditer(text):
        clock = _CHINESE["clock"].match(text, match.end())
        end = clock.end() if clock else match.end()
        states = where[0] <= match.start() < where[1]
        found.append(
            Moment(match.start(), end, text[match.start() : end], True, bool(clock), states_today=states)
        )
    found += [
        Moment(match.start(), match.end(), match.group(), True, False) for match in find_festivals(text)
    ]
    found += [
        Moment(match.start(), match.end(), match.group(), False, True)
        for match in _CHINESE["clock"].finditer(text)
        if not any(moment.start <= match.start() < moment.end for moment in found)
    ]
    return tuple(
        sorted((moment for moment in found if not _a_lone_may(moment)), key=lambda moment: moment.start)
    )


def _a_lone_may(moment: Moment) -> bool:
    return moment.said.lower() in {"may", "march"}


async def moments_in(text: str) -> tuple[Moment, ...]:
    """The same; those of a long text are found in a thread."""
    return find_moments(text) if len(text) <= _LONG else await asyncio.to_thread(find_moments, text)


async def read_moments(text: str, now: datetime) -> tuple[Moment, ...]:
    """The moments of a text with what they are; those that cannot be read are left out."""
    found = await moments_in(text)
    if not found:
        return ()
    return await asyncio.to_thread(_read_all, found, now.replace(tzinfo=None))


def moments_now(text: str, now: datetime) -> tuple[Moment, ...]:
    """The same, where one is in a thread already."""
    return _read_all(find_moments(text), now.replace(tzinfo=None))


def _read_all(found: tuple[Moment, ...], now: datetime) -> tuple[Moment, ...]:
    base = _base(found, now)
    read = (
        Moment(moment.start, moment.end, moment.said, moment.has_date, moment.has_time, at)
        for moment in found
        if not moment.states_today and (at := _read(moment, base)) is not None
    )
    return tuple(read)


def _base(found: tuple[Moment, ...], now: datetime) -> datetime:
    """The day that relative dates count from: what the text says today is, or a year that it says once."""
    stated = [moment for moment in found if moment.states_today]
    if stated:
        return _read(max(stated, key=lambda moment: len(moment.said)), now) or now
    years = {year for moment in found for year in re.findall(r"(?<!\d)\d{4}(?!\d)", moment.said)}
    year = int(years.pop()) if len(years) == 1 else now.year  # `April 1 to April 30 2023`
    return now if year in (now.year, 0) else now.replace(year=year, month=1, day=1)


def _read(moment: Moment, base: datetime) -> datetime | None:
    if festival_date(moment.said, base.year) is not None:
        return _festival(moment.said, base)
    if (dated := _CHINESE["day"].match(moment.said)) or _CHINESE["clock"].match(moment.said):
        return _chinese_moment(moment.said, dated, base)
    said = re.sub(
        r"\b(?:the|of|coming|upcoming)\s{1,9}|(?<=\d)(?:st|nd|rd|th)\b|\bday\s{1,9}(?=of\b)", "", moment.said
    )
    weekend = re.search(r"(?P<which>next|last)?\s{0,9}(?:this\s{1,9})?weekend", said, re.IGNORECASE)
    if weekend:
        ahead = {"next": 7, "last": -7}.get((weekend["which"] or "").lower(), 0)
        return _midnight(base) + timedelta((5 - base.weekday()) % 7 + ahead)
    if following := _ENGLISH["weekday_ahead"].fullmatch(said):
        days = ENGLISH.weekdays[following["name"][:3].lower()]
        return _midnight(base) + timedelta((days - base.weekday() - 1) % 7 + 1)
    plain = re.fullmatch(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", said)
    return _date(*map(int, plain.groups())) if plain else _by_library(said, base)


def _festival(named: str, base: datetime) -> datetime | None:
    """The next day that is called so."""
    days = (festival_date(named, year) for year in (base.year, base.year + 1))
    return next((_date(day.year, day.month, day.day) for day in days if day and day >= base.date()), None)


def _by_library(said: str, base: datetime) -> datetime | None:
    import dateparser  # noqa: PLC0415 - slow to import

    settings = {"RELATIVE_BASE": base, "PREFER_DATES_FROM": "future", "RETURN_AS_TIMEZONE_AWARE": False}
    said = re.sub(r"^in\s{1,9}(?=\w+\s{1,9}(?:day|week|month|year|hour|minute))", "in ", said)
    found: datetime | None = dateparser.parse(said, languages=["en"], settings=settings)
    return found


def _chinese_moment(said: str, dated: re.Match[str] | None, base: datetime) -> datetime | None:
    day = _midnight(base) if dated is None else _chinese_day(dated, base)
    clock = _CHINESE["clock"].search(said, 0 if dated is None else dated.end())
    if day is None or clock is None:
        return day
    hour = _digits(clock["hour"])
    after_noon = clock["part"] in {"下午", "晚上"} or said.startswith(("今晚", "明晚"))
    hour += 12 if after_noon and hour < 12 else 0
    minute = 30 if clock["half"] else _digits(clock["minute"]) if clock["minute"] else 0
    return day.replace(hour=hour, minute=minute) if hour < 24 and minute < 60 else None


def _chinese_day(match: re.Match[str], base: datetime) -> datetime | None:
    if match["word"]:
        return _midnight(base) + timedelta(int(_CHINESE_DAYS[match["word"]]))
    if match["weekday"]:
        weekday = CHINESE.weekdays[match["weekday"].replace("末", "六")]
        weeks = CHINESE.steps.get(match["which"] or "", 0)
        return _midnight(base) + timedelta(weekday - base.weekday() + 7 * weeks)
    year = _digits(match["year"].rstrip("年")) if match["year"] else base.year
    month, day = _digits(match["month"]), _digits(match["day"])
    found = _date(year, month, day)
    past = found is not None and found < _midnight(base) and not match["year"]
    return _date(year + 1, month, day) if past else found


def _digits(text: str) -> int:
    return int(text) if text.isdigit() else int(chinese(text)) if not re.search(r"\d", text) else 0


def _date(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day)  # noqa: DTZ001 - a day on the calendar
    except ValueError:
        return None


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def wanted_format(description: str, *, kind: str = "") -> str:
    """The format that a description asks for, as `strftime` knows it; `kind` is the schema's format."""
    told = description.lower()
    for pattern, form in _FORMATS:
        if re.search(pattern, told):
            return form
    return {"date-time": "%Y-%m-%dT%H:%M:%S", "time": "%H:%M"}.get(kind, "")
