"""Which agent or goal is taken, and what is said where none is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from partner_desktop.agents.agent_registry import AgentRegistry
from partner_desktop.agents.declarations import UserInput, action, agent, goal
from partner_desktop.agents.selection import (
    ChoiceRanking,
    MindRanker,
    RankedChoice,
    RankedNames,
    Selection,
    TieredRanker,
)
from partner_desktop.agents.writing_mind import ModelUse, StarterWriting
from partner_desktop.base.errors import AgentError
from tests.agents.scripted import ScriptedWriter


@dataclass(frozen=True)
class Poem:
    text: str


@dataclass(frozen=True)
class Song:
    text: str


@agent(description="Writes poems and songs")
class Poet:
    @goal(description="A poem")
    @action()
    async def poem(self, asked: UserInput) -> Poem:
        raise NotImplementedError

    @goal(description="A song")
    @action()
    async def song(self, asked: UserInput) -> Song:
        raise NotImplementedError


@agent(description="Paints")
class Painter:
    @goal(description="A picture")
    @action()
    async def picture(self, asked: UserInput) -> Poem:
        raise NotImplementedError


@dataclass
class Rules:
    """A ranker without a model."""

    scores: Mapping[str, float]
    asked: int = 0

    async def rank(self, text: str, candidates: Mapping[str, str]) -> RankedNames:
        self.asked += 1
        found = [RankedChoice(name, self.scores.get(name, 0.0)) for name in candidates]
        return RankedNames(tuple(sorted(found, key=lambda each: -each.confidence)))


def writer(*rankings: Mapping[str, float]) -> ScriptedWriter:
    """A mind that ranks like this, each time anew."""
    return ScriptedWriter(
        [
            (ChoiceRanking(tuple(RankedChoice(*each) for each in one.items())), ModelUse("m", 10, 5))
            for one in rankings
        ]
    )


@pytest.fixture
def registry() -> AgentRegistry:
    found = AgentRegistry()
    found.register(Poet)
    found.register(Painter)
    return found


@pytest.mark.promise("planning.selection")
async def test_only_what_is_strictly_above_the_threshold_is_taken(registry: AgentRegistry) -> None:
    mind = writer({"Poet": 0.61, "Painter": 0.2}, {"Painter": 0.2, "Poet": 0.6})
    selection = Selection(registry, MindRanker(mind))
    chosen = await selection.agent_for("a poem")
    assert (chosen.agent, chosen.goal) == ("Poet", "")
    assert [each.name for each in chosen.ranking] == ["Poet", "Painter"]
    with pytest.raises(AgentError) as refused:
        await selection.agent_for("a cake")
    assert str(refused.value) == "I don't know how to do that. Nearest: Poet 0.60, Painter 0.20"


@pytest.mark.promise("planning.selection")
async def test_a_name_that_nobody_has_is_asked_for_again_a_few_times(registry: AgentRegistry) -> None:
    mind = writer({"Sculptor": 0.9}, {"Poet": 0.9})
    chosen = await Selection(registry, MindRanker(mind)).agent_for("a poem")
    assert (chosen.agent, len(chosen.rows)) == ("Poet", 2)  # both calls are told
    mind = writer(*[{"Sculptor": 0.9}] * 9)
    with pytest.raises(AgentError, match="don't know how"):
        await Selection(registry, MindRanker(mind)).agent_for("a statue")
    assert len(mind.asked) == 5


@pytest.mark.promise("planning.selection")
@pytest.mark.parametrize(
    ("scores", "asked", "taken"),
    [
        ({"Poet.song": 0.9, "Poet.poem": 0.3}, 0, "Poet.song"),
        ({"Poet.song": 0.9, "Poet.poem": 0.85}, 1, "Poet.poem"),
        ({"Poet.song": 0.5, "Poet.poem": 0.5}, 1, "Poet.poem"),
        ({"Poet.song": 0.2, "Painter.picture": 0.1}, 0, ""),
    ],
)
async def test_a_mind_is_asked_for_near_ties_only(
    registry: AgentRegistry, scores: Mapping[str, float], asked: int, taken: str
) -> None:
    mind = writer({"Poet.poem": 0.8, "Poet.song": 0.1})
    selection = Selection(registry, TieredRanker(Rules(scores), MindRanker(mind)))
    if taken:
        chosen = await selection.goal_for("words for a birthday")
        assert (chosen.agent, chosen.goal) == ("Poet", taken)
    else:
        with pytest.raises(AgentError, match=r"Nearest: Poet.song 0.20, Painter.picture 0.10"):
            await selection.goal_for("a cake")
    assert len(mind.asked) == asked


async def test_without_candidates_or_a_mind_nothing_is_asked_and_it_is_said() -> None:
    empty = AgentRegistry()
    with pytest.raises(AgentError, match="no agents"):
        await Selection(empty, MindRanker(writer())).agent_for("anything")
    empty.register(Poet)
    with pytest.raises(AgentError, match="don't know how"):
        await Selection(empty, MindRanker(StarterWriting())).agent_for("anything")
