"""An agent class; Partner loads and lists it."""

from __future__ import annotations

from dataclasses import dataclass

from partner_desktop.agents.declarations import UserInput, action, agent, goal


@dataclass(frozen=True)
class Advice:
    """What to do with which plant."""

    text: str


@agent(description="Knows when the plants need water")
class Gardener:
    """Waters the plants."""

    @goal(description="Advice for a plant")
    @action()
    async def advise(self, asked: UserInput) -> Advice:
        """Say what every gardener says."""
        return Advice(f"{asked.content}: water it when the soil is dry.")
