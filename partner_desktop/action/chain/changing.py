"""Interventions applied to a chain. Pure: a chain and a wish give another chain, or a reason why not."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.domain.chain import Chain, Step
from partner_desktop.domain.intervention import Intervention


def changed(chain: Chain, wish: Intervention, steps: Sequence[Step], *, most_steps: int) -> Chain:
    """The chain after one intervention; `steps` are those that `wish.steps` became, in order.

    Raises:
        UsageError: It cannot be so, with why in a sentence.
    """
    raise NotImplementedError
