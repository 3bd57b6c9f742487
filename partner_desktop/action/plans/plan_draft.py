"""PlanDraft: what is wanted, in stages of steps, before anything of it is looked at.

It is what every maker of plans returns, be it of words, of what an ability depends on, or of an earlier
record. A maker looks for abilities and arguments and begins nothing; where there is no such plan, it raises
UsageError with why. What comes of a draft is up to `Proposals`: the same questions, card and yes for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TypeAlias

from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import KnownValue
from partner_desktop.domain.chain import Origin, StepInput
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.leftover import Leftover
from partner_desktop.domain.meta_action import MetaActionInfo


@dataclass(frozen=True)
class StepDraft:
    """What is wanted of one ability."""

    info: MetaActionInfo
    text: str
    """The words that ask for it."""
    params: JsonObject = field(default_factory=dict)
    feeds: tuple[StepInput, ...] = ()
    """The parameters that earlier steps bring: what one step gives another, by name."""
    origin: Origin = "request"
    """Why it is there."""
    mends: str = ""
    id: str = field(default_factory=new_id)
    leftovers: tuple[Leftover, ...] = ()
    """What of its words stands in no argument."""
    missing: tuple[str, ...] = ()
    """Parameters that its words meant and gave no value for, beside the required ones."""


Drafts: TypeAlias = Sequence[Sequence[StepDraft]]


@dataclass(frozen=True)
class PlanDraft:
    """Steps in stages: the stages run one after another, the steps of one together."""

    stages: Drafts
    text: str
    """The goal: what it is for, in the words that asked for it."""
    stands_alone: bool = False
    """It is one step and nothing more: an action by itself, which no mind judges or corrects."""
    asks_first: bool = False
    """The person is asked, whatever is allowed."""
    as_form: bool = False
    """What is missing is filled in on the card, and not asked for; nothing runs before."""
    known: tuple[KnownValue, ...] = ()
    """Arguments that nobody said: with any, the person is asked first."""
    candidates: tuple[str, ...] = ()
    """The paths of which one was meant, where one is missing."""


def alone(draft: StepDraft, text: str = "") -> PlanDraft:
    """One step that stands for itself."""
    return PlanDraft([[draft]], text or draft.text, stands_alone=True)
