"""One resolve, from the live blocks that a scope may see to their places in the prompt.

`candidates_of` touches scores and runs on the loop; `resolve_candidates` works on the copies it made and may
run on any thread, whatever is registered meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from partner_desktop.context.block import Domain
from partner_desktop.context.budget import Candidate, Limits, fit
from partner_desktop.context.live import BITS, SUPPLY_BIT, LiveBlock
from partner_desktop.context.resolution import Resolution
from partner_desktop.context.score import Exposure, activated
from partner_desktop.context.tokens import TokenCounter


class Asked(dict[int, "tuple[int, Exposure] | None"]):
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


def candidates_of(visible: Iterable[LiveBlock], asked: Asked) -> list[Candidate]:
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
    candidates: list[Candidate], *, counter: TokenCounter, limits: Limits, turn_id: str
) -> Resolution:
    """Give each its place within the budget."""
    counted_by = counter.name
    for one in candidates:
        if one.live.counted_by != counted_by:
            one.live.count(counter)
    used = fit(candidates, limits=limits, turn_id=turn_id)
    return Resolution(candidates, limits=limits, used_tokens=used, counted_by=counted_by)
