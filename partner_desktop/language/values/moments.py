"""Dates and times in a message: where they stand, and what they are on the calendar; and time zones by the
places that people name: `Tokyo` → `Asia/Tokyo`.

Finding is done by patterns, cheap enough for every message: none looks at more than nine blanks in a row,
so that a long run of them costs no more than as many letters. Reading is done by `dateparser`, which is
slow to import and to warm up, so only what was found goes there, in a thread.

The names of the zones are the tz database's (https://www.iana.org/time-zones), which calls a zone after
its largest city, and well-known cities beside them. Data rather than `zoneinfo`: that reads hundreds of
files to list them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.spans import SCAN_LIMIT
from partner_desktop.language.values.festivals import festival_date, find_festivals
from partner_desktop.language.values.quantities import chinese

_CITIES = {
    "Africa": "Abidjan Accra Addis_Ababa Algiers Cairo Casablanca Dakar Dar_es_Salaam Harare Johannesburg "
    "Kampala Khartoum Kinshasa Lagos Luanda Lusaka Maputo Mogadishu Nairobi Tripoli Tunis Windhoek",
    "America": "Anchorage Asuncion Bogota Caracas Chicago Denver Detroit Edmonton Guatemala Guayaquil "
    "Halifax Havana Jamaica La_Paz Lima Los_Angeles Managua Mexico_City Monterrey Montevideo Montreal "
    "New_York Panama Phoenix Port-au-Prince Puerto_Rico Regina Santiago Santo_Domingo Sao_Paulo St_Johns "
    "Tijuana Toronto Vancouver Winnipeg",
    "Asia": "Almaty Amman Baghdad Bahrain Baku Bangkok Beirut Brunei Colombo Damascus Dhaka Dubai "
    "Ho_Chi_Minh Hong_Kong Jakarta Jerusalem Kabul Karachi Kathmandu Kolkata Kuala_Lumpur Kuwait Macau "
    "Manila Muscat Nicosia Novosibirsk Phnom_Penh Qatar Rangoon Riyadh Seoul Shanghai Singapore Taipei "
    "Tashkent Tbilisi Tehran Tokyo Ulaanbaatar Vientiane Vladivostok Yekaterinburg Yerevan",
    "Atlantic": "Azores Bermuda Canary Cape_Verde Faroe Madeira Reykjavik",
    "Australia": "Adelaide Brisbane Canberra Darwin Hobart Melbourne Perth Sydney",
    "Europe": "Amsterdam Andorra Athens Belgrade Berlin Bratislava Brussels Bucharest Budapest Copenhagen "
    "Dublin Gibraltar Helsinki Istanbul Kiev Kyiv Lisbon Ljubljana London Luxembourg Madrid Malta Minsk "
    "Monaco Moscow Oslo Paris Podgorica Prague Riga Rome Sarajevo Skopje Sofia Stockholm Tallinn Tirane "
    "Vaduz Vienna Vilnius Warsaw Zagreb Zurich",
    "Indian": "Maldives Mauritius",
    "Pacific": "Auckland Fiji Guam Honolulu Tahiti",
}
_BESIDE = {
    "Africa/Johannesburg": "Cape Town,Pretoria",
    "America/Chicago": "Houston,Dallas,Austin,New Orleans",
    "America/Los_Angeles": "San Francisco,Seattle,San Diego,Las Vegas,Silicon Valley,洛杉矶,旧金山",
    "America/New_York": "Boston,Washington,Miami,Philadelphia,Atlanta,NYC,纽约,华盛顿",
    "America/Sao_Paulo": "São Paulo,Rio de Janeiro",
    "America/Argentina/Buenos_Aires": "Buenos Aires",
    "Asia/Ho_Chi_Minh": "Saigon",
    "Asia/Hong_Kong": "香港",
    "Asia/Kolkata": "Delhi,New Delhi,Mumbai,Bangalore,Chennai,Calcutta",
    "Asia/Qatar": "Doha",
    "Asia/Seoul": "首尔",
    "Asia/Shanghai": "Beijing,Shenzhen,Guangzhou,北京,上海,广州,深圳",
    "Asia/Singapore": "新加坡",
    "Asia/Taipei": "台北",
    "Asia/Tokyo": "Osaka,Kyoto,东京,大阪",
    "Australia/Sydney": "悉尼",
    "Europe/Berlin": "Munich,Hamburg,Frankfurt,Cologne,Stuttgart,柏林",
    "Europe/London": "Edinburgh,Manchester,伦敦",
    "Europe/Madrid": "Barcelona",
    "Europe/Moscow": "莫斯科",
    "Europe/Paris": "巴黎",
    "Europe/Rome": "Milan,Venice",
    "Europe/Zurich": "Geneva,Zürich,Bern",
    "Etc/UTC": "UTC,GMT",
}
_BY_PLACE = {
    city.replace("_", " ").casefold(): f"{area}/{city}"
    for area, cities in _CITIES.items()
    for city in cities.split()
} | {place.casefold(): zone for zone, places in _BESIDE.items() for place in places.split(",")}

#: `Asia/Tokyo` as it is written, and places; longer names first, so that none is taken for its beginning.
_AREAS = "|".join((*_CITIES, "Antarctica", "Etc"))
_WRITTEN = rf"(?:{_AREAS})(?:/[A-Za-z_+\-0-9]+){{1,2}}"
_PLACES = sorted(_BY_PLACE, key=len, reverse=True)
_LATIN = "|".join(re.escape(place) for place in _PLACES if place[0] < "\u2e80")
_CJK = "|".join(place for place in _PLACES if place[0] >= "\u2e80")
_ZONE = late(rf"\b(?:{_WRITTEN}|{_LATIN})\b|{_CJK}", re.IGNORECASE)


def zones_in(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and zone of every place and zone that a text names."""
    for match in _ZONE.finditer(text):
        named = match.group()
        yield match.start(), match.end(), named if "/" in named else _BY_PLACE[named.casefold()]


def zone_of(text: str) -> str:
    """The zone that a text as a whole is; empty when it is none that is known here."""
    bare = re.sub(r"\s+time$", "", text.strip().rstrip(".?!。？"), flags=re.IGNORECASE)
    found = list(zones_in(bare))
    return found[0][2] if len(found) == 1 and found[0][:2] == (0, len(bare)) else ""


#: Characters above which the loop is not held.
_LONG = 400
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?(?![\d:])"
_YEAR = r"(?:\d{4})(?!\d)"
_TIME = r"(?:\d{1,2}(?::\d{2}){1,2}\s?(?:[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?|noon\b|midnight\b)"
_DATE = "|".join(
    (
        r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:T\d{2}:\d{2}(?::\d{2})?Z?)?(?!\d)",
        r"\d{1,2}[/.]\d{1,2}[/.]\d{4}(?!\d)|\d{1,2}-\d{1,2}-\d{4}(?!\d)",
        rf"(?:{_WEEKDAY},?\s{{1,9}})?(?:the\s{{1,9}})?{_DAY}(?:\s{{1,9}}day)?\s{{1,9}}(?:of\s{{1,9}})?{_MONTH}(?:(?:,?\s{{1,9}}|\s{{1,9}}of\s{{1,9}}|,){_YEAR})?",
        rf"(?:{_WEEKDAY},?\s{{1,9}})?(?:{_YEAR},?\s{{1,9}})?{_MONTH}\s{{0,9}}(?:the\s{{1,9}})?{_DAY}(?:(?:,?\s{{1,9}}|\s{{1,9}}of\s{{1,9}}|,){_YEAR})?",
        rf"{_MONTH},?\s{{1,9}}{_YEAR}",
        r"(?:the\s{1,9})?day\s{1,9}(?:after\s{1,9}tomorrow|before\s{1,9}yesterday)",
        r"today|tomorrow|yesterday|tonight",
        rf"(?:(?:next|this|last|coming|upcoming|past)\s{{1,9}})?{_WEEKDAY}\b",
        r"(?:next|this|last)\s{1,9}(?:week(?:end)?|month|year)\b|(?:this|the|next)?\s{0,9}(?:coming|upcoming)\s{1,9}weekend",
        r"in\s{1,9}(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten)\s{1,9}(?:day|week|month|year|hour|minute)s?\b",
        r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten)\s{1,9}(?:day|week|month|year|hour|minute)s?\s{1,9}ago",
    )
)
_ENGLISH = late(
    rf"(?<![\w/.])(?:(?<!-)|(?=[A-Za-z]))(?:(?P<date>{_DATE})(?:,?\s{{1,9}}(?:at\s{{1,9}}|around\s{{1,9}})?(?P<time>{_TIME}))?|(?P<clock>{_TIME})"
    rf"(?!\s{{0,9}}\d))",
    re.IGNORECASE,
)
_CHINESE_DIGITS = "[零〇一二两三四五六七八九十\\d]"
_CHINESE = late(
    rf"(?P<year>(?:\d{{4}}|[零〇一二三四五六七八九]{{4}})年)?(?P<month>{_CHINESE_DIGITS}{{1,3}})月(?P<day>{_CHINESE_DIGITS}{{1,3}})[日号]"
    r"|(?P<word>大后天|后天|明天|今天|今晚|昨天|前天|明晚)"
    r"|(?P<which>下下|下|上|这|本)?(?:个)?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])"
)
_CHINESE_CLOCK = late(
    rf"(?P<part>早上|上午|中午|下午|晚上|凌晨)?(?P<hour>{_CHINESE_DIGITS}{{1,3}})点"
    rf"(?:(?P<half>半)|(?P<minute>{_CHINESE_DIGITS}{{1,3}})分?)?"
)
_CHINESE_DAYS = {"大后天": 3, "后天": 2, "明天": 1, "明晚": 1, "今天": 0, "今晚": 0, "昨天": -1, "前天": -2}
_TODAY_IS = late(
    rf"\b(?:today|now)(?:'s date)?\s{{1,9}}is\s{{1,9}}(?:{_WEEKDAY},?\s{{1,9}})?(?:{_DATE})"
    r"|今天是[^,，。]{2,12}",
    re.IGNORECASE,
)


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
    stated = _TODAY_IS.search(text)
    where = stated.span() if stated else (-1, -1)
    found = [
        Moment(
            match.start(), match.end(), match.group(),
            has_date=bool(match["date"]), has_time=bool(match["time"] or match["clock"]),
            states_today=where[0] <= match.start() < where[1],
        )
        for match in _ENGLISH.finditer(text)
    ]  # fmt: skip
    for match in _CHINESE.finditer(text):
        clock = _CHINESE_CLOCK.match(text, match.end())
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
        for match in _CHINESE_CLOCK.finditer(text)
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
    if (dated := _CHINESE.match(moment.said)) or _CHINESE_CLOCK.match(moment.said):
        return _chinese_moment(moment.said, dated, base)
    said = re.sub(
        r"\b(?:the|of|coming|upcoming)\s{1,9}|(?<=\d)(?:st|nd|rd|th)\b|\bday\s{1,9}(?=of\b)", "", moment.said
    )
    weekend = re.search(r"(?P<which>next|last)?\s{0,9}(?:this\s{1,9})?weekend", said, re.IGNORECASE)
    if weekend:
        ahead = {"next": 7, "last": -7}.get((weekend["which"] or "").lower(), 0)
        return _midnight(base) + timedelta((5 - base.weekday()) % 7 + ahead)
    if following := re.fullmatch(rf"(?:this |next )?({_WEEKDAY})", said, re.IGNORECASE):
        days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun").index(following[1][:3].lower())
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
    clock = _CHINESE_CLOCK.search(said, 0 if dated is None else dated.end())
    if day is None or clock is None:
        return day
    hour = _digits(clock["hour"])
    after_noon = clock["part"] in {"下午", "晚上"} or said.startswith(("今晚", "明晚"))
    hour += 12 if after_noon and hour < 12 else 0
    minute = 30 if clock["half"] else _digits(clock["minute"]) if clock["minute"] else 0
    return day.replace(hour=hour, minute=minute) if hour < 24 and minute < 60 else None


def _chinese_day(match: re.Match[str], base: datetime) -> datetime | None:
    if match["word"]:
        return _midnight(base) + timedelta(_CHINESE_DAYS[match["word"]])
    if match["weekday"]:
        weekday = "一二三四五六日".find(match["weekday"].replace("天", "日").replace("末", "六"))
        weeks = {"下下": 2, "下": 1, "上": -1}.get(match["which"] or "", 0)
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


_WANTED_FORMATS = (
    (r"yyyy-mm-dd[ t]'?t?'?hh:mm:ss", "%Y-%m-%dT%H:%M:%S"),
    (r"\d{4}-\d\d-\d\dt\d\d:\d\d:\d\dz", "%Y-%m-%dT%H:%M:%SZ"),
    (r"iso[ -]?8601 (?:time|date-?time)|date-time", "%Y-%m-%dT%H:%M:%S"),
    (r"yyyy-mm-dd", "%Y-%m-%d"),
    (r"mm/dd/yyy", "%m/%d/%Y"),
    (r"dd/mm/yyy", "%d/%m/%Y"),
    (r"mm-dd-yyy", "%m-%d-%Y"),
    (r"dd-mm-yyy", "%d-%m-%Y"),
    (r"yyyy/mm/dd", "%Y/%m/%d"),
    (r"yyyy\.mm\.dd", "%Y.%m.%d"),
    (r"yyyymmdd", "%Y%m%d"),
    (r"yyyy-mm\b", "%Y-%m"),
    (r"month dd?, yyyy|month day, year", "%B %d, %Y"),
    (r"hh:mm:ss", "%H:%M:%S"),
    (r"hh:mm ?(?:am|a)", "%I:%M %p"),
    (r"hh:mm|24-hour|\d\d:\d\d", "%H:%M"),
    (r"\d{4}-\d\d-\d\d", "%Y-%m-%d"),
)


def wanted_format(description: str, *, kind: str = "") -> str:
    """The format that a description asks for, as `strftime` knows it; `kind` is the schema's format."""
    told = description.lower()
    for pattern, form in _WANTED_FORMATS:
        if re.search(pattern, told):
            return form
    return {"date-time": "%Y-%m-%dT%H:%M:%S", "time": "%H:%M"}.get(kind, "")
