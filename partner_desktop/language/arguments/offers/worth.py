"""What a wording is worth for a parameter by itself, before the words around it speak."""

from __future__ import annotations

import re

from partner_desktop.language.arguments.cues import Cues, related
from partner_desktop.language.arguments.measures import slot_words
from partner_desktop.language.arguments.parameter_words import (
    CODE_WORDS,
    COLOUR,
    COLOUR_WORDS,
    COMMON_WORDS,
    ID_WORDS,
    KIND_WORDS,
    UNIT_WORDS,
)
from partner_desktop.language.arguments.reading import Reading
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.arguments.slot_description import examples_in
from partner_desktop.language.noun_phrases import Wording
from partner_desktop.language.terms import stem, terms

_NAMED, _EXAMPLE = 0.5, 1.0
#: As all examples look, without being one.
_ALIKE = 0.35


def is_own(slot: Slot, word: str) -> bool:
    """Whether a word only names the parameter."""
    root = stem(word.lower())
    own = slot.name_stems | (slot.description_stems if slot_words(slot) & KIND_WORDS else frozenset())
    return any(root == mine or related(mine, root) for mine in own)


def name_fit(slot: Slot, cues: Cues, wording: Wording) -> float:
    """How well a wording looks like what the parameter's name wants: a name, a code, a colour."""
    words = slot_words(slot)
    if words & UNIT_WORDS:
        return -1.0
    if words & CODE_WORDS and wording.code:
        return _NAMED
    if words & ID_WORDS and not wording.code and not re.search(r"\d", wording.text):
        return -_NAMED
    if words & COLOUR_WORDS:
        return 1.2 if COLOUR.fullmatch(wording.text) else -0.4
    if strength := name_wanted(slot, cues):
        return _NAMED * strength if wording.name else -_NAMED * strength
    return 0.0 if not wording.name else -0.1 if words & COMMON_WORDS else 0.1


def name_wanted(slot: Slot, cues: Cues) -> float:
    """How sure it is that values are written like names: by the parameter's words, or as its examples are."""
    if slot_words(slot) & COMMON_WORDS:
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
