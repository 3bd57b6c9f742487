"""ContextWorkspace: where the modules of a turn meet.

Modules register blocks; a resolve gives the blocks of the asked domains that a conversation may see, each at
the tier that its score and exposure allow, within a token budget. Registering returns its undo.

Contract: used on the loop only. A large `resolve_async` works on a copy in a thread (`resolve_candidates`):
what is registered, expired or forgotten meanwhile shows from the next resolve on.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from partner_desktop.base.clock import Clock
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.trace import NullTracer, Tracer
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.context.block import BITS, GLOBAL, SUPPLY_BIT, ContextBlock, Domain, Key, ScoredBlock
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.context.budget import BudgetLimits, Candidate, fit
from partner_desktop.context.resolution import Resolution
from partner_desktop.context.score import Exposure, Tier, activated
from partner_desktop.context.tokens import EstimatedTokens, TokenCounter

#: From this many blocks on, ordering and fitting leave the loop.
_OFF_LOOP_FROM = 1_500
#: Blocks whose scores are looked at before others may have the loop.
_SLICE = 1_000
#: Registrations between two looks at everything, so that what nobody asks for any more does not stay.
_SWEEP_EVERY = 1_000


@dataclass(frozen=True)
class BlockStanding:
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
        self._index = BlockIndex()
        self._serial = 0

    def __len__(self) -> int:
        return len(self._index)

    # Coming and going.

    def register(self, block: ContextBlock) -> Callable[[], None]:
        """Add a block; older ones of the same name, source and scope lose their replace fade."""
        now_s = self._now_s()
        self._serial += 1
        live = ScoredBlock(block, at_s=now_s, serial=self._serial)
        live.count(self.counter)
        older = self._index.history(live.key)
        for one in older:
            one.decay(now_s)
            one.lose(one.block.fades.replace)
        self._trace("replace" if older else "register", block, Tier.FULL)
        self._fade_out([one for one in older if one.score <= 0])
        for gone in self._index.add(live):
            self._trace("crowd-out", gone.block, Tier.of(gone.score))
        if self._serial % _SWEEP_EVERY == 0:
            self._settle(list(self._index.all()), now_s)
        return lambda: self._index.remove([live])

    def has(self, block: ContextBlock) -> bool:
        """Whether a block that was registered is still there."""
        now_s = self._now_s()
        live = self._index.history((block.name, block.source, block.scope))
        found = next((one for one in live if one.block is block), None)
        if found is None:
            return False
        found.decay(now_s)
        return found.score > 0

    def expire(self, name: str, source: str, *, scope: str = GLOBAL) -> None:
        """Remove all blocks of this name and source in this scope."""
        gone = self._index.history((name, source, scope))
        self._index.remove(gone)
        for live in gone[-1:]:
            self._trace("expire", live.block, Tier.of(live.score))

    def forget(self, scope: str) -> None:
        """Remove everything of a conversation that is gone."""
        self._index.remove(list(self._index.scope(scope)))

    def forget_words(self, holds: Callable[[str], bool]) -> None:
        """Remove every block that says words of what was forgotten, in whichever conversation."""
        self._index.remove([live for live in self._index.all() if holds(live.block.full)])

    def end_turn(self, turn_id: str) -> None:
        """Drop what only the turn that made it needed."""
        self._index.remove(self._index.of_turn(turn_id))

    # Looking.

    def standing(self, *, scope: str) -> list[BlockStanding]:
        """What lives for this scope now; looking changes no score."""
        return [BlockStanding(live.block, live.score, Tier.of(live.score)) for live in self._settled(scope)]

    def resolve(
        self, domains: Sequence[Domain], *, scope: str, turn_id: str = "", most_tokens: int | None = None
    ) -> Resolution:
        """The blocks of `domains` (what matters most first) that `scope` may see; asking refreshes them.

        What `turn_id` itself brought about is the last to be shortened. `most_tokens` lowers the settings'
        budget, never raises it. On the loop, whatever their number.
        """
        return self._resolved(
            candidates_of(self._settled(scope), TopicWeights(domains)), turn_id, most_tokens
        )

    async def resolve_async(
        self, domains: Sequence[Domain], *, scope: str, turn_id: str = "", most_tokens: int | None = None
    ) -> Resolution:
        """The same, leaving the loop free when there are many: scores in slices, all else in a thread."""
        visible = self._visible(scope)
        if len(visible) < _OFF_LOOP_FROM:
            return self.resolve(domains, scope=scope, turn_id=turn_id, most_tokens=most_tokens)
        asked = TopicWeights(domains)
        candidates: list[Candidate] = []
        for start in range(0, len(visible), _SLICE):
            settled = self._settle(visible[start : start + _SLICE], self._now_s())
            candidates += candidates_of(settled, asked)
            await asyncio.sleep(0)
        return await asyncio.to_thread(self._resolved, candidates, turn_id, most_tokens)

    def _resolved(self, candidates: list[Candidate], turn_id: str, most_tokens: int | None) -> Resolution:
        settings = self._settings.value
        budget = settings.budget_tokens if most_tokens is None else min(settings.budget_tokens, most_tokens)
        limits = BudgetLimits(budget, settings.housekeeping_percent)
        return resolve_candidates(candidates, counter=self.counter, limits=limits, turn_id=turn_id)

    # Time.

    def _settled(self, scope: str) -> list[ScoredBlock]:
        return self._settle(self._visible(scope), self._now_s())

    def _visible(self, scope: str) -> list[ScoredBlock]:
        """What this scope may see."""
        own = self._index.scope(scope) if scope != GLOBAL else ()
        return list(chain(self._index.scope(GLOBAL), own))

    def _settle(self, blocks: list[ScoredBlock], now_s: float) -> list[ScoredBlock]:
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

    def _fade_out(self, faded: Iterable[ScoredBlock]) -> None:
        for live in faded:
            if live.alive:
                self._index.remove([live])
                self._trace("fade-out", live.block, Tier.ABSTRACT)

    def _now_s(self) -> float:
        return self._clock.now().timestamp()

    def _trace(self, op: str, block: ContextBlock, tier: Tier) -> None:
        self._tracer.record("workspace", op=op, name=block.name, source=block.source, tier=tier.value)


#: Blocks of one name, source and scope that may live at the same time; what a turn itself brought about is
#: not counted, it ends with the turn.
HISTORY_LIMIT = 16
#: Housekeeping blocks of one name and scope that may live at the same time, whatever their sources.
HOUSEKEEPING_LIMIT = 16


class BlockIndex:
    """Adding and removing cost the same however many blocks there are."""

    def __init__(self) -> None:
        self._scopes: dict[str, dict[Key, list[ScoredBlock]]] = {}
        self._turns: dict[str, list[ScoredBlock]] = {}
        self._housekeeping: dict[tuple[str, str], deque[ScoredBlock]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def scope(self, scope: str) -> Iterator[ScoredBlock]:
        """The blocks of one scope."""
        for history in self._scopes.get(scope, {}).values():
            yield from history

    def all(self) -> Iterator[ScoredBlock]:
        """Every block."""
        for scope in self._scopes:
            yield from self.scope(scope)

    def history(self, key: Key) -> list[ScoredBlock]:
        """The blocks of one key, oldest first."""
        return list(self._scopes.get(key[2], {}).get(key, ()))

    def add(self, live: ScoredBlock) -> list[ScoredBlock]:
        """Take a block in; the ones that had to make room for it."""
        block = live.block
        history = self._scopes.setdefault(block.scope, {}).setdefault(live.key, [])
        history.append(live)
        self._count += 1
        if block.turn_id:
            self._turns.setdefault(block.turn_id, []).append(live)
        standing = [one for one in history if not one.block.turn_id]
        gone = standing[:-HISTORY_LIMIT] if len(standing) > HISTORY_LIMIT else []
        if block.housekeeping:
            gone = [*gone, *self._crowded_out(live)]
        self.remove(gone)
        return gone

    def _crowded_out(self, live: ScoredBlock) -> list[ScoredBlock]:
        kept = self._housekeeping.setdefault((live.block.scope, live.block.name), deque())
        kept.append(live)
        return [kept[0]] if len(kept) > HOUSEKEEPING_LIMIT else []

    def remove(self, blocks: Iterable[ScoredBlock]) -> None:
        """Let blocks go; those that are gone already are left alone."""
        for live in blocks:
            if not live.alive:
                continue
            live.alive = False
            self._count -= 1
            keys = self._scopes[live.block.scope]
            keys[live.key].remove(live)
            if not keys[live.key]:
                del keys[live.key]
            if not keys:
                del self._scopes[live.block.scope]
            if live.block.housekeeping:
                kept = self._housekeeping[live.block.scope, live.block.name]
                kept.remove(live)
                if not kept:
                    del self._housekeeping[live.block.scope, live.block.name]

    def of_turn(self, turn_id: str) -> list[ScoredBlock]:
        """What a turn brought about, for the last time: it is no longer known by its turn."""
        return self._turns.pop(turn_id, [])


class TopicWeights(dict[int, "tuple[int, Exposure] | None"]):
    """What a block is about (its bits) → summed weight and exposure; `None`: nothing of what is asked for.

    Of n domains the first counts n, the last 1.
    """

    def __init__(self, domains: Sequence[Domain]) -> None:
        super().__init__()
        self._first = BITS[domains[0]] if domains else 0
        self._weights = {BITS[domain]: len(domains) - place for place, domain in enumerate(domains)}

    def __missing__(self, about: int) -> tuple[int, Exposure] | None:
        found = self[about] = self._met(about)
        return found

    def _met(self, about: int) -> tuple[int, Exposure] | None:
        weight = sum(weight for bit, weight in self._weights.items() if about & bit)
        # What stands beside the person's words belongs to every input.
        beside = about & SUPPLY_BIT and about & BITS[Domain.COMMUNICATION]
        if not weight and not beside:
            return None
        return weight, Exposure.PRIMARY if about & self._first else Exposure.SECONDARY


def candidates_of(visible: Iterable[ScoredBlock], asked: TopicWeights) -> list[Candidate]:
    """Those that are about what is asked for, refreshed by the asking, and copied."""
    found = []
    for live in visible:
        met = asked[live.about]
        if met is not None:
            weight, exposure = met
            before = live.score
            if live.gain:
                live.score = activated(before, exposure, live.gain)
            found.append(Candidate(live, before, exposure, weight))
    return found


def resolve_candidates(
    candidates: list[Candidate], *, counter: TokenCounter, limits: BudgetLimits, turn_id: str
) -> Resolution:
    """Give each its place within the budget."""
    counted_by = counter.name
    for one in candidates:
        if one.live.counted_by != counted_by:
            one.live.count(counter)
    used = fit(candidates, limits=limits, turn_id=turn_id)
    return Resolution(candidates, limits=limits, used_tokens=used, counted_by=counted_by)
