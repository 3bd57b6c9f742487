"""Text into values of the type that a parameter's schema asks for; what a parameter measures, and a spoken
quantity as the number that it wants.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from decimal import Decimal
from enum import StrEnum

from partner_desktop.domain.json_value import Json
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.disk_names import known_folder
from partner_desktop.language.lexicon import word_set
from partner_desktop.language.spans import unquoted
from partner_desktop.language.terms import terms
from partner_desktop.language.values.moments import zone_of
from partner_desktop.language.values.quantities import (
    DIMENSION_WORDS,
    Quantity,
    asked_units,
    converted,
    find_numerals,
    find_quantities,
)

_FRACTION = re.compile(r"decimal|fraction|0 (?:to|and) 1|between 0|sum to 1|0\.\d", re.IGNORECASE)
_PERCENT = re.compile(r"percent|%", re.IGNORECASE)


def number_value(quantity: Quantity, slot: Slot) -> Json:
    """The number as the parameter wants it; `None` where it takes none such."""
    value = quantity.value
    if (
        quantity.unit == "k"
        and "temperature" not in dimensions_of(slot)
        and "data" not in dimensions_of(slot)
    ):
        value = value * 1000
    share = "share" in quantity.dimensions
    if share and _wants_fraction(slot):
        value = value / 100
    elif not share:
        value = converted(value, quantity.unit, asked_units(slot.name, slot.description))
    if value == value.to_integral_value():
        return int(value)
    return None if "number" not in slot.types else float(value)


def _wants_fraction(slot: Slot) -> bool:
    if _FRACTION.search(slot.description):
        return True
    return "number" in slot.types and not _PERCENT.search(f"{slot.name} {slot.description}")


def dimensions_of(slot: Slot) -> frozenset[str]:
    """What a parameter measures, by its stated units and its name."""
    stated = {unit.dimension for unit in asked_units(slot.name, slot.description)}
    named = {DIMENSION_WORDS[word] for word in slot.words if word in DIMENSION_WORDS}
    told = {
        DIMENSION_WORDS[term.word] for term in terms(slot.description[:200]) if term.word in DIMENSION_WORDS
    }
    return frozenset(named | stated) or frozenset(told)


class Need(StrEnum):
    """What is needed where a text cannot be converted."""

    WHOLE_NUMBER = "whole_number"
    NUMBER = "number"
    YES_OR_NO = "yes_or_no"
    CHOICE = "choice"
    PATH = "path"
    QUOTES = "quotes"
    """The quotation marks of a command line do not match."""
    OBJECT = "object"
    SOMETHING = "something"
    LESS = "less"


_LONGEST_COMMAND = 8_000


class UnfitError(ValueError):
    """A text that does not become a value of the asked type."""

    def __init__(self, need: Need) -> None:
        super().__init__(need.value)
        self.need = need


_YES = word_set("yes y true on 1 yeah yep sure ok okay 是 好 要 对 可以 开 好的 是的 对的 可以的 行 要的")
_NO = word_set("no n false off 0 nope never 否 不 不要 不用 别 关 不是 不用了 不行 不好 没有")
_ALL = re.compile(r"\b(?:both|all|every one)\b|都|全部|两个都", re.IGNORECASE)
_LAST = re.compile(r"\b(?:the )?last(?: one)?\b|最后", re.IGNORECASE)
_NTH = re.compile(
    r"(?:\b(?:number|no\.?|option|the)\s{1,9}|第)(\d{1,2})(?:st|nd|rd|th)?(?!\d)", re.IGNORECASE
)
_NUMBER = re.compile(r"^[+\-]?(?:\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.\d+)?$")


def to_value(text: str, slot: Slot) -> Json:
    """The value that `text` says for a slot.

    Raises:
        UnfitError: It says none of the asked type.
    """
    if not text.strip():
        raise UnfitError(Need.SOMETHING)
    if slot.is_list:
        return _list(text, slot)
    if slot.choices:
        return _choice(text, slot)
    for name in ("boolean", "integer", "number", "object", "string"):
        if name in slot.types:
            return _CONVERTERS[name](text, slot)
    raise UnfitError(Need.SOMETHING)


def _choice(text: str, slot: Slot) -> Json:
    bare = _folded(unquoted(text))
    for choice in slot.choices:
        if choice is not None and _folded(str(choice)) == bare:
            return choice
    said = set(bare.split())
    named = [
        choice for choice in slot.choices if choice is not None and set(_folded(str(choice)).split()) <= said
    ]
    if len(named) == 1:
        return named[0]
    place = place_in_row(text, len(slot.choices))
    if place is not None:
        return slot.choices[place]
    raise UnfitError(Need.CHOICE)


def place_in_row(text: str, count: int) -> int | None:
    """`the second`, `the last one`, `第二个`: which of `count` is meant; `None` when none is."""
    if _LAST.search(text):
        return count - 1
    nth = [int(numeral.value) for numeral in find_numerals(text) if numeral.ordinal]
    nth += [int(match[1]) for match in _NTH.finditer(text)]
    return nth[0] - 1 if len(nth) == 1 and 0 < nth[0] <= count else None


def _folded(text: str) -> str:
    return re.sub(r"[\s_\-]+", " ", text).strip(" .!?。！？").casefold()


def _boolean(text: str, _slot: Slot) -> Json:
    word = re.split(r"[\s,，。!！]", _folded(unquoted(text)), maxsplit=1)[0]
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise UnfitError(Need.YES_OR_NO)


def _number(text: str, slot: Slot) -> Decimal:
    bare = unquoted(text).rstrip(".!。").casefold()
    if _NUMBER.match(bare):
        return Decimal(re.sub(r"[, ]", "", bare))
    quantities = find_quantities(text)
    if len(quantities) != 1:
        raise UnfitError(Need.NUMBER)
    value = number_value(quantities[0], slot)
    if not isinstance(value, (int, float)):
        raise UnfitError(Need.NUMBER)
    return Decimal(str(value))


def _integer(text: str, slot: Slot) -> Json:
    try:
        value = _number(text, slot)
    except UnfitError:
        raise UnfitError(Need.WHOLE_NUMBER) from None
    if value != value.to_integral_value():
        raise UnfitError(Need.WHOLE_NUMBER)
    return int(value)


def _real(text: str, slot: Slot) -> Json:
    value = _number(text, slot)
    return int(value) if value == value.to_integral_value() else float(value)


def _object(text: str, _slot: Slot) -> Json:
    value = _json(text)
    if not isinstance(value, dict):
        raise UnfitError(Need.OBJECT)
    return value


def _string(text: str, slot: Slot) -> Json:
    if slot.is_zone:
        return zone_of(unquoted(text)) or unquoted(text)
    return path_text(text) if slot.is_path else unquoted(text)


def path_text(text: str) -> str:
    """A path as written; the name of a folder that everybody has becomes its path."""
    bare = unquoted(text)
    return known_folder(bare) or bare


def _list(text: str, slot: Slot) -> Json:
    value = _json(text)
    if isinstance(value, list):
        return value
    if slot.takes_rest:
        return list(command_line(unquoted(text)))
    if slot.choices and _ALL.search(text):
        return list(slot.choices)
    parts = [part for part in re.split(r"\s{0,9}(?:[,，、;\n]|\band\b|和)\s{0,9}", text.strip()) if part]
    return [to_value(part, slot.item) for part in parts]


def command_line(text: str) -> list[str]:
    """The words of a command line, split like a shell does.

    Raises:
        UnfitError: A quotation mark has no partner, or it is longer than any that a person types.
    """
    if len(text) > _LONGEST_COMMAND:
        raise UnfitError(Need.LESS)
    try:
        words = shlex.split(text)
    except ValueError:
        raise UnfitError(Need.QUOTES) from None
    if not words:
        raise UnfitError(Need.SOMETHING)
    return words


def _json(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


_CONVERTERS: dict[str, Callable[[str, Slot], Json]] = {
    "boolean": _boolean,
    "integer": _integer,
    "number": _real,
    "object": _object,
    "string": _string,
}
