"""Interventions: typed changes of a chain, wished for by the person or by a mind. A wish may be refused.

Verdicts: what words decide of what is pending: a yes, a no, something otherwise; card by card.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject


class InterventionKind(StrEnum):
    """What becomes of the chain."""

    APPEND = "append"
    """New steps in a stage of their own, after stage `stage`; 0: at the end."""
    INSERT = "insert"
    """New steps into stage `stage`, which runs now or later."""
    DELETE = "delete"
    """Steps of a later stage go: those of `step_ids`, or the whole of stage `stage`."""
    CANCEL = "cancel"
    """The chain ends here."""
    REBUILD = "rebuild"
    """All begins anew, once, with `steps` as its stages where some are given."""


@dataclass(frozen=True)
class NewStep:
    """A step that is wished for."""

    key: str
    text: str = ""
    """The words that ask for it; its arguments are looked for in them."""
    params: JsonObject = field(default_factory=dict)


@dataclass(frozen=True)
class Intervention:
    """One change. Stages are counted from 1."""

    kind: InterventionKind
    stage: int = 0
    steps: tuple[NewStep, ...] = ()
    step_ids: tuple[str, ...] = ()
    mends: str = ""
    """The failed step that the new ones are to make good."""
    reason: str = ""


@dataclass(frozen=True)
class StepEdit:
    """A step as the person wants it, on a card that waits."""

    id: str
    params: JsonObject | None = None
    """`None`: as they are."""
    pinned: bool | None = None
    """Whether neither a planner nor a mind may take it out; `None`: as it is."""


@dataclass(frozen=True)
class PlanEdit:
    """All the steps that are to stay, in their order, stage by stage; what is not named is dropped."""

    stages: tuple[tuple[StepEdit, ...], ...]


class Confirmation(StrEnum):
    """What the person's words mean for a pending proposal or question."""

    CONFIRM = "confirm"
    REJECT = "reject"
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
