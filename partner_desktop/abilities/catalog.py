"""The catalog of abilities: builtins, what lies in the live folders, and what the sources bring.

Implements ActionCapability.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol, TypeVar

from partner_desktop.abilities.folders import LiveFolders
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import UsageError
from partner_desktop.base.messages import sentence_of, spoken_language, system_reason
from partner_desktop.base.tasks import TaskSet
from partner_desktop.domain.ability import Ability, AbilityFault
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.files.watch import FolderWatch
from partner_desktop.runner.ability_content import SwitchStore
from partner_desktop.runtime.channel import ChannelRegistry

T = TypeVar("T")

#: Seconds between looks at the age of what lies in `tmp/`.
_AGE_CHECK_S = 60.0
#: Abilities that one event carries.
_PORTION = 64
#: Keys that are named in the place of an unknown one, and how much of that is looked at.
_NEAREST, _LONGEST_KEY = 3, 200


class AbilityCatalog:
    """Live: a script saved into a folder is listed, an edit updates it, a removal takes it away."""

    def __init__(
        self,
        folders: LiveFolders,
        builtins: Sequence[MetaActionInfo],
        channels: ChannelRegistry,
        *,
        sources: Sequence[AbilitySource] = (),
        switches: SwitchStore,
        clock: Clock,
    ) -> None:
        self._folders = folders
        self._sources = sources
        self._listed: Sequence[Ability] = ()
        """What lay in the folders when they were looked at last."""
        self._switches = switches
        self._off: frozenset[str] = frozenset()
        self._builtins = {info.key: Ability(key=info.key, info=info) for info in builtins}
        self._found: dict[str, Ability] = {}
        self._usable: tuple[MetaActionInfo, ...] = _matched(self._builtins)
        self._channels = channels
        self._clock = clock
        self._watch = FolderWatch(folders.watched, self.refresh)
        self._tasks = TaskSet("catalog")
        self._scanning = asyncio.Lock()
        self._in_folders = threading.Lock()
        self._news = asyncio.Event()
        self._trouble = ""

    async def launch(self) -> None:
        """Watch, then scan: what is saved in between is seen by one of the two."""
        self._trouble = await asyncio.to_thread(_prepare, self._folders)
        self._off = await self._switches.off()
        self._builtins = {key: self._switched(each, self._builtins) for key, each in self._builtins.items()}
        await self._watch.launch()
        await self.refresh()
        await self._apart(self._folders.prune)
        self._tasks.start("age", self._age())
        for source in self._sources:
            source.on_change(self._news.set)
        self._tasks.start("sources", self._follow_sources())

    async def shutdown(self) -> None:
        await self._watch.shutdown()
        await self._tasks.close()

    def all(self) -> list[Ability]:
        """Everything that is shown: usable, broken or switched off; builtins last."""
        every = [*self._found.values(), *self._builtins.values()]
        return [ability for ability in every if _is_shown(ability)]

    def usable(self) -> Sequence[MetaActionInfo]:
        return self._usable

    async def arriving(self) -> Sequence[str]:
        """The names of the servers whose abilities are still to come; what came until now is listed."""
        async with self._scanning:
            await self._take()
        return [name for source in self._sources for name in await source.arriving()]

    async def arrived(self, *, limit_s: float) -> None:
        """Wait for them, but no longer than `limit_s` each source; what came is listed then."""
        for source in self._sources:
            await source.settled(limit_s=limit_s)
        await self.refresh()

    def get(self, key: str) -> MetaActionInfo | None:
        """The ability of a key, if it can be called now."""
        ability = self.entry(key)
        return ability.info if ability is not None and ability.usable else None

    def entry(self, key: str) -> Ability | None:
        """What is listed under a key: working, broken or switched off."""
        return self._found.get(key) or self._builtins.get(key)

    def require(self, key: str) -> MetaActionInfo:
        """The ability of a key.

        Raises:
            UsageError: It is not there (any more), or is switched off.
        """
        ability = self.entry(key)
        if ability is None or ability.info is None:
            raise UsageError("ability_gone", key=key)
        if ability.off:
            title = ability.info.spoken(spoken_language.get()).title
            raise UsageError("ability_off", title=title, key=key)
        return ability.info

    def nearest(self, key: str) -> tuple[str, ...]:
        """Keys that can be called and are written about like `key`, the nearest first: it may be a slip."""
        wanted = key[:_LONGEST_KEY].casefold()
        spelt: dict[str, str] = {}
        for info in self._usable:
            spelt.setdefault(info.key.casefold(), info.key)
            spelt.setdefault(info.name.casefold(), info.key)
        names = [wanted, wanted.partition("::")[2] or wanted]
        found = [match for name in names for match in get_close_matches(name, spelt, n=_NEAREST)]
        return tuple(dict.fromkeys(spelt[match] for match in found))[:_NEAREST]

    def original(self, key: str) -> Path | None:
        """The file or folder that an ability comes from; `None` for builtins."""
        ability = self.entry(key)
        return ability.path if ability is not None else None

    async def switch(self, key: str, *, on: bool) -> None:
        """Switch an ability off or on again; on disk when this returns, and kept over edits.

        Raises:
            UsageError: There is no such ability.
        """
        if self.entry(key) is None:
            raise UsageError("ability_gone", key=key)
        await self._switches.set(key, on=on)
        await self.take_switches()

    async def take_switches(self) -> None:
        """The switches were changed: say what is different."""
        self._off = await self._switches.off()
        await self.refresh()

    async def undisturbed(self, work: Callable[[], T]) -> T:
        """Change the folders, off the loop, while nobody looks at them; what came of it is listed then."""
        async with self._scanning:
            result = await self._apart(work)
        await self.refresh()
        return result

    async def successor(self, key: str) -> str:
        """The key that a temporary ability was kept under; its own while it is there, or was never kept."""
        location, _, name = key.partition("::")
        if location != "origin" or self.entry(key) is not None:
            return key
        kept = await asyncio.to_thread(self._folders.temporary.kept)
        return kept[name].key if name in kept else key

    async def refresh(self) -> None:
        """Compare the folders and the sources with what is known and publish the difference."""
        async with self._scanning:
            now_s = self._clock.now().timestamp()
            self._listed = await self._apart(lambda: self._look(now_s))
            await self._take()

    async def _apart(self, work: Callable[[], T]) -> T:
        """Off the loop, and while no other thread is in the folders: that of a caller who was cancelled
        works on to its end, which nobody hears of.
        """

        def alone() -> T:
            with self._in_folders:
                return work()

        return await asyncio.to_thread(alone)

    async def _follow_sources(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            async with self._scanning:
                await self._take()

    def _look(self, now_s: float) -> list[Ability]:
        """Blocking."""
        self._folders.sweep(now_s=now_s)
        return self._folders.scan(now_s=now_s)

    def _switched(self, ability: Ability, known: Mapping[str, Ability]) -> Ability:
        """As the switches say; the very object that is known where nothing is different."""
        off = ability.key in self._off
        ability = ability if ability.off == off else replace(ability, off=off)
        before = known.get(ability.key)
        return before if before is not None and before == ability else ability

    async def _take(self) -> None:
        brought = [ability for source in self._sources for ability in source.abilities()]
        here = [*self._root_fault(), *self._listed, *brought]
        found = {each.key: self._switched(each, self._found) for each in here}
        builtins = {key: self._switched(each, self._builtins) for key, each in self._builtins.items()}
        now = {**found, **builtins}
        before = {**self._found, **self._builtins}
        changed = tuple(each for key, each in now.items() if _is_shown(each) and before.get(key) != each)
        removed = tuple(key for key, each in before.items() if _is_shown(each) and key not in now)
        self._found, self._builtins = found, builtins
        self._usable = _matched(now)
        if changed or removed:
            # In portions: a listener that draws a thousand at once would hold the loop.
            for begin in range(0, max(1, len(changed)), _PORTION):
                part = changed[begin : begin + _PORTION]
                self._channels.publish(AbilitiesEvent(changed=part, removed=() if begin else removed))
                await asyncio.sleep(0)

    def _root_fault(self) -> list[Ability]:
        """A visible entry when the `action/` folder itself is in trouble."""
        there = self._folders.root.is_dir()
        trouble = self._trouble if there else sentence_of("descriptor.root_gone")
        if not trouble:
            return []
        fault = AbilityFault(message=trouble, path=self._folders.root)
        return [Ability(key="folder::action", info=None, fault=fault)]

    async def _age(self) -> None:
        while True:
            await asyncio.sleep(_AGE_CHECK_S)
            await self.refresh()


def _is_shown(ability: Ability) -> bool:
    return ability.info is None or not ability.info.hidden


def _matched(abilities: Mapping[str, Ability]) -> tuple[MetaActionInfo, ...]:
    """What words are matched with."""
    infos = [ability.info for ability in abilities.values() if not ability.off]
    return tuple(info for info in infos if info is not None and not info.hidden)


def _prepare(folders: LiveFolders) -> str:
    """Make the folders where they are missing; what is wrong with them, in one sentence."""
    try:
        for folder in (*folders.watched, folders.root / "mcp" / "desc"):
            folder.mkdir(parents=True, exist_ok=True)
        folders.persister.recover()
    except OSError as error:
        return sentence_of("descriptor.unprepared", reason=system_reason(error))
    if not os.access(folders.root, os.W_OK):
        return sentence_of("descriptor.root_read_only")
    return ""


class AbilitySource(Protocol):
    """Lists abilities, and tells when the list is different. Everything on the loop."""

    def abilities(self) -> Sequence[Ability]: ...

    async def arriving(self) -> Sequence[str]:
        """The names of those that start for the first time: what they bring is still to come."""
        ...

    async def settled(self, *, limit_s: float) -> None:
        """Wait until nothing is still to come, but no longer than `limit_s`."""
        ...

    def on_change(self, tell: Callable[[], None]) -> None:
        """`tell` is called after each change; it returns at once."""
        ...
