"""AbilitySource: where abilities come from beside the live folders of scripts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from partner_desktop.domain.ability import Ability


class AbilitySource(Protocol):
    """Lists abilities, and tells when the list is different. Everything on the loop."""

    def abilities(self) -> Sequence[Ability]: ...

    async def arriving(self) -> Sequence[str]:
        """The names of those that start for the first time: what they bring is still to come."""
        ...

    async def settled(self, *, limit_s: float) -> None:
        """Wait until nothing is still to come, but no longer than `limit_s`."""
        ...

    def on_change(self, tell: Callable[[], None]) -> None:
        """`tell` is called after each change; it returns at once."""
        ...
