"""What of a process outlives it: all of it but the code. It is written down at every step of its life."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Literal

from partner_desktop.agents.usage_ledger import UsageRow
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.ids import new_id
from partner_desktop.base.messages import shown_sentence
from partner_desktop.base.paths import shipped


class ProcessStatus(StrEnum):
    """Where a process is in its life."""

    NOT_STARTED = "not_started"
    RUNNING = "running"
    WAITING = "waiting"
    """For a person's answer; it goes on with the step that asked."""
    PAUSED = "paused"
    """Somebody asked for it; it goes on where it was."""
    STUCK = "stuck"
    """There is no way to the goal as things stand."""
    FAILED = "failed"
    """A step failed for good; it may be run again."""
    COMPLETED = "completed"
    TERMINATED = "terminated"
    """It was ended in good order: by a budget, by a step, or by request."""
    KILLED = "killed"


#: From these there is no way back.
OVER = frozenset({ProcessStatus.COMPLETED, ProcessStatus.TERMINATED, ProcessStatus.KILLED})


@dataclass(frozen=True)
class Reason:
    """Why, as a message and its values: a sentence in the language of whoever reads it."""

    message_id: str
    values: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, error: BaseException) -> Reason:
        """Why an error was."""
        if isinstance(error, PartnerError):
            return cls(error.message_id, {name: str(value) for name, value in error.values.items()})
        return cls("common.told", {"text": f"{type(error).__name__}: {error}".removesuffix(": ")})

    def __str__(self) -> str:
        return shown_sentence(self.message_id, self.values)


@dataclass
class PersonWait:
    """A question to a person, and the answer once there is one."""

    kind: Literal["confirm", "form", "repeat"]
    """`repeat`: whether to do again what may have been done."""
    message: str
    schema: dict[str, Any] = field(default_factory=dict)
    """JSON Schema of a form. Any: as JSON has it."""
    id: str = field(default_factory=new_id)
    accepted: bool | None = None
    """`None`: nobody answered yet."""
    content: dict[str, Any] = field(default_factory=dict)
    """What was filled in."""
    note: str = ""
    """What the person said to it; while it is open, what was wrong with the last answer."""


@dataclass
class StepRun:
    """A step under way. After a wait it is run from its beginning; what was answered is not asked twice."""

    action: str
    id: str = field(default_factory=new_id)
    attempts: int = 0
    asks: list[PersonWait] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    """The processes that it began, in order."""

    @property
    def open_asks(self) -> list[PersonWait]:
        return [each for each in self.asks if each.accepted is None]


@dataclass(frozen=True)
class StepRecord:
    """A step that is over."""

    id: str
    action: str
    end: Literal["succeeded", "failed", "declined", "replanned", "ended", "cut_off"]
    attempts: int
    at: datetime
    reason: Reason | None = None


@dataclass(frozen=True)
class AgentBudget:
    """What a process may use; all but the steps with those below it. A limit that is reached ends it."""

    steps: int = 50
    tokens: int = 1_000_000
    cost: float = 2.0
    time_s: float = 1_800.0
    """While it runs: a wait for a person costs nothing."""


@dataclass(frozen=True)
class ProcessOptions:
    """How a process runs."""

    budget: AgentBudget = AgentBudget()
    concurrent: bool = False
    """Steps of the plan that are ready together run together."""
    repeats: int = 5
    """How often one step may run in one state of the world: more is a circle."""
    stuck_tries: int = 3
    """How often a stuck handler may help."""


USUAL_OPTIONS = ProcessOptions()


@dataclass
class ProcessState:
    """Written down as one."""

    agent: str
    goal: str
    """The goal that was asked for; empty: whichever is worth most."""
    parent_id: str
    options: ProcessOptions
    id: str = field(default_factory=new_id)
    status: ProcessStatus = ProcessStatus.NOT_STARTED
    reason: Reason | None = None
    has_run: list[str] = field(default_factory=list)
    open_steps: list[StepRun] = field(default_factory=list)
    history: list[StepRecord] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    """Steps that the next planning does without."""
    declined: list[str] = field(default_factory=list)
    """Steps that the person does not want."""
    reached: str = ""
    """The goal that it reached."""
    seen: dict[str, int] = field(default_factory=dict)
    """How often which step ran in which state of the world."""
    rows: list[UsageRow] = field(default_factory=list)
    steps: int = 0
    stuck_tries: int = 0
    elapsed_s: float = 0.0
    events: int = 0
    """How many were published."""


@cache
def process_words() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first words, and the second ones."""
    told = tomllib.loads((shipped("resources") / "process_names.toml").read_text(encoding="utf-8"))
    return tuple(told["moods"].split()), tuple(told["people"].split())


def process_name(process_id: str) -> str:
    """A name that a person can say and tell apart, such as `relaxed_moore`; the same for the same id.

    `process_id` is hexadecimal.
    """
    moods, people = process_words()
    number = int(process_id, 16)
    return f"{moods[number % len(moods)]}_{people[number // len(moods) % len(people)]}"
