"""Each: `zip them`, said of what several steps did one after the other, is a step for each of those. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from partner_desktop.action.chain.making import StepDraft
from partner_desktop.base.ids import new_id
from partner_desktop.base.patterns import late
from partner_desktop.domain.json_value import JsonObject

_SEVERAL = late(
    r"\b(?:them|both|these|those|each|(?:the|all) (?:\w+ )?(?:folders|directories|files|documents))\b"
    r"|它们|两个|俩|都|这些|那些|分别|各自",
    re.IGNORECASE,
)


def for_each(draft: StepDraft, said: JsonObject, earlier: Sequence[StepDraft]) -> tuple[StepDraft, ...]:
    """The draft once for each path that it points back to; `said` is what its own words gave.

    An argument that takes a list takes them all at once.
    """
    if not _SEVERAL.search(draft.text):
        return (draft,)
    for name, value in draft.params.items():
        one = value[0] if isinstance(value, list) and len(value) == 1 else value
        if not isinstance(one, str) or said.get(name) == value:
            continue
        values = _group(one, earlier)
        if len(values) > 1 and isinstance(value, list):
            return (replace(draft, params={**draft.params, name: [*values]}),)
        if len(values) > 1 and name in draft.info.path_params():
            first, *others = (replace(draft, params={**draft.params, name: each}) for each in values)
            return (first, *(replace(other, id=new_id()) for other in others))
    return (draft,)


def _group(value: str, earlier: Sequence[StepDraft]) -> list[str]:
    """The paths of the steps of one ability, one after the other, that end with that of this path."""
    for at in range(len(earlier) - 1, -1, -1):
        last = earlier[at]
        param = next((name for name in last.info.path_params() if last.params.get(name) == value), "")
        if not param:
            continue
        values: list[str] = []
        for step in reversed(earlier[: at + 1]):
            path = step.params.get(param)
            if step.info.key != last.info.key or not isinstance(path, str) or path in values:
                break
            values.insert(0, path)
        return values
    return []
