"""Ability: an entry in the list of what Partner can do here, live or broken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from partner_desktop.domain.meta_action import MetaActionInfo


@dataclass(frozen=True)
class AbilityFault:
    """Why a file is not an ability, or not in its latest form."""

    message: str
    path: Path
    line: int | None = None


@dataclass(frozen=True)
class Ability:
    """A usable ability, a broken one, or both: a broken edit with its last good version kept."""

    key: str
    info: MetaActionInfo | None
    fault: AbilityFault | None = None
    hints: tuple[str, ...] = ()
    """Harmless oddities worth telling its author."""

    @property
    def usable(self) -> bool:
        return self.info is not None
