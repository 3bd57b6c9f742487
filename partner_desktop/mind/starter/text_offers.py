"""Wordings of a message offered to parameters that take free text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from partner_desktop.mind.starter.cities import full_name
from partner_desktop.mind.starter.cues import Cues, related
from partner_desktop.mind.starter.expressions import find_formulas
from partner_desktop.mind.starter.fit import form_fit
from partner_desktop.mind.starter.languages import named_languages
from partner_desktop.mind.starter.lexicon import word_set
from partner_desktop.mind.starter.measures import slot_words
from partner_desktop.mind.starter.places import formatted, wants_joint
from partner_desktop.mind.starter.reading import Reading
from partner_desktop.mind.starter.rest import SAYING, cleaned
from partner_desktop.mind.starter.settle import Offer
from partner_desktop.mind.starter.slot import Slot
from partner_desktop.mind.starter.spans import SpanKind
from partner_desktop.mind.starter.stated import examples_in, quoted_in
from partner_desktop.mind.starter.units import meanings
from partner_desktop.mind.starter.wording import Wording, preposition_before
from partner_desktop.mind.starter.words import stem, terms

_FORM, _QUOTED, _INTRODUCED, _NAMED, _EXAMPLE, _HEAD, _KNOWN = 0.25, 1.0, 0.7, 0.5, 1.0, 0.8, 1.1
#: As all examples look, without being one.
_ALIKE = 0.35
#: What must be behind a wording before an optional parameter takes it.
_ENOUGH = 1.0
_FORMULA_WORDS = word_set("function equation expression formula polynomial integrand func")
_UNIT_WORDS = word_set("unit units")
_MEASURED_WORDS = _UNIT_WORDS | word_set("currency currencies")
_PLACE_WORDS = word_set(
    "location city place address area destination origin venue where loc town source start end to from county pickup dropoff"
)
_CODE_WORDS = word_set(
    "id uuid code identifier key token username user number sku serial version ticker symbol"
)
_COMMON_WORDS = word_set(
    "type category kind genre color colour dish ingredient ingredients cuisine material species flavor hobby"
)
_DIGIT_STRINGS = word_set(
    "id code zip number phone version season year room flight account postal pin password serial isbn"
)
_LANGUAGE_WORDS = word_set("language lang languages")
_DURATION_WORDS = word_set("duration period timeframe timespan interval time_frame time_period time term")
_COLOUR_NAMES = """
    red orange yellow green blue purple violet pink brown black white gray grey silver gold cyan magenta
    turquoise beige navy teal maroon
"""
_TEXT_WORDS = word_set("text message content body note comment reply words")
#: Parameters whose name says a kind of thing: `rock genre` is `rock`, but a `snake plant` is one.
_KIND_WORDS = word_set(
    "genre type category kind color colour language style size cuisine method mode room sport"
)
_REGION_WORDS = word_set("state country region province nation")
_TOPIC_WORDS = word_set("query topic subject search question keyword event title discovery prompt text")
_STREET = re.compile(
    r"\b\d+[A-Za-z]?\s+(?:[A-Z][\w.]*\s+){1,4}"
    r"(?:St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Ln|Lane|Dr|Drive|Way|Ct|Court|Square|Sq|Place|Pl)\b\.?"
    r"(?:,\s[A-Z]\w*(?:\s[A-Z]\w*)*){0,3}(?:,?\s\d{5})?"
)
_NO_VALUE = word_set("none any all default null dontcare true false other")
_STATED = 1.5
_COLOUR_WORDS = word_set("color colour colors colours")
_COLOUR = re.compile(rf"\b(?:{'|'.join(_COLOUR_NAMES.split())})\b", re.IGNORECASE)
_UNIT_PLACES = (
    (re.compile(r"\d\s*(?P<unit>[A-Za-z]{1,15})\b"), "from"),
    (re.compile(r"\b(?:to|into|in|how many)\s+(?P<unit>[A-Za-z]{1,15})\b", re.IGNORECASE), "to"),
)
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:[.\-]\d+){1,3}(?![\w.]*\w)|(?<![\w.,\-])\d{1,12}(?![\w%]|[.,]\d)")


def text_offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    """What the wordings, quotations, codes and formulas of a message are worth for one parameter."""
    if (languages := list(_languages(reading, slot, cues))) or slot_words(slot) & _LANGUAGE_WORDS:
        return languages
    found = [*_quoted(reading, slot, cues), *_formulas(reading, slot), *_digits(reading, slot, cues)]
    found += [*_sayings(reading, slot), *_colours(reading, slot), *_unit_names(reading, slot, cues)]
    found += [*_stated(reading, slot, cues), *_durations(reading, slot)]
    if not slot_words(slot) & _FORMULA_WORDS:
        for wording in (*reading.wordings, *_joint(reading, slot)):
            found += worded(reading, slot, cues, wording)
    return [offer for offer in (_limited(offer, slot) for offer in found) if offer.score > 0]


def _limited(offer: Offer, slot: Slot) -> Offer:
    return offer if slot.required else replace(offer, score=offer.score - _ENOUGH)


def _quoted(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    for span in reading.spans:
        form = form_fit(slot, span)
        if form > 0 and span.kind in (SpanKind.QUOTE, SpanKind.EMAIL, SpanKind.URL, SpanKind.PATH):
            near = cues.near(reading.said, span.start, span.end)
            said = span.value
            if (span.kind is SpanKind.URL and not slot.is_link) or slot_words(slot) & {
                "host",
                "hostname",
                "domain",
                "server",
            }:
                said = reading.text[span.start : span.end]
            yield Offer(said, span.start, span.end, _QUOTED + form * 0.3 + near, kind="text")


def _formulas(reading: Reading, slot: Slot) -> Iterator[Offer]:
    if slot_words(slot) & _FORMULA_WORDS:
        for start, end, written in find_formulas(reading.said, " ".join(examples_in(slot.description))):
            yield Offer(written, start, end, 1.5 + 0.01 * len(written), kind="text")


def _digits(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Digits for a text: an order number, a version, a season."""
    if not slot_words(slot) & _DIGIT_STRINGS:
        return
    for match in _VERSION.finditer(reading.said):
        near = cues.near(reading.said, *match.span())
        year = re.fullmatch(r"(?:19|20)\d\d", match.group()) and slot_words(slot) & {"year", "season"}
        near += 0.8 if year else 0.0
        if near > 0.4 and not reading.in_moment(*match.span()):
            yield Offer(match.group(), match.start(), match.end(), 0.6 + near, kind="text")


def _languages(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """A language, as its code where the description asks for one."""
    if not slot_words(slot) & _LANGUAGE_WORDS:
        return
    for start, end, name, code in named_languages(reading.said):
        score = 0.8 + cues.near(reading.said, start, end) + _ENOUGH * (not slot.required)
        score += _INTRODUCED * cues.introduced(preposition_before(reading.said, start))
        yield Offer(
            code if re.search(r"\bcode|iso|bcp", slot.description, re.IGNORECASE) else name,
            start,
            end,
            score,
            kind="text",
        )


def _colours(reading: Reading, slot: Slot) -> Iterator[Offer]:
    for match in _COLOUR.finditer(reading.said) if slot_words(slot) & _COLOUR_WORDS else ():
        yield Offer(match.group(), match.start(), match.end(), 1.7, kind="text")


def _unit_names(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """`convert 3 cups to spoons`: what is counted, and what is asked for."""
    if not slot_words(slot) & _MEASURED_WORDS:
        return
    for pattern, preposition in _UNIT_PLACES:
        for match in pattern.finditer(reading.said):
            known = bool(meanings(match["unit"]))
            fits = cues.introduced(preposition) > 0 and (known or (slot.required and preposition == "from"))
            if fits:
                yield Offer(match["unit"], *match.span("unit"), 1.0 + 0.5 * known, kind="text")


def _sayings(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """What stands behind `saying`, for a parameter that holds a text."""
    if slot_words(slot) & _TEXT_WORDS and (saying := SAYING.search(reading.said)):
        said = cleaned(reading.said[saying.end() :])
        if said:
            yield Offer(said, saying.end(), len(reading.said), 1.8, kind="text")


def _stated(reading: Reading, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """Values that the description names, where the text says them."""
    for value in (*quoted_in(slot.description), *examples_in(slot.description)):
        root = {term.stem for term in terms(value) if term.word}
        if not root or root <= reading.ability_stems or root <= slot.name_stems or value.lower() in _NO_VALUE:
            continue
        if value.casefold() not in reading.said.casefold():
            continue
        match = re.search(rf"(?<!\w){re.escape(value)}(?:s|es)?(?!\w)", reading.said, re.IGNORECASE)
        if match:
            yield Offer(
                value,
                match.start(),
                match.end(),
                _STATED + cues.near(reading.said, *match.span()),
                kind="text",
            )


def _durations(reading: Reading, slot: Slot) -> Iterator[Offer]:
    """`2 weeks` for a duration that is told in words."""
    if slot_words(slot) & _DURATION_WORDS:
        for quantity in reading.quantities:
            if "time" in quantity.dimensions and not quantity.ordinal:
                yield Offer(
                    reading.said[quantity.start : quantity.end],
                    quantity.start,
                    quantity.end,
                    1.6,
                    kind="text",
                )


def _joint(reading: Reading, slot: Slot) -> Iterator[Wording]:
    """`Paris, France` as one place, `history of tea` as one topic, `12 Oak Road` as one address."""
    if slot_words(slot) & _TOPIC_WORDS:
        for one, two in zip(reading.wordings, reading.wordings[1:], strict=False):
            if reading.said[one.end : two.start] == " of ":
                yield replace(one, end=two.end, text=reading.said[one.start : two.end])
    if not (slot_words(slot) & _PLACE_WORDS or wants_joint(slot)):
        return
    for street in _STREET.finditer(reading.said):
        before = preposition_before(reading.said, street.start())
        yield Wording(*street.span(), street.group(), before, name=True)
    for one, two in zip(reading.wordings, reading.wordings[1:], strict=False):
        between = reading.said[one.end : two.start]
        region = two.name or (wants_joint(slot) and len(two.text) > 1 and " " not in two.text)
        if (
            one.name
            and region
            and between == ", "
            and not re.match(r",? and (?![^,.]+, [A-Z])", reading.said[two.end :])
        ):
            yield replace(one, end=two.end, text=reading.said[one.start : two.end])


def worded(reading: Reading, slot: Slot, cues: Cues, wording: Wording) -> Iterator[Offer]:
    """One wording, without the words around it that only name the parameter."""
    start, end, head = _trimmed(slot, wording)
    text = reading.said[start:end]
    if not text or text.isdigit():
        return
    score = _FORM + 0.9 * cues.near(reading.said, start, end) + head
    score += _INTRODUCED * cues.introduced(wording.before) + _name_fit(slot, cues, wording)
    score += _example_fit(slot, text) - _KNOWN * _known(reading, wording, text)
    if wording.before and not cues.introduced(wording.before):
        score += 0.1
    if slot_words(slot) & _REGION_WORDS and re.search(r"\w, $", reading.said[max(0, start - 3) : start]):
        score += _INTRODUCED
    if " of " in text:
        score += 0.15
    score -= 0.05 * max(0, len(text.split()) - 4)
    if "," in text and not wants_joint(slot) and "city" in f"{slot.name} {slot.description}".lower():
        score -= 0.4
    elif "," in text:
        score += 0.2
    if not wording.name and text == wording.text and wording.start == 0:
        score -= 0.3  # the verb that asks
    yield Offer(_written(text, slot), start, end, score, kind="text")
    yield from _parts(reading, slot, text, start, score)
    if coloured := _COLOUR.match(text):  # `red shoes`: the colour may be another parameter's
        bare = text[coloured.end() :].lstrip()
        if bare:
            yield Offer(bare, end - len(bare), end, score - 0.1, kind="text")


def _parts(reading: Reading, slot: Slot, text: str, start: int, score: float) -> Iterator[Offer]:
    """Without its first word, which may be another's (`large pizzas`); before a word of the ability (`jazz concerts`)."""
    first, _, more = text.partition(" ")
    if not more or text[0].isupper():
        return
    yield Offer(more, start + len(first) + 1, start + len(text), score - 0.25, kind="text")
    if (
        slot_words(slot) & (_KIND_WORDS | _COMMON_WORDS)
        and stem(more.split()[0].lower()) in reading.ability_stems
    ):
        yield Offer(first, start, start + len(first), score + 1.0, kind="text")


def _trimmed(slot: Slot, wording: Wording) -> tuple[int, int, float]:
    """Without the parameter's own words at either end: `theft crimes` for a crime type is `theft`."""
    if wording.name:
        return wording.start, wording.end, _HEAD / 2 if _own(slot, wording.text.split()[-1]) else 0.0
    words = [(match.start(), match.end()) for match in re.finditer(r"\S+", wording.text)]
    first, last = 0, len(words)
    if len(slot_words(slot)) == 1 and not slot_words(slot) & _KIND_WORDS:
        skip = last > 1 and _own(slot, wording.text[slice(*words[0])])  # `avoiding tolls`
        start = wording.start + words[1][0] if skip else wording.start
        return (
            start,
            wording.end,
            _HEAD if skip else _HEAD / 2 if _own(slot, wording.text.split()[-1]) else 0.0,
        )
    inner = next((index for index in range(1, last) if _own(slot, wording.text[slice(*words[index])])), None)
    last = inner if inner is not None else last  # `divorce cases heard`
    while last - first > 1 and _own(slot, wording.text[slice(*words[last - 1])]):
        last -= 1
    while last - first > 1 and _own(slot, wording.text[slice(*words[first])]):
        first += 1
    head = _HEAD if last - first < len(words) else 0.0
    return wording.start + words[first][0], wording.start + words[last - 1][1], head


def _own(slot: Slot, word: str) -> bool:
    root = stem(word.lower())
    own = slot.name_stems | (slot.description_stems if slot_words(slot) & _KIND_WORDS else frozenset())
    return any(root == mine or related(mine, root) for mine in own)


def _name_fit(slot: Slot, cues: Cues, wording: Wording) -> float:
    words = slot_words(slot)
    if words & _UNIT_WORDS:
        return -1.0
    if words & _CODE_WORDS and wording.code:
        return _NAMED
    if words & _COLOUR_WORDS:
        return 1.2 if _COLOUR.fullmatch(wording.text) else -0.4
    if strength := name_wanted(slot, cues):
        return _NAMED * strength if wording.name else -_NAMED * strength
    return 0.0 if not wording.name else -0.1 if words & _COMMON_WORDS else 0.1


def name_wanted(slot: Slot, cues: Cues) -> float:
    """How sure it is that values are written like names: by the parameter's words, or as its examples are."""
    if slot_words(slot) & _COMMON_WORDS:
        return 0.0
    examples = examples_in(slot.description)
    if examples:
        return float(sum(example[:1].isupper() for example in examples) * 2 > len(examples))
    return cues.named


def _example_fit(slot: Slot, text: str) -> float:
    examples = examples_in(slot.description)
    if text.casefold() in {example.casefold() for example in examples}:
        return _EXAMPLE
    return (
        _ALIKE
        if examples and _shape(text) and all(_shape(text) == _shape(example) for example in examples)
        else 0.0
    )


def _shape(text: str) -> str:
    """What a value looks like, where it looks like something: `NBA`, `2018-2019`, `running`."""
    if re.fullmatch(r"[A-Z]{2,6}", text):
        return "capitals"
    if re.fullmatch(r"[a-z]+ing", text):
        return "doing"
    return re.sub(r"[A-Z]", "A", re.sub(r"\d", "0", text)) if re.search(r"\d", text) else ""


def _known(reading: Reading, wording: Wording, text: str) -> float:
    """The share of words that the ability itself uses: they ask for it and are no value."""
    said = [term.stem for term in terms(text) if term.word]
    if not said:
        return 0.0
    known = reading.ability_stems | reading.parameter_stems
    share = sum(any(root == other for other in known) for root in said) / len(said)
    return share * (0.25 if wording.name else 1.0)


def _written(text: str, slot: Slot) -> str:
    if wants_joint(slot):
        return formatted(text, slot)
    return full_name(text) if slot_words(slot) & {"city", "location", "town"} else text
