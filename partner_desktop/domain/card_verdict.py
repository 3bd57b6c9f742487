"""What words decide of what is pending: a yes, a no, something otherwise; card by card."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Confirmation(StrEnum):
    """What the person's words mean for a pending proposal or question."""

    CONFIRM = "confirm"
    REJECT = "reject"
    AMEND = "amend"
    """It is wanted, but otherwise: nothing runs before the person was asked again."""
    UNCLEAR = "unclear"
    """They are about what is pending and no plain yes or no to it, or could mean several."""
    OTHER = "other"
    """The words are about something else."""


@dataclass(frozen=True)
class Settled:
    """What words decide of one pending action."""

    action_id: str
    kind: Confirmation
    named: bool = False
    """The words say what it is, beyond which: `yes, run the command`."""


@dataclass(frozen=True)
class Verdict:
    """What words decide of what is pending."""

    kind: Confirmation
    """Of all of it: CONFIRM where one is confirmed."""
    settled: tuple[Settled, ...] = ()
    """Each action that is decided on; what is left out goes on waiting."""
    amendment: str = ""
    """With AMEND: the words that tell what is wanted otherwise."""
    bare: bool = False
    """With AMEND: no yes or no led to them, they may as well be a request of their own."""
