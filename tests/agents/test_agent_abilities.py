"""Agents as abilities of a real Partner: asked for in words, with a mind that can write and without one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Literal

import pytest

from partner_desktop.agents.agent_processes import AgentProcesses
from partner_desktop.agents.agent_registry import AgentRegistry
from partner_desktop.agents.declarations import UserInput
from partner_desktop.agents.process_state import ProcessStatus
from partner_desktop.agents.process_table import ProcessTable
from partner_desktop.agents.writing_mind import StarterWriting
from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.elicitation import ElicitationAnswer
from partner_desktop.domain.events import ElicitationEvent, ReplyEvent, ResultEvent
from partner_desktop.domain.json_value import Json
from partner_desktop.mind.question import WriteForAgent
from partner_desktop.permission.request import ApprovalMode
from partner_desktop.storage.database import Database
from tests.agents.asking_agent import AskingAgent
from tests.runtime.minds import ScriptedMind
from tests.support import HastyClock, Watcher

pytestmark = pytest.mark.integration


class WritingStarter(ScriptedMind):
    """The starter mind, but for what agents let it write."""

    def __init__(self) -> None:
        super().__init__()
        self.add(WriteForAgent.answered_by(self.write))
        self.wrote: list[WriteForAgent] = []
        self.can_write = True

    async def write(self, asked: WriteForAgent) -> Json:
        self.wrote.append(asked)
        if not self.can_write:
            return None
        return {"text": "The lamp went out."} if asked.schema else "Short, and it holds."


@pytest.fixture
def mind() -> WritingStarter:
    return WritingStarter()


@pytest.fixture
async def partner(home: Home, action_dir: Path, mind: WritingStarter) -> AsyncIterator[Partner]:
    one = Partner(home, action_dir, mind=mind, meaning=False, quiet_clock=HastyClock())
    await one.launch()
    one.agent_context.agents["asking"] = AskingAgent
    try:
        yield one
    finally:
        await one.close()


async def result(watcher: Watcher) -> ActionRecord:
    found = await watcher.until(lambda event: isinstance(event, ResultEvent))
    assert isinstance(found, ResultEvent)
    return found.action


async def test_a_story_is_written_and_reviewed(
    partner: Partner, watcher: Watcher, mind: WritingStarter
) -> None:
    await partner.messages.send("write me a story about a lighthouse")
    over = await result(watcher)
    assert (over.key, over.status) == ("builtin::agent::story", ActionStatus.SUCCEEDED), over.error
    for part in ("The lamp went out.", "Short, and it holds.", "# Reviewer"):
        assert part in over.stdout
    writes, reviews = mind.wrote
    assert "lighthouse" in writes.task
    assert "Writer" in writes.persona
    assert "The lamp went out." in reviews.task


async def test_without_a_model_it_says_what_was_not_written(
    partner: Partner, watcher: Watcher, mind: WritingStarter
) -> None:
    mind.can_write = False
    await partner.messages.send("write me a story about a lighthouse")
    over = await result(watcher)
    assert over.status is ActionStatus.FAILED
    assert "no model that could write this (Story)" in over.error
    told = await watcher.until(lambda event: isinstance(event, ReplyEvent) and event.done)
    assert isinstance(told, ReplyEvent)
    assert over.stdout == ""


@pytest.mark.parametrize(("verdict", "status"), [("accept", "succeeded"), ("decline", "failed")])
async def test_what_an_agent_asks_is_a_form_on_its_card(
    partner: Partner, watcher: Watcher, verdict: Literal["accept", "decline"], status: str
) -> None:
    await partner.abilities.run(
        "builtin::agent::run", {"task": "plant it", "agent": "AskingAgent"}, cwd="", standing=ApprovalMode.ALL
    )
    asked = await watcher.until(lambda event: isinstance(event, ElicitationEvent))
    assert isinstance(asked, ElicitationEvent)
    assert asked.elicitation.message == "Where is it to go?"
    assert "place" in str(asked.elicitation.schema["properties"])
    content: dict[str, Json] = {"place": "the garden"} if verdict == "accept" else {}
    await partner.servers.answer(asked.elicitation.id, ElicitationAnswer(verdict, content))
    over = await result(watcher)
    assert over.status == status, over.error
    assert ("the garden" in over.stdout) is (verdict == "accept")


async def test_a_run_that_was_cut_off_is_taken_up_where_it_asked(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    registry = AgentRegistry()
    registry.register(AskingAgent)
    database = Database(home.database, backups=home.root / "backups", clock=SystemClock())
    await database.launch()
    before = AgentProcesses(registry, StarterWriting(), SystemClock(), ProcessTable(database, SystemClock()))
    process = await before.create("AskingAgent", UserInput("plant it"))
    assert await process.run() is ProcessStatus.WAITING
    await partner.abilities.run(
        "builtin::agent::run", {"task": "plant it", "agent": "AskingAgent"}, cwd="", standing=ApprovalMode.ALL
    )
    asked = await watcher.until(lambda event: isinstance(event, ElicitationEvent))
    assert isinstance(asked, ElicitationEvent)
    assert asked.elicitation.id == process.waits[0].id
    await partner.servers.answer(asked.elicitation.id, ElicitationAnswer("accept", {"place": "the pot"}))
    assert (await result(watcher)).status is ActionStatus.SUCCEEDED
    left = await database.rows("SELECT id FROM agent_processes")
    assert left == [], "what was written down for it goes with its end"
    await database.shutdown()


async def test_the_best_fitting_agent_is_chosen_and_none_where_nothing_fits(
    partner: Partner, watcher: Watcher
) -> None:
    await partner.abilities.run(
        "builtin::agent::run", {"task": "paint the moon green"}, cwd="", standing=ApprovalMode.ALL
    )
    over = await result(watcher)
    assert over.status is ActionStatus.FAILED
    assert "I don't know how to do that" in over.error
