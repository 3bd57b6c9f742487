"""Which agent, or which goal of all agents, words ask for.

Candidates are ranked by confidence; only one that is strictly above `ACCEPTED` is taken. What is known of
the words without a model ranks first, and a mind is asked only where the best are nearly alike. A name that
nobody has is asked for again. Where nothing fits, the ranking is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from partner_desktop.agents.agent_registry import AgentRegistry
from partner_desktop.agents.usage_ledger import UsageRow
from partner_desktop.agents.writing_mind import CreateObject, WritingMind
from partner_desktop.base.errors import AgentError

#: A confidence of just this is not enough.
ACCEPTED = 0.6
#: The best of the first ranking is clear where it is so far ahead of the next.
_AHEAD = 0.15
#: Below this, the first ranking says that nothing fits.
_HOPEFUL = 0.3
#: How often a mind is asked for names that exist.
_TRIES = 5
#: How many of a ranking are told.
_TOLD = 3


@dataclass(frozen=True)
class RankedChoice:
    """A candidate by its name, and how surely it was meant, 0 to 1."""

    name: str
    confidence: float


@dataclass(frozen=True)
class ChoiceRanking:
    """What a ranker answers; also the class that a mind is asked for."""

    choices: tuple[RankedChoice, ...]


@dataclass(frozen=True)
class RankedNames:
    """A ranking, best first, and what it took."""

    choices: tuple[RankedChoice, ...]
    rows: tuple[UsageRow, ...] = ()


class Ranker(Protocol):
    """Whoever says which description words fit."""

    async def rank(self, text: str, candidates: Mapping[str, str]) -> RankedNames:
        """Of `candidates`, name → description, best first."""
        ...


class MindRanker:
    """Asks a mind, and again where it invents a name."""

    def __init__(self, mind: WritingMind) -> None:
        self._mind = mind

    async def rank(self, text: str, candidates: Mapping[str, str]) -> RankedNames:
        if not candidates:
            return RankedNames(())
        listed = "\n".join(f"{name}: {description}" for name, description in candidates.items())
        prompt = (
            f"How surely, from 0 to 1, does each of these fit the wish? Use their names as they are.\n"
            f"The wish: {text}\n{listed}"
        )
        rows: list[UsageRow] = []
        for _ in range(_TRIES):
            written = await self._mind.create_object(CreateObject(ChoiceRanking, prompt))
            if written is None:
                break
            rows += [UsageRow.of_model(use, step="ranking") for use in written.calls]
            if all(each.name in candidates for each in written.value.choices):
                return RankedNames(_best_first(written.value.choices), tuple(rows))
        return RankedNames((), tuple(rows))


class TieredRanker:
    """What ranks without a model first; `second` only where its best are nearly alike."""

    def __init__(self, first: Ranker, second: Ranker) -> None:
        self._first = first
        self._second = second

    async def rank(self, text: str, candidates: Mapping[str, str]) -> RankedNames:
        first = await self._first.rank(text, candidates)
        best = [each.confidence for each in first.choices[:2]]
        if len(best) < 2 or best[0] < _HOPEFUL or best[0] - best[1] >= _AHEAD:
            return first
        second = await self._second.rank(text, candidates)
        rows = (*first.rows, *second.rows)
        return RankedNames(second.choices or first.choices, rows)


@dataclass(frozen=True)
class Chosen:
    """What is to be run, and how it was found."""

    agent: str
    goal: str
    """Empty: whichever of the agent is worth most."""
    ranking: tuple[RankedChoice, ...]
    rows: tuple[UsageRow, ...]


class Selection:
    """Chooses among the agents of a registry."""

    def __init__(self, registry: AgentRegistry, ranker: Ranker) -> None:
        self._registry = registry
        self._ranker = ranker

    async def agent_for(self, text: str) -> Chosen:
        """The agent that words ask for; a run of it takes no step of another.

        Raises:
            AgentError: Nothing fits; it tells the ranking.
        """
        ranked = await self._ranker.rank(text, {each.name: each.description for each in self._registry})
        best = _accepted(ranked)
        return Chosen(best.name, "", ranked.choices, ranked.rows)

    async def goal_for(self, text: str) -> Chosen:
        """The goal that words ask for, of all agents; raises as `agent_for`."""
        goals = {goal.name: (each.name, goal) for each in self._registry for goal in each.goals}
        ranked = await self._ranker.rank(text, {name: goal.description for name, (_, goal) in goals.items()})
        best = _accepted(ranked)
        return Chosen(goals[best.name][0], best.name, ranked.choices, ranked.rows)


def _accepted(ranked: RankedNames) -> RankedChoice:
    best = ranked.choices[0] if ranked.choices else None
    if best is None:
        raise AgentError("agents.nothing_there")
    if best.confidence <= ACCEPTED:
        near = ", ".join(f"{each.name} {each.confidence:.2f}" for each in ranked.choices[:_TOLD])
        raise AgentError("agents.nothing_fits", ranking=near)
    return best


def _best_first(choices: Sequence[RankedChoice]) -> tuple[RankedChoice, ...]:
    return tuple(sorted(choices, key=lambda each: (-each.confidence, each.name)))
