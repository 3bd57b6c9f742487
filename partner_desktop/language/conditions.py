"""Conditional: what a request makes depend on something, `if there are any`. Pure.

Nothing here can keep such a condition: it is found so that it is never dropped without a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner_desktop.base.patterns import late
from partner_desktop.language.clauses import bare, pieces_of
from partner_desktop.language.pasted_code import is_script, parted
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.speech_acts.imperatives import is_conditional, without_courtesy

#: A longer text is a document.
_LONGEST = 2_000
#: `see if it rains` asks, and `even if` takes back.
_ASKED = (
    r"(?<!see )(?<!check )(?<!know )(?<!me )(?<!us )(?<!out )(?<!ask )(?<!wonder )(?<!test )(?<!sure )"
    r"(?<!even )(?<!what )(?<!as )(?<!verify )(?<!look )(?<!show )(?<!tell )"
)
_CLAUSE = late(
    rf"\b(?:only )?{_ASKED}(?:if|unless|in case|provided(?: that)?|only when|whenever|as soon as|every time)"
    r"\b(?=\s+\w)(?:(?!,\s|;|\bthen\b|[.!?](?:\s|$)|\n).)+"
    r"|(?:如果|要是|假如|除非|一旦|每当)(?:(?![，,。；！？\n]|就|那么).)+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Conditional:
    """A request that hangs on something."""

    before: str
    """What is asked for in any case."""
    clause: str
    """The condition alone."""
    stretch: str
    """The condition with all that hangs on it."""


def conditional(text: str) -> Conditional | None:
    """The first condition of a request; `None`: nothing of it depends on anything."""
    if len(text) > _LONGEST or is_script(text) or parted(text).code:
        return None
    plain = without_courtesy(_veiled(text))
    clause = _CLAUSE.search(plain)
    if clause is None:
        return None
    first = next((piece for piece in pieces_of(text) if is_conditional(plain[piece.start : piece.end])), None)
    start = min(first.start, clause.start()) if first is not None else clause.start()
    return Conditional(bare(text[:start]), bare(text[clause.start() : clause.end()]), bare(text[start:]))


def _veiled(text: str) -> str:
    """What is quoted is said to somebody else; every other character stays where it was."""
    text = text.replace("’", "'")
    for span in find_spans(text):
        if span.kind is not SpanKind.NUMBER:
            text = f"{text[: span.start]}{'_' * (span.end - span.start)}{text[span.end :]}"
    return text
