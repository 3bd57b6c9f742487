"""Numbers in a message: digits or words, with sign, scale, unit and currency."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from partner_desktop.base.patterns import late
from partner_desktop.language.spans import SCAN_LIMIT, SpanKind, find_spans
from partner_desktop.language.values.numerals import SCALES, find_frequencies, find_numerals
from partner_desktop.language.values.units import UNITS, meanings

#: No request has more numbers.
_MOST = 40
_NUMBER = late(
    r"(?:(?<![A-Za-z0-9_.^])(?<!\*\*)|(?<=\dx)|(?<=\dX))(?:(?<![\w)\]])(?P<sign>[-−+])\s?)?(?P<money>[$€£¥]\s?)?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<power>[eE][+-]?\d+)?(?P<ordinal>(?:st|nd|rd|th)\b)?"
)
_SCALE = late(
    r"\s?(?P<scale>million|billion|trillion|thousand|hundred|dozen|[百千万亿])|(?P<k>bn)\b", re.IGNORECASE
)
_LATIN_UNIT = late(
    r"[\s\-个]?(?P<unit>[A-Za-zµ]+(?:[²³]|\^[23]|/[A-Za-z]+(?:\^?[2²])?)?|[%％$€£]|°\s?[CFcf]?|℃|℉|[一-鿿]{1,4})",
    re.IGNORECASE,
)
_PERIOD = late(
    r"\b(?:next|past|last|coming|previous)\s{1,9}(?P<unit>week|month|quarter|year|decade|hour|day)\b",
    re.IGNORECASE,
)
#: The unit of a number that is said as an adverb.
PER_YEAR = "per year"
#: What may directly follow a number that is one of its own.
_ENDS = late(r"(?![A-Za-z0-9_^*]|\.\d)|[xX×]\s?\d")


@dataclass(frozen=True)
class Quantity:
    """`text[start:end]` says `value`, of `unit` where it has one (as written, lower-cased)."""

    start: int
    end: int
    value: Decimal
    unit: str = ""
    ordinal: bool = False
    bare: bool = True
    """Digits alone: no sign, scale, currency or separator; may be a year."""
    worded: bool = False
    number_end: int = 0
    """Where the number ends and its unit begins."""

    @property
    def dimensions(self) -> frozenset[str]:
        return frozenset(unit.dimension for unit in meanings(self.unit))

    @property
    def is_year(self) -> bool:
        return self.bare and not self.unit and 1000 <= self.value <= 2200 and self.value == int(self.value)


@lru_cache(maxsize=64)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """The numbers of a text that are no part of an address, a path or a code, in order."""
    text = text[:SCAN_LIMIT]
    closed = [
        (span.start, span.end)
        for span in find_spans(text)
        if span.kind in (SpanKind.URL, SpanKind.EMAIL, SpanKind.PATH)
        or (span.kind is SpanKind.QUOTE and re.search(r"[^\W\d]{2}", span.value))
    ]
    found = [*_digits(text), *_words(text), *_implied(text)]
    free: list[Quantity] = []
    for quantity in found[: 2 * _MOST]:
        if all(quantity.end <= start or quantity.start >= end for start, end in closed):
            free.append(quantity)
            closed.append((quantity.start, quantity.end))
    return tuple(sorted(free, key=lambda quantity: quantity.start)[:_MOST])


def _digits(text: str) -> Iterator[Quantity]:
    for match in _NUMBER.finditer(text):
        value = Decimal(match["digits"].replace(",", "") + (match["power"] or ""))
        scale = _SCALE.match(text, match.end())
        end = match.end()
        if scale:
            value *= SCALES[(scale["scale"] or scale["k"]).lower()]
            end = scale.end()
        unit, end = _unit(text, end)
        if not unit and not _ENDS.match(text, end):
            continue
        sign = match["sign"] if _signed(text, match) else ""
        bare = not (scale or sign or match["money"] or "," in match["digits"])
        yield Quantity(
            match.start() if sign or not match["sign"] else match.start("digits"),
            end,
            -value if sign in {"-", "−"} else value,
            unit=(match["money"] or "").strip() or unit,
            ordinal=bool(match["ordinal"]),
            bare=bare,
            number_end=scale.end() if scale else match.end(),
        )


def _signed(text: str, match: re.Match[str]) -> bool:
    """Whether the dash is a minus: nothing to subtract from stands before it."""
    if not match["sign"]:
        return False
    before = text[: match.start()].rstrip()
    return match.start() == len(before) or not re.search(r"\d$", before)


def _unit(text: str, position: int) -> tuple[str, int]:
    """The unit behind a number, and where it ends."""
    match = _LATIN_UNIT.match(text, position)
    if match is None:
        return "", position
    word = match["unit"].lower().replace(" ", "")
    lone = text[position : position + 1] in {" ", "-"} and word in {"in", "m", "us", "s", "d", "t", "b", "a"}
    if "/" in word and word not in UNITS and position + 1 > match.start("unit"):
        return "", match.end()  # `5J/K`: a unit that is not known is still none of the number
    if (
        word in UNITS
        and not (lone and word == "in")
        and (not word[-1:].isalnum() or not text[match.end() : match.end() + 1].isalnum())
    ):
        return word, match.end()
    for length in (3, 2, 1):  # Chinese has no blanks: the longest unit that fits
        if "一" <= word[:1] <= "鿿" and word[:length] in UNITS:
            return word[:length], match.start("unit") + length
    return "", position


def _implied(text: str) -> Iterator[Quantity]:
    """Numbers that are not said as such: `the next week` is one week, `quarterly` four times a year."""
    for match in _PERIOD.finditer(text):
        yield Quantity(match.start(), match.end(), Decimal(1), match["unit"].lower(), bare=False, worded=True)
    for numeral in find_frequencies(text):
        yield Quantity(numeral.start, numeral.end, numeral.value, PER_YEAR, bare=False, worded=True)


def _words(text: str) -> Iterator[Quantity]:
    for numeral in find_numerals(text):
        unit, end = _unit(text, numeral.end)
        yield Quantity(
            numeral.start, end, numeral.value, unit=unit, ordinal=numeral.ordinal, bare=False, worded=True,
            number_end=numeral.end,
        )  # fmt: skip
