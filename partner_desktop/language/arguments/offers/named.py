"""Choices and yes/no parameters that the text names literally."""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner_desktop.domain.json_value import Json
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.language.terms import CONTENT_WEIGHT, Term, terms

_NEGATION = re.compile(
    r"\b(?:no|non|not|don'?t|do not|without|exclud\w*|skip\w*|ignor\w*|never|leave out|omit\w*|disabl\w*)\b"
    r"|不|除了|没有",
    re.IGNORECASE,
)
#: Words of a flag's name that say only that it is one.
FLAG_WORDS = frozenset(
    {"includ", "use", "enabl", "with", "allow", "is", "has", "should", "show", "do", "onli"}
)
#: Characters around a word in which another belongs to it.
_NEAR = 40


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


def named_flag(text: str, slot: Slot) -> bool | None:
    """`including hidden files` → true, `without hidden files` → false; `None` when it is not spoken of."""
    said = terms(text)
    wanted = slot.name_stems - FLAG_WORDS or slot.name_stems
    hits = [term for term in said if term.stem in wanted]
    if {term.stem for term in hits} != wanted:
        return None
    first = min(term.start for term in hits)
    return _literal(text, hits) if _literal(text, hits) is not None else not is_negated(text, first)


def is_negated(text: str, position: int) -> bool:
    """Whether a no stands shortly before, in the same clause."""
    before = re.split(r"[,.;:!?，。；]|\bbut\b|\band\b", text[max(0, position - _NEAR) : position])[-1]
    return bool(_NEGATION.search(before))


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
