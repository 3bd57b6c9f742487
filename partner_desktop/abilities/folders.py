"""The live folders `dynamic/` and `tmp/`: what lies there and what changed, and how it is written.

Only what changed is read again: an entry is known by the signature (inode, size, times) of its files. A
broken edit keeps the last good version, from its snapshot, until the file is deleted. Blocking.

Whoever wants an ability added, kept or described anew says what; which folder, which name and which form that
is on this machine stands here and nowhere above.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Literal

from partner_desktop.abilities.ability_file import AbilityFile, read_ability
from partner_desktop.abilities.persistence import AbilityPersister, Kept, TemporaryFiles
from partner_desktop.abilities.plan_file import PLAN_FILE
from partner_desktop.abilities.script_writer import ScriptWriter
from partner_desktop.base import log, private
from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.domain.ability import Ability, AbilityFault
from partner_desktop.domain.meta_action import MetaActionInfo, Route
from partner_desktop.files.atomic import copy_into
from partner_desktop.files.trash import Trashed, move_to_trash, take_back
from partner_desktop.runner.ability_content import (
    free_ability_name,
    is_noise,
    members,
    snapshot_hash,
    taken_names,
)

_log = log.area("folders")

#: Seconds that a file in `tmp/` stays listed after it was put there.
TMP_LISTED_S = 30 * 60

Signature = tuple[tuple[str, int, int, int, int], ...]


Lifetime = Literal["dynamic", "tmp"]

_MOST_TRIES = 20


@dataclass(frozen=True)
class Removed:
    """An ability that was moved to the trash."""

    trashed: Trashed | None
    """Where it lies there; `None`: only the person can find it."""
    ours: bool = False
    """Whether Partner had made it, for a while: so it is again."""


@dataclass(frozen=True)
class FolderEntry:
    """One file or folder in a live folder."""

    path: Path
    route: Route
    signature: Signature
    info: MetaActionInfo | None
    """The last good version, runnable from its snapshot."""
    files_hash: str = ""
    """Of that version's files."""
    fault: AbilityFault | None = None
    hints: tuple[str, ...] = ()


class LiveFolders:
    """One `action/` folder. Used by one thread at a time (`AbilityCatalog.undisturbed` sees to that)."""

    def __init__(self, root: Path, *, snapshots: Path) -> None:
        self.root = root
        self.temporary = TemporaryFiles(root / "tmp")
        self.persister = AbilityPersister(root, self.temporary)
        self.script_writer = ScriptWriter(root, self.temporary)
        self._snapshots = snapshots
        self._entries: dict[Path, FolderEntry] = {}

    @property
    def watched(self) -> list[Path]:
        return [self.root / "dynamic", self.root / "tmp"]

    def scan(self, *, now_s: float) -> list[Ability]:
        """Everything that is there now, as abilities; `now_s` is Unix time, for the age of `tmp/`."""
        found: dict[Path, FolderEntry] = {}
        for folder, location, route in (
            (self.root / "dynamic", "local", Route.MCP),
            (self.root / "tmp", "origin", Route.ORIGIN),
        ):
            for path in _listing(folder):
                entry = self._entry(path, location, route, now_s=now_s)
                if entry is not None:
                    found[path] = entry
        self._entries = found
        here = {
            path.stem if path.is_file() else path.name
            for path, entry in found.items()
            if entry.route is Route.MCP
        }
        kept = {
            name: one for name, one in self.temporary.kept().items() if one.key.partition("::")[2] in here
        }
        return _as_abilities([entry for entry in found.values() if not _is_kept(entry, kept)])

    def sweep(self, *, now_s: float) -> None:
        """Move what Partner made in `tmp/` to the trash when its time is over."""
        try:
            self.temporary.sweep(TMP_LISTED_S, now_s=now_s)
        except OSError:
            _log.warning("the register of tmp/ could not be written", exc_info=True)

    def _entry(self, path: Path, location: str, route: Route, *, now_s: float) -> FolderEntry | None:
        known = self._entries.get(path)
        try:
            signature = _signature(path)
            if not signature or (route is Route.ORIGIN and _is_old(path, now_s)):
                return None
            if known is not None and known.signature == signature:
                return known
            read = read_ability(path, location=location, route=route)
            info = self._snapshot(read)
        except DescriptorError as error:
            return self._broken(path, route, signature_or_none(path), str(error), error.line)
        except FileNotFoundError:
            return None  # gone between listing and reading: the next event tells
        except Exception as error:  # noqa: BLE001 - one odd file never hides the others
            _log.warning("an ability could not be read", exc_info=True)
            why = system_reason(error) if isinstance(error, OSError) else ""
            told = "descriptor.unread_because" if why else "descriptor.details_in_log"
            reason = sentence_of(told, reason=why)
            return self._broken(path, route, signature_or_none(path), reason, None)
        return FolderEntry(path, route, signature, info, files_hash=read.files_hash, hints=read.hints)

    def _broken(
        self, path: Path, route: Route, signature: Signature, reason: str, line: int | None
    ) -> FolderEntry:
        known = self._entries.get(path)
        told = (path / name for name in ("desc.json", PLAN_FILE)) if line is not None else ()
        at = next((file for file in told if file.is_file()), path)
        fault = AbilityFault(message=reason, path=at, line=line)
        info, files_hash = (known.info, known.files_hash) if known else (None, "")
        return FolderEntry(path, route, signature, info, files_hash=files_hash, fault=fault)

    def _snapshot(self, read: AbilityFile) -> MetaActionInfo:
        """Keep the read bytes under their hash; returns what runs from there."""
        folder = self._snapshots / read.files_hash
        if not folder.is_dir() or snapshot_hash(folder) != read.files_hash:
            shutil.rmtree(folder, ignore_errors=True)
            building = folder.with_name(folder.name + ".new")
            shutil.rmtree(building, ignore_errors=True)
            for name, data in read.files.items():
                target = building / name
                private.make_folder(target.parent)
                private.claim(target)
                target.write_bytes(data)
                if name == read.tool:
                    target.chmod(0o700)
            building.rename(folder)
        folder = folder.resolve()
        launcher = (str(folder / read.tool), *read.info.launcher[1:]) if read.tool else read.info.launcher
        return replace(read.info, source=folder / read.main, launcher=launcher)

    def prune(self) -> None:
        """Remove the snapshots that no entry uses."""
        used = {entry.files_hash for entry in self._entries.values() if entry.info}
        for folder in _listing(self._snapshots):
            if folder.name not in used:
                shutil.rmtree(folder, ignore_errors=True)

    def add(self, source: Path, *, lifetime: Lifetime) -> Path:
        """Copy a script or an ability folder in, for good or for a while; where it lies then.

        Raises:
            DescriptorError: It is a link, holds one, or is too large; nothing was copied.
            OSError: It is not there, or cannot be copied.
        """
        target = copy_into(source, self.root / lifetime, members(source))
        if lifetime == "tmp":
            self.temporary.made(target.name)
        return target

    def remove(self, ability: Path) -> Removed:
        """Move an ability to the trash.

        Raises:
            OSError: It is not there, or nothing here has a trash for it; it is where it was.
        """
        ours = ability.parent.name == "tmp" and self.temporary.is_ours(ability.name)
        return Removed(move_to_trash(ability), ours=ours)

    def bring_back(self, removed: Removed) -> Path:
        """Take an ability out of the trash; where it lies then, under a new name where its own is taken.

        Raises:
            OSError: It is in the trash no more, or cannot be moved.
        """
        trashed = removed.trashed
        if trashed is None:
            raise FileNotFoundError(sentence_of("scripts.trash_unknown"))
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
                self.temporary.made(target.name)
            elif free != name:
                self.temporary.renamed(f"local::{name}", f"local::{free}")
            return target
        raise FileExistsError(sentence_of("scripts.too_many", name=name))


def _listing(folder: Path) -> list[Path]:
    """The entries of a folder by name; empty where it cannot be read (that is reported elsewhere)."""
    try:
        return sorted(path for path in folder.iterdir() if not is_noise(path.name))
    except OSError:
        return []


def _signature(path: Path) -> Signature:
    marks = []
    for member in members(path):
        info = member.stat()
        name = os.fsdecode(member.relative_to(path.parent))
        marks.append((name, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns))
    return tuple(marks)


def signature_or_none(path: Path) -> Signature:
    """The signature, or an empty one where it cannot be taken."""
    try:
        return _signature(path)
    except (OSError, DescriptorError):
        return ()


def _is_old(path: Path, now_s: float) -> bool:
    # ctime: when it was put here; a copied file may bring an old mtime along.
    return now_s - path.stat().st_ctime > TMP_LISTED_S


def _is_kept(entry: FolderEntry, kept: dict[str, Kept]) -> bool:
    """Whether it is an ability of its own by now, with just these bytes; `kept` holds what is still there."""
    known = kept.get(entry.path.name) if entry.route is Route.ORIGIN else None
    return known is not None and entry.info is not None and entry.files_hash == known.content_hash


def _as_abilities(entries: list[FolderEntry]) -> list[Ability]:
    """Entries as abilities; of two with one name the first stays and the second says so."""
    abilities: list[Ability] = []
    taken: dict[str, Path] = {}
    for entry in entries:
        key = entry.info.key if entry.info else _placeholder(entry)
        if entry.info is not None and key in taken:
            fault = AbilityFault(
                message=sentence_of(
                    "descriptor.name_taken", name=entry.info.name, path=display_path(taken[key])
                ),
                path=entry.path,
            )
            second = replace(entry, info=None, fault=fault)
            abilities.append(_ability(_placeholder(entry), second))
            continue
        if entry.info is not None:
            taken[key] = entry.path
        abilities.append(_ability(key, entry))
    return abilities


def _ability(key: str, entry: FolderEntry) -> Ability:
    script: Path | None = entry.path
    if any(os.sep in mark[0] for mark in entry.signature):  # a folder
        source = entry.info.source if entry.info is not None else None
        script = entry.path / source.name if source is not None else None
    return Ability(
        key=key, info=entry.info, fault=entry.fault, hints=entry.hints, path=entry.path, script=script
    )


def _placeholder(entry: FolderEntry) -> str:
    """A key for what has none: unique by path, and never callable."""
    return f"file::{os.fsencode(entry.path).decode('utf-8', 'replace')}"
