"""Grounding: whether words that a model wrote were said before. What nobody said is not asked for.

Small rewording is let through: another form of a word, a word of the same meaning, `the folder` for `it`.
A path, an address, a number or a quotation must stand there to the letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from partner_desktop.language.lexicon import CJK_FUNCTION_WORDS, word_set
from partner_desktop.language.negation import declined
from partner_desktop.language.spans import Span, blank, find_spans
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.language.terms import GENERIC_WEIGHT, Term, has_cjk, stem, terms

#: Words that may stand for what was called otherwise, or tie one thing to another.
_FREE = frozenset(
    stem(word)
    for word in word_set(
        "file folder directory result item thing again instead without skip retry once before after"
    )
)
_FREE_CJK = frozenset("文件夹目录结果它们这那再次一下个里的后先")
_CJK_LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_CJK_FUNCTION = re.compile("|".join(sorted(CJK_FUNCTION_WORDS, key=len, reverse=True)))
#: Where a text goes on with something else.
_JOINTS = re.compile(
    r"[,;.!?:]+(?=\s|$)|[，；。！？：、\n]+"
    r"|\b(?:and|but|then|also|plus|after|before|once|when|while|afterwards|finally)\b"
    r"|然后|接着|随后|最后|之后|以后|同时|并且|但是|而且|再|并|和|但|就",
    re.IGNORECASE,
)


class Grounds:
    """What was said, in a few texts."""

    def __init__(self, *texts: str) -> None:
        self._said = " ".join(_plain(text) for text in texts)
        self._values = {span.value for text in texts for span in find_spans(text)}
        self._hear(texts)

    def _hear(self, texts: Sequence[str]) -> None:
        heard = [term for text in texts for term in terms(text)]
        self._letters = set(_CJK_LETTER.findall("".join(texts)))
        self._terms = {term.stem for term in heard}
        self._concepts = {concept for term in heard for concept in term.concepts}

    def calling(self, names: Sequence[str]) -> Grounds:
        """The same, and what is meant may be called by these names; no value that stands in them counts."""
        both = Grounds()
        both._hear(names)
        both._said, both._values = self._said, self._values
        both._letters |= self._letters
        both._terms |= self._terms
        both._concepts |= self._concepts
        return both

    def hold(self, words: str) -> bool:
        """Whether all that these words mean was said."""
        if not all(self._holds_value(words, span) for span in find_spans(words)):
            return False
        rest = blank(words, find_spans(words))
        return self._hold_letters(rest) and all(self._holds(term) for term in _telling(rest))

    def share_of(self, words: str) -> float:
        """How much of what these words mean was said, 0 to 1; 0 where a value among them was not."""
        if not all(self._holds_value(words, span) for span in find_spans(words)):
            return 0.0
        told = [
            term
            for term in terms(words)
            if term.weight > GENERIC_WEIGHT and (term.word or term.concepts)  # no pieces of Chinese words
        ]
        return sum(self._has(term) for term in told) / len(told) if told else 1.0

    def touch(self, words: str) -> bool:
        """Whether any of these words is about the same."""
        return any(self._has(term) for term in _telling(words) if term.stem not in _FREE)

    def _holds_value(self, words: str, span: Span) -> bool:
        if span.value in self._values:
            return True
        value = re.escape(_plain(words[span.start : span.end]))
        return re.search(rf"(?<![a-z0-9_/~.\-]){value}(?![a-z0-9_/]|[.\-][a-z0-9_])", self._said) is not None

    def _holds(self, term: Term) -> bool:
        return term.stem in _FREE or not term.word or self._has(term)

    def _has(self, term: Term) -> bool:
        return term.stem in self._terms or bool(self._concepts & set(term.concepts))

    def _hold_letters(self, words: str) -> bool:
        """Chinese (and its like) is written without spaces: its characters are compared."""
        for term in terms(words):
            if not term.word and self._concepts & set(term.concepts):
                words = words.replace(term.stem, " ")
        letters = set(_CJK_LETTER.findall(_CJK_FUNCTION.sub("", words))) - _FREE_CJK
        return letters <= self._letters


def _telling(words: str) -> Iterator[Term]:
    return (term for term in terms(words) if term.weight >= GENERIC_WEIGHT)


def wanted(text: str) -> str:
    """A text without the parts that say what not to do."""
    return " , ".join(part for part in clauses(text) if not declined(part))


def clauses(text: str) -> tuple[str, ...]:
    """The text, cut at what joins one thing to another; nothing is cut within a quotation or a path."""
    return _clauses(text)


@lru_cache(maxsize=32)
def _clauses(text: str) -> tuple[str, ...]:
    mask = blank(text, find_spans(text))
    found, position = [], 0
    for joint in _JOINTS.finditer(mask):
        found.append(text[position : joint.start()].strip())
        position = joint.end()
    return tuple(part for part in (*found, text[position:].strip()) if part)


def may_be_compound(text: str) -> bool:
    """Whether at least two clauses say something."""
    return sum(_says_something(clause) for clause in clauses(text)) > 1


def _says_something(clause: str) -> bool:
    if small_talk(clause) is not None:
        return False
    return bool(find_spans(clause)) or (has_cjk(clause) and len(clause) > 1) or any(_telling(clause))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
