"""What a parameter measures, and a spoken quantity as the number that it wants."""

from __future__ import annotations

import re

from partner_desktop.domain.json_value import Json
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.terms import terms
from partner_desktop.language.values.quantities import Quantity
from partner_desktop.language.values.units import DIMENSION_WORDS, asked_units, converted

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


def slot_words(slot: Slot) -> frozenset[str]:
    """The words of a parameter's name."""
    return frozenset(term.word.rstrip("0123456789") for term in terms(slot.name) if term.word)


def dimensions_of(slot: Slot) -> frozenset[str]:
    """What a parameter measures, by its stated units and its name."""
    stated = {unit.dimension for unit in asked_units(slot.name, slot.description)}
    named = {DIMENSION_WORDS[word] for word in slot_words(slot) if word in DIMENSION_WORDS}
    told = {
        DIMENSION_WORDS[term.word] for term in terms(slot.description[:200]) if term.word in DIMENSION_WORDS
    }
    return frozenset(named | stated) or frozenset(told)
