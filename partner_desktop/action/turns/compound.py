"""Compound: what a mind makes of words that ask for several things, in bounds. Pure."""

from __future__ import annotations

from partner_desktop.base.errors import UsageError
from partner_desktop.base.spoken import sentence_of
from partner_desktop.mind.question import Intents

#: Requests in one breath; more are turned down in words.
MOST_PARTS = 50


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
        raise UsageError(sentence_of("chain.too_many", count=f"{len(seen):,}", most=MOST_PARTS))
    return Intents(tuple(stages))
