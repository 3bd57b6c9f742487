"""The token budget of a resolve: what is worth most is shown longest, and nothing goes over it.

Every block first gets its shortest form, the most valuable first, then longer ones in the same order as long
as there is room: so the least valuable are the first to be shortened, and the first to be left out. Where
even the shortest forms together are too much, a quarter of the budget is kept for the best ones in full.
Three classes of blocks, one after another: what cannot wait (critical, or brought about by this very turn),
everything else, housekeeping.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.context.block import ScoredBlock
from partner_desktop.context.score import TIERS, Exposure, Tier, shown_level
from partner_desktop.domain.snapshot import BlockFate

_FULL, _COMPACT, _ABSTRACT, _DROPPED = range(4)

#: More than any score: one number for both sorts twice as fast as two.
_WEIGHT = 1_024.0
#: Tokens of the elements around everything.
FRAME_TOKENS = 12


@dataclass(frozen=True)
class BudgetLimits:
    """What a resolve may spend."""

    budget_tokens: int
    housekeeping_percent: int = 25
    """The part of the budget that housekeeping may take."""
    housekeeping_per_name: int = 3
    """Housekeeping blocks of one name that are shown, the newest ones."""

    @property
    def housekeeping_tokens(self) -> int:
        return self.budget_tokens * self.housekeeping_percent // 100


class Candidate:
    """One visible block on its way through a resolve: a copy of its score, and where the budget put it."""

    __slots__ = ("allowed", "before", "exposure", "level", "live", "score", "superfluous", "worth")

    def __init__(self, live: ScoredBlock, before: float, exposure: Exposure, weight: int) -> None:
        self.live = live
        self.before = before
        """The score before this resolve refreshed it."""
        self.score = score = live.score
        self.exposure = exposure
        self.worth = (-weight * _WEIGHT - score, live.order)
        """Sorts the most valuable first: by weight, then score, then name, source and age."""
        self.level = _DROPPED

    # Set when it is placed; declared here for the reader of the slots.
    allowed: int
    """The level of the longest form that score and exposure allow."""
    superfluous: bool
    """One of more housekeeping blocks of its name than are shown; unset for all others."""

    @property
    def tier(self) -> Tier:
        """The form that is shown; when left out, the one that was tried last."""
        return TIERS[self.live.shortest[self.allowed] if self.level == _DROPPED else self.level]

    @property
    def wanted(self) -> Tier:
        return TIERS[self.allowed]

    @property
    def fate(self) -> BlockFate:
        if self.level == _DROPPED:
            return BlockFate.DROPPED
        return BlockFate.SHOWN if self.level == self.allowed else BlockFate.DEMOTED

    @property
    def shown(self) -> bool:
        return self.level != _DROPPED

    @property
    def tokens(self) -> int:
        return 0 if self.level == _DROPPED else self.live.costs[self.level]


class _Class:
    """Candidates that are placed together, and what they would cost."""

    def __init__(self, candidates: list[Candidate]) -> None:
        self.candidates = candidates
        wanted = shortest = 0
        smallest = 1 << 62
        for one in candidates:
            costs = one.live.costs
            allowed = one.allowed
            least = costs[one.live.shortest[allowed]]
            wanted += costs[allowed]
            shortest += least
            if least < smallest:  # noqa: PLR1730 - `min` takes three times as long, ten thousand times
                smallest = least
        self.wanted_tokens = wanted
        self.shortest_tokens = shortest
        self.smallest = smallest
        """Tokens of the cheapest form of all."""


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """In the order of their worth, which two candidates never share."""
    return sorted(candidates, key=attrgetter("worth"))


def fit(candidates: Iterable[Candidate], *, limits: BudgetLimits, turn_id: str) -> int:
    """Give every candidate its place. How many tokens are used."""
    urgent: list[Candidate] = []
    common: list[Candidate] = []
    housekeeping: list[Candidate] = []
    for one in candidates:
        live = one.live
        one.allowed = shown_level(one.score, one.exposure)
        if live.housekeeping:
            housekeeping.append(one)
        elif live.critical or (turn_id and live.turn_id == turn_id):
            urgent.append(one)
        else:
            common.append(one)
    room = max(0, limits.budget_tokens - FRAME_TOKENS)
    used = _spend(_Class(urgent), room)
    used += _spend(_Class(common), room - used)
    newest = _newest_of_each_name(housekeeping, limits.housekeeping_per_name)
    return used + _spend(_Class(newest), min(room - used, limits.housekeeping_tokens))


def _newest_of_each_name(candidates: list[Candidate], most: int) -> list[Candidate]:
    counts: dict[str, int] = {}
    for one in sorted(candidates, key=lambda candidate: -candidate.live.serial):
        name = one.live.block.name
        counts[name] = counts.get(name, 0) + 1
        one.superfluous = counts[name] > most
    return [one for one in candidates if not one.superfluous]


def _spend(members: _Class, room: int) -> int:
    """Place one class within `room`; how much of it was used."""
    if members.wanted_tokens <= room:
        for one in members.candidates:
            one.level = one.allowed
        return members.wanted_tokens
    admitted, used = _admit(members, room)
    everyone = len(admitted) == len(members.candidates)
    for level in (_COMPACT, _FULL) if everyone else (_FULL, _COMPACT):
        used = _lengthen(admitted, level, used, room)
    return used


def _admit(members: _Class, room: int) -> tuple[list[Candidate], int]:
    """Take in the shortest forms, best first; who is in, and what they use."""
    limit = room if members.shortest_tokens <= room else room - room // 4
    admitted: list[Candidate] = []
    used = 0
    for one in best_first(members.candidates):
        shortest = one.live.shortest[one.allowed]
        cost = one.live.costs[shortest]
        # The very best may have all the room there is: it is the last that goes.
        if used + cost <= limit or (not used and cost <= room):
            one.level = shortest
            used += cost
            admitted.append(one)
        if used + members.smallest > limit and admitted:
            break
    return admitted, used


def _lengthen(candidates: Iterable[Candidate], level: int, used: int, room: int) -> int:
    """Show at `level` what is shown shorter, may be shown so, and still fits; best first."""
    for one in candidates:
        if one.level <= level or one.allowed > level:
            continue
        costs = one.live.costs
        more = costs[level] - costs[one.level]
        if used + more <= room:
            one.level = level
            used += more
    return used
