"""Several parts of a message offered together to parameters that take lists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeVar

from partner_desktop.domain.json_value import Json
from partner_desktop.language.arguments.conversion import dimensions_of, number_value
from partner_desktop.language.arguments.cues import Cues
from partner_desktop.language.arguments.offers.choices import choice_offers
from partner_desktop.language.arguments.offers.distribution import Offer, Reading
from partner_desktop.language.arguments.offers.formed_offers import is_formed, span_offers
from partner_desktop.language.arguments.offers.text_offers import worded
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.values.quantities import Quantity

_Part = TypeVar("_Part", Quantity, Offer)
_BRACKETS = re.compile(
    r"\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]|\((?:\s{0,9}-?\d+(?:\.\d+)?\s{0,9},)+\s{0,9}-?\d+(?:\.\d+)?\s{0,9}\)"
)
_JOINED = re.compile(r"\s{0,9}(?:,|，|、|;|and|&|or|和|,\s{0,9}and|,\s{0,9}&)?\s{0,9}")
#: A list that is written out as one is surely meant; each further member makes a run surer.
_LITERAL, _MEMBER, _ENOUGH = 2.0, 0.25, 1.0
#: What one quotation is worth more to a text than to a list of them.
_ALONE = 0.3


def list_offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    """Lists of the right type of items."""
    if slot.choices:
        found = list(_choices(reading, slot, cues))
    else:
        found = list(_literals(reading, slot, cues))
        item = slot.item
        if item.types & {"integer", "number"}:
            found += _numbers(reading, slot, cues)
        elif is_formed(item):
            found += _spans(reading, slot, cues)
        elif "string" in item.types:
            found += [*_spans(reading, slot, cues), *_groups(reading, slot, cues)]
    limit = 0 if slot.required else _ENOUGH
    return [
        Offer(offer.value, offer.start, offer.end, offer.score - limit, "list")
        for offer in found
        if offer.score > limit
    ]


def _choices(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    sure = sorted(
        (offer for offer in choice_offers(reading.said, slot, cues) if offer.score >= 0.75),
        key=lambda offer: offer.start,
    )
    if sure:
        values = [offer.value for offer in _in_declared(sure, slot)]
        yield _together(values, sure, 1.0 + sure[0].score)


def _in_declared(offers: Sequence[Offer], slot: Slot) -> Sequence[Offer]:
    return sorted(offers, key=lambda offer: (offer.start, slot.choices.index(offer.value)))


def _literals(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """`[1, 2, 3]`, `[[1, 2], [3, 4]]`, `(3, 4)`."""
    for match in _BRACKETS.finditer(reading.said):
        try:
            value: Json = json.loads(match.group().replace("(", "[").replace(")", "]").replace("'", '"'))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, list) and value and _fits(value[0], slot.item):
            yield Offer(value, match.start(), match.end(), _LITERAL + cues.near(reading.said, *match.span()))


def _fits(value: Json, item: Slot) -> bool:
    if isinstance(value, list):
        return item.is_list or not item.schema
    if isinstance(value, (int, float)):
        return bool(item.types & {"integer", "number"})
    return isinstance(value, str) and "string" in item.types


def _numbers(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Numbers in a row, and all numbers of one unit where they do not stand in a row."""
    usable = [
        quantity
        for quantity in reading.quantities
        if not reading.in_moment(quantity.start, quantity.end) and not quantity.ordinal
    ]
    for run in _runs(reading.said, usable):
        values = [number_value(quantity, slot.item) for quantity in run]
        if None not in values and (len(run) > 1 or slot.required):
            near = cues.near(reading.said, run[0].start, run[-1].end)
            score = 0.6 + near + _MEMBER * len(run) - (0.8 if len(run) == 1 else 0)
            yield _together(values, run, score - 0.4 * (len(run) == 1 < len(usable)))
    for _, same in groupby(
        sorted(usable, key=lambda quantity: (quantity.unit, quantity.start)),
        key=lambda quantity: quantity.unit,
    ):
        several = list(same)
        values = [number_value(quantity, _described(slot)) for quantity in several]
        if slot.required and len(several) > 1 and several[0].unit and None not in values:
            fits = 0.5 if set(several[0].dimensions) & dimensions_of(slot) else 0.0
            yield _together(values, several[:1], 0.7 + fits + _MEMBER * len(several))
    bare = [quantity for quantity in usable if not quantity.unit]
    if slot.required and len(bare) > 1:
        values = [number_value(quantity, _described(slot)) for quantity in bare]
        if None not in values:
            yield _together(values, bare[:1], 0.5 + 0.1 * len(bare))


def _described(slot: Slot) -> Slot:
    """One item, with the description of the whole."""
    return Slot(slot.name, {"description": slot.description, **slot.items}, slot.required)


def _runs(text: str, parts: Sequence[_Part]) -> Iterator[list[_Part]]:
    """The parts that stand in a row, with nothing but commas and the like between them."""
    run: list[_Part] = []
    for part in parts:
        if run and not _JOINED.fullmatch(text[run[-1].end : part.start]):
            yield run
            run = []
        run.append(part)
    if run:
        yield run


def _together(values: list[Json], parts: Sequence[Quantity | Offer], score: float) -> Offer:
    """One list, from the first part to the last."""
    return Offer(values, parts[0].start, parts[-1].end, score)


def _spans(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Quotations or paths in a row; what is known by its form alone, wherever it stands."""
    found = list(span_offers(reading, slot.item, cues))
    runs = list(_runs(reading.said, found))
    yield from (_row(run, slot) for run in runs)
    if is_formed(slot.item) and len(runs) > 1:
        yield _row(found, slot)


def _row(run: Sequence[Offer], slot: Slot) -> Offer:
    alone = 0.0 if is_formed(slot.item) else _ALONE
    score = max(offer.score for offer in run) + _MEMBER * (len(run) - 1) - alone
    return _together([offer.value for offer in run], run, score)


def _groups(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Wordings joined by commas and `and`, each as the parameter would take it alone."""
    item = Slot(slot.name, {"type": "string", "description": slot.description}, required=True)
    ordered = sorted(reading.wordings, key=lambda wording: wording.group)
    for _, members in groupby(ordered, key=lambda wording: wording.group):
        best: dict[int, Offer] = {}
        for wording in members:
            for offer in worded(reading, item, cues, wording):
                beside = (each for each in best.values() if offer.start < each.end and each.start < offer.end)
                known = next(beside, None)
                if known is not None and known.score >= offer.score:
                    continue
                if known is not None:
                    del best[known.start]
                best[offer.start] = offer
        offers = [best[start] for start in sorted(best)]
        score = max(offer.score for offer in offers) if offers else 0
        if offers and score > 0:
            values = [offer.value for offer in offers]
            yield _together(values, offers, score + _MEMBER * (len(offers) - 1))
