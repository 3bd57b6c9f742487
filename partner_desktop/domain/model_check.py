"""What a model is good for, as its self-test tells: fixed tasks, scored here, beside the starter mind."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

CheckArea = Literal["choose", "arguments", "abstain", "form", "language", "resist"]
"""Chooses the ability, fills in what it needs, holds back where nothing fits, keeps to a given form, answers
in the language of the question, does not obey text in a result."""


@dataclass(frozen=True)
class CheckResult:
    """One task, done."""

    id: str
    area: CheckArea
    passed: bool
    answer: str
    """What was answered, shortened."""
    wanted: str
    """What was asked for, in a few words."""
    duration_ms: float = 0.0
    starter_passed: bool | None = None
    """Whether the starter mind does it; `None`: it is no task for it."""


@dataclass(frozen=True)
class ModelCheck:
    """A self-test, under way or over."""

    model: str
    """Its name in the settings."""
    total: int
    results: tuple[CheckResult, ...] = ()
    at: datetime | None = None
    """When it ended; `None`: it goes on."""
    tokens_per_s: float = 0.0
    trouble: str = ""
    """Why it was broken off, in one sentence; empty mostly."""

    @property
    def passed(self) -> int:
        return sum(result.passed for result in self.results)

    def score(self, area: CheckArea) -> tuple[int, int]:
        """Tasks of an area that passed, and how many were done."""
        done = [result.passed for result in self.results if result.area == area]
        return sum(done), len(done)
