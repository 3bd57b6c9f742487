"""Verification: what read-only checks say of the steps of a plan that ran.

A step's owner is asked whether what the step claims is so. What nobody could check is unverified, and never
"passed". Every verdict carries what it rests on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, sentences_joined
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan import Step


class VerdictStatus(StrEnum):
    """What a check came to."""

    VERIFIED = "verified"
    FAILED = "failed"
    """Something that the step claims is not so."""
    UNABLE = "unable"
    """There was something to ask, and no answer about this very thing came of it."""
    TIMED_OUT = "timed_out"
    UNVERIFIED = "unverified"
    """There is nothing by which it could be checked."""


@dataclass(frozen=True)
class CheckedFact:
    """One thing that was looked at."""

    kind: Literal["file", "record", "count", "time", "answer"]
    text: str
    """What was found, in one sentence."""
    holds: bool
    subject: str = ""
    """By what it is about this very run: a path, an id, a name."""
    wanted: Json = None
    found: Json = None
    ability: str = ""
    """The key of the ability that told it; empty: it was looked at directly."""


@dataclass(frozen=True)
class StepVerdict:
    """What is known of one step."""

    step: str
    """Its id."""
    status: VerdictStatus
    owner: str = ""
    reason: str = ""
    """Why, in one sentence."""
    facts: tuple[CheckedFact, ...] = ()
    abilities: tuple[str, ...] = ()
    """The keys of what was called for it."""


@dataclass(frozen=True)
class Verification:
    """Of one run."""

    begun_at: datetime
    ended_at: datetime | None = None
    """`None`: it is under way."""
    verdicts: tuple[StepVerdict, ...] = ()
    """Of the steps that were executed, in the plan's order."""
    repair: str = ""
    """The id of the action that was proposed to mend what failed; empty: none was."""

    def verdict(self, step_id: str) -> StepVerdict | None:
        """Of one step; `None`: it was not executed, or its turn has not come."""
        return next((each for each in self.verdicts if each.step == step_id), None)

    @property
    def counts(self) -> Mapping[VerdictStatus, int]:
        """How many steps have each verdict."""
        return Counter(each.status for each in self.verdicts)

    @property
    def overall(self) -> VerdictStatus:
        """The worst that is known; what could not be checked takes nothing from what was."""
        found = self.counts
        ranked = (VerdictStatus.FAILED, VerdictStatus.TIMED_OUT, VerdictStatus.UNABLE, VerdictStatus.VERIFIED)
        return next((status for status in ranked if found.get(status)), VerdictStatus.UNVERIFIED)

    def without(self, step_id: str) -> Verification | None:
        """Without what was said of one step; `None`: nothing is left of it."""
        left = tuple(each for each in self.verdicts if each.step != step_id)
        return replace(self, verdicts=left) if left else None

    def as_context(self) -> JsonObject:
        """As the main task's context holds it."""
        results: JsonObject = {
            each.step: {
                "verified": each.status is VerdictStatus.VERIFIED,
                "status": each.status.value,
                "owner": each.owner,
                "response": each.reason,
                "tools_used": [*each.abilities],
            }
            for each in self.verdicts
        }
        done = "completed" if self.ended_at is not None else "running"
        return {"verification_results": results, "planner_verification": done}


#: Failed steps that are named.
_MOST_NAMED = 3


def checked_sentence(verification: Verification | None, steps: Sequence[Step]) -> str:
    """What came of a check, for a person; empty where nothing could be checked: that is no good news."""
    if verification is None or verification.overall is VerdictStatus.UNVERIFIED:
        return ""
    found, count = verification.counts, len(verification.verdicts)
    verified = found.get(VerdictStatus.VERIFIED, 0)
    if verified == count:
        return sentence_of(
            "verification.one_verified" if count == 1 else "verification.all_verified", count=count
        )
    some = "verification.some_verified" if verified else "verification.none_verified"
    told = [sentence_of(some, verified=verified, count=count)]
    numbers = {step.id: (number, step.title) for number, step in enumerate(steps, 1)}
    failed = [each for each in verification.verdicts if each.status is VerdictStatus.FAILED]
    for each in failed[:_MOST_NAMED]:
        number, title = numbers.get(each.step, (1, ""))
        told.append(sentence_of("verification.failed_step", number=number, title=title, reason=each.reason))
    if late := found.get(VerdictStatus.TIMED_OUT, 0):
        told.append(sentence_of("verification.timed_out_steps", count=late))
    unable = found.get(VerdictStatus.UNABLE, 0) + found.get(VerdictStatus.UNVERIFIED, 0)
    if unable:
        told.append(sentence_of("verification.unable_steps", count=unable))
    return sentences_joined(told)
