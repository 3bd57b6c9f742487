"""Ability: an entry in the list of what Partner can do here, live or broken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from partner_desktop.domain.meta_action import MetaActionInfo, Route


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
    path: Path | None = None
    """Its file or folder in a live folder; `None` for what is built in."""
    script: Path | None = None
    """The file that runs, where its author edits it: `path` itself, or a file in that folder."""
    off: bool = False
    """Switched off by the person: listed, but neither matched nor run."""

    @property
    def usable(self) -> bool:
        """Whether it can be called now."""
        return self.info is not None and not self.off

    @property
    def temporary(self) -> bool:
        """Whether it leaves the list by itself."""
        return self.info is not None and self.info.route is Route.ORIGIN

    @property
    def in_folder(self) -> bool:
        """Whether it is a folder with a `desc.json` beside its script."""
        return self.script is not None and self.script != self.path
