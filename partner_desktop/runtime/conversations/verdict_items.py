"""What was found when an action was checked, as an export has it, and as it comes back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel

from partner_desktop.domain.verification import CheckedFact, StepVerdict, VerdictStatus, Verification


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("this time is out of range") from error


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class FactItem(BaseModel):
    """One thing that was looked at; Any: what was wanted and found is whatever JSON it is."""

    kind: Literal["file", "record", "count", "time", "answer"]
    text: str
    holds: bool
    subject: str = ""
    wanted: Any = None
    found: Any = None
    ability: str = ""


class VerdictItem(BaseModel):
    """Of one step."""

    step: str
    status: VerdictStatus
    owner: str = ""
    reason: str = ""
    facts: list[FactItem] = []
    abilities: list[str] = []


class VerificationItem(BaseModel):
    """Of one action."""

    begun_at: Moment
    ended_at: Moment | None = None
    verdicts: list[VerdictItem] = []


def imported_verification(
    item: VerificationItem, *, id_of: Callable[[str], str], past: Callable[[datetime], datetime]
) -> Verification:
    """The verdicts, their steps under new ids. It is over, and what was offered to mend it stays behind."""
    begun_at = past(item.begun_at)
    return Verification(
        begun_at,
        past(item.ended_at) if item.ended_at is not None else begun_at,
        tuple(
            StepVerdict(
                id_of(each.step),
                each.status,
                each.owner,
                each.reason,
                tuple(CheckedFact(**fact.model_dump()) for fact in each.facts),
                tuple(each.abilities),
            )
            for each in item.verdicts
        ),
    )
