"""Swapping: one path in the place of another, on a waiting card, in every step that has it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import expanded_path
from partner_desktop.domain.intervention import PlanEdit, StepEdit
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.plan import Plan


@dataclass(frozen=True)
class Swap:
    """`new` where `old` stands."""

    old: str
    new: str

    @classmethod
    def of(cls, before: JsonObject, after: JsonObject) -> Self | None:
        """What one changed path tells; `None` where more, or something else, was changed."""
        match [(before.get(name), value) for name, value in after.items() if before.get(name) != value]:
            case [(str(old), str(new))] if old.startswith(("~", "/")):
                return cls(old, new)
        return None

    def names(self, chain: Plan) -> list[tuple[str, ...]]:
        """The parameters that it changes of each step that it concerns."""
        changed = ((step.params, self.changed(step.params)) for step in chain.steps)
        return [
            tuple(name for name, value in after.items() if value != before[name])
            for before, after in changed
            if after != before
        ]

    def edit(self, chain: Plan) -> PlanEdit:
        """The chain with it done."""

        def changed(params: JsonObject) -> JsonObject | None:
            after = self.changed(params)
            return after if after != params else None

        return PlanEdit(
            tuple(
                tuple(StepEdit(step.id, changed(step.params)) for step in stage.steps)
                for stage in chain.stages
            )
        )

    def changed(self, params: Mapping[str, Json]) -> JsonObject:
        """Arguments with it done."""
        return {
            name: self.new if isinstance(value, str) and _whole(value) == _whole(self.old) else value
            for name, value in params.items()
        }


def _whole(path: str) -> str:
    try:
        return str(expanded_path(path)) if path else path
    except (OSError, RuntimeError, ValueError):
        return path
