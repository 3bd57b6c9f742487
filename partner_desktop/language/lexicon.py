"""Everyday words: which carry little meaning, and which mean the same; names and numbers of a result as a
person says them, and whether a sentence says a value already.

General language only. Nothing here knows a certain ability or script; what is special to one belongs into
its `aliases`.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from partner_desktop.base.paths import shipped
from partner_desktop.domain.json_value import Json


def word_set(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def _dictionary(language: str) -> dict[str, Any]:  # Any: what TOML says
    path = shipped("resources") / "language" / language / "dictionary.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


#: Read with the module, which never happens on the loop.
_ENGLISH, _CHINESE = _dictionary("en"), _dictionary("zh")


def _concepts_by_word(groups: Mapping[str, str]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for concept, words in groups.items():
        for word in words.split():
            strengths = found.setdefault(word, {})
            strengths[concept] = 1.0
            if wider := _ENGLISH["wider"].get(concept):
                strengths.setdefault(wider, 0.5)
    return found


#: Words of talk; words that fit half of all abilities, or ask; words of grammar and politeness.
TALK, GENERIC_WORDS, FUNCTION_WORDS = (word_set(_ENGLISH[name]) for name in ("talk", "generic", "function"))
CJK_TALK, CJK_GENERIC_WORDS, CJK_FUNCTION_WORDS = (
    word_set(_CHINESE[name]) for name in ("talk", "generic", "function")
)
#: Chinese word → its concepts with their strength, 0 to 1; the longest word is taken where several fit.
CJK_CONCEPTS = _concepts_by_word(_CHINESE["concepts"])
#: Lower-cased word → its concepts. What only the Chinese dictionary has is a concept of its own.
CONCEPTS = _concepts_by_word({**{word: word for word in _CHINESE["concepts"]}, **_ENGLISH["concepts"]})
#: Phrase (lower-cased words) → the concept it stands for.
PHRASES = {
    tuple(said.split()): concept for concept, phrases in _ENGLISH["phrases"].items() for said in phrases
}


#: Units that a name ends with, put in brackets.
_UNITS = word_set("bytes kb mb gb seconds minutes hours days ms percent px")


@cache
def fact_names(language: str) -> Mapping[str, str]:
    """Key of a parameter or of a part of a result → what it is called in a language, where that is known."""
    path = shipped("resources") / "language" / language / "fact_names.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def fact_name(key: str) -> str:
    """`reading_time_minutes` → `reading time (minutes)`."""
    words = re.sub(r"[_\-\s]+", " ", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", key)).strip().lower().split()
    if len(words) > 1 and words[-1] in _UNITS:
        return f"{' '.join(words[:-1])} ({words[-1]})"
    return " ".join(words) or key


def head(key: str) -> str:
    """A name where a line or a column begins: `reading_time_minutes` → `Reading time (minutes)`."""
    name = fact_name(key)
    return name[:1].upper() + name[1:]


def number(value: float) -> str:
    """With thousands marked and without needless decimals."""
    if isinstance(value, int):
        return f"{value:,}"
    if not math.isfinite(value):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"


def said_in(summary: str, value: Json) -> bool:
    """Whether a sentence already gives a value, so that repeating it adds nothing."""
    if isinstance(value, (bool, dict, list)) or value is None:
        return False
    forms = {str(value), number(value)} if isinstance(value, (int, float)) else {value}
    return any(form and re.search(rf"(?<![\w.,]){re.escape(form)}(?![\w]|[.,]\d)", summary) for form in forms)


_NUMBERS = {
    word: number
    for number, words in {
        1: "one first 1st former 一 前者 前",
        2: "two second 2nd latter couple 二 两 后者",
        3: "three third 3rd few 三 几",
        4: "four fourth 4th 四",
        5: "five fifth 5th 五",
        6: "six sixth 6th 六",
        7: "seven seventh 7th 七",
        8: "eight eighth 8th 八",
        9: "nine ninth 9th 九",
        10: "ten tenth 10th 十",
        -1: "last final bottom 最后 最末",
        -2: "penultimate second_to_last second_last 倒数第二",
    }.items()
    for word in words.split()
}


def number_of(said: str) -> int:
    """The number or the place that a word says, negative from the end; 0: none."""
    plain = "_".join(said.casefold().removesuffix(" of").split())
    return int(plain) if plain.isdigit() else _NUMBERS.get(plain, 0)
