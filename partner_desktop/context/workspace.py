"""ContextWorkspace: where the modules of a turn meet.

Modules register blocks; a resolve gives the blocks of the asked domains that a conversation may see,
each at the tier its score allows. Registering returns its undo.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from partner_desktop.base.clock import Clock
from partner_desktop.context.block import GLOBAL, MAX_SCORE, ContextBlock, Domain, Tier


@dataclass(frozen=True)
class ResolvedBlock:
    """A block as it was given out: which tier, which words."""

    block: ContextBlock
    tier: Tier
    text: str


class ContextWorkspace:
    """All live blocks of a home. Used on the loop only."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._blocks: list[ContextBlock] = []

    def register(self, block: ContextBlock) -> Callable[[], None]:
        """Add a block; older ones of the same name, source and scope lose their replace fade."""
        block.updated_at = self._clock.now()
        for older in self._blocks:
            if (older.name, older.source, older.scope) == (block.name, block.source, block.scope):
                older.score -= older.fades.replace
        self._blocks.append(block)
        self._sweep()

        def undo() -> None:
            if block in self._blocks:
                self._blocks.remove(block)

        return undo

    def expire(self, name: str, source: str, *, scope: str = GLOBAL) -> None:
        """Remove all blocks of this name and source in this scope."""
        self._blocks = [b for b in self._blocks if (b.name, b.source, b.scope) != (name, source, scope)]

    def forget(self, scope: str) -> None:
        """Remove everything of a conversation that is gone."""
        self._blocks = [b for b in self._blocks if b.scope != scope]

    def resolve(self, domains: Sequence[Domain], *, scope: str) -> list[ResolvedBlock]:
        """The blocks of `domains` that `scope` may see, best score first; asking refreshes them."""
        self._decay()
        found = [b for b in self._blocks if b.domain in domains and b.scope in (GLOBAL, scope)]
        found.sort(key=lambda b: (-b.score, b.name, b.source))
        resolved = [ResolvedBlock(b, tier := Tier.of(b.score), b.text(tier)) for b in found]
        for block in found:
            block.score = min(MAX_SCORE, block.score + block.fades.activation)
        return resolved

    def end_turn(self, turn_id: str) -> None:
        """Drop what only the turn that made it needed."""
        self._blocks = [b for b in self._blocks if b.turn_id != turn_id]

    def _decay(self) -> None:
        now = self._clock.now()
        for block in self._blocks:
            if block.updated_at is not None:
                minutes = max(0.0, (now - block.updated_at).total_seconds() / 60)
                block.score -= block.fades.per_minute * minutes
            block.updated_at = now
        self._sweep()

    def _sweep(self) -> None:
        self._blocks = [block for block in self._blocks if block.score > 0]
