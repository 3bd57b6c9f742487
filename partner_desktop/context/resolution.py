"""Resolution: what a resolve gave out. It never changes, and everything of it can be read on any thread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.context import block
from partner_desktop.context.block import ContextBlock
from partner_desktop.context.budget import BudgetLimits, Candidate, best_first
from partner_desktop.context.score import Exposure, Tier
from partner_desktop.domain.evidence import Evidence
from partner_desktop.domain.snapshot import BlockFate, SnapshotBlock

EMPTY = "<no_context>"


@dataclass(frozen=True)
class ResolvedBlock:
    """A block as it was given out: which tier, which words."""

    block: ContextBlock
    tier: Tier
    exposure: Exposure
    text: str


class Resolution:
    """The visible blocks, each in its place. They are ordered when they are asked for, and only those."""

    def __init__(
        self, candidates: Sequence[Candidate], *, limits: BudgetLimits, used_tokens: int, counted_by: str
    ) -> None:
        self._candidates = candidates
        self.limits = limits
        self.used_tokens = used_tokens
        self.counted_by = counted_by

    def __iter__(self) -> Iterator[ResolvedBlock]:
        """What is shown, best first."""
        return iter(self.blocks)

    @property
    def blocks(self) -> list[ResolvedBlock]:
        """What is shown, best first."""
        return [
            ResolvedBlock(one.live.block, one.tier, one.exposure, one.live.block.text(one.tier))
            for one in best_first(one for one in self._candidates if one.shown)
        ]

    def evidence_of(self, turn_id: str) -> list[Evidence]:
        """What happened in a turn: facts stay facts, whether or not their words had room."""
        of_turn = [one.live for one in self._candidates if one.live.turn_id == turn_id]
        of_turn.sort(key=lambda live: (live.block.name, live.block.source, live.serial))
        return [live.block.evidence for live in of_turn if live.block.evidence]

    def context(self) -> str:
        """The `<context>` of a prompt."""
        lines = list(_rendered(self._shown(supply=False)))
        return block.branch("context", lines) if lines else EMPTY

    def supply(self) -> list[str]:
        """The lines of what stands beside the person's words in `<input>`, grouped by name."""
        return list(_rendered(self._shown(supply=True)))

    def record(self) -> tuple[SnapshotBlock, ...]:
        """Every visible block with its fate and the reason, best first."""
        return tuple(_recorded(one, self.limits) for one in best_first(self._candidates))

    def _shown(self, *, supply: bool) -> list[Candidate]:
        return best_first(one for one in self._candidates if one.shown and one.live.block.supply is supply)


def _rendered(candidates: Iterable[Candidate]) -> Iterable[str]:
    """One element a name and source, in the order of its best block."""
    groups: dict[tuple[str, str], list[Candidate]] = {}
    for one in candidates:
        groups.setdefault((one.live.block.name, one.live.block.source), []).append(one)
    for (name, source), members in groups.items():
        yield _group(name, source, members)


def _group(name: str, source: str, members: Sequence[Candidate]) -> str:
    """The best of them (of equals the newest) is how things are; the others are how they were."""
    ordered = sorted(members, key=lambda one: (-one.score, -one.live.serial))
    tag, named = block.element(name)
    attributes = (
        named
        + block.attribute("source", source)
        + block.attribute("urgency", ordered[0].live.block.urgency.value)
    )
    lines = [
        block.leaf("history_snapshot" if place else "snapshot", one.live.block.text(one.tier), depth=2)
        for place, one in enumerate(ordered)
    ]
    return block.branch(tag, lines, attributes=attributes, depth=1)


def _recorded(one: Candidate, limits: BudgetLimits) -> SnapshotBlock:
    block = one.live.block
    return SnapshotBlock(
        name=block.name,
        source=block.source,
        domain=block.domain.value,
        scope=block.scope,
        tier=one.tier.value,
        exposure=one.exposure.value,
        score=round(one.before, 2),
        tokens=one.tokens,
        fate=one.fate,
        reason=reason_of(one, limits),
        text=block.text(one.tier) if one.shown else "",
        urgency=block.urgency.value,
    )


def _form(tier: Tier) -> str:
    return sentence_of(f"context.form_{tier.value}")


def reason_of(one: Candidate, limits: BudgetLimits) -> str:
    """The sentence for one block."""
    if one.fate is BlockFate.DROPPED:
        return _why_left_out(one, limits)
    if one.fate is BlockFate.DEMOTED:
        return sentence_of(
            "context.did_not_fit",
            form=_form(one.tier),
            wanted=sentence_of(f"context.from_{one.wanted.value}"),
            tokens=one.live.costs[one.allowed],
            budget=limits.budget_tokens,
        )
    return sentence_of("context.in_form", form=_form(one.tier), why=_why_this_form(one))


def _why_left_out(one: Candidate, limits: BudgetLimits) -> str:
    if one.live.block.housekeeping and one.superfluous:
        shown = limits.housekeeping_per_name
        return sentence_of("context.only_newest", shown=shown)
    if one.live.block.housekeeping:
        return sentence_of(
            "context.housekeeping", most=limits.housekeeping_tokens, budget=limits.budget_tokens
        )
    shortest = min(one.live.costs[one.allowed :])
    return sentence_of("context.shortest_did_not_fit", shortest=shortest, budget=limits.budget_tokens)


def _why_this_form(one: Candidate) -> str:
    """Scores are the rule; the other sentences are its exceptions."""
    rose = sentence_of("context.raised", score=one.score) if one.score > one.before + 0.5 else ""
    score = sentence_of("context.its_score", before=one.before, rose=rose)
    if one.exposure is Exposure.SECONDARY and Tier.of(one.score) is Tier.FULL:
        return sentence_of("context.comes_along", score=score)
    if one.exposure is Exposure.PRIMARY and Tier.of(one.score) is Tier.ABSTRACT:
        return sentence_of("context.not_shorter", score=score)
    return score
