"""Numbers in a message: digits or words, with sign, scale, unit and currency.

Numbers written out: `twenty-five`, `a dozen`, `half`, `1.5 million`, `第三`, `三百五十`.

A unit tells what it measures, and how one becomes another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.rule_table import language_data, rule_table
from partner_desktop.language.spans import SCAN_LIMIT, SpanKind, find_spans

#: Dimensions whose numbers are names, not factors: 5 € are not 10 $.
_UNSCALED = frozenset({"temperature", "money"})
#: Seconds in a month and in a year as the table has them; of the two, twelve are one to the day.
_MONTH, _YEAR, _YEAR_MONTHS = 2_592_000, 31_536_000, 12
#: Written without a number, a single letter or a word of grammar is no unit.
_TOO_SHORT = 2


@dataclass(frozen=True)
class Unit:
    """One unit: what it measures and how many of the base unit it is."""

    name: str
    dimension: str
    factor: Decimal


def _units() -> Mapping[str, Sequence[Unit]]:
    found: dict[str, list[Unit]] = {}
    for dimension, rows in _TABLE["units"].items():
        for row in rows:
            names, _, factor = row.partition(" = ")
            for name in names.split():
                found.setdefault(name, []).append(Unit(name, dimension, Decimal(factor)))
    return found


_TABLE = language_data("units")
_NOT_ALONE = frozenset(_TABLE["not_alone"].split())
UNITS = _units()
#: What Chinese numbers count or measure, as a pattern.
COUNTED = "|".join(
    sorted({*_TABLE["counters"].split(), *(name for name in UNITS if name >= "一")}, key=len, reverse=True)
)
#: Words of a parameter → what it measures.
DIMENSION_WORDS: Mapping[str, str] = {
    word: dimension for dimension, words in _TABLE["asked"].items() for word in words.split()
}


def meanings(word: str) -> Sequence[Unit]:
    """What a unit's name may mean (`m`: a metre, or a million bytes)."""
    return UNITS.get(word.lower(), ())


@lru_cache(maxsize=512)
def asked_units(name: str, description: str) -> tuple[Unit, ...]:
    """The units that a parameter's name (`timeout_s`) or description (`in meters`) states, surest first."""
    suffix = re.split(r"[_\-]", name)[-1].lower() if len(name) >= _TOO_SHORT else ""
    found = (
        list(meanings(suffix)) if suffix not in {"in", "d", "g", "t", "b", "c", "second", "v", "n"} else []
    )
    for match in re.finditer(r"[A-Za-z]+(?:/[A-Za-z]+(?:\^?[2²])?)?|%|°[CF]?|[一-鿿]+", description[:400]):
        word = match.group().lower()
        usable = "/" in word or len(word) > _TOO_SHORT or _after_in(description, match.start())
        if usable and word not in _NOT_ALONE:
            found += meanings(word) or _unit_at_end(word)
    return tuple(found)


def _unit_at_end(words: str) -> Sequence[Unit]:
    """The unit that Chinese words end with: `喝了多少毫升`."""
    ends = (words[-length:] for length in (3, 2) if not words.isascii())
    return next((UNITS[end] for end in ends if end in UNITS), ())


def _after_in(description: str, position: int) -> bool:
    return bool(re.search(r"(?:\bin |\(|, )$", description[max(0, position - 4) : position]))


def converted(value: Decimal, unit: str, asked: tuple[Unit, ...]) -> Decimal:
    """The value in the first asked unit of the same dimension; as it is where none is asked."""
    pairs = ((have, want) for want in asked for have in meanings(unit) if have.dimension == want.dimension)
    have, want = next(pairs, (None, None))
    if have is None or want is None or have.factor == want.factor:
        return value
    if have.dimension in _UNSCALED:
        return _temperature(value, have.factor, want.factor) if have.dimension == "temperature" else value
    if have.dimension == "time" and (months := _months(have)) and (others := _months(want)):
        return (value * months / others).quantize(Decimal("1e-9")).normalize()
    return (value * have.factor / want.factor).quantize(Decimal("1e-9")).normalize()


def _months(unit: Unit) -> int:
    """How many months a unit is; 0: it is none of whole months."""
    years, rest = divmod(int(unit.factor), _YEAR)
    if years and not rest:
        return years * _YEAR_MONTHS
    months, rest = divmod(int(unit.factor), _MONTH)
    return 0 if rest else months


def _temperature(value: Decimal, have: Decimal, want: Decimal) -> Decimal:
    celsius = {1: value, 2: (value - 32) * 5 / 9, 3: value - Decimal("273.15")}[int(have)]
    wanted = {1: celsius, 2: celsius * 9 / 5 + 32, 3: celsius + Decimal("273.15")}[int(want)]
    return wanted.quantize(Decimal("0.01"))


_ENGLISH, _CHINESE_RULES = rule_table("numbers", "en"), rule_table("numbers", "zh")
_WRITTEN = {name: words.split() for name, words in _ENGLISH.section("words").items()}
_ONES = {word: value for value, word in enumerate(_WRITTEN["one"])}
_TENS = {word: 10 * value for value, word in enumerate(_WRITTEN["ten"], 2)}
_ORDINALS = {word: value for value, word in enumerate(_WRITTEN["ordinal"], 1)}
#: Words that multiply what stands before them.
SCALES = {
    word: int(scale)
    for table in (_ENGLISH, _CHINESE_RULES)
    for word, scale in table.section("scales").items()
}
_FRACTIONS = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_CHINESE = {word: value for value, word in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_SPELLED = _ENGLISH["spelled"]
_CHINESE_NUMBER, _TENTHS = (_CHINESE_RULES.each(rule, counted=COUNTED)[0] for rule in ("spelled", "tenths"))
_DIVIDED = frozenset("块米元")
_FREQUENCIES = _ENGLISH.section("frequencies")
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
        value = chinese(match["digits"] or "零")
        value += Decimal("0.5") if match["half"] or match["only_half"] else 0
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
    """The value of Chinese numerals, with place words or digit by digit (`二〇二五`); `两百五` is 250."""
    if not re.search(r"[十百千万亿]", text):
        return Decimal("".join(str(_CHINESE[letter]) for letter in text))
    if text[-1] in _CHINESE and text[-2] in "百千万亿":
        return chinese(text[:-1]) + _CHINESE[text[-1]] * Decimal(SCALES[text[-2]]) / 10
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


def whole_number(words: str) -> int:
    """`12`, `twelve` and `十二`. Raises: KeyError where digits stand among words."""
    return int(words) if words.isdecimal() else int(_cardinal(words) if words.isascii() else chinese(words))


#: No request has more numbers.
_MOST = 40
_NUMBER = late(
    r"(?:(?<![A-Za-z0-9_.^])(?<!\*\*)|(?<=\dx)|(?<=\dX))(?:(?:(?<![\w)\]])(?P<sign>[-−+])|(?P<below>零下|负))\s?)?(?P<money>[$€£¥]\s?)?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?!,?\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<power>[eE][+-]?\d+)?(?P<ordinal>(?:st|nd|rd|th)\b)?"
)
_SCALE = late(
    r"\s?(?P<scale>million|billion|trillion|thousand|hundred|dozen|[百千万亿])|(?P<k>bn)\b", re.IGNORECASE
)
_LATIN_UNIT = late(
    r"[\s\-个]?(?P<unit>[A-Za-zµ]+(?:[²³]|\^[23]|/[A-Za-z]+(?:\^?[2²])?)?|[%％$€£]|°\s?[CFcf]?|℃|℉|[一-鿿]{1,4})",
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
        tenths, end = _tenths(text, unit, end)
        sign = match["sign"] if _signed(text, match) else ""
        below = sign in {"-", "−"} or bool(match["below"])
        bare = not (scale or sign or below or match["money"] or "," in match["digits"])
        yield Quantity(
            match.start() if sign or not match["sign"] else match.start("digits"),
            end,
            -value - tenths if below else value + tenths,
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
    if match["unit"] == "K" and match.start("unit") > position:
        return "kelvin", match.end()
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


def _tenths(text: str, unit: str, end: int) -> tuple[Decimal, int]:
    """What is said behind a unit of its tenths, and where that ends."""
    match = _TENTHS.match(text, end) if unit in _DIVIDED else None
    if match is None:
        return Decimal(0), end
    said = match["tenths"]
    digits = said if said.isascii() else str(chinese(said))
    return Decimal(f"0.{digits}"), match.end()


def _implied(text: str) -> Iterator[Quantity]:
    """Numbers that are not said as such: `the next week` is one week, `quarterly` four times a year."""
    for match in _ENGLISH["period"].finditer(text):
        yield Quantity(match.start(), match.end(), Decimal(1), match["unit"].lower(), bare=False, worded=True)
    for numeral in find_frequencies(text):
        yield Quantity(numeral.start, numeral.end, numeral.value, PER_YEAR, bare=False, worded=True)


def _words(text: str) -> Iterator[Quantity]:
    for numeral in find_numerals(text):
        unit, end = _unit(text, numeral.end)
        tenths, end = _tenths(text, unit, end)
        yield Quantity(
            numeral.start, end, numeral.value + tenths, unit=unit, ordinal=numeral.ordinal, bare=False,
            worded=True, number_end=numeral.end,
        )  # fmt: skip
