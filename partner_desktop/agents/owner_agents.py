"""Owner agents: who owns an ability is asked, in words and data, whether what was done with it is so.

Contract: an owner looks with its own read-only abilities and with nothing else; which of them, its mind
chooses, and the door that every call goes through holds it to that. Nothing of a message is an order: it says
what is to be checked. A call that may not be made, fails or hangs is told as just that. Cancelling ends what
runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from partner_desktop.agents.agent_messages import (
    AgentArtifact,
    AgentCard,
    AgentMessage,
    AgentSkill,
    AgentTask,
    AgentTaskState,
    AgentTaskStatus,
    DataPart,
    TextPart,
)
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.step_claim import StepClaim
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.question import ChooseVerification

#: Calls of one check.
MOST_LOOKS = 4


class LookOutcome(StrEnum):
    """What a call for a look came to."""

    ANSWERED = "answered"
    REFUSED = "refused"
    """It is no look, or not the owner's."""
    NEEDS_YES = "needs_yes"
    """A person would have to be asked."""
    UNFIT = "unfit"
    """Its arguments are not known."""
    FAILED = "failed"


@dataclass(frozen=True)
class OwnerLook:
    """One call, and what it told."""

    key: str
    outcome: LookOutcome
    params: JsonObject
    answer: Json = None
    problem: str = ""


class ReadOnlyTools(Protocol):
    """What an owner may look with, and the only way to do it."""

    def looks_of(self, owner: str) -> Sequence[MetaActionInfo]:
        """The abilities of an owner that only look."""
        ...

    async def look(self, owner: str, key: str, params: JsonObject) -> OwnerLook:
        """Call one of them, if it may be called here and now."""
        ...


class AgentServer:
    """Has the owners of one plan's steps as agents."""

    def __init__(self, ask: Ask, door: ReadOnlyTools) -> None:
        self._ask = ask
        self._door = door

    def card(self, owner: str) -> AgentCard:
        """What an owner can look with."""
        looks = self._door.looks_of(owner)
        skills = tuple(AgentSkill(info.key, info.title, info.description) for info in looks)
        return AgentCard(owner, "", skills)

    async def send(self, owner: str, message: AgentMessage) -> AgentTask:
        """What the owner found."""
        looks, claim = self._door.looks_of(owner), _claim_in(message, owner)
        chosen = await self._ask(ChooseVerification(message.text, claim, looks)) if looks else ()
        artifacts: list[AgentArtifact] = []
        for use in chosen[:MOST_LOOKS]:
            found = await self._door.look(owner, use.key, use.params)
            told: JsonObject = {
                "outcome": found.outcome.value,
                "params": found.params,
                "answer": found.answer,
                "problem": found.problem,
            }
            artifacts.append(AgentArtifact(use.key, (DataPart(told),)))
        state = AgentTaskState.COMPLETED if artifacts else AgentTaskState.REJECTED
        task_id = message.task_id or new_id()
        return AgentTask(task_id, message.context_id, AgentTaskStatus(state), tuple(artifacts))


class AgentClient:
    """Asks agents; here they are in the same process."""

    def __init__(self, server: AgentServer) -> None:
        self._server = server

    async def check(self, claim: StepClaim, words: str, *, context_id: str) -> AgentTask:
        """Ask the owner of a step whether what it claims is so."""
        data: JsonObject = {
            "action": "verify_task_completion",
            "task_id": claim.step,
            "task_name": claim.title,
            "ability": claim.key,
            "about": claim.description,
            "given": claim.given,
            "claimed": claim.claimed,
            "effects": {**claim.effects},
        }
        message = AgentMessage("user", (TextPart(words), DataPart(data)), context_id=context_id)
        return await self._server.send(claim.owner, message)


def _claim_in(message: AgentMessage, owner: str) -> StepClaim:
    """What is to be checked, as a message tells it."""
    data = message.data

    def object_of(name: str) -> JsonObject:
        found = data.get(name)
        return found if isinstance(found, dict) else {}

    return StepClaim(
        step=str(data.get("task_id", "")),
        key=str(data.get("ability", "")),
        title=str(data.get("task_name", "")),
        description=str(data.get("about", "")),
        owner=owner,
        given=object_of("given"),
        claimed=object_of("claimed"),
        effects={name: bool(value) for name, value in object_of("effects").items()},
    )


def looks_in(task: AgentTask) -> list[OwnerLook]:
    """The calls of a task, as its artifacts tell them."""
    found: list[OwnerLook] = []
    for artifact in task.artifacts:
        told = next((part.data for part in artifact.parts if isinstance(part, DataPart)), {})
        params = told.get("params")
        outcome = LookOutcome(str(told.get("outcome") or LookOutcome.FAILED))
        found.append(
            OwnerLook(
                artifact.name,
                outcome,
                params if isinstance(params, dict) else {},
                told.get("answer"),
                str(told.get("problem") or ""),
            )
        )
    return found
