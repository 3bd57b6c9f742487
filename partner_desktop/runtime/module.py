"""RunningModule: something that runs in every turn, at its order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from partner_desktop.runtime.flow import RunningFlowContext


class RunningModule(ABC):
    """Modules of one order run together; orders run one after another, ascending.

    They launch in that order, after the parts, and shut down in reverse, before them.
    """

    order: ClassVar[int]

    @property
    def name(self) -> str:
        """Unique among the modules."""
        return type(self).__name__

    @abstractmethod
    async def execute(self, flow: RunningFlowContext) -> None:
        """Do this module's part of the turn; raising is reported and ends only this part.

        Slow questions go through `flow.unless_interrupted`; a `TurnInterrupted` is passed on.
        """

    async def launch(self) -> None:  # noqa: B027 - most have nothing to do
        """Get ready, after every part has launched.

        Raises:
            PartnerError: It cannot; the launch stops.
        """

    async def shutdown(self) -> None:  # noqa: B027
        """Let go, before any part closes; idempotent."""

    async def withdraw(self, flow: RunningFlowContext) -> None:
        """Take back what this run has shown as its answer: more was said, and the turn runs again.

        Only what is seen: what was begun goes on, and is carried over in `flow.handled`.
        """
        del flow
