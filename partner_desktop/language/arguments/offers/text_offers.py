"""Wordings of a message offered to parameters that take free text, and what each is worth by itself,
before the words around it speak.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.cues import Cues, related
from partner_desktop.language.arguments.offers.distribution import Offer, Reading
from partner_desktop.language.arguments.offers.formed_offers import (
    COLOUR,
    formed_offers,
    language_offers,
    zone_offers,
)
from partner_desktop.language.arguments.slot import Slot, examples_in
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.file_kinds import kind_places, name_pattern
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.noun_phrases import Wording, preposition_before
from partner_desktop.language.spans import CLOSING, blank, find_spans
from partner_desktop.language.terms import ALIAS_LIMIT, has_cjk, stem, terms

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
