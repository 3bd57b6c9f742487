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
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from partner_desktop import __version__
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import BackupError, UsageError
from partner_desktop.base.paths import Home, display_path
from partner_desktop.domain.backup import BackupReport
from partner_desktop.storage.backup_file import (
    ACTION,
    CONFIG,
    DATABASE,
    FORMAT,
    MANIFEST,
    VERSION,
    Manifest,
    Member,
)
from partner_desktop.storage.migrations import back_up

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
            raise UsageError(f"{display_path(target)} cannot be a file; name one in a folder that is there.")
        if target.exists() and not force:
            raise UsageError(f"{display_path(target)} is there already; --force replaces it.")
        scratch = Path(tempfile.mkdtemp(prefix=".backup-", dir=self._home.root))
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            schema_version = self._copy_database(scratch / DATABASE)
            manifest = self._pack(part, target, scratch / DATABASE, schema_version)
            _put(part, target, force=force)
        except (OSError, sqlite3.Error) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise BackupError(
                f"The backup {display_path(target)} could not be written ({reason})."
            ) from error
        finally:
            part.unlink(missing_ok=True)
            shutil.rmtree(scratch, ignore_errors=True)
        return BackupReport(target, len(manifest.members), target.stat().st_size, schema_version)

    def _copy_database(self, copy: Path) -> int:
        """A consistent copy, by a connection of its own: whoever writes meanwhile is not held up."""
        source = self._home.database.absolute().as_uri() + "?mode=ro"
        with closing(sqlite3.connect(source, uri=True)) as connection:
            back_up(connection, copy)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
            return int(connection.execute("PRAGMA user_version").fetchone()[0])

    def _pack(self, part: Path, target: Path, database: Path, schema_version: int) -> Manifest:
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            app_version=__version__,
            schema_version=schema_version,
            created_at=self._clock.now().isoformat(),
            replaces=[DATABASE, CONFIG, *([ACTION] if self._own_actions else [])],
        )
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as sink:
            with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
                # Written into its own folder, it would read what it writes, without an end.
                itself = {part.resolve(), target.resolve()}
                files = [each for each in self._files() if each[1].resolve() not in itself]
                for name, path in [(DATABASE, database), *files]:
                    member = _add(archive, name, path)
                    if member is not None:
                        manifest.members.append(member)
                archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))
            sink.flush()
            os.fsync(sink.fileno())
        return manifest

    @property
    def _own_actions(self) -> bool:
        return self._action_dir.absolute() == (self._home.root / ACTION).absolute()

    def _files(self) -> Iterator[tuple[str, Path]]:
        for path in sorted(self._home.config.glob("*.toml")):
            yield f"{CONFIG}/{path.name}", path
        if not self._own_actions:
            return
        for path in sorted(self._action_dir.rglob("*")):
            inside = path.relative_to(self._action_dir)
            if not _LEFT_OUT & set(inside.parts):
                yield f"{ACTION}/{inside.as_posix()}", path


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> Member | None:
    """Pack one file as it is read; `None` for what is no plain file, or went away meanwhile."""
    if path.is_symlink() or not path.is_file():
        return None
    try:
        source = path.open("rb")
        name.encode("utf-8")
    except (FileNotFoundError, UnicodeEncodeError):
        return None
    digest, size_bytes = hashlib.sha256(), 0
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = path.stat().st_mode << 16
    with source, archive.open(info, "w", force_zip64=True) as sink:
        while piece := source.read(_CHUNK_BYTES):
            digest.update(piece)
            size_bytes += len(piece)
            sink.write(piece)
    return Member(name=name, size_bytes=size_bytes, sha256=digest.hexdigest())


def _put(part: Path, target: Path, *, force: bool) -> None:
    """Give the finished file its name; without `force` it never replaces one that came meanwhile."""
    if force:
        part.replace(target)
    else:
        try:
            os.link(part, target)
        except FileExistsError as error:
            raise UsageError(f"{display_path(target)} is there already; --force replaces it.") from error
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
