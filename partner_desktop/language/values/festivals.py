"""Days of the year that have a name: `Christmas`, `春节`, and seasons and school holidays, which are longer.

A row has a pattern of the English names and one of the Chinese, month and day, how many days around it
people mean by the name, and whether that is a guess. Days of the lunar calendar move by a month from year to
year: their row is the window of the solar year in which they can lie.
"""

from __future__ import annotations

from datetime import date, timedelta

#: Names, month, day, days before, days after, vague.
_FIXED: tuple[tuple[str, str, int, int, int, int, bool], ...] = (
    ("(?:christmas|xmas) eve", "平安夜", 12, 24, 0, 0, False),
    ("(?:christmas|xmas) day", "", 12, 25, 0, 0, False),
    ("(?<=over )(?:christmas|xmas)|christmas (?:holidays?|break|time)|the holidays|the holiday season", "",
        12, 25, 5, 7, True),
    ("christmas|xmas", "", 12, 25, 0, 1, True),
    ("", "圣诞节?", 12, 25, 1, 1, True),
    ("boxing day", "", 12, 26, 0, 0, False),
    (
        "(?:chinese|lunar) new year|spring festival",
        "春节|过年|大年初[一二三]|除夕|年三十",
        2,
        5,
        16,
        17,
        True,
    ),
    ("new year'?s eve", "跨年夜?", 12, 31, 0, 0, False),
    ("new year'?s day", "", 1, 1, 0, 0, False),
    ("new year'?s?(?! resolution)", "元旦", 1, 1, 1, 2, True),
    ("lantern festival", "元宵节?", 2, 19, 16, 17, True),
    ("valentine'?s?(?: day)?", "情人节", 2, 14, 0, 0, False),
    ("(?:international )?women's day", "妇女节|三八节", 3, 8, 0, 0, False),
    (r"(?:st\.?|saint) patrick'?s day", "", 3, 17, 0, 0, False),
    ("april fools'?(?: day)?", "愚人节", 4, 1, 0, 0, False),
    ("qingming(?: festival)?|tomb[- ]sweeping day", "清明节?", 4, 5, 1, 1, True),
    ("may day", "五一(?:劳动节|假期|长假|节)?|劳动节", 5, 1, 0, 4, True),
    ("children's day", "六一(?:儿童节|节)?|儿童节", 6, 1, 0, 0, False),
    ("dragon boat festival", "端午节?", 6, 11, 14, 14, True),
    ("pride month", "", 6, 1, 0, 29, False),
    ("juneteenth", "", 6, 19, 0, 0, False),
    ("canada day", "", 7, 1, 0, 0, False),
    ("independence day|the fourth of july", "", 7, 4, 0, 0, False),
    ("bastille day", "", 7, 14, 0, 0, False),
    ("", "七夕节?", 8, 15, 15, 15, True),
    ("", "教师节", 9, 10, 0, 0, False),
    ("mid-?autumn(?: festival)?|moon festival", "中秋节?", 9, 22, 15, 16, True),
    (
        "golden week|(?:chinese )?national day",
        "国庆节?(?:长假|假期)?|十一(?:长假|假期|黄金周)",
        10,
        1,
        0,
        6,
        True,
    ),
    ("", "重阳节?", 10, 17, 15, 15, True),
    ("halloween", "万圣节", 10, 31, 0, 0, False),
    ("guy fawkes(?: night)?|bonfire night", "", 11, 5, 0, 0, False),
    ("singles' day", "双十一|双11", 11, 11, 0, 0, False),
    ("", "寒假", 2, 1, 20, 27, True),
    ("", "暑假", 8, 1, 31, 31, True),
)  # fmt: skip
#: Names, month, which one of the month (0 is the last), weekday, days after, vague.
_OF_MONTH: tuple[tuple[str, str, int, int, int, int, bool], ...] = (
    ("mother's day", "母亲节", 5, 2, 6, 0, False),
    ("memorial day", "", 5, 0, 0, 0, False),
    ("father's day", "父亲节", 6, 3, 6, 0, False),
    ("labou?r day", "", 9, 1, 0, 0, False),
    ("thanksgiving(?: day)?", "感恩节", 11, 4, 3, 3, True),
    ("black friday", "黑色星期五|黑五", 11, 4, 4, 0, False),
)
_EASTER = ("easter(?: sunday)?", "复活节")

#: The English and the Chinese names as patterns (empty where there is none), each pair by its number.
FESTIVAL_NAMES = (*(row[:2] for row in _FIXED), *(row[:2] for row in _OF_MONTH), _EASTER)
#: Of each English name one of these words, or of these pairs, is a part.
FESTIVAL_WORDS = """
    christmas xmas holidays boxing valentine valentines patrick fools qingming tomb festival juneteenth
    independence fourth bastille autumn golden bonfire fawkes halloween thanksgiving easter
"""
FESTIVAL_PAIRS = (
    "new year", "may day", "black friday", "women's day", "children's day", "mother's day", "father's day",
    "memorial day", "labor day", "labour day", "canada day", "national day", "singles' day", "pride month",
)  # fmt: skip


def festival_days(festival: int, year: int) -> tuple[date, date]:
    """The first day of a festival in a year and the day after its last. Raises: ValueError, OverflowError."""
    if festival < len(_FIXED):
        _, _, month, number, before, after, _ = _FIXED[festival]
        day = date(year, month, number)
    elif festival < len(_FIXED) + len(_OF_MONTH):
        _, _, month, which, weekday, after, _ = _OF_MONTH[festival - len(_FIXED)]
        before, day = 0, _weekday_of_month(year, month, which, weekday)
    else:
        before, after, day = 2, 1, _easter(year)  # from Good Friday to Easter Monday
    return day - timedelta(before), day + timedelta(after + 1)


def is_vague_festival(festival: int) -> bool:
    """Whether the days of the festival are a guess."""
    rows = (*_FIXED, *_OF_MONTH)
    return rows[festival][-1] if festival < len(rows) else False


def _weekday_of_month(year: int, month: int, which: int, weekday: int) -> date:
    if which:
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (which - 1))
    last = date(year, month + 1, 1) - timedelta(1)
    return last - timedelta((last.weekday() - weekday) % 7)


def _easter(year: int) -> date:
    """Easter Sunday, after the "anonymous Gregorian" computus (Nature, 20 April 1876)."""
    century, in_century = divmod(year, 100)
    moon = (19 * (year % 19) + century - century // 4 - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * (century % 4) + 2 * (in_century // 4) - moon - in_century % 4) % 7
    late = (year % 19 + 11 * moon + 22 * sunday) // 451
    month, day = divmod(moon + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)
