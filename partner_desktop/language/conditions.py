"""Conditions: what a request makes depend on something, `if there are any`. Pure.

Nothing here can keep such a condition: it is found so that it is never dropped without a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from partner_desktop.base.patterns import late
from partner_desktop.language.clauses import bare, pieces_of, veiled
from partner_desktop.language.pasted_code import is_script, parted

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
_CONDITION = late(
    r"\b(?:if|unless|whenever|in case|as soon as|every time|provided|only when)\b"
    r"|\bwhen (?!you're|you are)\w"
    r"|如果|要是|假如|除非|一旦|每次|每当|的话",
    re.IGNORECASE,
)
#: They look like conditions, and nothing hangs on them.
_COURTESY = late(
    r"\bif (?:you (?:don'?t|do not|wouldn'?t) mind|you (?:can|could|would|will|like|please"
    r"|want|wish|have time)"
    r"|(?:at all )?possible|(?:it'?s|it is) (?:ok(?:ay)?|possible"
    r"|not too much(?: trouble)?)(?: with you)?)\b"
    r"|(?:如果|要是)?(?:可以|方便|不麻烦|能行|有空)的话|如果(?:可以|方便|不麻烦)",
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
    plain = without_courtesy(veiled(text.replace("’", "'")))
    clause = _CLAUSE.search(plain)
    if clause is None:
        return None
    first = next((piece for piece in pieces_of(text) if is_conditional(plain[piece.start : piece.end])), None)
    start = min(first.start, clause.start()) if first is not None else clause.start()
    return Conditional(bare(text[:start]), bare(text[clause.start() : clause.end()]), bare(text[start:]))


def is_conditional(words: str) -> bool:
    """Whether something of the words depends on what is not known yet."""
    return _CONDITION.search(without_courtesy(words.replace("’", "'"))) is not None


def without_courtesy(words: str) -> str:
    """With blanks for what looks like a condition and is none: every character stays where it was."""
    return _COURTESY.sub(lambda match: " " * len(match.group()), words)
