"""What can be added to the runtime: modules, hooks of its shutdown, gateways.

A RunningModule is something that runs in every turn, at its order. Hooks say what has to be done before
anything closes, and what only when everything has. A Gateway turns outside input into turns, and events into
something the outside can use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import ClassVar, Protocol

from partner_desktop.base.late_dataclass import dataclass
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


#: Seconds that one step of a shutdown may take.
SHUTDOWN_TIMEOUT_S = 5.0


class Phase(StrEnum):
    """When a hook runs."""

    PRE = "pre"
    """After the gateways took their last input, before the modules close."""
    POST = "post"
    """When every part is closed."""


@dataclass(frozen=True, eq=False)
class Hook:
    """One of them."""

    phase: Phase
    name: str
    run: Callable[[], Awaitable[None]]
    order: int
    limit_s: float


class Hooks:
    """All hooks of one Partner."""

    def __init__(self) -> None:
        self._hooks: list[Hook] = []

    def add(
        self,
        phase: Phase,
        name: str,
        run: Callable[[], Awaitable[None]],
        *,
        order: int = 0,
        limit_s: float = SHUTDOWN_TIMEOUT_S,
    ) -> Callable[[], None]:
        """Register one; returns the undo."""
        hook = Hook(phase, name, run, order, limit_s)
        self._hooks.append(hook)
        return lambda: self.remove(hook)

    def remove(self, hook: Hook) -> None:
        """It has run, or is not wanted any more; twice is once."""
        if hook in self._hooks:
            self._hooks.remove(hook)

    def of(self, phase: Phase) -> list[Hook]:
        """Lower orders first; those of one order in reverse of their registration."""
        newest_first = [hook for hook in self._hooks[::-1] if hook.phase is phase]
        return sorted(newest_first, key=lambda hook: hook.order)


class Gateway(Protocol):
    """Launched after the runtime, shut down before it."""

    name: str

    async def launch(self) -> None:
        """Begin to take input.

        Raises:
            PartnerError: It cannot; the message says why.
        """
        ...

    async def shutdown(self) -> None:
        """Stop taking input and let go of what is open; idempotent."""
        ...
