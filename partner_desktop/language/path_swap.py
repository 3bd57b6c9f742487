"""Swapping: one path in the place of another, on a waiting card, in every step that has it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.chain import Chain, Step
from partner_desktop.domain.intervention import ChainEdit, StepEdit
from partner_desktop.domain.json_value import Json, JsonObject


@dataclass(frozen=True)
class Swap:
    """`new` where `old` stands."""

    old: str
    new: str

    @classmethod
    def of(cls, before: JsonObject, after: JsonObject) -> Self | None:
        """What one changed path tells; `None` where more, or something else, was changed."""
        names = [name for name, value in after.items() if before.get(name) != value]
        if len(names) != 1:
            return None
        old, new = before.get(names[0]), after[names[0]]
        if not isinstance(old, str) or not isinstance(new, str) or not old.startswith(("~", "/")):
            return None
        return cls(old, new)

    def spread(self, chain: Chain) -> bool:
        """Whether it concerns several steps."""
        return sum(bool(self._named(step)) for step in chain.steps) > 1

    def names(self, chain: Chain) -> tuple[str, ...]:
        """The parameters that it changes."""
        return tuple(dict.fromkeys(name for step in chain.steps for name in self._named(step)))

    def edit(self, chain: Chain) -> ChainEdit:
        """The chain with it done."""
        return ChainEdit(
            tuple(
                tuple(
                    StepEdit(step.id, self.changed(step.params) if self._named(step) else None)
                    for step in stage.steps
                )
                for stage in chain.stages
            )
        )

    def changed(self, params: Mapping[str, Json]) -> JsonObject:
        """Arguments with it done."""
        return {name: self.new if _same(value, self.old) else value for name, value in params.items()}

    def _named(self, step: Step) -> list[str]:
        return [name for name, value in step.params.items() if _same(value, self.old)]


def _same(value: object, path: str) -> bool:
    if not isinstance(value, str) or not value:
        return False
    return value == path or _whole(value) == _whole(path)


def _whole(path: str) -> str:
    try:
        return str(Path(path).expanduser())
    except (OSError, RuntimeError, ValueError):
        return path
