"""Familiar requests: words that meant one ability so often that no model is asked which is meant."""

from __future__ import annotations

from datetime import datetime

from partner_desktop.base.late_dataclass import dataclass


@dataclass(frozen=True)
class FamiliarRequest:
    """One kind of words, and the ability that they mean."""

    id: str
    key: str
    """Of the ability."""
    words: str
    """As they were said last, a sign in place of each value."""
    passes: int
    """How often in a row they were confirmed to mean it."""
    active: bool
    """Whether the call that would ask a model is skipped."""
    threshold: float
    """How like new words must be to these, 0 to 1."""
    calls_saved: int
    saved_ms: float
    used_at: datetime


@dataclass(frozen=True)
class FamiliarSavings:
    """What all of them saved, also those that are gone."""

    requests: int = 0
    """Those that are active."""
    calls_saved: int = 0
    saved_ms: float = 0.0
    """By what the calls that were made have taken."""
