"""Which language a conversation is held in: its sentences decide, not names, paths or an "ok" among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from partner_desktop.language.lexicon import CJK_FUNCTION_WORDS, FUNCTION_WORDS
from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.terms import TEXT_LIMIT, has_cjk, mainly_cjk, terms

Language = Literal["", "en", "zh"]

#: So few words may be the name of something, in whatever language that was given.
_A_NAME = 3


def conversation_language(messages: Sequence[str]) -> Language:
    """The language of what a person said, oldest first; empty where they said nothing that has one."""
    for text in reversed(messages):
        told = _of_sentence(text)
        if told:
            return told
    return next((told for text in reversed(messages) if (told := _of_words(text))), "")


def _of_sentence(text: str) -> Language:
    """The language of a whole sentence; empty where it could be a mere name or answer."""
    spoken = _without_names(text)
    words = [term.word for term in terms(spoken) if term.word.isascii() and term.word]
    if has_cjk(spoken):
        grammar = any(word in spoken for word in CJK_FUNCTION_WORDS)
        return "zh" if grammar or mainly_cjk(spoken) else "en"
    return "en" if len(words) > _A_NAME and not FUNCTION_WORDS.isdisjoint(words) else ""


def _of_words(text: str) -> Language:
    spoken = _without_names(text)
    if not terms(spoken):
        spoken = text
    return "zh" if mainly_cjk(spoken) else "en" if terms(spoken) else ""


def _without_names(text: str) -> str:
    start = text[:TEXT_LIMIT]
    return blank(start, find_spans(start))
