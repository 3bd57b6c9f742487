"""Feeding: which earlier step brings a parameter, what of its result is the value. It looks at the disk."""

from __future__ import annotations

from collections.abc import Sequence

from partner_desktop.action.chain.making import StepDraft
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject


def fed(draft: StepDraft, missing: Sequence[str], earlier: Sequence[StepDraft]) -> StepDraft:
    """The draft with what earlier steps bring to it: arguments that are said once hold for what is meant by
    `it` and `the folder`, and what comes of a step is a feed."""
    del missing, earlier
    return draft


def value_from(schema: JsonObject, result: ActionRecord) -> tuple[Json, ...]:
    """The values for a parameter that a step's result offers, the likeliest first; empty: none."""
    del schema, result
    return ()
