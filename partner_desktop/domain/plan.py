"""Plan: what one action does in several steps. Stages run one after another, the steps of one together.

A plan of several steps is a part of its action's record, under `chain`: every transition of it is a row. What
a step did in full is an action of its own, whose `parent_id` is the plan's action. A record without stages
reads as a plan of one step (`ActionRecord.plan`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan_condition import named_tasks
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk

#: The key of every action that is a chain; it names no ability.
CHAIN_KEY = "chain::steps"


class StepStatus(StrEnum):
    """Where a step stands."""

    PLANNED = "planned"
    WAITING = "waiting"
    """The chain stands still for the person: a question, or a card of the step's own."""
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"
    """It did not run and will not; `error` says why."""
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        return self not in (StepStatus.PLANNED, StepStatus.WAITING, StepStatus.RUNNING)


#: Who put a step there: the request, an ability that must come before another, the person later, a mind, or
#: the planner for the plan's goal, at first or when it planned again, or a saved plan that tries once more.
Origin = Literal["request", "dependency", "person", "mind", "goal", "reroute", "retry"]


@dataclass(frozen=True)
class StepInput:
    """A parameter whose value an earlier step brings: it is known once that has run."""

    param: str
    step: str
    """The id of the step that brings it."""
    output: str = ""
    """Which of several outputs of that step it is; empty: what its result tells."""


@dataclass(frozen=True)
class StepPurpose:
    """Why the planner put a step there."""

    brings: tuple[str, ...]
    """What is needed of it, as a person reads it; nothing: that it runs is the goal."""
    conditions: tuple[str, ...] = ()
    """The same as the planner calls them: what is so once it has run."""
    needed_by: tuple[str, ...] = ()
    """The ids of the steps that need them; empty: the goal does."""
    cost: float = 0.0
    without: float | None = None
    """What the cheapest way costs in all that does without it; `None`: nobody knows, or there is none."""
    is_only_way: bool = False
    """There is no way without it."""
    total: float = 0.0
    """What the way that was chosen costs in all."""

    def for_steps(self, ids: Mapping[str, str]) -> StepPurpose:
        """The same where steps have other ids."""
        return replace(self, needed_by=tuple(ids.get(each, each) for each in self.needed_by))


@dataclass(frozen=True)
class Step:
    """One call that a chain intends: as it is approved, and how far it is."""

    id: str
    """Also of the action that it becomes when it runs."""
    key: str
    title: str
    text: str
    """The words that ask for it."""
    params: JsonObject
    """What is known of its arguments, paths resolved."""
    schema: JsonObject
    risk: Risk
    isolation: Isolation
    paths: tuple[PathUse, ...] = ()
    content_hash: str = ""
    source_path: str = ""
    feeds: tuple[StepInput, ...] = ()
    reason: StepPurpose | None = None
    origin: Origin = "request"
    mends: str = ""
    """The id of the failed step in whose place it was put."""
    task: str = ""
    """Of a saved plan: the task that it brings to its end."""
    when: JsonObject = field(default_factory=dict)
    """Of a saved plan: the comparison that must hold as it comes to run, or it is skipped; empty: none."""
    retries: int = 0
    """How often it is tried again by itself where it failed; the yes to the plan covers that."""
    outcomes: JsonObject = field(default_factory=dict)
    """Of a saved plan: what is so of a task once it succeeded (`done`) and once it `failed`."""
    computes: bool = False
    """Of a saved plan: it only computes; nothing of it is there to be verified."""
    unneeded: bool = False
    """With SKIPPED: what it waits for did not come to be, and that is no failure."""
    pinned: bool = False
    """The person wants it to stay: neither a planner nor a mind takes it out or puts another in its place."""
    approved: bool = False
    """The person said yes to this very step with the chain."""
    status: StepStatus = StepStatus.PLANNED
    result: str = ""
    """What came of it, in a line."""
    error: str = ""
    started_at: datetime | None = None
    finished_at: datetime | None = None

    @property
    def told_tasks(self) -> frozenset[str]:
        """Of a saved plan: the tasks that its end says something of."""
        outcomes = (told for told in self.outcomes.values() if isinstance(told, dict))
        return frozenset(str(told["task"]) for told in outcomes if told.get("task"))


@dataclass(frozen=True)
class PlannedLook:
    """An ability that only looks, and that may be called afterwards to check what a step did."""

    key: str
    title: str
    content_hash: str
    step: str
    """The id of that step."""


@dataclass(frozen=True)
class Stage:
    """Steps that run together."""

    steps: tuple[Step, ...] = ()


ChangeKind = Literal["append", "insert", "delete", "cancel", "rebuild", "skip", "reroute"]


@dataclass(frozen=True)
class Change:
    """What became different of a chain after it was approved, and why."""

    kind: ChangeKind
    by: Literal["person", "mind", "partner"]
    text: str
    """One sentence."""
    at: datetime
    removed: tuple[str, ...] = ()
    """The titles of the steps that it took out."""
    after: str = ""
    """The id of the step behind which it is told: `removed` stood there. Empty: they were the first, or it is
    about all of it."""


@dataclass(frozen=True)
class Plan:
    """Ordered stages; those before `at` are settled."""

    stages: tuple[Stage, ...]
    at: int = 0
    """The index of the stage that runs or is next; the number of stages when all are settled."""
    goal: JsonObject = field(default_factory=dict)
    """Condition → how it is to be in the end, where a planner made it: then it plans again on the way."""
    asked_step: str = ""
    """With an action that is ASKING: the step whose parameter was asked for."""
    changes: tuple[Change, ...] = ()
    corrections: int = 0
    """How often a mind changed it."""
    rebuilt: bool = False
    checked: str = ""
    """What the final check said, in a sentence."""
    looks: tuple[PlannedLook, ...] = ()
    """What the yes to it also lets look, where each would have to ask by itself."""
    saved_key: str = ""
    """The saved plan that it was made from; empty: none."""
    saved_hash: str = ""
    """Of that plan as it was then, with all that it runs."""
    arguments: JsonObject = field(default_factory=dict)
    """What that plan was called with."""
    main_task: str = ""
    """Of that plan: the task that runs from its start, and is done when all of it is."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps in order."""
        return tuple(step for stage in self.stages for step in stage.steps)

    @property
    def last_tries(self) -> tuple[Step, ...]:
        """All steps in order; of one that was tried again, its last try alone."""
        tried = {step.mends for step in self.steps if step.origin == "retry"}
        return tuple(step for step in self.steps if step.id not in tried)

    @property
    def is_planners(self) -> bool:
        """Whether a planner made it and goes on planning: what a person changed is theirs from then on."""
        return bool(self.goal) and not any(change.by == "person" for change in self.changes)

    @property
    def mends_another(self) -> bool:
        """Whether it is there to do again what another plan did, and no step of its own."""
        ids = {step.id for step in self.steps}
        return any(step.mends and step.mends not in ids for step in self.steps)

    def step(self, step_id: str) -> Step | None:
        """One step by its id."""
        return next((step for step in self.steps if step.id == step_id), None)

    def number_of(self, step_id: str) -> int:
        """A step's place among all, counted from 1, where all tries of one are one; 0: it is not there."""
        number = 0
        for step in self.steps:
            number += step.origin != "retry" or self.step(step.mends) is None
            if step.id == step_id:
                return number
        return 0

    def tries_before(self, step: Step) -> tuple[str, ...]:
        """The ids of the tries before this one, the latest first; the last is of the first."""
        found: list[str] = []
        at: Step | None = step
        while at is not None and at.origin == "retry" and at.mends and at.mends not in found:
            found.append(at.mends)
            at = self.step(at.mends)
        return tuple(found)

    def triggers_of(self, step: Step) -> dict[str, tuple[Step, ...]]:
        """Of a saved plan, what a step waits for: task → the steps of earlier stages that tell of it."""
        place = next((place for place, stage in enumerate(self.stages) if step in stage.steps), 0)
        earlier = [each for stage in self.stages[:place] for each in stage.steps]
        tasks = dict.fromkeys(task for _, task, _ in named_tasks(step.when))
        told = {task: tuple(each for each in earlier if task in each.told_tasks) for task in tasks}
        return {task: steps for task, steps in told.items() if steps}

    def with_step(self, changed: Step) -> Plan:
        """The chain with another version of one of its steps."""
        return replace(self, stages=tuple(self._replaced(changed)))

    def _replaced(self, changed: Step) -> Iterator[Stage]:
        for stage in self.stages:
            yield Stage(tuple(changed if step.id == changed.id else step for step in stage.steps))
