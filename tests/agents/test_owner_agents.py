"""Owners as agents: messages of the shape of A2A in, tasks with artifacts out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from partner_desktop.agents.agent_messages import AgentTaskState, DataPart
from partner_desktop.agents.owner_agents import (
    MOST_LOOKS,
    AgentClient,
    AgentServer,
    LookOutcome,
    OwnerLook,
    looks_in,
)
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Annotations, MetaActionInfo, Route
from partner_desktop.domain.step_claim import StepClaim
from partner_desktop.mind.question import Question, VerificationCall
from tests.runtime.minds import starter_with

A = TypeVar("A")

QUERY = MetaActionInfo(
    "bank::query_account",
    Route.MCP,
    "Look up an account",
    params={"type": "object", "properties": {"account_id": {"type": "string"}}, "required": ["account_id"]},
    annotations=Annotations(read_only=True),
)


class OpenDoor:
    """A door to one look of the bank."""

    def looks_of(self, owner: str) -> Sequence[MetaActionInfo]:
        return [QUERY] if owner == "bank" else []

    async def look(self, owner: str, key: str, params: JsonObject) -> OwnerLook:
        return OwnerLook(key, LookOutcome.ANSWERED, params, {"by": owner, "account_id": "7"})


def claim(owner: str) -> StepClaim:
    return StepClaim("s1", "bank::open_account", "Open account", owner=owner, given={"account_id": "7"})


async def test_an_owner_is_asked_in_words_and_data_and_answers_with_a_task() -> None:
    server = AgentServer(starter_with().ask, OpenDoor())
    card = server.card("bank")
    assert (card.name, [skill.id for skill in card.skills]) == ("bank", ["bank::query_account"])
    task = await AgentClient(server).check(claim("bank"), "Please check it.", context_id="plan")
    assert (task.context_id, task.status.state) == ("plan", AgentTaskState.COMPLETED)
    (artifact,) = task.artifacts
    (part,) = artifact.parts
    assert isinstance(part, DataPart)
    assert (artifact.name, part.data["outcome"]) == ("bank::query_account", "answered")
    (found,) = looks_in(task)
    assert (found.params, found.answer) == ({"account_id": "7"}, {"by": "bank", "account_id": "7"})


async def test_who_has_nothing_to_look_with_turns_the_task_down() -> None:
    task = await AgentClient(AgentServer(starter_with().ask, OpenDoor())).check(
        claim("nobody"), "Please check it.", context_id="plan"
    )
    assert (task.status.state, task.artifacts) == (AgentTaskState.REJECTED, ())


async def test_of_what_a_mind_chooses_no_more_is_looked_at_than_is_bounded() -> None:
    async def ask(question: Question[A]) -> A:
        chosen = tuple(VerificationCall("bank::query_account", {"account_id": str(n)}) for n in range(9))
        return cast("A", chosen)

    task = await AgentClient(AgentServer(ask, OpenDoor())).check(claim("bank"), "Check.", context_id="plan")
    assert len(task.artifacts) == MOST_LOOKS
