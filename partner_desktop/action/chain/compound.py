"""Compound: whether words may ask for several things, and what a mind makes of them, in bounds. Pure."""

from __future__ import annotations

import re

from partner_desktop.base.errors import UsageError
from partner_desktop.base.patterns import late
from partner_desktop.mind.question import Intents

#: Requests in one breath; more are turned down in words.
MOST_PARTS = 50
#: Characters of a request; what is longer is a document and no list of wishes.
MOST_TEXT = 4_000

#: What is quoted is said to somebody else.
_QUOTED = late(r"\"[^\"\n]*\"|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`|(?<!\w)'[^'\n]*'(?!\w)|(?<!\w)‘[^’\n]*’")
_JOINT = late(
    r"[,;，；、]|[.!?]\s+\S|[。！？]\s*\S|\n\s*\S|->|→|&"
    r"|\b(?:and|then|after(?:wards?)?|before|also|plus|next|finally|lastly|once|followed|as well)\b"
    r"|然后|接着|随后|之后|以后|再|并|和|跟|同时|最后|先|还|以及|完后|后",
    re.IGNORECASE,
)
_GOES_ON = late(
    r"[\W_]*(?:(?:and|then|after (?:that|this|it)|afterwards|also|plus|finally|followed by|as well as)\b"
    r"|然后|接着|随后|之后|再(?!见)|并且?|最后|还要|同时|以及)",
    re.IGNORECASE,
)


def may_be_compound(text: str) -> bool:
    """Whether there is anything in the words that joins requests; most words hold nothing of the kind."""
    return len(text) <= MOST_TEXT and bool(_JOINT.search(_QUOTED.sub(" ", text.strip())))


def goes_on(text: str) -> bool:
    """Whether the words begin as those do that go on with what was said just before: `and then zip it`."""
    return bool(_GOES_ON.match(text))


def in_bounds(intents: Intents) -> Intents:
    """Without parts that are empty or say the same again, and without stages that nothing is left of.

    Raises:
        UsageError: It is more than is done in one go.
    """
    seen: set[str] = set()
    stages: list[tuple[str, ...]] = []
    for stage in intents.stages:
        new = {" ".join(part.split()).casefold(): part.strip() for part in stage if part.strip()}
        kept = tuple(part for said, part in new.items() if said not in seen)
        seen.update(new)
        if kept:
            stages.append(kept)
    if len(seen) > MOST_PARTS:
        raise UsageError(
            f"That is {len(seen):,} things at once, and I do {MOST_PARTS} in one go at most. "
            "Ask for fewer at a time."
        )
    return Intents(tuple(stages))
