"""ActionFiles: where the files of actions lie, what they are called, and how they are written.

Whoever wants an ability added, kept or described anew says what; which folder, which name and which form
that is on this machine stands here and nowhere above.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

from partner_desktop.action.runner.folders import LiveFolders
from partner_desktop.domain.draft import AbilityDraft
from partner_desktop.files.atomic import copy_into

Lifetime = Literal["dynamic", "tmp"]


class ActionFiles(Protocol):
    """Blocking, and used by one thread at a time (`AbilityCatalog.undisturbed` sees to both)."""

    def add(self, source: Path, *, lifetime: Lifetime) -> Path:
        """Copy a script or an ability folder in, for good or for a while; where it lies then.

        Raises:
            OSError: It is not there, or cannot be copied.
        """
        ...

    def persist(self, temporary: Path, draft: AbilityDraft) -> str:
        """Make a durable ability of a temporary one; its key. See `Keeper.keep`."""
        ...

    def describe(self, ability: Path, draft: AbilityDraft) -> str:
        """Give an ability folder another description or name; its key. See `Keeper.describe`."""
        ...

    def key_of(self, ability: Path, draft: AbilityDraft) -> str:
        """The key that `describe` would give it. See `Keeper.key_of`."""
        ...


class LocalActionFiles:
    """The live folders of this machine."""

    def __init__(self, folders: LiveFolders) -> None:
        self._folders = folders

    def add(self, source: Path, *, lifetime: Lifetime) -> Path:
        target = copy_into(source, self._folders.root / lifetime)
        if lifetime == "tmp":
            self._folders.temporary.made(target.name)
        return target

    def persist(self, temporary: Path, draft: AbilityDraft) -> str:
        return self._folders.keeper.keep(temporary, draft)

    def describe(self, ability: Path, draft: AbilityDraft) -> str:
        return self._folders.keeper.describe(ability, draft)

    def key_of(self, ability: Path, draft: AbilityDraft) -> str:
        return self._folders.keeper.key_of(ability, draft)
