"""Which part of a message is the value of which parameter, where the text gives them plainly.

In order of how sure it is: `name=value`; the rest of the message; paths, links and the like by their form;
then numbers, dates, choices and wordings, distributed among the parameters all at once. Every part is used
once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from decimal import Decimal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.conversion import UnfitError, to_value
from partner_desktop.language.arguments.cues import Cues, cues_of
from partner_desktop.language.arguments.offers.choices import as_choice, choice_offers, flag_said, is_switch
from partner_desktop.language.arguments.offers.distribution import Offer, Reading, settle
from partner_desktop.language.arguments.offers.formed_offers import is_formed, span_offers
from partner_desktop.language.arguments.offers.number_offers import moment_offers, number_offers, wants_moment
from partner_desktop.language.arguments.offers.text_offers import is_placeholder, list_offers, text_offers
from partner_desktop.language.arguments.remainder import rest_of
from partner_desktop.language.arguments.slot import (
    Slot,
    default_of,
    flattened,
    literals,
    own_name,
    rebuilt,
    slots_of,
)
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.spans import SCAN_LIMIT, SpanKind, find_spans
from partner_desktop.language.terms import has_cjk
from partner_desktop.language.values.moments import Moment
from partner_desktop.language.values.quantities import Quantity, asked_units

_LITERAL = r"\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]|\{[^{}\n]*\}|\([^()\n]*\)"
_VALUE = rf"(?P<value>{_LITERAL}|\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`|“[^”\n]*”|「[^」\n]*」|[^\s,;，；]+)"
#: More parameters than anybody fills in one message.
_MOST = 30
#: What must speak for a choice before a parameter that may be left out takes it.
_ENOUGH = 0.75
#: A smaller number that is written out may count what is spoken of.
_COUNTED = 13


@dataclass
class Assignment:
    """A message under distribution: what is found so far, and which parts of it are used."""

    text: str
    values: dict[str, Json] = field(default_factory=dict)
    used: list[tuple[int, int]] = field(default_factory=list)

    def free(self, start: int, end: int) -> bool:
        return all(end <= first or start >= last for first, last in self.used)

    def take(self, slot: Slot, said: str, start: int, end: int) -> bool:
        """Give a part of the text to a slot, when it can be converted."""
        try:
            value = to_value(said, slot)
        except UnfitError:
            return False
        self.values[slot.name] = value
        self.used.append((start, end))
        return True


def assign(
    text: str, info: MetaActionInfo, moments: tuple[Moment, ...] = (), *, said_only: bool = False
) -> dict[str, Json]:
    """Parameter → value, as far as the text says them; stated defaults stand in unless `said_only`."""
    found = Assignment(text[:SCAN_LIMIT])
    slots = [replace(slot, required=slot.required and not said_only) for slot in flattened(slots_of(info))]
    _take_pairs(found, slots)
    _take_rest(found, _open(found, slots), info, tail=text[SCAN_LIMIT:])
    _take_literals(found, _open(found, slots))
    _take_offers(found, _open(found, slots), Reading(text, info, moments))
    if not said_only:
        _take_defaults(found, _open(found, slots))
    return rebuilt({slot.name: found.values[slot.name] for slot in slots if slot.name in found.values})


def _open(found: Assignment, slots: Sequence[Slot]) -> list[Slot]:
    return [slot for slot in slots if slot.name not in found.values]


def _take_pairs(found: Assignment, slots: Sequence[Slot]) -> None:
    for slot in slots:
        own = own_name(slot.name)
        if re.split(r"[_\-\s]+", own.lower().strip("_"))[0] not in found.text.lower():
            continue
        name = re.sub(r"[_\-\s]+", r"[_\\-\\s]", re.escape(own).replace(r"\-", "-").replace(r"\ ", " "))
        colon = "" if len(own) < 3 else r"|\s{0,9}[:：](?!//)\s{0,9}"
        pattern = rf"(?<![\w\-])(?:--)?{name}(?:\s{{0,9}}[=＝]\s{{0,9}}{colon}){_VALUE}"
        match = re.search(pattern, found.text, re.IGNORECASE)
        if match and found.free(*match.span()):
            said = match["value"].rstrip(".!?。") if slot.is_number else match["value"]
            found.take(slot, said, *match.span())


def _take_rest(found: Assignment, slots: Sequence[Slot], info: MetaActionInfo, *, tail: str) -> None:
    slot = next((slot for slot in slots if slot.takes_rest), None)
    if slot is None:
        return
    text = found.text
    for start, end in sorted(found.used, reverse=True):
        text = f"{text[:start]}{text[end:]}"
    rest = rest_of(text + tail, info, prose=not slot.is_list and not info.free_args)
    if not slot.only_rest:
        rest = _text_alone(rest, slot)
    if not slot.is_list and is_placeholder(rest, info):
        return
    if rest:
        found.take(slot, rest, 0, len(found.text))
    elif info.free_args:
        parts = [span for span in find_spans(text) if span.kind is not SpanKind.MOMENT]
        found.take(slot, " ".join(text[span.start : span.end] for span in parts), 0, len(found.text))


def _text_alone(rest: str, slot: Slot) -> str:
    """The rest for a text that does not say that it takes it: without its name; a quotation is surer."""
    if any(span.kind is SpanKind.QUOTE for span in find_spans(rest)):
        return ""
    return re.sub(rf"^(?:the |this )?{re.escape(slot.name)}(?:[:,]|\b)\s*", "", rest, flags=re.IGNORECASE)


def _take_literals(found: Assignment, slots: Sequence[Slot]) -> None:
    """Objects that are written out."""
    free = [slot for slot in slots if "object" in slot.types]
    for slot, (start, end, value) in zip(free, literals(found.text), strict=False):
        found.values[slot.name] = value
        found.used.append((start, end))


def _take_offers(found: Assignment, slots: Sequence[Slot], reading: Reading) -> None:
    """What is left, distributed at once."""
    offers = offers_for(reading, [slot for slot in slots if not slot.only_rest])
    free = {
        name: [offer for offer in mine if not offer.claims or found.free(offer.start, offer.end)]
        for name, mine in offers.items()
    }
    for name, offer in settle(free).items():
        found.values[name] = offer.value
        if offer.claims:
            found.used.append((offer.start, offer.end))
    _take_number(found, _open(found, slots), reading)


def _take_number(found: Assignment, slots: Sequence[Slot], reading: Reading) -> None:
    """`resize them to 1000`: the only number that is left, where only one parameter can take it."""
    left = [
        quantity
        for quantity in reading.quantities
        if found.free(quantity.start, quantity.end)
        and not reading.in_moment(quantity.start, quantity.end)
        and not _is_small(quantity, reading.said)
    ]
    if len(left) != 1 or left[0].unit or left[0].ordinal:
        return
    said = left[0]
    able = [slot for slot in slots if slot.is_number and not slot.is_list and _is_counted(slot)]
    fitting = [slot for slot in able if _in_range(said.value, slot)]
    if len(fitting) == 1 and not WORDINGS.patterns["times"].match(reading.said, said.end):
        found.take(fitting[0], reading.said[said.start : said.end], said.start, said.end)


def _is_counted(slot: Slot) -> bool:
    """Whether a number needs no unit there."""
    return {unit.dimension for unit in asked_units(slot.name, slot.description)} <= {"pixels"}


def _is_small(said: Quantity, text: str) -> bool:
    """Whether a number is written out that may count what is spoken of: `these two`, `一个`."""
    lowest = 2 if has_cjk(text[said.start : said.end]) else _COUNTED
    return said.worded and said.value < lowest


def _in_range(value: Decimal, slot: Slot) -> bool:
    low, high = slot.schema.get("minimum"), slot.schema.get("maximum")
    above = not isinstance(low, (int, float)) or value >= low
    return above and (not isinstance(high, (int, float)) or value <= high)


def _take_defaults(found: Assignment, slots: Sequence[Slot]) -> None:
    """What is required and not said is as its schema or description states."""
    for slot in slots:
        default = default_of(slot) if slot.required else ()
        if default and default[0] is not None:
            found.values[slot.name] = default[0]


def offers_for(reading: Reading, slots: Sequence[Slot]) -> dict[str, list[Offer]]:
    """Parameter → its offers, in declared order."""
    looked = slots[:_MOST]
    named = [replace(slot, name=own_name(slot.name)) for slot in looked]
    cues = cues_of(reading.said, named)
    return {
        slot.name: _offers(reading, mine, cue) for slot, mine, cue in zip(looked, named, cues, strict=True)
    }


def _offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    return next((offers(reading, slot, cues) for fits, offers in _KINDS if fits(slot)), [])


def _switch(reading: Reading, slot: Slot, _cues: Cues) -> list[Offer]:
    said = flag_said(reading.said, slot, reading.ability_stems)
    return [] if said is None else [Offer(as_choice(slot, said), 0, 0, 1.0, claims=False)]


def _choice(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    limit = 0.0 if slot.required else _ENOUGH
    return [offer for offer in choice_offers(reading.said, slot, cues) if offer.score > limit]


#: Which parameters take which offers; the first that fits.
_KINDS: tuple[tuple[Callable[[Slot], bool], Callable[[Reading, Slot, Cues], list[Offer]]], ...] = (
    (is_switch, _switch),
    (lambda slot: slot.is_list, list_offers),
    (lambda slot: bool(slot.choices), _choice),
    (lambda slot: slot.is_number, number_offers),
    (is_formed, lambda *asked: list(span_offers(*asked))),
    (wants_moment, moment_offers),
    (lambda slot: "string" in slot.types, text_offers),
)
