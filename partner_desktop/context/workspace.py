"""ContextWorkspace: where the modules of a turn meet.

Modules register blocks; a resolve gives the blocks of the asked domains that a conversation may see, each at
the tier that its score and exposure allow, within a token budget. Registering returns its undo.

Contract: used on the loop only. A large `resolve_async` works on a copy in a thread: what is registered,
expired or forgotten meanwhile shows from the next resolve on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from partner_desktop.base.clock import Clock
from partner_desktop.base.trace import NullTracer, Tracer
from partner_desktop.config.center import ConfigHandle
from partner_desktop.context.block import GLOBAL, ContextBlock, Domain
from partner_desktop.context.budget import Candidate, Limits
from partner_desktop.context.holdings import Holdings
from partner_desktop.context.live import LiveBlock
from partner_desktop.context.resolution import Resolution
from partner_desktop.context.resolving import Asked, candidates_of, resolve_candidates
from partner_desktop.context.score import Tier
from partner_desktop.context.settings import ContextSettings
from partner_desktop.context.tokens import EstimatedTokens, TokenCounter

#: From this many blocks on, ordering and fitting leave the loop.
_OFF_LOOP_FROM = 1_500
#: Blocks whose scores are looked at before others may have the loop.
_SLICE = 1_000
#: Registrations between two looks at everything, so that what nobody asks for any more does not stay.
_SWEEP_EVERY = 1_000


@dataclass(frozen=True)
class Standing:
    """A live block as it stands now, untouched by looking."""

    block: ContextBlock
    score: float
    tier: Tier


class ContextWorkspace:
    """All live blocks of a home."""

    def __init__(
        self,
        *,
        clock: Clock,
        settings: ConfigHandle[ContextSettings] | None = None,
        counter: TokenCounter | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self._clock = clock
        self._settings = settings or ConfigHandle("context", ContextSettings())
        self.counter: TokenCounter = counter or EstimatedTokens()
        """What counts tokens; another one may take its place at any time."""
        self._tracer = tracer or NullTracer()
        self._holdings = Holdings()
        self._serial = 0

    def __len__(self) -> int:
        return len(self._holdings)

    # Coming and going.

    def register(self, block: ContextBlock) -> Callable[[], None]:
        """Add a block; older ones of the same name, source and scope lose their replace fade."""
        now_s = self._now_s()
        self._serial += 1
        live = LiveBlock(block, at_s=now_s, serial=self._serial)
        live.count(self.counter)
        older = self._holdings.history(live.key)
        for one in older:
            one.decay(now_s)
            one.lose(one.block.fades.replace)
        self._trace("replace" if older else "register", block, Tier.FULL)
        self._fade_out([one for one in older if one.score <= 0])
        for gone in self._holdings.add(live):
            self._trace("crowd-out", gone.block, Tier.of(gone.score))
        if self._serial % _SWEEP_EVERY == 0:
            self._settle(list(self._holdings.all()), now_s)
        return lambda: self._holdings.remove([live])

    def expire(self, name: str, source: str, *, scope: str = GLOBAL) -> None:
        """Remove all blocks of this name and source in this scope."""
        gone = self._holdings.history((name, source, scope))
        self._holdings.remove(gone)
        for live in gone[-1:]:
            self._trace("expire", live.block, Tier.of(live.score))

    def forget(self, scope: str) -> None:
        """Remove everything of a conversation that is gone."""
        self._holdings.remove(list(self._holdings.scope(scope)))

    def end_turn(self, turn_id: str) -> None:
        """Drop what only the turn that made it needed."""
        self._holdings.remove(self._holdings.of_turn(turn_id))

    # Looking.

    def standing(self, *, scope: str) -> list[Standing]:
        """What lives for this scope now; looking changes no score."""
        return [Standing(live.block, live.score, Tier.of(live.score)) for live in self._settled(scope)]

    def resolve(
        self, domains: Sequence[Domain], *, scope: str, turn_id: str = "", most_tokens: int | None = None
    ) -> Resolution:
        """The blocks of `domains` (what matters most first) that `scope` may see; asking refreshes them.

        What `turn_id` itself brought about is the last to be shortened. `most_tokens` lowers the settings'
        budget, never raises it. On the loop, whatever their number.
        """
        return self._resolved(candidates_of(self._settled(scope), Asked(domains)), turn_id, most_tokens)

    async def resolve_async(
        self, domains: Sequence[Domain], *, scope: str, turn_id: str = "", most_tokens: int | None = None
    ) -> Resolution:
        """The same, leaving the loop free when there are many: scores in slices, all else in a thread."""
        visible = self._visible(scope)
        if len(visible) < _OFF_LOOP_FROM:
            return self.resolve(domains, scope=scope, turn_id=turn_id, most_tokens=most_tokens)
        asked = Asked(domains)
        candidates: list[Candidate] = []
        for start in range(0, len(visible), _SLICE):
            settled = self._settle(visible[start : start + _SLICE], self._now_s())
            candidates += candidates_of(settled, asked)
            await asyncio.sleep(0)
        return await asyncio.to_thread(self._resolved, candidates, turn_id, most_tokens)

    def _resolved(self, candidates: list[Candidate], turn_id: str, most_tokens: int | None) -> Resolution:
        settings = self._settings.value
        budget = settings.budget_tokens if most_tokens is None else min(settings.budget_tokens, most_tokens)
        limits = Limits(budget, settings.housekeeping_percent)
        return resolve_candidates(candidates, counter=self.counter, limits=limits, turn_id=turn_id)

    # Time.

    def _settled(self, scope: str) -> list[LiveBlock]:
        return self._settle(self._visible(scope), self._now_s())

    def _visible(self, scope: str) -> list[LiveBlock]:
        """What this scope may see."""
        own = self._holdings.scope(scope) if scope != GLOBAL else ()
        return list(chain(self._holdings.scope(GLOBAL), own))

    def _settle(self, blocks: list[LiveBlock], now_s: float) -> list[LiveBlock]:
        """Those that are left after time has taken its points; the others go."""
        faded = []
        for live in blocks:
            if live.at_s != now_s:
                live.decay(now_s)
            if live.score <= 0:
                faded.append(live)
        if not faded:
            return blocks
        self._fade_out(faded)
        return [live for live in blocks if live.score > 0]

    def _fade_out(self, faded: Iterable[LiveBlock]) -> None:
        for live in faded:
            if live.alive:
                self._holdings.remove([live])
                self._trace("fade-out", live.block, Tier.ABSTRACT)

    def _now_s(self) -> float:
        return self._clock.now().timestamp()

    def _trace(self, op: str, block: ContextBlock, tier: Tier) -> None:
        self._tracer.record("workspace", op=op, name=block.name, source=block.source, tier=tier.value)
