"""Why a block is shown as it is: one plain sentence for the person who looks at a turn."""

from __future__ import annotations

from partner_desktop.context.budget import Candidate, Limits
from partner_desktop.context.score import Exposure, Tier
from partner_desktop.domain.snapshot import BlockFate

_FORM = {Tier.FULL: "In full", Tier.COMPACT: "Compact", Tier.ABSTRACT: "Only its gist"}
_FROM = {Tier.FULL: "the full form", Tier.COMPACT: "the compact form", Tier.ABSTRACT: "the gist"}


def reason_of(one: Candidate, limits: Limits) -> str:
    """The sentence for one block."""
    if one.fate is BlockFate.DROPPED:
        return _why_left_out(one, limits)
    if one.fate is BlockFate.DEMOTED:
        return (
            f"{_FORM[one.tier]}: {_FROM[one.wanted]} ({one.live.costs[one.allowed]:,} "
            f"tokens) did not fit beside what is worth more; the budget is {limits.budget_tokens:,} tokens."
        )
    return f"{_FORM[one.tier]}: {_why_this_form(one)}."


def _why_left_out(one: Candidate, limits: Limits) -> str:
    if one.live.block.housekeeping and one.superfluous:
        shown = limits.housekeeping_per_name
        return f"Left out: only the newest {shown} housekeeping blocks of a name are shown."
    if one.live.block.housekeeping:
        return (
            f"Left out: housekeeping may take {limits.housekeeping_tokens:,} of the budget's "
            f"{limits.budget_tokens:,} tokens and comes after everything else."
        )
    shortest = min(one.live.costs[one.allowed :])
    return (
        f"Left out: even its shortest form ({shortest:,} tokens) did not fit beside what is worth more; "
        f"the budget is {limits.budget_tokens:,} tokens."
    )


def _why_this_form(one: Candidate) -> str:
    """Scores are the rule; the other sentences are its exceptions."""
    rose = f", raised to {one.score:.0f} by being asked for" if one.score > one.before + 0.5 else ""
    score = f"its score is {one.before:.0f}{rose}"
    if one.exposure is Exposure.SECONDARY and Tier.of(one.score) is Tier.FULL:
        return f"{score}, but it only comes along, and that is never shown in full"
    if one.exposure is Exposure.PRIMARY and Tier.of(one.score) is Tier.ABSTRACT:
        return f"{score}; that is not shown shorter"
    return score
