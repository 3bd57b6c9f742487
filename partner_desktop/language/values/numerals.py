"""Numbers written out: `twenty-five`, `a dozen`, `half`, `1.5 million`, `第三`, `三百五十`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from partner_desktop.base.patterns import late

_ONES_WORDS = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
_ONES = {word: value for value, word in enumerate(_ONES_WORDS.split())}
_TENS = {word: 10 * value for value, word in enumerate(_TENS_WORDS.split(), 2)}
_ORDINALS = {word: value for value, word in enumerate(_ORDINAL_WORDS.split(), 1)}
#: Words that multiply what stands before them.
SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "dozen": 12, "k": 10**3, "bn": 10**9, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8,
}  # fmt: skip
_FRACTIONS = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_CHINESE = {word: value for value, word in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}

_WORD = "|".join((*_ONES, *_TENS))
_SCALE = "hundred|thousand|million|billion|trillion|dozen"
_BEFORE_ONE = ("for", "in", "within", "over", "after", "every", "last")
#: Behind these, `a day` is one day; elsewhere it is a rate (`20 miles a day`).
_ONE_OF = "".join(f"(?<={word} )|" for word in _BEFORE_ONE).rstrip("|")
_SPELLED = late(
    r"\b(?:(?P<half>(?:a |an )?(?:half|quarter)(?: an?| of an?)?)"
    r"(?=[\s-](?:hour|day|minute|year|million|dozen)\b)"
    rf"|(?P<number>(?:(?:a |several )?(?:{_SCALE})|(?:{_WORD}))"
    rf"(?:[\s-](?:and )?(?:{_WORD}|{_SCALE})){{0,8}}(?P<plus> and a half)?)"
    rf"|(?:{_ONE_OF})(?P<one>an?)(?= (?:second|minute|hour|day|week|month|year)\b)"
    r"|(?P<couple>a couple(?: of)?)"
    rf"|(?P<ordinal>(?:(?:twenty|thirty)-)?(?:{'|'.join(_ORDINALS)})))\b",
    re.IGNORECASE,
)
_CHINESE_NUMBER = late(
    r"(?P<nth>第)?(?P<digits>[零〇一二两三四五六七八九十百千万亿]{1,12})(?P<half>个?半)?"
    r"(?=个|只|张|份|次|天|小时|分钟|秒|年|月|周|星期|公里|米|元|块|本|条|封|位|人|页|行|字|倍|岁|度|兆"
    r"|[\s,，。？！]|$)"
)


#: How often something happens in a year.
_FREQUENCIES = {
    "daily": 365, "weekly": 52, "biweekly": 26, "fortnightly": 26, "monthly": 12, "quarterly": 4,
    "semiannually": 2, "semi-annually": 2, "biannually": 2, "annually": 1, "yearly": 1,
}  # fmt: skip
_FREQUENCY = late(rf"\b(?:{'|'.join(_FREQUENCIES)})\b", re.IGNORECASE)


def find_frequencies(text: str) -> Iterator[Numeral]:
    """`quarterly` → four times a year."""
    for match in _FREQUENCY.finditer(text):
        yield Numeral(match.start(), match.end(), Decimal(_FREQUENCIES[match.group().lower()]))


@dataclass(frozen=True)
class Numeral:
    """`text[start:end]` says `value`."""

    start: int
    end: int
    value: Decimal
    ordinal: bool = False


def find_numerals(text: str) -> Iterator[Numeral]:
    """The written-out numbers of a text."""
    for match in _SPELLED.finditer(text):
        yield Numeral(match.start(), match.end(), _english(match), ordinal=bool(match["ordinal"]))
    for match in _CHINESE_NUMBER.finditer(text):
        value = chinese(match["digits"]) + (Decimal("0.5") if match["half"] else 0)
        yield Numeral(match.start(), match.end(), value, ordinal=bool(match["nth"]))


def _english(match: re.Match[str]) -> Decimal:
    if match["half"]:
        return next(value for word, value in _FRACTIONS.items() if word in match["half"].lower())
    if match["one"]:
        return Decimal(1)
    if match["couple"]:
        return Decimal(2)
    if match["ordinal"]:
        tens, _, last = match["ordinal"].lower().rpartition("-")
        return Decimal(_TENS.get(tens, 0) + _ORDINALS[last])
    value = _cardinal(match["number"].lower())
    return value + Decimal("0.5") if match["plus"] else value


def _cardinal(text: str) -> Decimal:
    total, current = 0, 0
    for word in re.split(r"[\s-]+", text):
        if word in SCALES:
            current = max(current, 1) * SCALES[word]
            if SCALES[word] >= SCALES["thousand"]:
                total, current = total + current, 0
        else:
            current += _ONES.get(word, _TENS.get(word, 0))
    return Decimal(total + current)


def chinese(text: str) -> Decimal:
    """The value of Chinese numerals, with place words or digit by digit (`二〇二五`)."""
    if not re.search(r"[十百千万亿]", text):
        return Decimal("".join(str(_CHINESE[letter]) for letter in text))
    total, section, digit = 0, 0, 0
    for letter in text:
        if letter in _CHINESE:
            digit = _CHINESE[letter]
        elif letter in "十百千":
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[letter]
            digit = 0
        else:
            total = (total + section + digit) * SCALES[letter]
            section = digit = 0
    return Decimal(total + section + digit)
