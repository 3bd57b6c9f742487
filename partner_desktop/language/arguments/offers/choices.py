"""Choices of an enum by meaning: literally, by stems, by everyday synonyms, by their gloss."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from partner_desktop.domain.json_value import Json
from partner_desktop.language.arguments.cues import Cues, related
from partner_desktop.language.arguments.offers.distribution import Offer
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.lexicon import CONCEPTS, FUNCTION_WORDS
from partner_desktop.language.noun_phrases import Token, preposition_before, tokens
from partner_desktop.language.terms import CONTENT_WEIGHT, stem, terms
from partner_desktop.language.values.language_names import language_code
from partner_desktop.language.values.quantities import find_quantities
from partner_desktop.language.values.units import meanings

#: Words of a choice that tell nothing about it.
_NOTHING = frozenset({"any", "none", "all", "other", "null", "default", "true", "false"})
_LITERAL, _STEMS, _PART, _GLOSS = 1.6, 1.3, 1.0, 0.8
#: How near a number must stand to a word of the parameter.
_BESIDE = 0.3
_UNIT = re.compile(r"°\s?[CF]\b|℃|℉|\b[A-Za-z]{2,12}(?:/[a-z]{1,2})?\b")
#: Characters around a word in which another belongs to it.
_NEAR = 40


def choice_offers(text: str, slot: Slot, cues: Cues) -> list[Offer]:
    """The choices that a text may mean, each with where it says so."""
    found: dict[str, Offer] = {}
    for hit in choices_named(text, slot):
        score = (
            _LITERAL
            + cues.near(text, hit.start, hit.end)
            - (0.5 if str(hit.value).lower() in _NOTHING else 0)
        )
        _keep(found, Offer(hit.value, hit.start, hit.end, score))
    for choice in slot.choices:
        if isinstance(choice, str) and choice.lower() not in _NOTHING:
            for offer in _meant(text, choice, slot, cues):
                _keep(found, offer)
    for offer in (*_numbers(text, slot, cues), *_units(text, slot)):
        _keep(found, offer)
    return list(found.values())


def _keep(found: dict[str, Offer], offer: Offer) -> None:
    known = found.get(str(offer.value))
    if known is None or known.score < offer.score:
        found[str(offer.value)] = offer


def _meant(text: str, choice: str, slot: Slot, cues: Cues) -> Iterator[Offer]:
    every = tokens(text)
    wanted = _stems(choice)
    hits = {word: token for word in wanted if (token := _said(word, every)) is not None}
    if hits:
        share = len(hits) / len(wanted)
        token = next(iter(hits.values()))
        own = {stem(word) for word in re.findall(r"[a-z]+", slot.name.lower())}
        score = _STEMS if share == 1 else _PART * share**0.3
        if share == 1 or set(hits) - own - _shared(slot):
            yield Offer(
                choice,
                token.start,
                token.end,
                score + 0.5 * cues.near(text, token.start, token.end),
                claims=False,
            )
    for word in _gloss(choice, slot.description):
        token = _said(stem(word), every)
        if token is not None:
            yield Offer(choice, token.start, token.end, _GLOSS, claims=False)
    if (place := language_code(choice, text)) is not None:
        yield Offer(choice, *place, _STEMS + _introduced(text, cues, place[0]), claims=False)


def _introduced(text: str, cues: Cues, position: int) -> float:
    """Whether a preposition of the parameter stands before: `to Danish` for a target."""
    return 0.4 * cues.introduced(preposition_before(text, position))


def _numbers(text: str, slot: Slot, cues: Cues) -> Iterator[Offer]:
    """`three stars` for choices that are digits."""
    written = {str(choice): choice for choice in slot.choices}
    for quantity in find_quantities(text):
        choice = written.get(str(quantity.value))
        near = cues.near(text, quantity.start, quantity.end)
        if choice is not None and near > _BESIDE:
            yield Offer(choice, quantity.start, quantity.end, _PART + near)


def _units(text: str, slot: Slot) -> Iterator[Offer]:
    """`°C` for a choice that is called `celsius`: the same unit by another name."""
    said = [
        (match.start(), match.end(), unit)
        for match in _UNIT.finditer(text)
        for unit in meanings(match.group())
    ]
    for choice in slot.choices:
        for mine in meanings(str(choice)):
            for start, end, unit in said:
                if (unit.dimension, unit.factor) == (mine.dimension, mine.factor):
                    yield Offer(choice, start, end, _STEMS, claims=False)


def _said(word: str, every: tuple[Token, ...]) -> Token | None:
    """The token that says a stem: itself, its longer or shorter form, or an everyday synonym."""
    for token in every:
        if token.is_word and (token.stem == word or related(word, token.stem)):
            return token
    meanings = set(CONCEPTS.get(word, ()))
    return (
        next((token for token in every if meanings & set(CONCEPTS.get(token.lower, ()))), None)
        if meanings
        else None
    )


@lru_cache(maxsize=1024)
def _stems(choice: str) -> frozenset[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", choice)
    words = [word.lower() for word in re.findall(r"[^\W_]+", spaced)]
    return frozenset(stem(word) for word in words if word not in FUNCTION_WORDS or len(words) == 1)


def _shared(slot: Slot) -> set[str]:
    """Stems that more than one choice has."""
    every = [_stems(choice) for choice in slot.choices if isinstance(choice, str)]
    return {word for mine in every for word in mine if sum(word in other for other in every) > 1}


def _gloss(choice: str, description: str) -> list[str]:
    """`'metric' for Celsius and …` → `celsius`: what a description says that a choice stands for."""
    match = re.search(
        rf"['\"`(]{re.escape(choice)}['\"`)]?\s{{0,9}}(?:for|=|:|means|is|\()\s{{0,9}}(?P<gloss>[^,.;'\"]{{3,50}})",
        description,
        re.IGNORECASE,
    )
    if match is None:
        return []
    words: list[str] = re.findall(r"[a-z]{4,}", match["gloss"].lower())
    return [word for word in words if word not in FUNCTION_WORDS]


def single_choice(offers: list[Offer]) -> Json:
    """The clearly best choice; `None` where two are as good."""
    best = sorted(offers, key=lambda offer: -offer.score)
    if not best or (len(best) > 1 and best[0].score - best[1].score < 0.01):
        return None
    return best[0].value


@dataclass(frozen=True)
class NamedChoice:
    """A choice of an enum, and where the text says it."""

    value: Json
    start: int
    end: int


def choices_named(text: str, slot: Slot) -> list[NamedChoice]:
    """The choices that are named literally, and hardly for another reason."""
    hits = [
        hit for choice in slot.choices if isinstance(choice, (str, int)) for hit in _mentions(text, choice)
    ]
    return [hit for hit in hits if _telling(hit) or _distance(text, slot, hit.start) <= _NEAR]


def _mentions(text: str, choice: str | int) -> list[NamedChoice]:
    words = re.split(r"[_\-\s]+", str(choice))
    if words[0].casefold() not in text.casefold():
        return []
    pattern = r"[_\-\s]+".join(re.escape(word) for word in words)
    flags = re.NOFLAG if len(str(choice)) <= 2 else re.IGNORECASE
    found = re.finditer(rf"(?<![\w.]){pattern}(?![\w]|\.\w)", text, flags)
    return [NamedChoice(choice, match.start(), match.end()) for match in found]


def _telling(hit: NamedChoice) -> bool:
    """Whether the word can hardly be there for another reason."""
    words = terms(str(hit.value))
    return len(str(hit.value)) > 2 and any(term.weight >= CONTENT_WEIGHT for term in words)


def _distance(text: str, slot: Slot, position: int) -> int:
    near = [abs(term.start - position) for term in terms(text) if term.stem in slot.name_stems]
    return min(near, default=1_000)
