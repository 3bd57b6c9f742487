"""Yes/no parameters that a message really speaks of."""

from __future__ import annotations

import re
from functools import cache

from partner_desktop.language.arguments.cues import related
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.arguments.slot_description import truths_in
from partner_desktop.language.lexicon import FUNCTION_WORDS
from partner_desktop.language.negation import is_negated
from partner_desktop.language.terms import GENERIC_WEIGHT, Term, terms

#: Words of a flag's name that say only that it is one.
_FLAG_WORDS = frozenset(
    {"includ", "use", "enabl", "with", "allow", "is", "has", "should", "show", "do", "onli"}
)


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
    return None if hit is None else not is_negated(text, hit.start)


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
