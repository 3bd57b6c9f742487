"""Negation: a message that says what not to do, words that are not wanted, a no in front of a word. Pure.

For a message that is declined nothing is chosen, however well its words fit. Only the verb that leads
counts: `tidy my downloads but don't touch the PDFs` asks for something, and so do `why don't you …`,
`don't I have …?` and `don't forget to …`.
"""

from __future__ import annotations

import re

from partner_desktop.base.patterns import late
from partner_desktop.language.spans import blank, find_spans

#: One piece at a time, each of which can be read in one way only.
_POLITE = (
    r"(?:(?:hey|hi|hello|ok|okay|so|now|no|oh|well|and|but|please|pls|kindly|partner)\b"
    r"|请|拜托|麻烦|那就|那|先|千万|现在|你|您|我|[,.!:，\s])*"
)
_REFUSES = (
    r"(?:you (?:really |absolutely )?(?:must|should|may|can) ?(?:not|n't)|you (?:must|should|need)n't"
    r"|(?:there(?: is|'s) )?no need (?:to|for you to)"
    r"|(?:you|i) (?:don'?t|do not) (?:need|have|want)(?: you)? to"
    r"|(?:can|could|would|will) you (?:please )?not|let'?s not|better not|rather not|refrain from"
    r"|don'?t|do not|never)\b"
)
#: Behind `don't`: somebody, and it is a question; or a verb that turns it into a wish.
_ASKS = (
    r"(?:i|you|we|they|he|she|it|the|these|those|this|that|my|our|your|any|some|all|there|just|only"
    r"|forget|hesitate|fail|stop|miss|mind)\b"
)
_ENGLISH = late(rf"{_POLITE}{_REFUSES}(?!\s{{1,3}}(?:ever\s|you dare\s)?{_ASKS})", re.IGNORECASE)
_CHINESE = late(
    rf"{_POLITE}(?:不要|不用|不必|不许|不得|不需要|不想让?|没必要|无需|请勿|勿|甭|别)(?![的忘名人处停])"
)
#: Characters in which it is looked for, behind the paths and quotations that a message may begin with.
_BEGINNING = 120

#: What is not wanted names no value to take.
_NEGATIVE = late(r"\s*(?:not|no|never|except|without|don'?t|nothing)\b|\s*(?:不|别|除了|没)", re.IGNORECASE)
#: In front of a word or shortly before it, they turn it around.
_NEGATION = re.compile(
    r"\b(?:no|non|not|don'?t|do not|without|exclud\w*|skip\w*|ignor\w*|never|leave out|omit\w*|disabl\w*)\b"
    r"|不|除了|没有",
    re.IGNORECASE,
)
#: Characters before a word in which they belong to it.
_SHORTLY = 40


def declined(text: str) -> bool:
    """Whether the message only tells not to do something."""
    spans = find_spans(text)
    said = " ".join(blank(text, spans).replace("’", "'").split())[:_BEGINNING].lstrip(" ,:;，：；!")
    return bool(_ENGLISH.match(said) or _CHINESE.match(said))


def is_negative(words: str) -> bool:
    """Whether the words tell only what is not wanted."""
    return _NEGATIVE.match(words) is not None


def is_negated(text: str, position: int) -> bool:
    """Whether a no stands shortly before, in the same clause."""
    before = re.split(r"[,.;:!?，。；]|\bbut\b|\band\b", text[max(0, position - _SHORTLY) : position])[-1]
    return bool(_NEGATION.search(before))
