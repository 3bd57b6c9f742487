"""Numbers of a message offered to parameters that take numbers; its dates and times to those that take
them, in the format that is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from partner_desktop.base.patterns import late
from partner_desktop.language.arguments.conversion import dimensions_of, number_value
from partner_desktop.language.arguments.cues import Cues
from partner_desktop.language.arguments.offers.distribution import Offer, Reading, family
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.noun_phrases import Token, prepositions, tokens
from partner_desktop.language.terms import has_cjk
from partner_desktop.language.values.moments import Moment, wanted_format
from partner_desktop.language.values.quantities import PER_YEAR, Quantity

_FORM, _SAME_DIMENSION, _OTHER_DIMENSION, _YEAR, _BOUND, _COUNTED, _PLACED = (
    0.7,
    0.7,
    -0.9,
    0.8,
    0.6,
    0.5,
    0.8,
)
#: What the words around a number must say before an optional parameter takes it.
_ENOUGH = 0.5
#: `first 5`, and `the first N lines` where a parameter is described.
_SAID = WORDINGS.patterns
_LOOKS_BACK = late(r"\bdays? back\b")
_FROM_ENDS = late(r"\b(first|last|top|latest|newest) n\b")


def number_offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    """What a message's numbers are worth for one parameter; values in the unit that it asks for."""
    found = list(_days_back(reading, slot))
    for quantity in reading.quantities:
        if _tells_how_many(reading, slot, quantity) or _compares(reading.said, slot, quantity):
            continue
        value = number_value(quantity, slot)
        score = None if value is None else _score(reading, slot, cues, quantity)
        if value is not None and score is not None and score > 0:
            found.append(
                Offer(value, quantity.start, quantity.number_end or quantity.end, score, kind="number")
            )
    return found


def _days_back(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """`Yesterday` for how many days back something looks: all of that day is among the last two."""
    if not _LOOKS_BACK.search(slot.description):
        return
    for match in _SAID["days_back"].finditer(reading.said):
        days = int((match.lastgroup or "d0")[1])
        yield Offer(days, match.start(), match.end(), _FORM, kind="number")


def _score(reading: Reading, slot: Slot, cues: Cues, quantity: Quantity) -> float | None:
    text = reading.said
    if _is_pronoun(text, quantity) or (
        reading.in_moment(quantity.start, quantity.end) and not _in_date(slot, quantity)
    ):
        return None
    near = cues.near(text, quantity.start, quantity.end)
    fit = _unit_fit(slot, quantity) + _year_fit(slot, quantity) + _bound_fit(text, slot, quantity)
    fit += _place_fit(text, slot, quantity) + _called_fit(text, slot, quantity)
    fit += _COUNTED if _counts(text, slot, quantity, cues, reading.ability_stems) else 0
    lone = quantity.worded and quantity.value == 1 and not quantity.unit
    if lone and has_cjk(text[quantity.start : quantity.end]):
        near -= _ENOUGH  # 再问一遍, 来一个
    if quantity.ordinal and near < _ENOUGH and fit < _ENOUGH:
        return None
    if slot.required:
        return max(0.05, _FORM + near + fit)
    return near + fit - _ENOUGH if near + fit >= _ENOUGH else None


def _tells_how_many(reading: Reading, slot: Slot, quantity: Quantity) -> bool:
    """`two numbers, 36 and 48`: how many parameters of one kind follow."""
    mine = family(slot.name)
    alike = sum(family(name) == mine for name in reading.info.properties())
    if alike < 2 or quantity.value != alike or quantity.unit or not quantity.worded:
        return False
    behind = re.match(r"\s(\w+s)\b", reading.said[quantity.end :])
    return behind is not None and len(reading.quantities) > alike


def _compares(text: str, slot: Slot, quantity: Quantity) -> bool:
    """`50% smaller`: by how much something changes, and not what it is to be."""
    behind = _SAID["compared"].match(text, quantity.end)
    return behind is not None and not slot.required and not slot.holds("change")


def _is_pronoun(text: str, quantity: Quantity) -> bool:
    """`the one in the corner`, `one of them`: no number."""
    if not quantity.worded or quantity.value != 1 or quantity.unit or quantity.ordinal:
        return False
    return bool(
        _SAID["pronoun"].search(text[max(0, quantity.start - 12) : quantity.start])
        or _SAID["not_counted"].match(text, quantity.end)
    )


def _in_date(slot: Slot, quantity: Quantity) -> bool:
    """A year for a year; `in 3 days` is a number of days as well."""
    return (quantity.is_year and slot.holds("year")) or "time" in quantity.dimensions


def _unit_fit(slot: Slot, quantity: Quantity) -> float:
    if quantity.unit == PER_YEAR:
        return 1.0 if _SAID["often"].search(f"{slot.name} {slot.description}") else -2.0
    wanted, have = dimensions_of(slot), quantity.dimensions if quantity.unit != "k" else frozenset[str]()
    if not have:
        return 0.0
    if have & wanted:
        return _SAME_DIMENSION
    return _OTHER_DIMENSION if wanted else -0.15


def _year_fit(slot: Slot, quantity: Quantity) -> float:
    wants_year = bool({"year", "yr"} & slot.words)
    if quantity.is_year:
        return _YEAR if wants_year else -_YEAR / 2
    return -_YEAR if wants_year else 0.0


def _bound_fit(text: str, slot: Slot, quantity: Quantity) -> float:
    """`above 5` speaks for a minimum, `under 5` for a maximum."""
    before = text[max(0, quantity.start - 24) : quantity.start]
    low = _SAID["low"].search(before) or _SAID["low_behind"].match(text, quantity.end)
    high = (
        _SAID["high"].search(before)
        or _SAID["high_behind"].match(text, quantity.end)
        or _SAID["range_end"].search(before)
    )
    if slot.holds("least"):
        return _BOUND if low else -_BOUND if high else 0.0
    if slot.holds("most"):
        return _BOUND if high else -_BOUND if low else 0.0
    return 0.0


def _place_fit(text: str, slot: Slot, quantity: Quantity) -> float:
    """`the first 5 lines`, `the last 3 commits`: for what returns only so many from that end, or so many."""
    match = _SAID["from_end"].search(text[max(0, quantity.start - 12) : quantity.start])
    match = match or _SAID["from_end_behind"].match(text, quantity.end)
    if match is None or quantity.unit:
        return 0.0
    told = _FROM_ENDS.findall(slot.description.lower())
    if told:
        return _PLACED if match.group().strip().lower() in told else -_PLACED
    return _PLACED if slot.holds("count") else 0.0


def _called_fit(text: str, slot: Slot, quantity: Quantity) -> float:
    """`count to 15` for `to`: no cue is made of a small word, and none is needed right there."""
    name = slot.name.casefold()
    if name not in prepositions() or quantity.unit:
        return 0.0
    return _PLACED if text[: quantity.start].casefold().split()[-1:] == [name] else 0.0


def _counts(text: str, slot: Slot, quantity: Quantity, cues: Cues, ability_stems: frozenset[str]) -> bool:
    """`two lamps` for the number of lamps: the next word but one at most is one of the parameter's."""
    if quantity.unit or not (
        slot.holds("count") or re.search(r"\bnumber of\b|\bhow many\b", slot.description, re.IGNORECASE)
    ):
        return False
    counted = list(takewhile(_is_counted, (token for token in tokens(text) if token.start >= quantity.end)))[
        :4
    ]
    starts = {token.start for token in counted}
    if any(token.start in starts and index in cues.places for index, token in enumerate(tokens(text))):
        return True
    return any(token.stem in ability_stems for token in counted)


def _is_counted(token: Token) -> bool:
    return token.is_word and token.lower not in prepositions() and token.lower not in FUNCTION_WORDS


def wants_moment(slot: Slot) -> bool:
    """Whether a parameter holds a date or a time: by format, name or what is asked for."""
    if slot.choices or "string" not in slot.types:
        return False
    timed = slot.holds("time") and len(slot.words) <= 2
    return slot.is_moment or slot.holds("date") or bool(wanted_format(slot.description)) or timed


def moment_offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    """The moments that fit, written as the parameter asks for."""
    found = []
    for moment in reading.moments:
        written = _written(moment, slot)
        if written:
            score = (
                1.0
                + 0.3 * bool(re.search(r"\d{4}", moment.said))
                + 0.6 * cues.near(reading.said, moment.start, moment.end)
                + _edge(reading.said, slot, moment)
            )
            found.append(
                Offer(
                    written,
                    moment.start,
                    moment.end,
                    score,
                    kind="moment",
                    claims=not _whole_and_part(slot, moment),
                )
            )
    return found


def _whole_and_part(slot: Slot, moment: Moment) -> bool:
    """One moment with date and time serves a date parameter and a time parameter."""
    return (
        moment.has_date
        and moment.has_time
        and "%H:%M" not in wanted_format(slot.description, kind=slot.format)
    )


def _written(moment: Moment, slot: Slot) -> str:
    if moment.at is None:
        return ""
    form = wanted_format(slot.description, kind=slot.format)
    wants_time = slot.holds("time") or slot.format == "time"
    if not form:
        form = "%H:%M" if wants_time and not slot.holds("date") else "%Y-%m-%d"
    date, clock = "%d" in form or "%Y" in form, "%H" in form or "%I" in form
    if (date and not moment.has_date and not clock) or (clock and not date and not moment.has_time):
        return ""
    return moment.at.strftime(form)


def _edge(text: str, slot: Slot, moment: Moment) -> float:
    """`from … to …`: the first is where it starts, the second where it ends."""
    before = text[max(0, moment.start - 20) : moment.start]
    begins, ends = bool(_SAID["begins"].search(before)), bool(_SAID["ends"].search(before))
    if slot.holds("end"):
        return 0.5 if ends else -0.5
    if slot.holds("begin"):
        return 0.4 if begins else -0.3 if ends else 0.0
    return 0.0
