"""Times as Chinese says them: `上周二`, `三天前`, `去年夏天`, `五月初`, `国庆`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from functools import partial
from itertools import islice

from partner_desktop.base.patterns import late
from partner_desktop.language.values.day_ranges import (
    MOST_TIMES,
    Days,
    InYear,
    NamedDays,
    SaidText,
    around,
    days_ago,
    days_later,
    days_up_to,
    decade,
    season,
    third,
    whole_month,
    whole_unit,
    whole_years,
)
from partner_desktop.language.values.festivals import FESTIVAL_NAMES, festival_days, is_vague_festival
from partner_desktop.language.values.quantities import chinese

_DIGITS = r"\d零〇一二两三四五六七八九十"
_D = rf"[{_DIGITS}]{{1,3}}"
#: A number as it stands before a unit, and the units.
CHINESE_COUNT = r"(?:\d{1,4}|好几|十几|[一二两三四五六七八九十百]{1,5}|几|数|半)"
CHINESE_UNITS = {
    "天": "day", "日": "day", "晚": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month",
    "年": "year", "小时": "hour", "钟头": "hour", "分钟": "minute", "季度": "quarter",
}  # fmt: skip
_U = f"(?:{'|'.join(CHINESE_UNITS)})"
#: `六个月前` is six months ago, `六月前` before June.
_WHOLE_U = _U.replace("月", "(?<=[个半])月")
_THIRD = r"(?P<third>[上中下]旬|[初中底末]|份)?"
_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_SEASONS = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_OPEN = {
    "几": (2, 6), "数": (2, 6), "好几": (3, 9), "十几": (11, 19), "半": (0.5, 0.5), "两三": (2, 3),
    "三四": (3, 4), "三五": (3, 5), "四五": (4, 5), "五六": (5, 6),
}  # fmt: skip
#: `前几天` as a time of its own, and not behind what it would count from: `婚礼前两天`.
_ALONE = r"(?<![^\s，。？！,.?!：“我你您他她们在就是])"
_STANDS_ALONE = late(_ALONE)

# Each pattern begins with the signs that can stand first, or it would try all its branches everywhere.
_DAY = late(
    r"(?=[大前后昨今明刚最近这不])(?:(?P<word>大前天|大后天|[前昨今明后]天|[昨今]日|[昨前今明]晚|昨夜|今[早晨]|明早|刚才|刚刚)"
    rf"|(?P<recent>最近(?!{CHINESE_COUNT}个?{_U})|近来|近日|近期)|(?P<these>这(?:几|两|些)天)"
    rf"|{_ALONE}(?P<few>前(?:几|些|两)天)|{_ALONE}(?P<lately>不久前|前不久|前阵子|前一阵子?|前段时间|前一段时间)"
    rf"|{_ALONE}前几个?(?P<several>周|星期|月|年))"
)
_WEEK = late(
    r"(?=[上下这本前周星礼])(?:(?<![一二两三四五六七八九十每几半\d])(?P<which>上上|上|这|本|下下|下)?(?:一?个)?(?:周|星期|礼拜)"
    r"(?P<day>[一二三四五六日天末])(?![次个遍篇百年])"
    rf"|(?P<whole>上上|上|这|本|下下|下)一?个?(?P<unit>周(?![岁年])|星期|礼拜|月|季度){_THIRD}"
    rf"(?:的?(?P<number>{_D})[日号])?|{_ALONE}(?P<month>前个月))"
)
_AGO = late(
    rf"(?=[最近过这好几数半百{_DIGITS}])(?:(?:最近|过去|近|这)的?(?P<rolled>{CHINESE_COUNT})个?(?P<rolling>{_WHOLE_U})(?!前)"
    rf"|(?P<n>{CHINESE_COUNT})(?P<half>个半)?个?(?P<unit>{_WHOLE_U})(?P<plus>[多半])?"
    r"(?:之前|以前|前|(?P<later>之?后|以后))(?!天))"
)
_FESTIVALS = "|".join(f"(?P<f{row}>{names[1]})" for row, names in enumerate(FESTIVAL_NAMES) if names[1])
_FIRST = "".join(sorted({part[0] for names in FESTIVAL_NAMES for part in names[1].split("|") if part}))
_YEARLY = (
    rf"(?P<month>{_D})月{_THIRD}(?:的?(?P<day>{_D})(?:[日号](?:[-–—到至](?P<last>{_D})[日号])?"
    rf"|[-–—到至](?P<until>{_D})[日号]))?"
    r"|(?P<season>[春夏秋冬])[天季]|(?P<edge>年[初中底末])"
)
_DATE = late(
    rf"(?=[大前去今明后{_DIGITS}])(?:"
    r"(?:(?P<in>\d{4}|[零〇一二三四五六七八九]{4}|(?<!\d)\d\d(?=年\d{1,2}月))年|(?P<of>大前年|[前去今明后]年))"
    rf"(?:的?(?:{_YEARLY.replace('年[初', '年?[初')}|{_FESTIVALS}))?"
    rf"|(?<![{_DIGITS}月第])(?P<lone>{_D})号(?![线楼门院店厅台桌房球机馆码])"
    r"|(?P<decade>[五六七八九]十|\d0)年代)"
)
_DATE_OF_ANY_YEAR = late(rf"(?=[春夏秋冬年{_DIGITS}{_FIRST}])(?<![{_DIGITS}年])(?:{_YEARLY}|{_FESTIVALS})")


def chinese_times(said: SaidText) -> Iterator[NamedDays]:
    """The times that the patterns find; they may overlap."""
    if not _SIGNS.search(said.text):
        return
    for pattern, read in _READERS:
        for match in islice(pattern.finditer(said.text), MOST_TIMES):
            with suppress(ValueError, OverflowError, KeyError):  # no day on the calendar
                if found := read(match, said):
                    yield found


def _number(words: str) -> int:
    """`12` and `十二`. Raises: KeyError where they are mixed."""
    return int(words) if words.isdecimal() else int(chinese(words))


def chinese_count(words: str) -> tuple[float, float]:
    """The least and the most that `两` or `几` may be."""
    number = 0 if words in _OPEN else _number(words)
    return _OPEN.get(words, (number, number))


def _read_day(match: re.Match[str], said: SaidText) -> NamedDays:
    span, today = match.span(), said.today
    if word := match["word"]:
        steps = {"大前": -3, "大后": 3, "前": -2, "昨": -1, "明": 1, "后": 2}
        step = steps.get(word[:2], steps.get(word[0], 0))
        return NamedDays(*span, around(today, step, step + 1))
    if unit := match["several"]:
        return NamedDays(*span, days_ago(CHINESE_UNITS[unit], 1, 6, said.now), vague=True)
    wide = {"recent": (-30, 1), "these": (-7, 1), "few": (-10, 0), "lately": (-92, -2)}[match.lastgroup or ""]
    return NamedDays(*span, around(today, *wide), vague=True)


def _read_week(match: re.Match[str], said: SaidText) -> NamedDays | None:
    span, today = match.span(), said.today
    if match["month"]:
        return NamedDays(*span, whole_month(today.year, today.month - 2))
    if name := match["day"]:
        day, weekend = min("一二三四五六日天".find(name), 6), name == "末"
        if not match["which"]:
            return NamedDays(
                *span,
                said.weekend(span[0]) if weekend else said.weekday(day, span[0]),
                is_weekday=not weekend,
            )
        steps = _STEPS[match["which"]]
        days = whole_unit("weekend" if weekend else "week", steps, today)
        return NamedDays(*span, days if weekend else around(days[0], day, day + 1), is_weekday=not weekend)
    days = whole_unit(CHINESE_UNITS[match["unit"]], _STEPS[match["whole"]], today)
    if match["number"]:
        number = _number(match["number"])
        found = around(days[0], number - 1, number)
        return NamedDays(*span, found) if days[0] <= found[0] < days[1] else None
    return NamedDays(*span, *_third(days, match["third"]))


def _third(days: Days, which: str | None) -> tuple[Days, bool]:
    """A third of the days, where one is named, and whether that is a guess."""
    if not which or which == "份":
        return days, False
    return third(days, {"初": 0, "上": 0, "中": 1}.get(which[0], 2)), "旬" not in which


def _read_ago(match: re.Match[str], said: SaidText) -> NamedDays | None:
    if match["rolled"]:
        least, most = chinese_count(match["rolled"])
        days = days_up_to(CHINESE_UNITS[match["rolling"]], most, said.now)
        return NamedDays(*match.span(), days, least != most)
    if match["later"] and not _STANDS_ALONE.match(said.text, match.start()):
        return None  # `搬家三天后`
    least, most = chinese_count(match["n"])
    if match["half"] or match["plus"] == "半":
        least, most = least + 0.5, most + 0.5
    vague = least != most or least != int(least) or match["plus"] == "多"
    most += match["plus"] == "多"
    sign = -1 if match["later"] else 1
    low, high = sorted((least * sign, most * sign))
    return NamedDays(*match.span(), days_ago(CHINESE_UNITS[match["unit"]], low, high, said.now), vague)


def _read_date(match: re.Match[str], said: SaidText) -> NamedDays | None:
    span = match.span()
    if match["lone"]:
        found = said.day_of_month(_number(match["lone"]))
        return NamedDays(*span, found) if found else None
    if match["decade"]:
        return NamedDays(*span, decade(_number(match["decade"])))
    if match["of"]:
        year = said.today.year + _YEARS[match["of"]]
    else:
        year = _number(match["in"]) + (2000 if len(match["in"]) == 2 else 0)
    in_year, vague = _in_year(match)
    days = in_year(year)
    return NamedDays(*span, days, vague, in_year)


def _read_date_of_any_year(match: re.Match[str], said: SaidText) -> NamedDays | None:
    in_year, vague = _in_year(match)
    return said.yearly(match, in_year, vague=vague)


def _in_year(match: re.Match[str]) -> tuple[InYear, bool]:
    """The days of what the match names, by the year, and whether they are a guess."""
    if match["season"]:
        return season(_SEASONS[match["season"]]), True
    if edge := match["edge"]:
        first, last = {"初": (1, 2), "中": (5, 8)}.get(edge[-1], (11, 12))
        return (lambda year: (whole_month(year, first)[0], whole_month(year, last)[1])), True
    if match["month"]:
        month, part = _number(match["month"]), match["third"]
        if not 1 <= month <= 12:
            raise ValueError(month)
        if not match["day"]:
            _, vague = _third(whole_month(2000, month), part)
            return (lambda year: _third(whole_month(year, month), part)[0]), vague
        day, until = _number(match["day"]), _number(match["last"] or match["until"] or match["day"])
        return (lambda year: (date(year, month, day), days_later(date(year, month, until), 1))), False
    for row in range(len(FESTIVAL_NAMES)):
        if FESTIVAL_NAMES[row][1] and match[f"f{row}"]:
            return partial(festival_days, row), is_vague_festival(row)
    return (lambda year: whole_years(year, year)), False


_READERS = (
    (_DAY, _read_day),
    (_WEEK, _read_week),
    (_AGO, _read_ago),
    (_DATE, _read_date),
    (_DATE_OF_ANY_YEAR, _read_date_of_any_year),
)
#: One of these stands in every such time.
_SIGNS = late(
    r"[天日晚夜早晨刚近久前周星期礼月年后号季节春夏秋冬]|圣诞|平安|元[旦宵]|五一|六一|国庆|双[十1]|清明|端午|中秋|七夕|重阳|[寒暑]假|除夕|黑五|三十"
)
