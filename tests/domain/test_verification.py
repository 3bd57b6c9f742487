"""What is said of a check as a whole, of the verdicts in it."""

from __future__ import annotations

import pytest

from partner_desktop.domain.verification import StepVerdict, VerdictStatus, Verification
from tests.action.plans.made import NOW


@pytest.mark.parametrize(
    ("verdicts", "overall"),
    [
        ([], "unverified"),
        (["unverified"], "unverified"),
        (["unverified", "verified"], "verified"),
        (["verified", "unable"], "unable"),
        (["unable", "timed_out", "verified"], "timed_out"),
        (["timed_out", "failed", "unable", "verified"], "failed"),
    ],
)
def test_the_worst_that_is_known_is_said_of_all(verdicts: list[str], overall: str) -> None:
    told = tuple(StepVerdict(str(place), VerdictStatus(each)) for place, each in enumerate(verdicts))
    assert Verification(NOW, verdicts=told).overall == overall
