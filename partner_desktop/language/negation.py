"""Declined: a message that says what not to do. Nothing is chosen for it, however well its words fit.

Only the verb that leads counts: `tidy my downloads but don't touch the PDFs` asks for something, and so do
`why don't you …`, `don't I have …?` and `don't forget to …`.
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


def declined(text: str) -> bool:
    """Whether the message only tells not to do something."""
    spans = find_spans(text)
    said = " ".join(blank(text, spans).replace("’", "'").split())[:_BEGINNING].lstrip(" ,:;，：；!")
    return bool(_ENGLISH.match(said) or _CHINESE.match(said))
