"""Messages between agents, shaped as those of the public Agent2Agent protocol (A2A 0.3), in this process.

A client sends a message to an agent by its name and gets a task back, with what came of it as artifacts.
Names of members are ours; what each holds is what the protocol's member of that name does, so that an agent
behind an address needs no more than somebody who writes them down.
"""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Literal, TypeAlias

from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject


@dataclass(frozen=True)
class TextPart:
    """What is said in words."""

    text: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True)
class DataPart:
    """What is told as data."""

    data: JsonObject
    kind: Literal["data"] = "data"


MessagePart: TypeAlias = TextPart | DataPart


@dataclass(frozen=True)
class AgentMessage:
    """One thing said by a user or an agent."""

    role: Literal["user", "agent"]
    parts: tuple[MessagePart, ...]
    message_id: str = field(default_factory=new_id)
    task_id: str = ""
    context_id: str = ""
    """What belongs together."""

    @property
    def text(self) -> str:
        """Its words."""
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def data(self) -> JsonObject:
        """Its data, the parts together."""
        told = [part.data for part in self.parts if isinstance(part, DataPart)]
        return {name: value for each in told for name, value in each.items()}


class AgentTaskState(StrEnum):
    """Where a task stands."""

    WORKING = "working"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"
    REJECTED = "rejected"


@dataclass(frozen=True)
class AgentTaskStatus:
    """With what the agent says of it."""

    state: AgentTaskState
    message: AgentMessage | None = None


@dataclass(frozen=True)
class AgentArtifact:
    """Something that came of a task."""

    name: str
    parts: tuple[MessagePart, ...]
    artifact_id: str = field(default_factory=new_id)


@dataclass(frozen=True)
class AgentTask:
    """What became of a message."""

    id: str
    context_id: str
    status: AgentTaskStatus
    artifacts: tuple[AgentArtifact, ...] = ()


@dataclass(frozen=True)
class AgentSkill:
    """One thing that an agent can be asked for."""

    id: str
    name: str
    description: str


@dataclass(frozen=True)
class AgentCard:
    """How an agent describes itself."""

    name: str
    description: str
    skills: tuple[AgentSkill, ...]
