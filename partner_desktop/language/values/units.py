"""Units of measure: what a unit measures, and how one becomes another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

_TABLE = """
time: nanosecond nanoseconds ns = 1e-9; microsecond microseconds µs us = 1e-6
time: millisecond milliseconds ms 毫秒 = 0.001
time: second seconds sec secs s 秒 秒钟 = 1
time: minute minutes min mins 分钟 分 = 60; hour hours hr hrs h 小时 = 3600
time: day days d 天 日 = 86400; night nights = 86400; week weeks wk wks 周 星期 = 604800
time: month months 个月 月 = 2592000; quarter quarters = 7776000; year years yr yrs 年 = 31536000
time: decade decades = 315360000; century centuries = 3153600000
length: nanometer nanometers nm = 1e-9; micrometer micrometers micron microns = 1e-6
length: millimeter millimeters mm 毫米 = 0.001
length: centimeter centimeters cm 厘米 = 0.01; meter meters metre metres m 米 = 1; kilometer kilometers = 1000
length: kilometre kilometres km 公里 千米 = 1000; inch inches in = 0.0254; foot feet ft = 0.3048
length: yard yards yd = 0.9144
length: mile miles mi 英里 = 1609.344
mass: milligram milligrams mg = 0.001; gram grams g 克 = 1
mass: kilogram kilograms kg kgs kilo kilos 公斤 千克 = 1000
mass: tonne tonnes ton tons = 1000000; pound pounds lb lbs 磅 = 453.59237; ounce ounces oz = 28.349523125
volume: milliliter milliliters ml 毫升 = 0.001; liter liters litre litres l 升 = 1
volume: gallon gallons gal = 3.785411784
speed: m/s mps meters/second = 1; km/h kmh kph = 0.2777777777777778; mph = 0.44704
speed: knot knots = 0.5144444444444444
acceleration: m/s^2 m/s² m/s2 meters/second^2 = 1
data: bit bits = 0.125; byte bytes b 字节 = 1; kb kilobyte kilobytes k = 1e3; mb megabyte megabytes m 兆 = 1e6
data: gb gigabyte gigabytes g = 1e9; tb terabyte terabytes t = 1e12; kib = 1024; mib = 1048576
data: gib = 1073741824
data: tib = 1099511627776
energy: joule joules j = 1; kj kilojoule kilojoules = 1e3; calorie calories cal = 4.184; kcal = 4184
energy: kwh = 3.6e6
force: newton newtons n = 1; kn = 1e3
power: watt watts w = 1; kw kilowatt kilowatts = 1e3; megawatt megawatts = 1e6
voltage: volt volts v = 1; kv = 1e3
current: ampere amperes amp amps = 1; ma milliamp milliamps = 0.001
resistance: ohm ohms Ω = 1
pressure: pascal pascals pa = 1; kpa = 1e3; atm atmosphere atmospheres = 101325; bar bars = 1e5
area: m^2 m² sqm = 1; km^2 km² = 1e6; hectare hectares = 1e4; acre acres = 4046.8564224
cubic: m^3 m³ = 1; cm^3 cm³ = 1e-6
pixels: pixel pixels px 像素 = 1
angle: degree degrees deg ° 度 = 1; radian radians rad = 57.29577951308232
frequency: hz hertz = 1; khz = 1e3; mhz = 1e6; ghz = 1e9
temperature: celsius °c ℃ 摄氏度 = 1; fahrenheit °f ℉ 华氏度 = 2; kelvin = 3
share: % percent per cent pct ％ = 0.01
money: $ usd dollar dollars bucks 美元 = 1; € eur euro euros 欧元 = 2; £ gbp = 3
money: ¥ jpy yen 日元 = 4; 元 块 人民币 = 5
money: cent cents = 0.01
"""
#: Dimensions whose numbers are names, not factors: 5 € are not 10 $.
_UNSCALED = frozenset({"temperature", "money"})
#: Written without a number, a single letter or a word of grammar is no unit.
_TOO_SHORT = 2
_NOT_ALONE = frozenset(
    {
        "in",
        "second",
        "us",
        "bar",
        "bars",
        "current",
        "ma",
        "n",
        "quarter",
        "mi",
        "min",
        "sec",
        "gal",
        "mb",
        "hr",
    }
)
#: Words of a parameter that tell what it measures.
DIMENSION_WORDS: dict[str, str] = {
    word: dimension
    for dimension, words in {
        "time": "time duration period interval timeout delay age term tenure timespan wait",
        "length": "distance length height width depth radius diameter altitude displacement",
        "mass": "mass weight",
        "volume": "volume capacity",
        "speed": "speed velocity",
        "acceleration": "acceleration gravity",
        "data": "bytes size filesize",
        "angle": "angle latitude longitude rotation",
        "frequency": "frequency",
        "temperature": "temperature",
        "share": "rate percentage percent interest probability discount ratio proportion",
        "money": "price amount cost budget principal deposit salary income payment fee investment revenue",
    }.items()
    for word in words.split()
}


@dataclass(frozen=True)
class Unit:
    """One unit: what it measures and how many of the base unit it is."""

    name: str
    dimension: str
    factor: Decimal


def _units() -> dict[str, list[Unit]]:
    found: dict[str, list[Unit]] = {}
    for line in _TABLE.strip().splitlines():
        dimension, _, groups = line.partition(": ")
        names: list[str] = []
        for part in groups.split("; "):
            left, equals, factor = part.partition(" = ")
            names = left.split()
            for name in names:
                if equals:
                    found.setdefault(name, []).append(Unit(name, dimension, Decimal(factor)))
    return found


UNITS = _units()


def meanings(word: str) -> list[Unit]:
    """What a unit's name may mean (`m`: a metre, or a million bytes)."""
    return UNITS.get(word.lower(), [])


@lru_cache(maxsize=512)
def asked_units(name: str, description: str) -> tuple[Unit, ...]:
    """The units that a parameter's name (`timeout_s`) or description (`in meters`) states, surest first."""
    suffix = re.split(r"[_\-]", name)[-1].lower() if len(name) > _TOO_SHORT else ""
    found = (
        list(meanings(suffix)) if suffix not in {"in", "d", "g", "t", "b", "c", "second", "v", "n"} else []
    )
    for match in re.finditer(r"[A-Za-z]+(?:/[A-Za-z]+(?:\^?[2²])?)?|%|°[CF]?|[一-鿿]+", description[:400]):
        word = match.group().lower()
        usable = "/" in word or len(word) > _TOO_SHORT or _after_in(description, match.start())
        if usable and word not in _NOT_ALONE:
            found += meanings(word)
    return tuple(found)


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
    return (value * have.factor / want.factor).quantize(Decimal("1e-9")).normalize()


def _temperature(value: Decimal, have: Decimal, want: Decimal) -> Decimal:
    celsius = {1: value, 2: (value - 32) * 5 / 9, 3: value - Decimal("273.15")}[int(have)]
    wanted = {1: celsius, 2: celsius * 9 / 5 + 32, 3: celsius + Decimal("273.15")}[int(want)]
    return wanted.quantize(Decimal("0.01"))
