"""What can be heard of a process, in the order in which it happens.

It is created and runs; for each look at the world it is ready to plan, and a plan is made; a step begins, its
usage is noted as it comes, what it gave is bound, and it ends; at last the goal is reached, and the status is
another. A status is written down before it is told.
"""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.agents.process_state import PersonWait, ProcessStatus, Reason, StepRecord
from partner_desktop.agents.usage_ledger import UsageRow


@dataclass(frozen=True, kw_only=True)
class ProcessEvent:
    """Root of them. `number` counts those of a process, from 1."""

    process_id: str
    number: int


@dataclass(frozen=True, kw_only=True)
class ProcessCreated(ProcessEvent):
    """It is there, and has not begun."""

    agent: str
    name: str
    parent_id: str


@dataclass(frozen=True, kw_only=True)
class StatusChanged(ProcessEvent):
    """It is somewhere else in its life."""

    status: ProcessStatus
    reason: Reason | None


@dataclass(frozen=True, kw_only=True)
class ReadyToPlan(ProcessEvent):
    """It looked at the world."""

    world: dict[str, bool]
    unknown: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class PlanMade(ProcessEvent):
    """It knows how to go on; `net_value` is that of the goal and the steps less their cost."""

    goal: str
    steps: tuple[str, ...]
    cost: float
    net_value: float


@dataclass(frozen=True, kw_only=True)
class StepBegan(ProcessEvent):
    """A step runs, or runs on after an answer."""

    step_id: str
    action: str
    inputs: tuple[str, ...]
    """The classes of what it is given, in order."""


@dataclass(frozen=True, kw_only=True)
class StepRetried(ProcessEvent):
    """It failed and is tried again after `delay_s`."""

    step_id: str
    attempts: int
    delay_s: float
    reason: Reason


@dataclass(frozen=True, kw_only=True)
class StepEnded(ProcessEvent):
    """A step is over."""

    record: StepRecord


@dataclass(frozen=True, kw_only=True)
class PersonAsked(ProcessEvent):
    """A step waits for a person."""

    step_id: str
    wait: PersonWait


@dataclass(frozen=True, kw_only=True)
class UsageNoted(ProcessEvent):
    """A model was called, or a tool used."""

    row: UsageRow


@dataclass(frozen=True, kw_only=True)
class ObjectBound(ProcessEvent):
    """A step left something on the blackboard."""

    name: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class DoubtNoted(ProcessEvent):
    """A condition or a cost could not be told; it counts as not known, or as dear."""

    what: str
    reason: Reason


@dataclass(frozen=True, kw_only=True)
class GoalReached(ProcessEvent):
    """What was wanted is there."""

    goal: str
