"""Text as weighted terms: stems for words, dictionary words and bigrams for Chinese and its like."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from types import MappingProxyType

import Stemmer

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.patterns import late
from partner_desktop.language.lexicon import (
    CJK_CONCEPTS,
    CJK_FUNCTION_WORDS,
    CJK_GENERIC_WORDS,
    CONCEPTS,
    FUNCTION_WORDS,
    GENERIC_WORDS,
    PHRASES,
)

#: What a word of grammar, one that fits half of all abilities, and any other word weigh.
FUNCTION_WEIGHT, GENERIC_WEIGHT, CONTENT_WEIGHT = 0.05, 0.4, 1.0

#: What is said is said within so many characters; the rest is a document.
TEXT_LIMIT = 4_000

#: So many of the other ways to ask for an ability are read.
ALIAS_LIMIT = 60

_NO_CONCEPTS: Mapping[str, float] = MappingProxyType({})
_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = late(rf"(?P<cjk>[{_CJK}]+)|(?P<word>(?:(?![{_CJK}])[^\W_])+(?:['’][A-Za-z]{{1,2}}\b)?)")
_CAMEL = late(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CJK_WORDS = CJK_CONCEPTS.keys() | CJK_FUNCTION_WORDS
_CJK_LONGEST = max(map(len, _CJK_WORDS))
_CJK_LETTERS = late(rf"[{_CJK}]")
#: `summarise` and `summarize`, `colour` and `color`; what else ends so changes on both sides alike.
_BRITISH = late(r"(?<=\w{4})(is)(es?|ed|ing|ation)$|(?<=\w{2})(our)(s?)$")
#: Several of what is spelt out: `pdfs`, `mp3s`; the stemmer knows words with vowels.
_SPELT = late(r"[b-df-hj-np-tv-z0-9]{2,5}(?<!s)s")
_STEMMER = Stemmer.Stemmer("english")


def _american(word: str) -> str:
    ending = _BRITISH.search(word)
    if ending is None:
        return word
    return word[: ending.start()] + (f"iz{ending[2]}" if ending[1] else f"or{ending[4]}")


@dataclass(frozen=True)
class Term:
    """One thing said, and how much it says."""

    stem: str
    weight: float
    """0 to 1, before rarity counts."""
    concepts: Mapping[str, float] = field(default_factory=lambda: _NO_CONCEPTS)
    """What it means in everyday words, with strength."""
    word: str = ""
    """As it was written, in lower case; empty for what is not a word with letters."""
    start: int = 0
    """Where it stands in the text."""
    capital: bool = False
    """Written like a name, not at the start of the text."""


@lru_cache(maxsize=4_096)
def stem(word: str) -> str:
    """The English stem of a lower-cased word, American and British alike; other scripts stay."""
    if _SPELT.fullmatch(word):
        return word[:-1]
    return str(_STEMMER.stemWord(_american(word)))


def has_cjk(text: str) -> bool:
    """Whether a message has any Chinese (or its like) in it."""
    return bool(_CJK_LETTERS.search(text[:TEXT_LIMIT]))


def mainly_cjk(text: str) -> bool:
    """Whether a message is Chinese (or its like) rather than words with letters."""
    letters = len(_CJK_LETTERS.findall(text[:TEXT_LIMIT]))
    words = sum(1 for match in _TOKEN.finditer(text[:TEXT_LIMIT]) if match["word"])
    return letters > 0 and letters >= words


def terms(text: str, *, limit: int = 400) -> tuple[Term, ...]:
    """The terms of a text, about `limit` at most, in order; phrases add the concept that they stand for."""
    return _terms(text[:TEXT_LIMIT], limit)


@lru_cache(maxsize=512)
def _terms(text: str, limit: int) -> tuple[Term, ...]:
    found: list[Term] = []
    spoken: list[tuple[str, int]] = []
    for match in _TOKEN.finditer(text):
        if len(found) >= limit:
            break
        if match["cjk"]:
            found.extend(_cjk_terms(match["cjk"], match.start()))
            continue
        capital = match["word"][:1].isupper() and match.start() > 0
        for word in _latin_words(match["word"]):
            spoken.append((word, match.start()))
            found.append(latin_term(word, match.start(), capital=capital))
    found.extend(_phrases(spoken))
    return tuple(found)


def _latin_words(token: str) -> Iterator[str]:
    bare = token.replace("’", "'").partition("'")[0]
    if bare.islower() or (bare[:-1].isupper() and bare[-1] == "s"):
        yield bare.lower()
        return
    for part in _CAMEL.split(bare):
        if part and not part.isdigit():
            yield part.lower()


@lru_cache(maxsize=4_096)
def _meaning(word: str) -> tuple[str, float, Mapping[str, float]]:
    root = stem(word)
    concepts = CONCEPTS.get(word) or CONCEPTS.get(root) or _CONCEPTS_BY_STEM.get(root) or _NO_CONCEPTS
    if word in FUNCTION_WORDS:
        return root, FUNCTION_WEIGHT, concepts
    generic = word in GENERIC_WORDS or root in _GENERIC_STEMS
    return root, GENERIC_WEIGHT if generic else CONTENT_WEIGHT, concepts


def leading(said: Sequence[Term]) -> Term | None:
    """The first word that says anything; `where did I write` asks, and orders nothing."""
    if said and said[0].word == "where":
        return None
    return next((term for term in said if term.weight > FUNCTION_WEIGHT and term.word), None)


def first_sentence(text: str) -> str:
    """The beginning of a text up to its first full stop or line break."""
    line = text.strip().partition("\n")[0]
    for stop in (". ", "。", "; "):
        line = line.partition(stop)[0]
    return line


def latin_term(word: str, start: int = 0, *, capital: bool = False) -> Term:
    """The term of one lower-cased word."""
    root, weight, concepts = _meaning(word)
    return Term(root, weight, concepts, word, start, capital)


def _phrases(spoken: list[tuple[str, int]]) -> Iterator[Term]:
    words = [word for word, _ in spoken]
    for index, (word, start) in enumerate(spoken):
        for phrase, concept in _PHRASES_BY_FIRST.get(word, ()):
            if tuple(words[index : index + len(phrase)]) == phrase:
                yield Term(f"={concept}", GENERIC_WEIGHT, {concept: 1.0}, start=start)


def _cjk_terms(run: str, start: int) -> Iterator[Term]:
    """Dictionary words as they are; what lies between them as bigrams, a lone character as itself."""
    position = unknown = 0
    while position < len(run):
        word = cjk_word(run, position)
        if not word:
            position += 1
            continue
        yield from _bigrams(run[unknown:position], start + unknown)
        concepts = CJK_CONCEPTS.get(word)
        if concepts is not None:
            generic = word in CJK_GENERIC_WORDS or not concepts.keys() - GENERIC_WORDS
            weight = GENERIC_WEIGHT if generic else CONTENT_WEIGHT
            yield Term(word, weight, concepts, start=start + position)
        position = unknown = position + len(word)
    yield from _bigrams(run[unknown:], start + unknown)


def cjk_word(text: str, position: int) -> str:
    """The longest word of the dictionary, or of grammar, that begins there; empty: none does."""
    parts = (text[position : position + length] for length in range(_CJK_LONGEST, 0, -1))
    return next((part for part in parts if part in _CJK_WORDS), "")


def _bigrams(part: str, start: int) -> Iterator[Term]:
    if len(part) == 1:
        yield Term(part, GENERIC_WEIGHT, start=start)
    for index in range(len(part) - 1):
        weight = CONTENT_WEIGHT / (len(part) - 1) ** 0.5
        yield Term(part[index : index + 2], weight, start=start + index)


def _by_first() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase, concept in PHRASES.items():
        found.setdefault(phrase[0], []).append((phrase, concept))
    return found


_CONCEPTS_BY_STEM = {stem(word): concepts for word, concepts in CONCEPTS.items()}
_GENERIC_STEMS = frozenset(stem(word) for word in GENERIC_WORDS)
_PHRASES_BY_FIRST = _by_first()
