"""Times as English says them: `last Tuesday`, `in spring`, `two weeks ago`, `over Christmas`, `the 90s`.

`07/05/2023` is the fifth of July, as elsewhere here; the day comes first where it must (`13/05/2023`) or
where dots stand (`7.5.2023`). The words of a text tell which patterns to try, since most texts name no time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import islice

from partner_desktop.base.patterns import late
from partner_desktop.language.values.day_ranges import (
    MOST_TIMES,
    STEPS,
    NamedDays,
    SaidText,
    around,
    days_ago,
    days_later,
    days_up_to,
    decade,
    season,
    whole_month,
    whole_unit,
    whole_years,
)
from partner_desktop.language.values.festivals import (
    FESTIVAL_NAMES,
    FESTIVAL_PAIRS,
    FESTIVAL_WORDS,
    festival_days,
    is_vague_festival,
)

_FULL_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
#: Names of people and words of another sense, and abbreviations: not without a word that makes them a time.
_DOUBTFUL = {"march", "april", "june", "august", "sept", *_MONTHS}
_COUNTS: dict[str, tuple[float, float]] = {
    "a": (1, 1), "an": (1, 1), "couple": (2, 3), "few": (2, 5), "several": (3, 8), "some": (2, 8),
    "many": (5, 20), "half": (0.5, 0.5),
}  # fmt: skip
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TENS = ("fifteen", "twenty", "thirty", "forty", "fifty")
_COUNTS |= {word: (value, value) for value, word in enumerate(_NUMBERS, 1)}
_COUNTS |= {word: (value, value) for word, value in zip(_TENS, (15, 20, 30, 40, 50), strict=True)}

#: A number as it stands before a unit.
COUNT = (
    rf"(?:\d{{1,4}}|{'|'.join((*_NUMBERS, *_TENS))}"
    r"|(?:a\s+)?(?:couple(?:\s+of)?|few)|several|some|many|half\s+an?|an?)"
)
_UNITS = "hour|minute|day|night|weekend|week|fortnight|month|quarter|year|decade"
_U = rf"(?:{_UNITS})"
_W = rf"(?:{_FULL_WEEKDAYS}|tues|thurs?|{'|'.join(_WEEKDAYS)})"
_M = rf"(?P<month>{_FULL_MONTHS}|sept|{'|'.join(_MONTHS)})\b(?:\.(?=\s*\d))?"
_Y = r"(?:(?:19|20)\d\d)(?![\d:%]|[.,/-]\d)"
_IN_YEAR = (
    rf"(?:(?:,?\s*|,?\s+(?:of|in)\s+)(?P<year>{_Y})|,?\s+(?:of\s+)?(?P<year_of>last|this|next)\s+year\b)?"
)
_WHICH = r"(?:(?P<which>(?:this\s+)?past|last|previous|this(?:\s+coming)?|next|coming|upcoming)\s+)"
_TH = r"(?:st|nd|rd|th)?"
_TO = r"(?:\s*[-–—]\s*|\s+(?:to|and|until|till|through)\s+)(?:the\s+)?"

#: Before a word that may be none: what makes it a time.
_LEADS = late(
    r"\b(?:in|of|on|since|before|after|until|till|by|during|from|between|around|over|through|throughout"
    r"|early|mid|late)[\s-]+(?P<the>the\s+)?$|\b(?P<only>the)\s+$"
    rf"|\b(?:{_FULL_MONTHS}|{'|'.join(_MONTHS)})\b\s*(?:\d+\s*)?(?:to|and|until|till|through|[-–])\s*$"
)
_VERB = late(
    r"\s+(?:be|have|not|also|well|need|take|get|want|seem|cause|i|we|you|help|still|become|or\s+may)\b"
)

_DATE = late(
    r"(?<![A-Za-z0-9_./-])(?:(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})"
    r"|(?P<y4>(?:19|20)\d\d)-(?P<m4>0[1-9]|1[0-2])"
    r"|(?P<a>\d{1,2})(?P<mark>[-/.])(?P<b>\d{1,2})(?P=mark)(?P<y2>\d{4}|(?<=/)\d\d))(?![A-Za-z0-9_/-]|\.\d)"
    r"|\b(?:in|since|during|before|after|until|till|by|from|between|early|mid|late|year)[\s-]+(?:the\s+year\s+)?"
    rf"(?P<only>{_Y})(?:{_TO}(?P<to>{_Y}))?"
    r"(?!\w|\s+(?:people|steps|words|dollars|euros|times|items|km|miles|calories|pages|lines)\b)"
    r"|\bthe\s+['’]?(?P<decade>(?:19|20)?\d0)['’]?s\b"
    r"|\b(?:on|since|before|after|until|till|by|from|between)\s+the\s+(?P<dom>\d{1,2})(?:st|nd|rd|th)\b"
    r"(?:\s+of\s+(?P<dom_of>last|this|next)\s+month)?"
    r"(?!\s+(?:of|floor|time|page|grade|attempt|row|place|century|to|and)\b|-)"
)
_MONTH = late(
    rf"\b(?:(?<![\d.,:$€£-])(?P<d1>\d{{1,2}}){_TH}(?:{_TO}(?P<d2>\d{{1,2}}){_TH})?\s+(?:of\s+)?|{_WHICH})?{_M}"
    rf"(?(d1)|(?:\s*(?:the\s+)?(?P<d3>\d{{1,2}}){_TH}(?:{_TO}(?P<d4>\d{{1,2}}){_TH})?(?![\w:%]|\.\d))?){_IN_YEAR}"
)
_WEEKDAY = late(
    rf"\b(?:(?P<n>{COUNT})\s+(?P<ago>{_FULL_WEEKDAYS})s\s+ago\b"
    rf"|(?P<first>last|this|next)\s+week(?:'s|\s+on|,)?\s+(?P<behind>{_W})\b"
    rf"|(?<!every )(?<!each ){_WHICH}?(?P<day>{_W})\b"
    r"(?:\s+(?:of\s+)?(?:(?P<week>last|this|next)\s+week|(?P<before>before\s+last))\b)?)"
)
_UNIT = late(
    rf"\b(?:(?P<n>{COUNT})(?:\s*(?:or|to|-|–)\s*(?P<n2>{COUNT}))?\s+(?P<unit>{_U})s?"
    r"(?P<plus>\s+or\s+(?:two|so)|\s+and\s+a\s+half)?\s+(?P<ago>ago|back|from\s+now)\b"
    rf"|(?P<bare>{_U})s\s+ago\b"
    r"|(?P<while>(?:quite\s+)?a\s+(?:long\s+)?while\s+(?:ago|back)|(?:some|a\s+long)\s+time\s+ago)\b"
    rf"|(?P<rolls>last|past|previous|next|coming)\s+(?P<rolled>{COUNT})\s+(?P<rolling>{_U})s?\b(?!\s+of\b)"
    r"|(?:the\s+last|(?<!this )past)\s+(?P<past>week|month|year|decade)\b(?!\s+of\b)"
    r"|the\s+(?P<before_last>week|month|year|weekend|night)\s+before\s+last\b"
    rf"|{_WHICH}(?P<whole>weekend|week|month|quarter|year)\b(?!\s+of\b)"
    r"|(?:over|at|on|during)\s+the\s+(?P<weekend>weekend)\b|the\s+other\s+(?P<other>day|night|week|month)\b)"
)
_DAY = late(
    r"\b(?:(?:the\s+)?(?:day|night)\s+(?P<far>before\s+yesterday|after\s+tomorrow)|(?P<near>yesterday|tomorrow)"
    r"|(?P<night>last\s+(?:night|evening))|(?:today|tonight|this\s+(?:morning|afternoon|evening)|just\s+now)"
    r"|(?P<recent>recently|lately|these\s+days|not\s+(?:(?:so|too|very)\s+)?long\s+ago))\b"
)
_SEASON = late(
    rf"\b{_WHICH}?(?P<season>{'|'.join(_SEASONS)})\b(?!\s+(?:festival|onion|roll|cleaning)){_IN_YEAR}"
)
_FESTIVALS = "|".join(f"(?P<f{row}>{names[0]})" for row, names in enumerate(FESTIVAL_NAMES) if names[0])
_FESTIVAL = late(rf"\b{_WHICH}?(?:{_FESTIVALS})\b(?:'s)?{_IN_YEAR}")


def english_times(said: SaidText) -> Iterator[NamedDays]:
    """The times that the patterns find; they may overlap."""
    words = _BY_WORD.keys() & set(_WORDS.findall(said.low))
    numbers = {number for word in words for number in _BY_WORD[word]}
    if any(pair in said.low for pair in FESTIVAL_PAIRS):
        numbers.add(len(_READERS) - 1)
    for number in numbers:
        pattern, read, _ = _READERS[number]
        for match in islice(pattern.finditer(said.low), MOST_TIMES):
            with suppress(ValueError, OverflowError):  # no day on the calendar
                if found := read(match, said):
                    yield found


def _leads(match: re.Match[str], said: SaidText) -> re.Match[str] | None:
    return _LEADS.search(said.low[max(match.start() - 24, 0) : match.start()])


def _read_date(match: re.Match[str], said: SaidText) -> NamedDays | None:
    start, end = match.span()
    if match["y"]:
        return NamedDays(start, end, around(date(int(match["y"]), int(match["m"]), int(match["d"])), 0, 1))
    if match["a"]:
        year = int(match["y2"]) + (2000 if len(match["y2"]) == 2 else 0)
        month, day = int(match["a"]), int(match["b"])
        if month > 12 or (match["mark"] == "." and day <= 12):
            month, day = day, month
        return NamedDays(start, end, around(date(year, month, day), 0, 1))
    if match["y4"]:
        return NamedDays(start, end, whole_month(int(match["y4"]), int(match["m4"])))
    if match["only"]:
        first, last = int(match["only"]), int(match["to"] or match["only"])
        return NamedDays(match.start("only"), end, whole_years(first, last))
    if match["decade"]:
        return NamedDays(start, end, decade(int(match["decade"])))
    day = int(match["dom"])
    found = said.day_of_month(day)
    if match["dom_of"]:
        month_days = whole_month(said.today.year, said.today.month + STEPS[match["dom_of"]])
        found = around(month_days[0], day - 1, day)
        found = found if found[1] <= month_days[1] else None
    return NamedDays(match.start("dom"), end, found) if found else None


def _read_month(match: re.Match[str], said: SaidText) -> NamedDays | None:
    name, at = match["month"], match.start("month")
    small = said.text[at].islower()
    first = match["d1"] or match["d3"]
    if not (first or match["which"] or match["year"] or match["year_of"]) and name in _DOUBTFUL:
        leads = _leads(match, said)
        if not leads or (name in {"may", "march"} and small and (leads["the"] or leads["only"])):
            return None
    if name == "may" and small and _VERB.match(said.low, match.end("month")):
        return None
    month = _MONTHS.index(name[:3]) + 1
    if not first:
        return said.yearly(match, lambda year: whole_month(year, month))
    day, last = int(first), int(match["d2"] or match["d4"] or first)
    return said.yearly(match, lambda year: (date(year, month, day), days_later(date(year, month, last), 1)))


def _read_weekday(match: re.Match[str], said: SaidText) -> NamedDays | None:
    start, end = match.span()
    name = match["ago"] or match["behind"] or match["day"]
    at = match.start("behind" if match["behind"] else "day")
    short = not name.endswith("day")
    if short and not (said.text[at].isupper() and (match["behind"] or match["which"] or _leads(match, said))):
        return None
    day = _WEEKDAYS.index(name[:3])
    if match["ago"]:
        latest = said.weekday(day, start, "last")[0]
        least, most = count_of(match["n"])
        days = days_later(latest, -7 * round(most - 1)), days_later(latest, -7 * round(least - 1) + 1)
        return NamedDays(start, end, days, least != most)
    if week := match["first"] or match["week"]:
        days = around(whole_unit("week", STEPS[week], said.today)[0], day, day + 1)
    elif match["before"]:
        days = around(said.weekday(day, start, "last")[0], -7, -6)
    else:
        days = said.weekday(day, start, _which(match))
    return NamedDays(start, end, days, is_weekday=True)


def _which(match: re.Match[str]) -> str:
    return ((match["which"] or "").split() or [""])[-1]


def _read_unit(match: re.Match[str], said: SaidText) -> NamedDays | None:
    start, end = match.span()
    now, today, vague = said.now, said.today, False
    if words := match["n"]:
        least, most = count_of(words)
        most = count_of(match["n2"])[1] if match["n2"] else most
        plus = match["plus"] or ""
        least, most = (
            least + 0.5 * plus.endswith("half"),
            most + (0.5 if plus.endswith("half") else bool(plus)),
        )
        if match["ago"].startswith("from"):
            least, most = -most, -least
        days, vague = days_ago(match["unit"], least, most, now), least != most or least != int(least)
    elif match["bare"]:
        days, vague = days_ago(match["bare"], 2, 10, now), True
    elif match["while"]:
        days, vague = around(today, -365, -6), True
    elif words := match["rolled"]:
        least, most = count_of(words)
        ahead = STEPS[match["rolls"]] > 0
        days, vague = days_up_to(match["rolling"], most, now, ahead=ahead), least != most
    elif match["past"]:
        days = days_up_to(match["past"], 1, now)
    elif unit := match["before_last"]:
        days = around(today, -2, -1) if unit == "night" else whole_unit(unit, -2, today)
    elif unit := match["whole"]:
        which = _which(match)
        days = said.weekend(start, which) if unit == "weekend" else whole_unit(unit, STEPS[which], today)
    elif match["weekend"]:
        days = said.weekend(start)
    else:
        days, vague = (
            around(today, *{"week": (-28, -3), "month": (-92, -14)}.get(match["other"], (-10, 0))),
            True,
        )
    return NamedDays(start, end, days, vague)


def _read_day(match: re.Match[str], said: SaidText) -> NamedDays:
    word = (match["far"] or match["near"] or match["night"] or "today").split()[0]
    step = {"before": -2, "yesterday": -1, "last": -1, "tomorrow": 1, "after": 2}.get(word, 0)
    days = around(said.today, -30, 1) if match["recent"] else around(said.today, step, step + 1)
    return NamedDays(*match.span(), days, bool(match["recent"]))


def _read_season(match: re.Match[str], said: SaidText) -> NamedDays | None:
    if not (match["which"] or match["year"] or match["year_of"]):
        leads = _leads(match, said)
        if not leads or leads["only"]:
            return None
    return said.yearly(match, season(_SEASONS[match["season"]]), vague=True)


def _read_festival(match: re.Match[str], said: SaidText) -> NamedDays | None:
    row = next(int(name[1:]) for name, found in match.groupdict().items() if found and name[1:].isdigit())
    return said.yearly(match, partial(festival_days, row), vague=is_vague_festival(row))


def count_of(words: str) -> tuple[float, float]:
    """The least and the most that `two`, `a few` or `half a` may be."""
    if words.isdigit():
        return float(words), float(words)
    said = words.split()
    return _COUNTS[next((word for word in said if word in {"half", "couple", "few"}), said[0])]


def _with_plurals(words: str) -> str:
    return " ".join(f"{word} {word}s" for word in words.split("|"))


#: The patterns, how their matches are read, and words of which one stands in whatever they match.
_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], SaidText], NamedDays | None], str], ...] = (
    (_DATE, _read_date, "0 1 2 3 4 5 6 7 8 9"),
    (_MONTH, _read_month, f"{_FULL_MONTHS} sept {' '.join(_MONTHS)}"),
    (_WEEKDAY, _read_weekday, f"{' '.join(_WEEKDAYS)} tues thur thurs {_with_plurals(_FULL_WEEKDAYS)}"),
    (_UNIT, _read_unit, f"{_with_plurals(_UNITS)} while time"),
    (
        _DAY,
        _read_day,
        "today yesterday tonight tomorrow night morning afternoon evening recently lately days long now",
    ),
    (_SEASON, _read_season, "|".join(_SEASONS)),
    (_FESTIVAL, _read_festival, FESTIVAL_WORDS),
)
_BY_WORD: dict[str, tuple[int, ...]] = {}
for _number, _reader in enumerate(_READERS):
    for _word in re.findall("[a-z]+|[0-9]", _reader[2]):
        _BY_WORD[_word] = (*_BY_WORD.get(_word, ()), _number)
_WORDS = late(r"[a-z]+|\d")
