"""Wordings of a message offered to parameters that take free text, and what each is worth by itself,
before the words around it speak.

Several parts of a message are offered together to parameters that take lists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.conversion import dimensions_of, number_value
from partner_desktop.language.arguments.cues import Cues, related
from partner_desktop.language.arguments.offers.choices import choice_offers
from partner_desktop.language.arguments.offers.distribution import Offer, Reading
from partner_desktop.language.arguments.offers.formed_offers import (
    COLOUR,
    formed_offers,
    is_formed,
    language_offers,
    span_offers,
    zone_offers,
)
from partner_desktop.language.arguments.slot import Slot, examples_in
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.disk_names import kind_places, name_pattern
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.noun_phrases import Wording, preposition_before
from partner_desktop.language.spans import CLOSING, blank, find_spans
from partner_desktop.language.terms import ALIAS_LIMIT, has_cjk, stem, terms
from partner_desktop.language.values.quantities import Quantity

_NAMED = 0.5
#: One of the examples; as all of them look, without being one.
_EXAMPLE, _ALIKE = 1.0, 0.35


def is_own(slot: Slot, word: str) -> bool:
    """Whether a word only names the parameter."""
    root = stem(word.lower())
    own = slot.name_stems | (slot.description_stems if slot.holds("kind") else frozenset())
    return any(root == mine or related(mine, root) for mine in own)


def name_fit(slot: Slot, cues: Cues, wording: Wording) -> float:
    """How well a wording looks like what the parameter's name wants: a name, a code, a colour."""
    if slot.holds("unit"):
        return -1.0
    if slot.holds("code") and wording.code:
        return _NAMED
    if slot.holds("id") and not wording.code and not re.search(r"\d", wording.text):
        return -3 * _NAMED if wording.text.islower() else -_NAMED
    if slot.holds("colour"):
        return 1.2 if COLOUR.fullmatch(wording.text) else -0.4
    if strength := name_wanted(slot, cues):
        return _NAMED * strength if wording.name else -_NAMED * strength
    return 0.0 if not wording.name else -0.1 if slot.holds("common") else 0.1


def name_wanted(slot: Slot, cues: Cues) -> float:
    """How sure it is that values are written like names: by the parameter's words, or as its examples are."""
    if slot.holds("common"):
        return 0.0
    examples = examples_in(slot.description)
    if examples:
        return float(sum(example[:1].isupper() for example in examples) * 2 > len(examples))
    return cues.named


def example_fit(slot: Slot, text: str) -> float:
    """Whether a text is one of the examples, or looks like all of them."""
    examples = examples_in(slot.description)
    if text.casefold() in {example.casefold() for example in examples}:
        return _EXAMPLE
    alike = examples and _shape(text) and all(_shape(text) == _shape(example) for example in examples)
    return _ALIKE if alike else 0.0


def _shape(text: str) -> str:
    """What a value looks like, where it looks like something: `NBA`, `2018-2019`, `running`."""
    if re.fullmatch(r"[A-Z]{2,6}", text):
        return "capitals"
    if re.fullmatch(r"[a-z]+ing", text):
        return "doing"
    return re.sub(r"[A-Z]", "A", re.sub(r"\d", "0", text)) if re.search(r"\d", text) else ""


def known_share(reading: Reading, wording: Wording, text: str) -> float:
    """The share of words that the ability itself uses: they ask for it and are no value."""
    said = [term.stem for term in terms(text) if term.word]
    if not said:
        return 0.0
    known = reading.ability_stems | reading.parameter_stems
    share = sum(root in known for root in said) / len(said)
    return share * (0.25 if wording.name else 1.0)


_FORM, _INTRODUCED, _HEAD, _KNOWN = 0.25, 0.7, 0.8, 1.1
#: A kind of file, for what takes names: little, for a name is worth more.
_OF_KIND = 0.3
#: The verb at the beginning of a request is no value.
_ASKING = 0.3
#: What must be behind a wording before an optional parameter takes it.
_ENOUGH = 1.0
#: Characters in which talk before a wording is looked for.
_BACK = 40
_SAID = WORDINGS.patterns


def text_offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    """What the parts of a message are worth for one parameter that takes text."""
    if slot.holds("language"):
        return list(language_offers(reading, slot, cues))
    if slot.is_zone:
        return [_limited(offer, slot) for offer in zone_offers(reading, cues)]
    found = [*formed_offers(reading, slot, cues), *_kind_offers(reading, slot)]
    if not slot.holds("formula"):
        for wording in (*reading.wordings, *_joint(reading, slot)):
            found += worded(reading, slot, cues, _with_talk(reading.said, wording))
    best = max(found, key=lambda offer: offer.score, default=None)
    if best is not None and is_placeholder(str(best.value), reading.info, reading.said[best.start]):
        return []
    return [offer for offer in (_limited(offer, slot) for offer in found) if offer.score > 0]


def _kind_offers(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """All files of a kind that is named: `*.pdf`."""
    if slot.is_file_name:
        for start, end in kind_places(blank(reading.said, find_spans(reading.said))):
            yield Offer(name_pattern(reading.said[start:end]), start, end, _OF_KIND, kind="text")


def is_placeholder(value: str, info: MetaActionInfo, mark: str = "") -> bool:
    """`something`, `a word`, `something in my note`, and not in quotation marks: it is not said yet."""
    if mark in CLOSING:
        return False
    if has_cjk(value):
        return WORDINGS.placeholder.fullmatch(value.strip()) is not None
    said = [term for term in terms(value) if term.word]
    asked = {term.stem for phrase in (info.title, *info.aliases[:ALIAS_LIMIT]) for term in terms(phrase)}
    vague = [term.word in WORDINGS.vague for term in said]
    return any(vague) and all(
        is_vague or term.word in FUNCTION_WORDS or term.stem in asked
        for term, is_vague in zip(said, vague, strict=True)
    )


def _with_talk(said: str, wording: Wording) -> Wording:
    """With the words right before it that are small talk only where a message begins: `shout hello world`."""
    talk = _SAID["talk"].search(said[max(0, wording.start - _BACK) : wording.start])
    if talk is None:
        return wording
    start = wording.start - len(talk["talk"])
    return replace(wording, start=start, text=said[start : wording.end])


def _limited(offer: Offer, slot: Slot) -> Offer:
    return offer if slot.required else replace(offer, score=offer.score - _ENOUGH)


def _joint(reading: Reading, slot: Slot) -> Iterator[Wording]:
    """`Paris, France` as one place, `history of tea` as one topic, `12 Oak Road` as one address."""
    if slot.holds("topic"):
        for one, two in zip(reading.wordings, reading.wordings[1:], strict=False):
            if reading.said[one.end : two.start] == " of ":
                yield replace(one, end=two.end, text=reading.said[one.start : two.end])
    if not (slot.holds("place") or wants_joint(slot)):
        return
    for street in _SAID["street"].finditer(reading.said):
        before = preposition_before(reading.said, street.start())
        yield Wording(*street.span(), street.group(), before, name=True)
    for one, two in zip(reading.wordings, reading.wordings[1:], strict=False):
        between = reading.said[one.end : two.start]
        region = two.name or (wants_joint(slot) and len(two.text) > 1 and " " not in two.text)
        listed = re.match(r",? and (?![^,.]+, [A-Z])", reading.said[two.end :])
        if one.name and region and between == ", " and not listed:
            yield replace(one, end=two.end, text=reading.said[one.start : two.end])


def worded(reading: Reading, slot: Slot, cues: Cues, wording: Wording) -> Iterator[Offer]:
    """One wording, without the words around it that only name the parameter."""
    start, end, head = _trimmed(slot, wording)
    text = reading.said[start:end]
    if not text or text.isdigit() or (reading.takes_path and wording.before in WORDINGS.sets["inside"]):
        return
    score = _FORM + head + name_fit(slot, cues, wording) + example_fit(slot, text)
    score += 0.9 * cues.near(reading.said, start, end) + _introduced(reading, slot, cues, wording)
    score += _shape_fit(slot, text) - _KNOWN * known_share(reading, wording, text)
    if wording.start == 0 and not wording.name and text == wording.text:
        score -= _ASKING
    yield Offer(_written(text, slot), start, end, score, kind="text")
    yield from _parts(reading, slot, text, start, score)


def _introduced(reading: Reading, slot: Slot, cues: Cues, wording: Wording) -> float:
    """What the preposition before says; a comma before a state is one (`Denver, Colorado`)."""
    if slot.holds("region") and re.search(r"\w, $", reading.said[: wording.start][-3:]):
        return _INTRODUCED
    fits = cues.introduced(wording.before)
    return _INTRODUCED * fits if fits else 0.1 * bool(wording.before)


def _shape_fit(slot: Slot, text: str) -> float:
    """Long wordings are rarely values; a comma belongs into a place, but not into a city alone."""
    score = -0.05 * max(0, len(text.split()) - 4) + 0.15 * (" of " in text)
    if "," not in text:
        return score
    city = not wants_joint(slot) and "city" in f"{slot.name} {slot.description}".lower()
    return score - 0.4 if city else score + 0.2


def _parts(reading: Reading, slot: Slot, text: str, start: int, score: float) -> Iterator[Offer]:
    """Without its first word, which may be another's: `large pizzas`, `red shoes`.

    The first word alone where it tells the kind of what the ability is about: `jazz concerts`.
    """
    first, _, more = text.partition(" ")
    if not more or text[0].isupper():
        return
    less = 0.1 if COLOUR.fullmatch(first) else 0.25
    yield Offer(more, start + len(first) + 1, start + len(text), score - less, kind="text")
    if slot.holds("kind", "common") and stem(more.split()[0].lower()) in reading.ability_stems:
        yield Offer(first, start, start + len(first), score + 1.0, kind="text")


def _trimmed(slot: Slot, wording: Wording) -> tuple[int, int, float]:
    """Without the parameter's own words at either end: `oak trees` for a kind of tree is `oak`."""
    if wording.name:
        return wording.start, wording.end, _HEAD / 2 if is_own(slot, wording.text.split()[-1]) else 0.0
    words = [(match.start(), match.end()) for match in re.finditer(r"\S+", wording.text)]
    first, last = 0, len(words)
    if len(slot.words) == 1 and not slot.holds("kind"):
        skip = last > 1 and is_own(slot, wording.text[slice(*words[0])])  # `avoiding tolls`
        start = wording.start + words[1][0] if skip else wording.start
        half = _HEAD / 2 if is_own(slot, wording.text.split()[-1]) else 0.0
        return start, wording.end, _HEAD if skip else half
    inner = next(
        (index for index in range(1, last) if is_own(slot, wording.text[slice(*words[index])])), None
    )
    last = inner if inner is not None else last  # `divorce cases heard`
    while last - first > 1 and is_own(slot, wording.text[slice(*words[last - 1])]):
        last -= 1
    while last - first > 1 and is_own(slot, wording.text[slice(*words[first])]):
        first += 1
    head = _HEAD if last - first < len(words) else 0.0
    return wording.start + words[first][0], wording.start + words[last - 1][1], head


def _written(text: str, slot: Slot) -> str:
    if slot.is_file_name:
        name = _SAID["determiners"].sub("", text)
        return name_pattern(name) or name
    return text


def wants_joint(slot: Slot) -> bool:
    """Whether a place is asked for with its state or country."""
    return bool(_SAID["joint_format"].search(slot.description))


_Part = TypeVar("_Part", Quantity, Offer)
_BRACKETS = re.compile(
    r"\[(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])*\]|\((?:\s{0,9}-?\d+(?:\.\d+)?\s{0,9},)+\s{0,9}-?\d+(?:\.\d+)?\s{0,9}\)"
)
_JOINED = re.compile(r"\s{0,9}(?:,|，|、|;|and|&|or|和|,\s{0,9}and|,\s{0,9}&)?\s{0,9}")
#: A list that is written out as one is surely meant; each further member makes a run surer.
_LITERAL, _MEMBER, _ENOUGH_ITEMS = 2.0, 0.25, 1.0
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
    limit = 0 if slot.required else _ENOUGH_ITEMS
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
