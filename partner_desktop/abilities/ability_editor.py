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
from partner_desktop.abilities.folders import Lifetime, LiveFolders, Removed
from partner_desktop.abilities.new_script import ScriptReader
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import DescriptorError, UsageError
from partner_desktop.base.messages import LazySentence, sentence_of, system_reason
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
        files: LiveFolders,
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
        failed = LazySentence("scripts.not_copied", path=display_path(path))
        target = await self._change(lambda files: files.add(path, lifetime=folder), failed)
        name, place = display_path(Path(target.name)), display_path(target.parent)
        return sentence_of("scripts.copied", path=name, folder=place)

    async def draft_of(self, key: str) -> AbilityDraft:
        """What the form of an ability begins with.

        Raises:
            UsageError: There is no such ability, or it is built in.
        """
        ability = self._lying(key)
        if ability.info is None:
            raise UsageError("scripts.broken", key=key)
        name = suggested_name(_path(ability)) if ability.temporary else ability.info.name
        return draft_of_description(ability.info, name=name)

    async def persist(self, key: str, draft: AbilityDraft) -> str:
        """Keep a temporary ability for good; its new key. It asks again: a grant is for one key and hash.

        Raises:
            UsageError: It is not a temporary one, is broken, or its name or description does not do.
        """
        ability = self._lying(key)
        if not ability.temporary:
            raise UsageError("scripts.kept_already", key=key)
        path = _path(ability)
        failed = LazySentence("scripts.not_kept", key=ability.key)
        new_key = await self._change(lambda files: files.persister.keep(path, draft), failed)
        await self._forget_switches(key, new_key)
        return new_key

    async def describe(self, key: str, draft: AbilityDraft) -> str:
        """Give an ability folder another description or name; its key, which a new name changes.

        Raises:
            UsageError: It is no ability folder, is broken, or its name or description does not do.
        """
        ability = self._lying(key)
        if ability.temporary or not ability.in_folder:
            raise UsageError("scripts.own_description", key=key)
        return await uninterrupted(self._describe(ability, draft))

    async def _describe(self, ability: Ability, draft: AbilityDraft) -> str:
        """The switch of the new key is written first: one that is off must not be usable for a moment."""
        path, failed = _path(ability), LazySentence("scripts.not_described", key=ability.key)
        wanted = await self._change(lambda files: files.persister.key_of(path, draft), failed)
        if wanted != ability.key:
            await self._set_switch(wanted, on=not ability.off)
        try:
            new_key = await self._change(lambda files: files.persister.describe(path, draft), failed)
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
            lambda files: files.script_writer.make(script, now_ms=now_ms),
            LazySentence("scripts.not_written", name=script.name),
        )

    async def save_plan(self, name: str, text: str) -> str:
        """Keep a plan for good, under that name where it is free; its key.

        Raises:
            UsageError: The name does not do, the text is no plan, or the disk refused.
        """
        failed = LazySentence("scripts.not_written", name=name)
        return await self._change(lambda files: files.persister.save_plan(name, text), failed)

    async def remove(self, key: str) -> None:
        """Move an ability, working or broken, to the desktop's trash.

        Raises:
            UsageError: There is no such ability, it is built in, or nothing here has a trash.
        """
        path = _path(self._lying(key))
        failed = LazySentence("scripts.not_trashed", path=display_path(path))
        removed = await self._change(lambda files: files.remove(path), failed)
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
            raise UsageError("scripts.not_removed", key=key)
        failed = LazySentence("scripts.not_back", key=key)
        path = await self._change(lambda files: files.bring_back(removed), failed)
        self._removed.pop(key, None)
        back = next((ability.key for ability in self._catalog.all() if ability.path == path), key)
        await self._forget_switches(back)
        return back

    def _lying(self, key: str) -> Ability:
        """The ability of a key, if it lies in a live folder."""
        ability = self._catalog.entry(key)
        if ability is None:
            raise UsageError("scripts.gone", key=key)
        if ability.path is None and ability.info is None:
            raise UsageError("scripts.is_none", key=key)
        if ability.path is None:
            raise UsageError("scripts.built_in", key=key)
        return ability

    async def _change(self, work: Callable[[LiveFolders], T], failed: LazySentence) -> T:
        try:
            return await uninterrupted(self._catalog.undisturbed(lambda: work(self._files)))
        except DescriptorError as error:
            raise UsageError("scripts.failed", failed=failed, error=error) from error
        except OSError as error:
            raise UsageError("scripts.refused", failed=failed, reason=system_reason(error)) from error

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
        said = unread[:_MOST_NAMED] + ([sentence_of("scripts.more_files", count=more)] if more > 0 else [])
        parts.append("\n".join([sentence_of("scripts.beside"), *said]))
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
        return sentence_of("scripts.no_text")
    text = shown(data.decode("utf-8", "replace"), lines=True)
    if size <= len(data):
        return text
    return f"{text}\n{sentence_of('scripts.more_text', size=_size(size - len(data)))}"


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
