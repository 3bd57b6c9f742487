"""Databases in backups: read where they lie, and changed in a copy that then takes their place, whole."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from partner_desktop.base import private
from partner_desktop.base.errors import BackupError
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.storage.backup_file import DATABASE, MANIFEST, PICTURES, Member, opened
from partner_desktop.storage.database import Connection
from partner_desktop.storage.foreign import is_own, signature
from partner_desktop.storage.rescue import SCRATCH_PREFIX

T = TypeVar("T")

_CHUNK_BYTES = 1024 * 1024


@contextmanager
def database_of(path: Path, scratch: Path) -> Iterator[Path]:
    """A copy of the database in a backup, in a folder of its own below `scratch`, which then goes. Blocking.

    Raises:
        BackupError: It is no backup of Partner's, or cannot be read.
    """
    try:
        with TemporaryDirectory(prefix=SCRATCH_PREFIX, dir=scratch) as folder:
            copy = Path(folder) / DATABASE
            if zipfile.is_zipfile(path):
                with opened(path) as backup:
                    for _ in backup.copy_to(Path(folder)):
                        pass
            else:
                shutil.copyfile(path, copy)
            private.close(copy)
            yield copy
    except OSError as error:
        raise BackupError(
            "common.unreadable", path=display_path(path), reason=system_reason(error)
        ) from error


def read_backup(path: Path, scratch: Path, work: Callable[[Connection], T]) -> T:
    """What `work` reads of the database in a backup; nothing is changed. Blocking.

    Raises:
        BackupError: It is no backup of Partner's, or cannot be read.
    """
    if not zipfile.is_zipfile(path):
        return _read(path, work)
    with database_of(path, scratch) as copy:
        return _read(copy, work)


def _read(database: Path, work: Callable[[Connection], T]) -> T:
    # Immutable: nobody writes there, and no log is put beside it.
    address = database.absolute().as_uri() + "?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return work(connection)
    except sqlite3.Error as error:
        raise BackupError("common.unreadable", path=display_path(database), reason=error) from error


def put_back(
    copy: Path, path: Path, key: bytes, *, pictures: Callable[[Connection], Collection[str]]
) -> None:
    """Put a changed copy into the backup that it is of: all of it, or the backup is as it was. Blocking.

    `pictures` reads which of them the copy still names; the others are left out.

    Raises:
        BackupError: It cannot be written, or another home's backup is as it was made.
    """
    building = private.building_beside(path)
    try:
        if zipfile.is_zipfile(path):
            _pack_anew(copy, path, building, key, _read(copy, pictures))
        else:
            shutil.copyfile(copy, building)
            private.close(building)
        with building.open("rb+") as file:
            os.fsync(file.fileno())
        building.replace(path)
    except OSError as error:
        raise BackupError(
            "common.unwritable", path=display_path(path), reason=system_reason(error)
        ) from error
    finally:
        building.unlink(missing_ok=True)


def _pack_anew(copy: Path, path: Path, building: Path, key: bytes, pictures: Collection[str]) -> None:
    with opened(path) as backup, zipfile.ZipFile(path) as old:
        manifest = backup.manifest
        if not is_own(manifest, key):
            raise BackupError("storage.other_homes_backup", path=display_path(path))
        others = [member for member in manifest.members if _stays(member, pictures)]
        descriptor = os.open(building, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as sink, zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as new:
            new.write(copy, DATABASE)
            for member in others:
                with old.open(member.name) as source, new.open(old.getinfo(member.name), "w") as target:
                    shutil.copyfileobj(source, target, _CHUNK_BYTES)
            manifest.members = [_member(copy), *others]
            manifest.schema_version = _read(
                copy, lambda db: int(db.execute("PRAGMA user_version").fetchone()[0])
            )
            manifest.signature = signature(manifest, key)
            new.writestr(MANIFEST, manifest.model_dump_json(indent=1))


def _stays(member: Member, pictures: Collection[str]) -> bool:
    folder, _, name = member.name.partition("/")
    return member.name != DATABASE and (folder != PICTURES or name in pictures)


def _member(copy: Path) -> Member:
    with copy.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Member(name=DATABASE, size_bytes=copy.stat().st_size, sha256=digest)
