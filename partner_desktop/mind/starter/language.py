"""Which language to answer in."""

from __future__ import annotations

from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.terms import mainly_cjk, terms
from partner_desktop.mind.starter.phrases import ENGLISH, Phrases
from partner_desktop.mind.starter.phrases_zh import CHINESE


def phrases_for(*texts: str) -> Phrases:
    """The sentences in the language of the first text that has words and not only paths and numbers."""
    spoken = (blank(text, find_spans(text)) for text in texts)
    told = next((text for text in spoken if terms(text)), next(iter(texts), ""))
    return CHINESE if mainly_cjk(told) else ENGLISH
