"""Shutdown hooks: what has to be done before anything closes, and what only when everything has."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum

from partner_desktop.base.late_dataclass import dataclass

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
