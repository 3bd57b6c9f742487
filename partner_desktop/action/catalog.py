"""The catalog of abilities: builtins and what lies in the live folders. Implements ActionCapability."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

from partner_desktop.action.runner.folders import LiveFolders
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.ability import Ability, AbilityFault
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.files.watch import FolderWatch
from partner_desktop.runtime.channel import ChannelRegistry

#: Seconds between looks at the age of what lies in `tmp/`.
_AGE_CHECK_S = 60.0
#: Abilities that one event carries.
_PORTION = 64


class AbilityCatalog:
    """Live: a script saved into a folder is listed, an edit updates it, a removal takes it away."""

    def __init__(
        self,
        folders: LiveFolders,
        builtins: Sequence[MetaActionInfo],
        channels: ChannelRegistry,
        *,
        clock: Clock,
    ) -> None:
        self._folders = folders
        self._builtins = {info.key: Ability(key=info.key, info=info) for info in builtins}
        self._found: dict[str, Ability] = {}
        self._usable: tuple[MetaActionInfo, ...] = tuple(builtins)
        self._channels = channels
        self._clock = clock
        self._watch = FolderWatch(folders.watched, self.refresh)
        self._tasks = TaskSet("catalog")
        self._scanning = asyncio.Lock()
        self._trouble = ""

    async def launch(self) -> None:
        """Watch, then scan: what is saved in between is seen by one of the two."""
        self._trouble = await asyncio.to_thread(_prepare, self._folders)
        await self._watch.launch()
        await self.refresh()
        await asyncio.to_thread(self._folders.prune)
        self._tasks.start("age", self._age())

    async def shutdown(self) -> None:
        await self._watch.shutdown()
        await self._tasks.close()

    def all(self) -> list[Ability]:
        """Everything, usable or broken; builtins last."""
        return [*self._found.values(), *self._builtins.values()]

    def usable(self) -> Sequence[MetaActionInfo]:
        return self._usable

    def get(self, key: str) -> MetaActionInfo | None:
        """The ability of a key, if it can be called now."""
        ability = self._found.get(key) or self._builtins.get(key)
        return ability.info if ability else None

    def require(self, key: str) -> MetaActionInfo:
        """The ability of a key.

        Raises:
            UsageError: It is not there (any more).
        """
        info = self.get(key)
        if info is None:
            raise UsageError(f"The ability `{key}` is not there (any more).")
        return info

    def original(self, key: str) -> Path | None:
        """The file that an ability comes from; `None` for builtins."""
        return self._folders.original(key)

    async def refresh(self) -> None:
        """Compare the folders with what is known and publish the difference."""
        async with self._scanning:
            now_s = self._clock.now().timestamp()
            abilities = await asyncio.to_thread(self._folders.scan, now_s=now_s)
        found = {ability.key: ability for ability in [*self._root_fault(), *abilities]}
        changed = tuple(ability for key, ability in found.items() if self._found.get(key) != ability)
        removed = tuple(key for key in self._found if key not in found)
        self._found = found
        if changed or removed:
            live = [a.info for a in found.values() if a.info is not None]
            self._usable = (*live, *(a.info for a in self._builtins.values() if a.info is not None))
            # In portions: a listener that draws a thousand at once would hold the loop.
            for begin in range(0, max(1, len(changed)), _PORTION):
                part = changed[begin : begin + _PORTION]
                self._channels.publish(AbilitiesEvent(changed=part, removed=() if begin else removed))
                await asyncio.sleep(0)

    def _root_fault(self) -> list[Ability]:
        """A visible entry when the `action/` folder itself is in trouble."""
        trouble = "" if self._folders.root.is_dir() else "the folder is not there; it is looked for again"
        trouble = trouble or self._trouble
        if not trouble:
            return []
        fault = AbilityFault(message=trouble, path=self._folders.root)
        return [Ability(key="folder::action", info=None, fault=fault)]

    async def _age(self) -> None:
        while True:
            await asyncio.sleep(_AGE_CHECK_S)
            await self.refresh()


def _prepare(folders: LiveFolders) -> str:
    """Make the folders where they are missing; what is wrong with them, in one sentence."""
    try:
        for folder in (*folders.watched, folders.root / "mcp" / "desc"):
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"it cannot be prepared ({error.strerror}); abilities there still work if they can be read"
    if not os.access(folders.root, os.W_OK):
        return "it is read-only: what lies there works, but nothing can be added from here"
    return ""
