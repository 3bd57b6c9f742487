"""AbilityEditor: what a person does to abilities themselves, be it from the window or from a command.

Contract: a change is made off the loop while nobody looks at the folders, is not left half-way when its
caller goes, and is listed when its call returns.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from partner_desktop.abilities.ability_file import draft_of_description
from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.abilities.folders import ActionFiles, Lifetime, Removed
from partner_desktop.abilities.new_script import ScriptReader
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import DescriptorError, UsageError
from partner_desktop.base.paths import display_path
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.base.text import shown
from partner_desktop.domain.ability import Ability, AbilityDraft
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.permission.engine import PermissionEngine
from partner_desktop.runner.ability_content import SwitchStore, suggested_name

T = TypeVar("T")


class AbilityEditor:
    """Touches files and switches; the catalog lists what comes of it."""

    def __init__(
        self,
        catalog: AbilityCatalog,
        switches: SwitchStore,
        files: ActionFiles,
        reader: ScriptReader,
        *,
        clock: Clock,
    ) -> None:
        self._catalog = catalog
        self._switches = switches
        self._files = files
        self._reader = reader
        self._clock = clock
        self._removed: dict[str, Removed] = {}

    async def source_text(self, key: str) -> str:
        """What would run, as `source_text` shows it; empty for builtins and for what is gone."""
        ability = self._catalog.entry(key)
        if ability is None or ability.info is None or ability.info.source is None:
            return ""
        return await asyncio.to_thread(source_text, ability.info.source, ability.info.content_hash)

    async def add_script(self, path: Path, *, folder: Lifetime) -> str:
        """Copy a file or an ability folder into a live folder; the sentence to show.

        Raises:
            UsageError: It is not there, or cannot be copied.
        """
        target = await self._change(
            lambda files: files.add(path, lifetime=folder), f"{display_path(path)} could not be copied"
        )
        return f"{display_path(Path(target.name))} was copied into {display_path(target.parent)}."

    async def draft_of(self, key: str) -> AbilityDraft:
        """What the form of an ability begins with.

        Raises:
            UsageError: There is no such ability, or it is built in.
        """
        ability = self._lying(key)
        if ability.info is None:
            raise UsageError(f"`{key}` is broken at the moment; open its file and mend it first.")
        name = suggested_name(_path(ability)) if ability.temporary else ability.info.name
        return draft_of_description(ability.info, name=name)

    async def persist(self, key: str, draft: AbilityDraft) -> str:
        """Keep a temporary ability for good; its new key. It asks again: a grant is for one key and hash.

        Raises:
            UsageError: It is not a temporary one, is broken, or its name or description does not do.
        """
        ability = self._lying(key)
        if not ability.temporary:
            raise UsageError(f"`{key}` is not a temporary ability; it is kept already.")
        path = _path(ability)
        new_key = await self._change(
            lambda files: files.persist(path, draft), f"{ability.key} could not be kept"
        )
        await self._forget_switches(key, new_key)
        return new_key

    async def describe(self, key: str, draft: AbilityDraft) -> str:
        """Give an ability folder another description or name; its key, which a new name changes.

        Raises:
            UsageError: It is no ability folder, is broken, or its name or description does not do.
        """
        ability = self._lying(key)
        if ability.temporary or not ability.in_folder:
            raise UsageError(f"`{key}` describes itself in its own file; open that to edit it.")
        return await uninterrupted(self._describe(ability, draft))

    async def _describe(self, ability: Ability, draft: AbilityDraft) -> str:
        """The switch of the new key is written first: one that is off must not be usable for a moment."""
        path, failed = _path(ability), f"{ability.key} could not be described anew"
        wanted = await self._change(lambda files: files.key_of(path, draft), failed)
        if wanted != ability.key:
            await self._set_switch(wanted, on=not ability.off)
        try:
            new_key = await self._change(lambda files: files.describe(path, draft), failed)
        except BaseException:
            if wanted != ability.key:
                await self._set_switch(wanted, on=True)
            raise
        if new_key != wanted and ability.off:  # somebody took the name in between
            await self._set_switch(new_key, on=False)
        await self._forget_switches(*({ability.key, wanted} - {new_key}))
        return new_key

    async def make(self, given: JsonObject) -> str:
        """Make a temporary ability of code; its key.

        Raises:
            UsageError: The code, its name or its description does not do, or the disk refused.
        """
        script = await self._reader.read(given)
        now_ms = int(self._clock.now().timestamp() * 1000)
        return await self._change(
            lambda files: files.make(script, now_ms=now_ms), f"{script.name} could not be written"
        )

    async def remove(self, key: str) -> None:
        """Move an ability, working or broken, to the desktop's trash.

        Raises:
            UsageError: There is no such ability, it is built in, or nothing here has a trash.
        """
        path = _path(self._lying(key))
        removed = await self._change(
            lambda files: files.remove(path), f"{display_path(path)} could not be moved to the trash"
        )
        self._removed.pop(key, None)
        self._removed[key] = removed
        await self._forget_switches(key)

    @property
    def removed(self) -> tuple[str, ...]:
        """The keys of what was removed since the start and can be brought back, the last one last."""
        return tuple(key for key, removed in self._removed.items() if removed.trashed is not None)

    async def restore(self, key: str) -> str:
        """Bring a removed ability back out of the trash; its key, a new one where its own is taken by now.

        Raises:
            UsageError: It was not removed since Partner started, or it is in the trash no more.
        """
        removed = self._removed.get(key)
        if removed is None:
            raise UsageError(
                f"`{key}` was not removed since Partner started. What lies in the desktop's trash can be "
                "taken out there; put back into its folder it is listed at once."
            )
        path = await self._change(lambda files: files.bring_back(removed), f"`{key}` was not brought back")
        self._removed.pop(key, None)
        back = next((ability.key for ability in self._catalog.all() if ability.path == path), key)
        await self._forget_switches(back)
        return back

    def _lying(self, key: str) -> Ability:
        """The ability of a key, if it lies in a live folder."""
        ability = self._catalog.entry(key)
        if ability is None:
            raise UsageError(f"The ability `{key}` is not there (any more).")
        if ability.path is None and ability.info is None:
            raise UsageError(f"`{key}` is no ability.")
        if ability.path is None:
            raise UsageError(f"`{key}` is built in; it can be switched off, but not changed or removed.")
        return ability

    async def _change(self, work: Callable[[ActionFiles], T], failed: str) -> T:
        try:
            return await uninterrupted(self._catalog.undisturbed(lambda: work(self._files)))
        except DescriptorError as error:
            raise UsageError(f"{failed}: {error}.") from error
        except OSError as error:
            raise UsageError(f"{failed} ({error.strerror or error}).") from error

    async def _set_switch(self, key: str, *, on: bool) -> None:
        await self._switches.set(key, on=on)
        await self._catalog.take_switches()

    async def _forget_switches(self, *keys: str) -> None:
        """What comes to be under a key is on, whatever lay there before."""
        off = await self._switches.off()
        for key in off.intersection(keys):
            await self._switches.set(key, on=True)
        if off.intersection(keys):
            await self._catalog.take_switches()


def _path(ability: Ability) -> Path:
    assert ability.path is not None, "asked of abilities that lie in a folder only"
    return ability.path


#: Of each file, and of all of them together.
_FILE_BYTES, _ALL_BYTES = 64 * 1024, 512 * 1024
#: Files that are only named.
_MOST_NAMED = 40
#: What is read and not run; unless it says otherwise in its first bytes.
_DATA = (
    *(".bmp", ".csv", ".gif", ".ico", ".jpeg", ".jpg", ".json", ".jsonl", ".md", ".png", ".rst", ".svg"),
    *(".toml", ".tsv", ".txt", ".webp", ".xml", ".yaml", ".yml"),
)
_PROGRAMS = (b"#!", b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe")


def source_text(script: Path, content_hash: str) -> str:
    """Of a script that stands alone its text; of a folder, first its script and then what lies beside it.

    `script`: in the snapshot, whose folder is named by the hash.
    """
    files = _files(script, content_hash)
    if len(files) == 1:
        return _text(script)
    parts, left, unread = [], _ALL_BYTES, []
    for path, name, size in files:
        if path != script and (left <= 0 or _is_data(path)):
            unread.append(f"{name} ({_size(size)})")
            continue
        left -= min(size, _FILE_BYTES)
        parts.append(f"── {name} ({_size(size)}) ──\n{_text(path)}")
    if unread:
        more = len(unread) - _MOST_NAMED
        said = unread[:_MOST_NAMED] + ([f"{more} more files"] if more > 0 else [])
        parts.append("── Beside it ──\n" + "\n".join(said))
    return "\n\n".join(parts)


def _files(script: Path, content_hash: str) -> list[tuple[Path, str, int]]:
    """With names and sizes, the script first; links are nothing that was taken over."""
    root = next((folder for folder in script.parents if folder.name == content_hash), None)
    found = [(script, script.name, _size_of(script))]
    if root is None:
        return found
    for place, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(place) / name
            if path != script and stat.S_ISREG(path.lstat().st_mode):
                found.append((path, shown(str(path.relative_to(root))), _size_of(path)))
    return found


def _size_of(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _is_data(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            begins = file.read(4)
    except OSError:
        return False
    return path.suffix.casefold() in _DATA and not begins.startswith(_PROGRAMS)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_FILE_BYTES)
            size = os.fstat(file.fileno()).st_size
    except OSError:
        return ""
    if b"\0" in data:
        return "(no text: this is for the machine)"
    text = shown(data.decode("utf-8", "replace"), lines=True)
    return text if size <= len(data) else f"{text}\n… {_size(size - len(data))} more of it are not shown here"


def _size(size_bytes: int) -> str:
    return f"{size_bytes} B" if size_bytes < 1024 else f"{size_bytes / 1024:.1f} KiB"


class OpenCards(Protocol):
    """The cards that wait: they know an ability by its key."""

    async def rename(self, old_key: str, new_key: str) -> None: ...


class AbilityManager:
    """The editor, the cards that know an ability by its key, and the grants. Errors: the editor's."""

    def __init__(
        self, catalog: AbilityCatalog, editor: AbilityEditor, cards: OpenCards, engine: PermissionEngine
    ) -> None:
        self._catalog = catalog
        self._editor = editor
        self._cards = cards
        self._engine = engine

    def abilities(self) -> Sequence[Ability]:
        """Everything that is listed."""
        return self._catalog.all()

    def title_of(self, key: str) -> str:
        """What an ability is called; its key where it is not there."""
        info = self._catalog.get(key)
        return info.title if info is not None else key

    async def make(self, given: JsonObject) -> str:
        """See `AbilityEditor.make`."""
        return await self._editor.make(given)

    async def draft_of(self, key: str) -> AbilityDraft:
        """See `AbilityEditor.draft_of_description`."""
        return await self._editor.draft_of(key)

    async def persist(self, key: str, draft: AbilityDraft) -> str:
        """Keep a temporary ability; its new key, which what still asks for the old one asks for now."""
        new_key = await self._editor.persist(key, draft)
        await self._cards.rename(key, new_key)
        return new_key

    async def remove(self, key: str) -> None:
        """See `AbilityEditor.remove`. What was granted to it goes with it: it asks, should it come back."""
        await self._editor.remove(key)
        await self._engine.forget(key)

    @property
    def removed(self) -> Sequence[str]:
        """See `AbilityEditor.removed`."""
        return self._editor.removed

    async def restore(self, key: str) -> str:
        """See `AbilityEditor.restore`."""
        return await self._editor.restore(key)
