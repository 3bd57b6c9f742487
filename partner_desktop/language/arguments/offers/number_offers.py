"""Numbers of a message offered to parameters that take numbers; its dates and times to those that take
them, in the format that is asked for.
"""

from __future__ import annotations

import re
from itertools import takewhile

from partner_desktop.base.patterns import late
from partner_desktop.language.arguments.conversion import dimensions_of, number_value, slot_words
from partner_desktop.language.arguments.cues import Cues
from partner_desktop.language.arguments.offers.distribution import Offer, Reading
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.noun_phrases import PREPOSITIONS, Token, tokens
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
_LOW = late(
    r"\b(?:over|above|at least|(?:more|greater|larger|bigger|older) than|minimum(?: of)?|min|from|between"
    r"|exceeding|no (?:lower|less) than)\s{0,9}[$€£]?\s{0,9}$|(?:大于|超过|至少)\s{0,9}$",
    re.IGNORECASE,
)
_LOW_BEHIND = late(
    r"\s*(?:\w+\s+)?(?:or (?:higher|more|above|larger|older)|and (?:above|up)|plus\b|\+|以上)", re.IGNORECASE
)
_HIGH = late(
    r"\b(?:under|below|at most|(?:less|smaller|cheaper|younger|no more) than|up to|maximum(?: of)?|max|within"
    r")\s{0,9}[$€£]?\s{0,9}$|(?:小于|不超过|最多|低于)\s{0,9}$",
    re.IGNORECASE,
)
_HIGH_BEHIND = late(r"\s*(?:\w+\s+)?(?:or (?:less|lower|below|fewer|cheaper)|以下|以内)", re.IGNORECASE)
_PRONOUN = late(
    r"\b(?:the|this|that|which|any|each|every|no|some|last|next|only|good|best)\s{1,9}$", re.IGNORECASE
)
_NOT_COUNTED = late(
    r"\s{0,9}(?:of\b|that\b|which\b|who\b|with\b|for\b|in\b|[,.;?!]|$|-?way\b)", re.IGNORECASE
)
_RANGE_END = late(r"\d\s{0,9}(?:to|and|-|–|~|到|至)\s{0,9}[$€£]?\s{0,9}$")
_COUNT_WORDS = frozenset(
    {"number", "num", "count", "quantity", "total", "amount", "limit", "top", "max", "n", "size"}
)
_COMPARED = late(
    r"\s?(?:smaller|larger|bigger|shorter|longer|less|more|lower|higher|faster|slower|off)\b", re.IGNORECASE
)
_CHANGES = frozenset(
    {"change", "rate", "increase", "decrease", "discount", "factor", "scale", "growth", "percent"}
)
_OFTEN = late(r"\btimes\b|\bfrequency\b|\bper (?:year|period)\b|compound(?:ed|ing)? periods?", re.IGNORECASE)
#: `first 5`, and `the first N lines` where a parameter is described.
_FROM_END = late(r"\b(first|last|top|latest|newest)\s{1,3}$", re.IGNORECASE)
_FROM_ENDS = late(r"\b(first|last|top|latest|newest) n\b")
_YEAR_WORDS = frozenset({"year", "years", "season", "yr"})


def number_offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    """What a message's numbers are worth for one parameter; values in the unit that it asks for."""
    found = []
    for quantity in reading.quantities:
        value = number_value(quantity, slot)
        score = None if value is None else _score(reading, slot, cues, quantity)
        if value is not None and score is not None and score > 0:
            found.append(
                Offer(value, quantity.start, quantity.number_end or quantity.end, score, kind="number")
            )
    return found


def _score(reading: Reading, slot: Slot, cues: Cues, quantity: Quantity) -> float | None:
    text = reading.said
    if (
        _is_pronoun(text, quantity)
        or _is_change(slot, text, quantity)
        or (reading.in_moment(quantity.start, quantity.end) and not _in_date(slot, quantity))
    ):
        return None
    near = cues.near(text, quantity.start, quantity.end)
    fit = _unit_fit(slot, quantity) + _year_fit(slot, quantity) + _bound_fit(text, slot, quantity)
    fit += _place_fit(text, slot, quantity) + _called_fit(text, slot, quantity)
    fit += _COUNTED if _counts(text, slot, quantity, cues, reading.ability_stems) else 0
    if quantity.ordinal and near < _ENOUGH and fit < _ENOUGH:
        return None
    if slot.required:
        return max(0.05, _FORM + near + fit)
    return near + fit - _ENOUGH if near + fit >= _ENOUGH else None


def _is_pronoun(text: str, quantity: Quantity) -> bool:
    """`the one in the corner`, `one of them`: no number."""
    if not quantity.worded or quantity.value != 1 or quantity.unit or quantity.ordinal:
        return False
    return bool(
        _PRONOUN.search(text[max(0, quantity.start - 12) : quantity.start])
        or _NOT_COUNTED.match(text, quantity.end)
    )


def _is_change(slot: Slot, text: str, quantity: Quantity) -> bool:
    """`50% smaller` says by how much something changes, not what it becomes."""
    compared = "share" in quantity.dimensions and _COMPARED.match(text, quantity.end)
    return bool(compared) and not slot_words(slot) & _CHANGES


def _in_date(slot: Slot, quantity: Quantity) -> bool:
    """A year for a year; `in 3 days` is a number of days as well."""
    return (quantity.is_year and bool(_YEAR_WORDS & slot_words(slot))) or "time" in quantity.dimensions


def _unit_fit(slot: Slot, quantity: Quantity) -> float:
    if quantity.unit == PER_YEAR:
        return 1.0 if _OFTEN.search(f"{slot.name} {slot.description}") else -2.0
    wanted, have = dimensions_of(slot), quantity.dimensions if quantity.unit != "k" else frozenset[str]()
    if not have:
        return 0.0
    if have & wanted:
        return _SAME_DIMENSION
    return _OTHER_DIMENSION if wanted else -0.15


def _year_fit(slot: Slot, quantity: Quantity) -> float:
    wants_year = bool({"year", "yr"} & slot_words(slot))
    if quantity.is_year:
        return _YEAR if wants_year else -_YEAR / 2
    return -_YEAR if wants_year else 0.0


def _bound_fit(text: str, slot: Slot, quantity: Quantity) -> float:
    """`above 5` speaks for a minimum, `under 5` for a maximum."""
    words = slot_words(slot)
    before = text[max(0, quantity.start - 24) : quantity.start]
    low = _LOW.search(before) or _LOW_BEHIND.match(text, quantity.end)
    high = _HIGH.search(before) or _HIGH_BEHIND.match(text, quantity.end) or _RANGE_END.search(before)
    smallest = bool(words & {"min", "minimum", "lower", "least", "low", "start", "from", "above"})
    largest = bool(words & {"max", "maximum", "upper", "most", "high", "end", "to", "limit", "budget"})
    if smallest:
        return _BOUND if low else -_BOUND if high else 0.0
    if largest:
        return _BOUND if high else -_BOUND if low else 0.0
    return 0.0


def _place_fit(text: str, slot: Slot, quantity: Quantity) -> float:
    """`the first 5 lines`, `the last 3 commits`: for what returns only so many from that end, or so many."""
    match = _FROM_END.search(text[max(0, quantity.start - 12) : quantity.start])
    if match is None or quantity.unit:
        return 0.0
    told = _FROM_ENDS.findall(slot.description.lower())
    if told:
        return _PLACED if match[1].lower() in told else -_PLACED
    return _PLACED if _COUNT_WORDS & slot_words(slot) else 0.0


def _called_fit(text: str, slot: Slot, quantity: Quantity) -> float:
    """`count to 15` for `to`: no cue is made of a small word, and none is needed right there."""
    name = slot.name.casefold()
    if name not in PREPOSITIONS or quantity.unit:
        return 0.0
    return _PLACED if text[: quantity.start].casefold().split()[-1:] == [name] else 0.0


def _counts(text: str, slot: Slot, quantity: Quantity, cues: Cues, ability_stems: frozenset[str]) -> bool:
    """`two lamps` for the number of lamps: the next word but one at most is one of the parameter's."""
    if quantity.unit or not (
        _COUNT_WORDS & slot_words(slot)
        or re.search(r"\bnumber of\b|\bhow many\b", slot.description, re.IGNORECASE)
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
    return token.is_word and token.lower not in PREPOSITIONS and token.lower not in FUNCTION_WORDS


_DATE_WORDS = frozenset(
    {"date", "day", "birthday", "deadline", "checkin", "checkout", "datetime", "timestamp", "when"}
)
_TIME_WORDS = frozenset({"time", "clock", "hour"})
_BEGINS = frozenset(
    {"start", "from", "begin", "checkin", "check", "in", "departure", "depart", "after", "since", "pickup"}
)
_ENDS = frozenset({"end", "to", "until", "checkout", "out", "return", "before", "dropoff", "till"})
_BEGIN_CUE = re.compile(
    r"(?:\b(?:from|after|since|between|starting|start|beginning|depart\w*|leav\w*)(?:\s{1,9}on)?\s{1,9}$|从\s{0,9}$)",
    re.IGNORECASE,
)
_END_CUE = re.compile(
    r"(?:\b(?:to|until|till|before|by|through|return\w*|and|ending|end)(?:\s{1,9}on)?\s{1,9}|[-–]\s{0,9}|[到至]\s{0,9})$",
    re.IGNORECASE,
)


def wants_moment(slot: Slot) -> bool:
    """Whether a parameter holds a date or a time: by format, name or what is asked for."""
    if slot.choices or "string" not in slot.types:
        return False
    words = slot_words(slot)
    told = wanted_format(slot.description)
    return (
        slot.is_moment
        or bool(words & _DATE_WORDS)
        or bool(told)
        or (bool(words & _TIME_WORDS) and len(words) <= 2)
    )


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
    wants_time = bool(slot_words(slot) & _TIME_WORDS) or slot.format == "time"
    if not form:
        form = "%H:%M" if wants_time and not slot_words(slot) & _DATE_WORDS else "%Y-%m-%d"
    date, clock = "%d" in form or "%Y" in form, "%H" in form or "%I" in form
    if (date and not moment.has_date and not clock) or (clock and not date and not moment.has_time):
        return ""
    return moment.at.strftime(form)


def _edge(text: str, slot: Slot, moment: Moment) -> float:
    """`from … to …`: the first is where it starts, the second where it ends."""
    before = text[max(0, moment.start - 20) : moment.start]
    begins, ends = bool(_BEGIN_CUE.search(before)), bool(_END_CUE.search(before))
    words = slot_words(slot) - {"date", "time", "day"}
    if words & _ENDS:
        return 0.5 if ends else -0.5
    if words & _BEGINS:
        return 0.4 if begins else -0.3 if ends else 0.0
    return 0.0
