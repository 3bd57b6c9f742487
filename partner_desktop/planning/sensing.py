"""Which condition that is not known to find out about next: one that can change the best plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from partner_desktop.planning.action_set import ActionSet
from partner_desktop.planning.plan_answers import SearchLimits
from partner_desktop.planning.plan_descriptions import PlanAction


def worth_sensing(
    start: Mapping[str, bool],
    goal: Mapping[str, bool],
    actions: Iterable[PlanAction] | ActionSet,
    *,
    unknown: Iterable[str],
    costs: Mapping[str, float] | None = None,
    limits: SearchLimits | None = None,
) -> str | None:
    """The cheapest unknown condition that can change the best plan, or `None` if none of them can."""
    raise NotImplementedError
