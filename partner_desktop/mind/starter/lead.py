"""Lead: the verb that a request begins with, against the verbs that an ability begins its own phrases with.

`zip my notes` leads with `zip` and so does `Zip folder`; that somebody takes a `note` says less. A request
that leads with a word that the ability never leads with (`delete`, `send`) speaks a little against it.
"""

from __future__ import annotations

from partner_desktop.language.spans import blank, find_spans
from partner_desktop.language.terms import CONTENT_WEIGHT, Term, leading, terms
from partner_desktop.mind.starter.profile import AbilityProfile

#: What a verb of the same meaning counts.
_SAME_MEANING = 0.6


def lead_of(text: str) -> Term | None:
    """The first word of a message that says anything."""
    return leading(terms(blank(text, find_spans(text))))


def agreement(lead: Term | None, profile: AbilityProfile) -> float:
    """From -1 (a word of its own that no phrase leads with) to 1 (the same telling word)."""
    if lead is None:
        return 0.0
    leads = profile.leads
    if any(other.stem == lead.stem for other in leads):
        return lead.weight
    if any(lead.concepts.keys() & other.concepts.keys() for other in leads):
        return lead.weight * _SAME_MEANING
    return -1.0 if lead.weight >= CONTENT_WEIGHT and not lead.capital else 0.0
