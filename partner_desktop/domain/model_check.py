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
    question: str = ""
    """Of the mind, as the settings name it: by it the task was asked."""


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

    def by_question(self) -> tuple[QuestionScore, ...]:
        """How the model did beside the starter mind, question by question, in the order of the tasks."""
        names = dict.fromkeys(result.question for result in self.results if result.question)
        return tuple(self._compared(name) for name in names)

    def _compared(self, question: str) -> QuestionScore:
        """Of one question: only tasks that the starter mind was given, too, are compared."""
        both = [
            result
            for result in self.results
            if result.question == question and result.starter_passed is not None
        ]
        return QuestionScore(
            question,
            passed=sum(result.passed for result in both),
            starter_passed=sum(bool(result.starter_passed) for result in both),
            total=len(both),
        )


@dataclass(frozen=True)
class QuestionScore:
    """A question of the mind: how many of its tasks the model did, and how many the starter mind."""

    question: str
    passed: int
    starter_passed: int
    total: int
    """Tasks that both were given; 0: nothing to compare."""
    kept: bool = False
    """The settings leave this question to the starter mind."""

    @property
    def better(self) -> Literal["", "model", "starter"]:
        """Who did more of them; empty: neither."""
        if self.passed == self.starter_passed:
            return ""
        return "model" if self.passed > self.starter_passed else "starter"
