"""Choices of an enum by meaning: literally, by stems, by everyday synonyms, by their gloss; and yes/no
parameters that a message really speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json
from partner_desktop.language.arguments.cues import Cues, related
from partner_desktop.language.arguments.offers.distribution import Offer
from partner_desktop.language.arguments.offers.formed_offers import language_code
from partner_desktop.language.arguments.slot import Slot, truths_in
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.clauses import is_negated
from partner_desktop.language.lexicon import CONCEPTS, FUNCTION_WORDS
from partner_desktop.language.noun_phrases import Token, preposition_before, tokens
from partner_desktop.language.terms import CONTENT_WEIGHT, GENERIC_WEIGHT, Term, has_cjk, stem, terms
from partner_desktop.language.values.quantities import find_quantities
from partner_desktop.language.values.units import meanings

#: Words of a choice that tell nothing about it.
_NOTHING = WORDINGS.sets["no_value"]
_LITERAL, _STEMS, _PART = 1.6, 1.3, 1.0
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
    # Words of Chinese have no ends; a single character is a part of too many.
    whole = (
        pattern
        if len(str(choice)) > 1 and has_cjk(str(choice))
        else rf"(?<![A-Za-z0-9_.]){pattern}(?![A-Za-z0-9_]|\.\w)"
    )
    found = re.finditer(whole, text, flags)
    return [NamedChoice(choice, match.start(), match.end()) for match in found]


def _telling(hit: NamedChoice) -> bool:
    """Whether the word can hardly be there for another reason."""
    words = terms(str(hit.value))
    written = str(hit.value)
    return (len(written) > 2 or (len(written) > 1 and has_cjk(written))) and any(
        term.weight >= CONTENT_WEIGHT for term in words
    )


def _distance(text: str, slot: Slot, position: int) -> int:
    near = [abs(term.start - position) for term in terms(text) if term.stem in slot.name_stems]
    return min(near, default=1_000)


#: Words of a flag's name that say only that it is one.
_FLAG_WORDS = WORDINGS.sets["flag"]


def is_switch(slot: Slot) -> bool:
    """A boolean, or a choice between the words `True` and `False`."""
    return slot.types == {"boolean"} or {"true", "false"} <= {str(choice).lower() for choice in slot.choices}


def flag_said(text: str, slot: Slot, ability_stems: frozenset[str]) -> bool | None:
    """True or false as the text has it; `None` when it does not speak of the parameter."""
    literal = named_flag(text, slot)
    if literal is not None:
        return literal
    truths = truths_in(slot.description)
    for truth, told in truths:
        others = " ".join(other for kind, other in truths if kind != truth)
        hit = _told(text, told, ability_stems | {term.stem for term in terms(others)})
        if hit is not None:
            return truth != is_negated(text, hit.start)
    if _opposite(text, slot):
        return False
    if (asked := _WHETHER.search(slot.description)) is not None and (at := text.find(asked["told"])) >= 0:
        return _NOT_SO.search(text[:at]) is None
    hit = _distinctive(text, slot, ability_stems)
    return None if hit is None else not is_negated(text, hit.start)


#: `是否下雨`: what a flag that is told of in Chinese asks, and what turns it around.
_WHETHER = re.compile(r"(?:是否|要不要|是不是|有没有|会不会)(?:要|会|有|在)?(?P<told>[^\s，。,（(？?]+)")
_NOT_SO = re.compile(r"(?:不|没|无|别)(?:用|要|会|有|在)?$")


def _told(text: str, told: str, common: frozenset[str]) -> Term | None:
    """A word of the explanation that is special to it: those of the ability and of the other say nothing."""
    wanted = {term.stem for term in terms(told) if term.weight > GENERIC_WEIGHT} - common - _vague()
    return next((term for term in terms(text) if term.stem in wanted), None)


def _opposite(text: str, slot: Slot) -> bool:
    """`deactivate` for `active`, `unequal` for `equal`: the word with what turns it around."""
    roots = [term.stem for term in terms(slot.name) if term.weight > GENERIC_WEIGHT and len(term.stem) > 3]
    return any(
        re.search(rf"\b(?:un|in|non-?|dis|de){re.escape(root)}", text, re.IGNORECASE) for root in roots
    )


def _distinctive(text: str, slot: Slot, ability_stems: frozenset[str]) -> Term | None:
    """The one telling word of the parameter's name, where the text says it."""
    named = [
        term for term in terms(slot.name) if term.stem not in _FLAG_WORDS and term.word not in FUNCTION_WORDS
    ]
    telling = [term for term in named if term.stem not in ability_stems and term.weight > GENERIC_WEIGHT]
    told = {term.stem for term in terms(slot.description)}
    wanted = [
        term.stem
        for term in telling
        if len(telling) == 1 or (term.stem in told and term.stem not in _vague())
    ]
    return next((term for term in terms(text) for root in wanted if related_or_same(root, term.stem)), None)


def related_or_same(mine: str, other: str) -> bool:
    return mine == other or related(mine, other)


def as_choice(slot: Slot, said: bool) -> bool | str:
    """The flag as the schema has it: a boolean, or the choice that spells it."""
    if slot.types == {"boolean"}:
        return said
    return next(str(choice) for choice in slot.choices if str(choice).lower() == str(said).lower())


@cache
def _vague() -> frozenset[str]:
    said = "yes no true false otherwise preference set select good new best special"
    return frozenset(term.stem for term in terms(said))


def named_flag(text: str, slot: Slot) -> bool | None:
    """`including hidden files` → true, `without hidden files` → false; `None` when it is not spoken of."""
    said = terms(text)
    wanted = slot.name_stems - _FLAG_WORDS or slot.name_stems
    hits = [term for term in said if term.stem in wanted]
    if {term.stem for term in hits} != wanted:
        return None
    first = min(term.start for term in hits)
    return _literal(text, hits) if _literal(text, hits) is not None else not is_negated(text, first)


def _literal(text: str, hits: list[Term]) -> bool | None:
    """`hidden: no`, `hidden files off`."""
    last = max(hits, key=lambda term: term.start)
    after = text[last.start + len(last.word) :]
    match = re.match(
        r"\s{0,9}(?:files?|=|:|is|to|set to)?\s{0,9}(true|false|yes|no|on|off)\b(?!\s{1,9}\w)",
        after,
        re.IGNORECASE,
    )
    return match.group(1).lower() in {"true", "yes", "on"} if match else None
