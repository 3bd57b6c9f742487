"""RunningModule: something that runs in every turn, at its order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from partner_desktop.runtime.flow import RunningFlowContext


class RunningModule(ABC):
    """Modules of one order run together; orders run one after another, ascending."""

    order: ClassVar[int]

    @property
    def name(self) -> str:
        """Unique among the modules."""
        return type(self).__name__

    @abstractmethod
    async def execute(self, flow: RunningFlowContext) -> None:
        """Do this module's part of the turn; raising is reported and ends only this part."""
