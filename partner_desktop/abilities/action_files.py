"""ActionFiles: where the files of actions lie, what they are called, and how they are written.

Whoever wants an ability added, kept or described anew says what; which folder, which name and which form
that is on this machine stands here and nowhere above.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.abilities.new_script import NewScript
from partner_desktop.abilities.temporary import TemporaryFiles
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.files.atomic import copy_into
from partner_desktop.files.trash import Trashed, move_to_trash, take_back
from partner_desktop.runner.ability_content import members
from partner_desktop.runner.ability_names import free_ability_name, taken_names

Lifetime = Literal["dynamic", "tmp"]

_MOST_TRIES = 20


@dataclass(frozen=True)
class Removed:
    """An ability that was moved to the trash."""

    trashed: Trashed | None
    """Where it lies there; `None`: only the person can find it."""
    ours: bool = False
    """Whether Partner had made it, for a while: so it is again."""


class ActionFiles(Protocol):
    """Blocking, and used by one thread at a time (`AbilityCatalog.undisturbed` sees to both)."""

    def add(self, source: Path, *, lifetime: Lifetime) -> Path:
        """Copy a script or an ability folder in, for good or for a while; where it lies then.

        Raises:
            DescriptorError: It is a link, holds one, or is too large; nothing was copied.
            OSError: It is not there, or cannot be copied.
        """
        ...

    def make(self, script: NewScript, *, now_ms: int) -> str:
        """Put a new script into `tmp/`; its key. See `Maker.make`."""
        ...

    def remove(self, ability: Path) -> Removed:
        """Move an ability to the trash.

        Raises:
            OSError: It is not there, or nothing here has a trash for it; it is where it was.
        """
        ...

    def bring_back(self, removed: Removed) -> Path:
        """Take an ability out of the trash; where it lies then, under a new name where its own is taken.

        Raises:
            OSError: It is in the trash no more, or cannot be moved.
        """
        ...

    def persist(self, temporary: Path, draft: AbilityDraft) -> str:
        """Make a durable ability of a temporary one; its key. See `Keeper.keep`."""
        ...

    def describe(self, ability: Path, draft: AbilityDraft) -> str:
        """Give an ability folder another description or name; its key. See `Keeper.describe`."""
        ...

    def key_of(self, ability: Path, draft: AbilityDraft) -> str:
        """The key that `describe` would give it. See `Keeper.tool_key`."""
        ...


class LocalActionFiles:
    """The live folders of this machine."""

    def __init__(self, folders: LiveFolders) -> None:
        self._folders = folders

    def add(self, source: Path, *, lifetime: Lifetime) -> Path:
        target = copy_into(source, self._folders.root / lifetime, members(source))
        if lifetime == "tmp":
            self._folders.temporary.made(target.name)
        return target

    def make(self, script: NewScript, *, now_ms: int) -> str:
        return self._folders.script_writer.make(script, now_ms=now_ms)

    def remove(self, ability: Path) -> Removed:
        ours = ability.parent.name == "tmp" and self._temporary.is_ours(ability.name)
        return Removed(move_to_trash(ability), ours=ours)

    def bring_back(self, removed: Removed) -> Path:
        trashed = removed.trashed
        if trashed is None:
            raise FileNotFoundError("where the trash of this system put it is not known; take it out there")
        origin, ending = trashed.origin, "" if trashed.at.is_dir() else trashed.origin.suffix
        name = origin.name.removesuffix(ending)
        for _ in range(_MOST_TRIES):
            free = free_ability_name(name, taken_names(origin.parent))
            target = origin.with_name(free + ending)
            try:
                take_back(trashed, target)
            except FileExistsError:
                continue  # somebody was faster: the next name
            if removed.ours:
                self._temporary.made(target.name)
            elif free != name:
                self._temporary.renamed(f"local::{name}", f"local::{free}")
            return target
        raise FileExistsError(f"too many abilities called {name}")

    @property
    def _temporary(self) -> TemporaryFiles:
        return self._folders.temporary

    def persist(self, temporary: Path, draft: AbilityDraft) -> str:
        return self._folders.persister.keep(temporary, draft)

    def describe(self, ability: Path, draft: AbilityDraft) -> str:
        return self._folders.persister.describe(ability, draft)

    def key_of(self, ability: Path, draft: AbilityDraft) -> str:
        return self._folders.persister.key_of(ability, draft)
