"""An agent that asks a person where something is to go."""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.agents.declarations import UserInput, action, agent, goal
from partner_desktop.agents.step_context import StepContext


@dataclass(frozen=True)
class Spot:
    """Where it is to go."""

    place: str


@dataclass(frozen=True)
class Planted:
    """Done."""

    content: str


@agent(description="Plants something where a person says", name="AskingAgent")
class AskingAgent:
    """One step that asks, one that does."""

    @action()
    async def find_spot(self, asked: UserInput, step: StepContext) -> Spot:
        """Ask."""
        return await step.ask_form(Spot, "Where is it to go?")

    @goal(description="It is planted")
    @action()
    async def plant(self, asked: UserInput, spot: Spot) -> Planted:
        """Do it."""
        return Planted(f"{asked.content}: {spot.place}")
