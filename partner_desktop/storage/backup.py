"""Writing a backup: one file, whole or not there, and private.

Contract: it works while Partner runs, off the loop. What can be made anew (caches, logs, outputs of runs)
and secrets are not in it.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import sqlite3
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

from partner_desktop import __version__
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import BackupError, UsageError
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import Home, display_path
from partner_desktop.domain.backup import BackupReport
from partner_desktop.storage.backup_file import (
    ACTION,
    CONFIG,
    DATABASE,
    FORMAT,
    MANIFEST,
    PICTURES,
    VERSION,
    Manifest,
    Member,
    home_key,
)
from partner_desktop.storage.foreign import signature
from partner_desktop.storage.migrations import back_up
from partner_desktop.storage.rescue import SCRATCH_PREFIX, part_of, remove_parts

_CHUNK_BYTES = 1024 * 1024
_LEFT_OUT = frozenset({"__pycache__", ".git"})


class Backup:
    """Backs one home up. `action_dir` is in it where it is the home's own."""

    def __init__(self, home: Home, action_dir: Path, *, clock: Clock) -> None:
        self._home = home
        self._action_dir = action_dir
        self._clock = clock

    async def write(self, target: Path, *, force: bool) -> BackupReport:
        """Write the backup to `target`; an existing file is replaced only with `force`.

        Raises:
            UsageError: There is such a file, or no such folder.
            BackupError: It could not be written; nothing was left behind.
        """
        return await asyncio.to_thread(self._write, target, force)

    def _write(self, target: Path, force: bool) -> BackupReport:
        if target.is_dir() or not target.parent.is_dir():
            raise UsageError("common.cannot_be_a_file", path=display_path(target))
        if target.exists() and not force:
            raise UsageError("common.there_already", path=display_path(target))
        remove_parts(target)
        scratch = Path(tempfile.mkdtemp(prefix=SCRATCH_PREFIX, dir=self._home.root))
        part = part_of(target)
        try:
            schema_version = self._copy_database(scratch / DATABASE)
            manifest, left_out = self._pack(part, target, scratch / DATABASE, schema_version)
            _put(part, target, force=force)
        except (OSError, sqlite3.Error) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise BackupError("storage.backup_unwritten", path=display_path(target), reason=reason) from error
        finally:
            part.unlink(missing_ok=True)
            shutil.rmtree(scratch, ignore_errors=True)
        size_bytes = target.stat().st_size
        return BackupReport(target, len(manifest.members), size_bytes, schema_version, tuple(left_out))

    def _copy_database(self, copy: Path) -> int:
        """A consistent copy, by a connection of its own: whoever writes meanwhile is not held up."""
        source = self._home.database.absolute().as_uri() + "?mode=ro"
        with closing(sqlite3.connect(source, uri=True)) as connection:
            back_up(connection, copy)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
            return int(connection.execute("PRAGMA user_version").fetchone()[0])

    def _pack(
        self, part: Path, target: Path, database: Path, schema_version: int
    ) -> tuple[Manifest, list[str]]:
        """Write everything; the manifest, and the names of what was left out."""
        left_out: list[str] = []
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            app_version=__version__,
            schema_version=schema_version,
            created_at=self._clock.now().isoformat(),
            replaces=[DATABASE, CONFIG, PICTURES, *([ACTION] if self._own_actions else [])],
        )
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as sink:
            with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
                # Written into its own folder, it would read what it writes, without an end.
                itself = {part.resolve(), target.resolve()}
                files = [each for each in self._files() if each[1].resolve() not in itself]
                for name, path in [(DATABASE, database), *files]:
                    if not _can_be_packed(name, path):
                        left_out.append(display_path(path))
                    elif (member := _add(archive, name, path)) is not None:
                        manifest.members.append(member)
                manifest.signature = signature(manifest, home_key(self._home))
                archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))
            sink.flush()
            os.fsync(sink.fileno())
        return manifest, left_out

    @property
    def _own_actions(self) -> bool:
        return self._action_dir.absolute() == (self._home.root / ACTION).absolute()

    def _files(self) -> Iterator[tuple[str, Path]]:
        for path in sorted(self._home.config.glob("*.toml")):
            yield f"{CONFIG}/{path.name}", path
        for path in sorted(self._home.pictures.glob("[!.]*")):
            yield f"{PICTURES}/{path.name}", path
        if not self._own_actions:
            return
        for path in _tree(self._action_dir):
            yield f"{ACTION}/{path.relative_to(self._action_dir).as_posix()}", path


def _tree(folder: Path) -> Iterator[Path]:
    """Every file below a folder, and every link; none is followed."""
    for place, folders, names in os.walk(folder, onerror=_refuse):
        links = [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = sorted(set(folders) - _LEFT_OUT - set(links))
        for name in sorted({*names, *links} - _LEFT_OUT):
            yield Path(place, name)


def _refuse(error: OSError) -> None:
    """A folder that cannot be read would be left out without a word."""
    if not isinstance(error, FileNotFoundError):
        raise _unreadable(Path(error.filename), error) from error


def _unreadable(path: Path, error: OSError) -> BackupError:
    return BackupError("storage.no_backup", path=display_path(path), reason=system_reason(error))


def _can_be_packed(name: str, path: Path) -> bool:
    """Links lead elsewhere, a pipe has no end, and a name that is no text has no place in the manifest."""
    try:
        name.encode("utf-8")
        mode = path.lstat().st_mode
    except UnicodeEncodeError:
        return False
    except OSError:
        return True  # it went away, or opening it tells
    return stat.S_ISREG(mode)


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> Member | None:
    """Pack one file as it is read; `None` for what went away meanwhile."""
    try:
        source = path.open("rb")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unreadable(path, error) from error
    digest, size_bytes = hashlib.sha256(), 0
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = os.fstat(source.fileno()).st_mode << 16
    with source, archive.open(info, "w", force_zip64=True) as sink:
        while piece := _read(source, path):
            digest.update(piece)
            size_bytes += len(piece)
            sink.write(piece)
    return Member(name=name, size_bytes=size_bytes, sha256=digest.hexdigest())


def _read(source: BinaryIO, path: Path) -> bytes:
    try:
        return source.read(_CHUNK_BYTES)
    except OSError as error:
        raise _unreadable(path, error) from error


def _put(part: Path, target: Path, *, force: bool) -> None:
    """Give the finished file its name; without `force` it never replaces one that came meanwhile."""
    if force:
        part.replace(target)
    else:
        try:
            os.link(part, target)
        except FileExistsError as error:
            raise UsageError("common.there_already", path=display_path(target)) from error
        except OSError:  # a file system without hard links
            part.rename(target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Put a folder's names on disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
