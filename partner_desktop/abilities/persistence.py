"""A temporary ability becomes a durable one, and a durable one gets another description. Blocking.

Contract of `keep`: the new ability is built whole in a hidden folder beside `dynamic/` and appears by one
rename; until then nothing has changed. What is left to do after it (the file in `tmp/`) stands in a journal
in that folder, so that a crash at any point leaves the old ability or the new one, and `recover` the rest.

A file in `tmp/` that Partner made is moved. A file of the person's stays where it is and is no longer listed
there while it has these bytes: only what Partner made is ever removed. Which those are stands in a register
that lies beside the files, so that it goes where they go. It only ever lets Partner do less: a file that is
not in it, or whose bytes are not those that it names, is the person's own.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from partner_desktop.abilities.ability_file import (
    READ_BYTES,
    AbilityFile,
    description_text,
    has_block,
    read_ability,
    redescribed,
    written_description,
)
from partner_desktop.abilities.plan_file import PLAN_FILE
from partner_desktop.base import log
from partner_desktop.base.ids import new_id
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.meta_action import Route
from partner_desktop.files.atomic import place_beside, sync_path, sync_tree, write_whole
from partner_desktop.files.trash import move_to_trash
from partner_desktop.runner.ability_content import (
    checked_name,
    free_ability_name,
    hash_of,
    is_noise,
    taken_names,
)
from partner_desktop.runner.descriptor import Raw

_register_log = log.area("temporary")

REGISTER = ".made-by-partner.json"


@dataclass(frozen=True)
class Kept:
    """A temporary ability that was kept under a key of its own."""

    content_hash: str
    key: str


class TemporaryFiles:
    """The register of one `tmp/` folder. Used from one thread at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder / REGISTER
        self._refused: set[str] = set()

    def made(self, name: str, *, content_hash: str = "") -> None:
        """Partner itself has put `name` there, with the bytes that it has now, or is about to, with those of
        `content_hash`.
        """
        found = self._read()
        # Empty, and so nobody's, where it cannot be read.
        found["made"][name] = content_hash or hash_of(self._folder / name)
        found["kept"].pop(name, None)
        self._write(found)

    def is_ours(self, name: str) -> bool:
        """Whether Partner made it, and nobody has changed it since."""
        known = self._read()["made"].get(name)
        return bool(known) and known == hash_of(self._folder / name)

    def keep(self, name: str, kept: Kept) -> None:
        """It is an ability of its own now: with these bytes it is not listed here any more."""
        found = self._read()
        found["made"].pop(name, None)
        found["kept"][name] = f"{kept.content_hash} {kept.key}"
        self._write(found)

    def renamed(self, old_key: str, new_key: str) -> None:
        """An ability that was kept has another key now."""
        found = self._read()
        changed = {name: text for name, text in found["kept"].items() if text.endswith(f" {old_key}")}
        for name, text in changed.items():
            found["kept"][name] = f"{text.removesuffix(old_key)}{new_key}"
        if changed:
            self._write(found)

    def kept(self) -> dict[str, Kept]:
        """What was kept, by its name in `tmp/`."""
        found = {}
        for name, text in self._read()["kept"].items():
            content_hash, _, key = text.partition(" ")
            found[name] = Kept(content_hash, key)
        return found

    def sweep(self, lasting_s: float, *, now_s: float) -> None:
        """Move what Partner made to the trash when its time is over; forget what is the person's by now."""
        found = self._read()
        for name in [*found["made"]]:
            path = self._folder / name
            try:
                if now_s - path.stat().st_ctime <= lasting_s:
                    continue
            except OSError:
                del found["made"][name]  # it is gone
                continue
            if not self._end(path, found["made"][name]):
                continue
            del found["made"][name]
        self._write(found)

    def _end(self, path: Path, made_hash: str) -> bool:
        """Remove one file whose time is over; whether its entry is settled."""
        if hash_of(path) != made_hash:
            return True  # changed since: it is the person's
        try:
            move_to_trash(path)
        except OSError as error:
            if path.name not in self._refused:
                self._refused.add(path.name)
                _register_log.warning("a temporary file could not be moved to the trash: %s", error)
            return False
        return True

    def _read(self) -> dict[str, dict[str, str]]:
        """The register; what does not look like one of ours counts for nothing."""
        try:
            raw = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            raw = None
        return {part: dict(_entries(raw, part)) for part in ("made", "kept")}

    def _write(self, found: dict[str, dict[str, str]]) -> None:
        if found == self._read():
            return
        body = json.dumps(found, indent=1, sort_keys=True)
        write_whole(self._path, body.encode("utf-8") + b"\n")


def _entries(raw: object, part: str) -> Iterator[tuple[str, str]]:
    """Only plain names: whatever the file says, nothing outside of `tmp/` is meant."""
    entries = raw.get(part) if isinstance(raw, dict) else None
    for name, text in entries.items() if isinstance(entries, dict) else ():
        plain = isinstance(text, str) and name == Path(name).name and not is_noise(name)
        if plain and text and name not in ("", ".", ".."):
            yield name, text


_log = log.area("keeping")

#: What is being built, here and by `Maker`, lies in hidden folders that begin so.
BUILDING = ".keeping-"
_JOURNAL = "journal.json"
#: The ending of a script without one; its `#!` line says what runs it.
_NO_ENDING = ".script"
_MOST_TRIES = 20


@dataclass(frozen=True)
class Journal:
    """What remains to be done once the new ability is there."""

    source: str
    """Its name in `tmp/`."""
    source_hash: str
    target: str
    """Its name in `dynamic/`."""
    target_hash: str
    key: str


class AbilityPersister:
    """Of one `action/` folder. Used from one thread at a time."""

    def __init__(self, root: Path, temporary: TemporaryFiles) -> None:
        self._tmp = root / "tmp"
        self._dynamic = root / "dynamic"
        self._building = (root, self._dynamic, self._tmp)
        self._temporary = temporary

    def keep(self, source: Path, draft: AbilityDraft) -> str:
        """Make a durable ability of what lies in `tmp/`; returns its key.

        Raises:
            UsageError: The name does not do.
            DescriptorError: The file is broken at the moment, or the description does not do.
            OSError: The disk refused. In all three cases everything is as it was.
        """
        wanted = checked_name(draft.name)
        read = read_ability(source, location="origin", route=Route.ORIGIN)
        self._dynamic.mkdir(parents=True, exist_ok=True)
        place = place_beside(self._dynamic) / f"{BUILDING}{new_id()[:12]}"
        place.mkdir()
        try:
            built = _build(place, source, read, draft)
            journal = self._appear(place, built, source, read, wanted)
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        try:
            self._finish(journal)
        except OSError as error:  # it is kept all the same; the journal stays, for `recover`
            _log.warning("what %s was kept from could not be put away: %s", journal.key, error)
            return journal.key
        shutil.rmtree(place, ignore_errors=True)
        return journal.key

    def save_plan(self, wanted: str, text: str) -> str:
        """Write a saved plan, whole or not at all, under a name that is free; its key.

        Raises:
            UsageError: The name does not do.
            DescriptorError: The text is no plan.
            OSError: The disk refused.
        """
        wanted = checked_name(wanted)
        self._dynamic.mkdir(parents=True, exist_ok=True)
        place = place_beside(self._dynamic) / f"{BUILDING}{new_id()[:12]}"
        place.mkdir()
        try:
            built = place / "built"
            built.mkdir()
            (built / PLAN_FILE).write_text(text, encoding="utf-8")
            read_ability(built, location="local", route=Route.MCP)
            sync_tree(place)
            for _ in range(_MOST_TRIES):
                name = free_ability_name(wanted, taken_names(self._dynamic))
                try:
                    _rename_to_new(built, self._dynamic / name)
                except FileExistsError:
                    continue  # somebody was faster: the next name
                sync_path(self._dynamic)
                return f"local::{name}"
            raise FileExistsError(sentence_of("scripts.too_many", name=wanted))
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _appear(self, place: Path, built: Path, source: Path, read: AbilityFile, wanted: str) -> Journal:
        """The one moment at which the new ability comes to be, under a name that is free then."""
        for _ in range(_MOST_TRIES):
            name = free_ability_name(wanted, taken_names(self._dynamic))
            target = self._dynamic / (name if built.is_dir() else name + built.suffix)
            named = built.rename(place / target.name)
            new = read_ability(named, location="local", route=Route.MCP)
            journal = Journal(source.name, read.files_hash, target.name, new.files_hash, new.info.key)
            write_whole(place / _JOURNAL, json.dumps(asdict(journal)).encode())
            sync_tree(place)
            try:
                _rename_to_new(named, target)
            except FileExistsError:
                built = named  # somebody was faster: the next name
                continue
            sync_path(self._dynamic)  # before the old one goes
            return journal
        raise FileExistsError(sentence_of("scripts.too_many", name=wanted))

    def recover(self) -> None:
        """After a crash: finish what had appeared, drop what had not."""
        places = [place for where in self._building for place in where.glob(f"{BUILDING}*")]
        for place in places:
            journal = _read_journal(place / _JOURNAL)
            if journal is not None and _is_there(self._dynamic / journal.target, journal):
                self._finish(journal)
            shutil.rmtree(place, ignore_errors=True)

    def _finish(self, journal: Journal) -> None:
        """The old place: a file of Partner's goes, a file of the person's is no longer listed."""
        source = self._tmp / journal.source
        if self._temporary.is_ours(journal.source) and hash_of(source) == journal.source_hash:
            _remove(source)
        self._temporary.keep(journal.source, Kept(journal.source_hash, journal.key))

    def describe(self, folder: Path, draft: AbilityDraft) -> str:
        """Give an ability folder another description, and another name where the draft has one; its key.

        Raises:
            UsageError: The name does not do.
            DescriptorError: It is broken at the moment, or the description does not do.
            OSError: The disk refused. In all three cases everything is as it was.
        """
        name = self._name_for(folder, draft)
        read = read_ability(folder, location="local", route=Route.MCP)
        raw = written_description(read)
        new = redescribed(raw, draft)
        target = folder.with_name(name)
        if target != folder:
            _rename_to_new(folder, target)
        if new != raw or read.description_file not in read.files:
            try:
                write_whole(target / read.description_file, description_text(new).encode())
            except BaseException:
                target.rename(folder)
                raise
        self._temporary.renamed(f"local::{folder.name}", f"local::{name}")
        return f"local::{name}"

    def key_of(self, folder: Path, draft: AbilityDraft) -> str:
        """The key that `describe` would give it.

        Raises:
            UsageError: The name does not do.
        """
        return f"local::{self._name_for(folder, draft)}"

    def _name_for(self, folder: Path, draft: AbilityDraft) -> str:
        if draft.name == folder.name:
            return folder.name
        others = [taken for taken in taken_names(folder.parent) if taken != folder.name]
        return free_ability_name(checked_name(draft.name), others)


def _is_there(target: Path, journal: Journal) -> bool:
    return bool(journal.target_hash) and hash_of(target) == journal.target_hash


def _build(place: Path, source: Path, read: AbilityFile, draft: AbilityDraft) -> Path:
    """The new ability in `place`: one file where the script describes itself and says what the draft says."""
    raw = written_description(read)
    new = redescribed(raw, draft)
    ending = source.suffix or _NO_ENDING
    text = read.files[read.main][:READ_BYTES].decode("utf-8", "replace")
    if not source.is_dir() and new == raw and has_block(text):
        built = place / f"built{ending}"
        _write(built, read.files[read.main], like=source)
        return built
    built = place / "built"
    built.mkdir()
    for name, data in read.files.items():
        target = built / (name if source.is_dir() else f"run{ending}")
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(target, data, like=source / name if source.is_dir() else source)
    (built / "desc.json").write_bytes(_description(read, raw, new))
    return built


def _description(read: AbilityFile, raw: Raw, new: Raw) -> bytes:
    """What did not change keeps its form to the byte."""
    if new == raw and "desc.json" in read.files:
        return read.files["desc.json"]
    return description_text(new).encode()


def _write(target: Path, data: bytes, *, like: Path) -> None:
    target.write_bytes(data)
    target.chmod(like.lstat().st_mode & 0o777)


def _rename_to_new(built: Path, target: Path) -> None:
    """One rename that never replaces anything.

    Raises:
        FileExistsError: Something has that name.
    """
    same = os.path.lexists(target) and built.parent == target.parent and built.samefile(target)
    if os.path.lexists(target) and not same:  # the same: only upper and lower case differ
        raise FileExistsError(target)
    if built.is_dir():
        try:
            built.rename(target)  # never replaces a folder that holds anything
        except OSError as error:
            if os.path.lexists(target):
                raise FileExistsError(target) from error
            raise
        return
    try:
        target.hardlink_to(built)  # unlike a rename, it never replaces what came in between
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        built.rename(target)
    else:
        built.unlink()


def _remove(source: Path) -> None:
    """Take away what was copied whole; a folder that holds more than an ability's files goes to the trash."""
    if not source.is_dir():
        source.unlink(missing_ok=True)
        return
    move_to_trash(source)


def _read_journal(path: Path) -> Journal | None:
    try:
        return Journal(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
