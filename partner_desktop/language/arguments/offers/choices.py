"""Choices of an enum by meaning: literally, by stems, by everyday synonyms, by their gloss; and yes/no
parameters that a message really speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json
from partner_desktop.language.arguments.cues import Cues, related
from partner_desktop.language.arguments.offers.distribution import Offer
from partner_desktop.language.arguments.offers.formed_offers import language_code
from partner_desktop.language.arguments.slot import Slot, truths_in
from partner_desktop.language.arguments.wordings import WORDINGS
from partner_desktop.language.clauses import is_negated
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.noun_phrases import preposition_before
from partner_desktop.language.spans import SpanKind, blank, find_spans
from partner_desktop.language.terms import (
    CONTENT_WEIGHT,
    FUNCTION_WEIGHT,
    GENERIC_WEIGHT,
    Term,
    has_cjk,
    terms,
)
from partner_desktop.language.typos import meant_word
from partner_desktop.language.values.quantities import find_quantities, meanings

#: Words of a choice that tell nothing about it.
_NOTHING = WORDINGS.sets["no_value"]
_LITERAL, _STEMS, _PART = 1.6, 1.3, 1.0
#: How near a number must stand to a word of the parameter.
_BESIDE = 0.3
_CLOSED = frozenset({SpanKind.URL, SpanKind.EMAIL, SpanKind.PATH})
_UNIT = re.compile(r"°\s?[CF]\b|℃|℉|\b[A-Za-z]{2,12}(?:/[a-z]{1,2})?\b")
#: Characters around a word in which another belongs to it.
_NEAR = 40
#: Digits of a number that hardly counts anything.
_YEAR = 4
#: What it is worth that words before a choice say that something becomes it, or was it.
_TURNED = 0.4


def choice_offers(text: str, slot: Slot, cues: Cues) -> list[Offer]:
    """The choices that a text may mean, each with where it says so."""
    found: dict[str, Offer] = {}
    for hit in choices_named(text, slot):
        score = (
            _LITERAL
            + cues.near(text, hit.start, hit.end)
            + _direction(text, hit.start)
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
    for told in (choice, *_glosses(slot, choice)):
        wanted = _telling(told) if told is choice else [replace(term, concepts={}) for term in terms(told)]
        hits = {term.stem: said for term in wanted if (said := _said(term, text)) is not None}
        if told is not choice and len(hits) < len(wanted):
            continue
        if hits and (len(hits) == len(wanted) or hits.keys() - slot.name_stems - _shared(slot)):
            share = len(hits) / len(wanted)
            start = min(said.start for said in hits.values())
            end = max(said.start + len(said.word or said.stem) for said in hits.values())
            score = _STEMS if share == 1 else _PART * share**0.3
            score += 0.5 * cues.near(text, start, end) + _direction(text, start)
            yield Offer(choice, start, end, score, claims=False)
    if (place := language_code(choice, text)) is not None:
        yield Offer(choice, *place, _STEMS + _introduced(text, cues, place[0]), claims=False)


def _direction(text: str, position: int) -> float:
    """`into jpgs` is what something becomes, `out of the pngs` what it was."""
    before = text[max(0, position - _NEAR) : position]
    if WORDINGS.patterns["becomes"].search(before):
        return _TURNED
    return -_TURNED if WORDINGS.patterns["comes_from"].search(before) else 0.0


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


def _said(wanted: Term, text: str) -> Term | None:
    """Where a text says a word: itself, its longer or shorter form, or one that means the same."""
    words = _words(text)
    slip = (
        term
        for term in words
        if term.word and len(term.word) != len(wanted.word) and meant_word(term.word, (wanted.word,))
    )
    return next((term for term in words if _is_same(wanted, term)), None) or next(slip, None)


def _words(text: str) -> tuple[Term, ...]:
    """What a text says outside of paths and addresses."""
    return terms(
        blank(text, tuple(span for span in find_spans(text) if span.kind in _CLOSED or span.is_path))
    )


def _is_same(mine: Term, other: Term, *, synonyms: bool = True) -> bool:
    """Whether both say the same; without `synonyms` a word of one language stands for one of another only."""
    if mine.stem == other.stem or related(mine.stem, other.stem):
        return True
    alike = bool(mine.concepts.keys() & other.concepts.keys())
    return alike and (synonyms or mine.stem.isascii() != other.stem.isascii())


@lru_cache(maxsize=1024)
def _telling(choice: str) -> tuple[Term, ...]:
    """The words of a choice that say something."""
    found = {term.stem: term for term in terms(choice)}
    telling = tuple(term for term in found.values() if term.weight > FUNCTION_WEIGHT)
    return telling or tuple(found.values())


def _glosses(slot: Slot, choice: str) -> Iterator[str]:
    """What a description says beside a choice in brackets: `编号（number）`."""
    for told in (slot.description, *slot.elsewhere):
        yield from re.findall(rf"([^\W的或和上是为]{{1,6}}) ?[（(]{re.escape(choice)}[)）]", told)


def _shared(slot: Slot) -> set[str]:
    """Stems that more than one choice has."""
    every = [{term.stem for term in _telling(choice)} for choice in slot.choices if isinstance(choice, str)]
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
    return [hit for hit in hits if _is_telling(hit) or _distance(text, slot, hit.start) <= _NEAR]


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


def _is_telling(hit: NamedChoice) -> bool:
    """Whether the word can hardly be there for another reason."""
    words = terms(str(hit.value))
    written = str(hit.value)
    if written.isdigit():
        return len(written) >= _YEAR
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
    hit = _distinctive(text, slot, ability_stems)
    if hit is not None:
        return not is_negated(text, hit.start)
    return next(filter(lambda said: said is not None, _whether(text, slot, ability_stems)), None)


def _whether(text: str, slot: Slot, ability_stems: frozenset[str]) -> Iterator[bool | None]:
    """What a description that asks (`whether it has symbols`, `without caffeine`, `是否下雨`) is told."""
    for told in (slot.description, *slot.elsewhere):
        asked = WORDINGS.patterns["whether"].search(told)
        if asked is None:
            continue
        turned = WORDINGS.patterns["without"].search(told) is not None
        hit = _told(text, told[asked.end() :], ability_stems)
        if hit is not None:
            yield turned == is_negated(text, hit.start)
        else:
            said = _chinese_flag(text, told[asked.end() :])
            yield None if said is None else said != turned


def _first_of(wanted: Sequence[Term], text: str) -> Term | None:
    return next(
        (said for said in _words(text) if any(_is_same(term, said, synonyms=False) for term in wanted)), None
    )


#: What turns a word of Chinese around, with the small verbs between.
_NOT_SO = re.compile(r"(?:不|没|无|别|免|去)(?:用|要|会|有|在|加|放|带|开|需要?)*$")
_LIGHT_VERB = re.compile(r"[加要带放用开有响下打是会在]")


def _chinese_flag(text: str, told: str) -> bool | None:
    """`不要糖` of `加糖`, `不要响` of `响铃`."""
    words = re.match(r"[\u4e00-\u9fff]{1,6}", told)
    if words is None:
        return None
    whole = words.group()
    light = len(whole) > 1 and _LIGHT_VERB.match(whole) is not None
    for said in (whole, *([whole[1:]] if light else ())):
        if (at := text.find(said)) >= 0:
            return _NOT_SO.search(text[:at]) is None
    refused = light and re.search(rf"(?:不|别)(?:用|要|会|必)?{whole[0]}", text) is not None
    return False if refused else None


def _told(text: str, told: str, common: frozenset[str]) -> Term | None:
    """A word of the explanation that is special to it: those of the ability and of the other say nothing."""
    known = {name for term in terms(" ".join(sorted(common))) for name in term.concepts}
    wanted = [
        term
        for term in terms(told)
        if term.weight > GENERIC_WEIGHT
        and term.stem not in common | _vague()
        and known.isdisjoint(term.concepts)
    ]
    return _first_of(wanted, text)


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
        term for term in telling if len(telling) == 1 or (term.stem in told and term.stem not in _vague())
    ]
    return _first_of(wanted, text)


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
