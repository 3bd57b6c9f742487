"""Restoring a backup: everything is checked first, then the present state is moved aside and the new one in.

Contract: the caller holds the home's lock. A crash leaves the old state or the new one, never a mixture:
the new state is unpacked and synced beside the old one, then a journal is written, which is the moment it
counts; from there on only renames are left, and `finish_restore`, called by whoever takes the lock next,
does what of them is missing. What was there before is kept in a folder that the report names.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel

from partner_desktop.base import private
from partner_desktop.base.errors import BackupError, CorruptError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import Home, display_path
from partner_desktop.storage import rescue
from partner_desktop.storage.backup import sync_folder
from partner_desktop.storage.backup_file import ACTION, CONFIG, DATABASE, PICTURES, Manifest, home_key, opened
from partner_desktop.storage.foreign import LeftOut, disarm, is_own, omission_sentence

#: What a restore replaces, in the order in which it moves. The logs belong to the database.
_ITEMS = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", CONFIG, PICTURES, ACTION)

#: Called after each step with its name; a test ends the process there.
Step = Callable[[str], None]


class _Journal(BaseModel):
    """What is left to do; written once, before the first rename."""

    stage: str
    aside: str
    move_aside: list[str]
    put: list[str]


@dataclass(frozen=True)
class RestoreReport:
    """What was put in place, and where the state before it is kept (`None`: there was none)."""

    manifest: Manifest
    kept: Path | None
    dropped: LeftOut | None
    """What is not as it was there, because another home made the backup; `None`: this home made it."""


def restore(home: Home, backup: Path, *, now: datetime, step: Step = lambda name: None) -> RestoreReport:
    """Put a backup in the place of the present state.

    Raises:
        BackupError: The file is no sound backup, or the disk refuses; the present state is as it was.
    """
    stage = home.restore_stage
    shutil.rmtree(stage, ignore_errors=True)
    try:
        manifest = _unpack(backup, stage, step)
        step("unpacked")
        dropped = None if is_own(manifest, home_key(home)) else disarm(stage)
        step("disarmed")
        journal = _write_journal(home, stage, manifest, dropped, now=now)
    except OSError as error:
        shutil.rmtree(stage, ignore_errors=True)
        raise BackupError("storage.not_unpacked", reason=system_reason(error)) from error
    except BackupError:
        shutil.rmtree(stage, ignore_errors=True)
        raise
    step("journal")
    try:
        _carry_out(home, journal, step)
    except OSError as error:
        raise BackupError("storage.restore_unfinished", reason=system_reason(error)) from error
    return RestoreReport(manifest, home.root / journal.aside if journal.move_aside else None, dropped)


def finish_restore(home: Home) -> None:
    """Do what a restore that was cut off has left to do; nothing, if there was none.

    Raises:
        OSError: The disk refuses; the next start tries again.
    """
    path = home.restore_journal
    if path.exists():
        _carry_out(home, _Journal.model_validate_json(path.read_text(encoding="utf-8")), lambda name: None)
    elif home.restore_stage.exists():
        shutil.rmtree(home.restore_stage, ignore_errors=True)  # it had not come to count


def _unpack(backup: Path, stage: Path, step: Step) -> Manifest:
    with opened(backup) as file:
        free_bytes = shutil.disk_usage(stage.parent).free
        if file.manifest.size_bytes > free_bytes:
            raise BackupError("storage.no_room", size_bytes=file.manifest.size_bytes, free_bytes=free_bytes)
        stage.mkdir(mode=0o700)
        for path in file.copy_to(stage):
            step(f"unpack {path.name}")
        manifest = file.manifest
    _check_database(stage / DATABASE, backup, manifest)
    return manifest


def _check_database(database: Path, backup: Path, manifest: Manifest) -> None:
    try:
        with closing(sqlite3.connect(database)) as connection:
            rescue.check(connection)
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    except (sqlite3.Error, CorruptError) as error:
        raise BackupError("storage.copy_unread", path=display_path(backup), error=error) from error
    if version != manifest.schema_version:
        raise BackupError("storage.copy_of_other_version", path=display_path(backup))


def _write_journal(
    home: Home, stage: Path, manifest: Manifest, dropped: LeftOut | None, *, now: datetime
) -> _Journal:
    put = sorted({member.name.partition("/")[0] for member in manifest.members})
    if dropped is not None:
        private.write_text(stage / home.restore_note.name, omission_sentence(dropped))
        put.append(home.restore_note.name)
    for path in stage.rglob("*"):
        if path.is_dir():
            sync_folder(path)
        else:
            _sync_file(path)
    sync_folder(stage)
    # What the backup knows nothing of stays: a home with its abilities elsewhere had none to give.
    held = {*manifest.replaces, *put}
    replaced = [name for name in _ITEMS if name in held or name.startswith(DATABASE)]
    journal = _Journal(
        stage=stage.name,
        aside=_free_name(home.root, f"before-restore-{now.strftime('%Y%m%d-%H%M%S')}"),
        move_aside=[name for name in replaced if os.path.lexists(home.root / name)],
        put=put,
    )
    part = home.restore_journal.with_suffix(".part")
    private.write_text(part, json.dumps(journal.model_dump()))
    _sync_file(part)
    part.rename(home.restore_journal)
    sync_folder(home.root)
    return journal


def _carry_out(home: Home, journal: _Journal, step: Step) -> None:
    """Renames only, each of which finds out by itself whether it was done already."""
    aside, stage = home.root / journal.aside, home.root / journal.stage
    if journal.move_aside:
        aside.mkdir(mode=0o700, exist_ok=True)
    for name in journal.move_aside:
        if not os.path.lexists(aside / name) and os.path.lexists(home.root / name):
            (home.root / name).rename(aside / name)
            step(f"aside {name}")
    for name in journal.put:
        if (stage / name).exists():
            (stage / name).rename(home.root / name)
            step(f"put {name}")
    for folder in (aside, stage, home.root):
        if folder.exists():
            sync_folder(folder)
    home.restore_journal.unlink()
    step("done")
    shutil.rmtree(stage, ignore_errors=True)
    sync_folder(home.root)


def _free_name(folder: Path, name: str) -> str:
    names = [name, *(f"{name}-{number}" for number in range(2, 1000))]
    return next(each for each in names if not (folder / each).exists())


def _sync_file(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
