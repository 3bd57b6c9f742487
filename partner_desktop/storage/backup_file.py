"""The backup file: a zip of the database, the settings, the pictures of messages and the home's own
abilities, with a manifest.

Everything in it is named, sized and hashed in `manifest.json`. Reading trusts nothing: a name that leads
elsewhere, a link, a wrong hash or a size that was not announced end it with a sentence, before anything of
the home is touched. It is signed with the key of its home; where that is missing a backup is another home's.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Final

from pydantic import BaseModel, ValidationError

from partner_desktop.base import private
from partner_desktop.base.errors import BackupError
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import Home, display_path
from partner_desktop.storage.migrations import shipped_steps

FORMAT: Final = "partner-backup"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
DATABASE: Final = "partner.db"
CONFIG: Final = "config"
ACTION: Final = "action"
PICTURES: Final = "pictures"

_MANIFEST_LIMIT_BYTES = 32 * 1024 * 1024
_CHUNK_BYTES = 1024 * 1024
#: Text and databases pack 3:1 to 20:1; what announces far more than its file could hold is a bomb.
_MOST_RATIO = 200
_RATIO_FREE_BYTES = 256 * 1024 * 1024


class Member(BaseModel):
    """One file in the backup."""

    name: str
    size_bytes: int
    sha256: str


class Manifest(BaseModel):
    """What the backup says of itself."""

    format: str
    version: int
    app_version: str
    schema_version: int
    created_at: str
    """ISO 8601, UTC."""
    replaces: list[str]
    """What of a home it stands for, also where it held nothing: `partner.db`, `config` and the like."""
    members: list[Member] = []
    signature: str = ""
    """Of the home that wrote it; see `foreign.py`."""

    @property
    def size_bytes(self) -> int:
        """Of everything, unpacked."""
        return sum(member.size_bytes for member in self.members)


class BackupFile:
    """A backup that is open for reading; its manifest is checked, its contents as they are copied."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._shown = display_path(path)
        self._archive = archive
        self.manifest = self._manifest()
        self._check_version()
        self._check_members(path.stat().st_size)

    def copy_to(self, folder: Path) -> Iterator[Path]:
        """Unpack every member below `folder`, checking size and hash; yields each as it is written.

        Raises:
            BackupError: What is in the file is not what its manifest says.
        """
        for member in self.manifest.members:
            target = folder / member.name
            private.make_folder(target.parent)
            try:
                with self._archive.open(member.name) as source, target.open("xb") as sink:
                    self._copy(member, source, sink)
            except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
                if isinstance(error, OSError) and error.errno is not None:
                    raise  # the disk's trouble, not the file's
                raise self._damaged(member.name) from error
            mode = self._archive.getinfo(member.name).external_attr >> 16 & 0o700
            target.chmod(mode | 0o600)
            yield target

    def _copy(self, member: Member, source: IO[bytes], sink: IO[bytes]) -> None:
        digest, left = hashlib.sha256(), member.size_bytes
        while piece := source.read(min(_CHUNK_BYTES, left + 1)):
            left -= len(piece)
            if left < 0:
                raise self._damaged(member.name)
            digest.update(piece)
            sink.write(piece)
        if left or digest.hexdigest() != member.sha256:
            raise self._damaged(member.name)

    def _manifest(self) -> Manifest:
        try:
            info = self._archive.getinfo(MANIFEST)
            if info.file_size > _MANIFEST_LIMIT_BYTES:
                raise self._not_ours()
            with self._archive.open(info) as source:
                manifest = Manifest.model_validate_json(source.read(_MANIFEST_LIMIT_BYTES))
        except (KeyError, ValidationError, zipfile.BadZipFile, RuntimeError, EOFError) as error:
            raise self._not_ours() from error
        if manifest.format != FORMAT:
            raise self._not_ours()
        return manifest

    def _check_version(self) -> None:
        if self.manifest.version > VERSION or self.manifest.schema_version > max(shipped_steps()):
            raise BackupError("storage.newer_backup", path=self._shown, version=self.manifest.app_version)

    def _check_members(self, file_bytes: int) -> None:
        announced = [member.name for member in self.manifest.members]
        packed = [info.filename for info in self._archive.infolist()]
        if sorted(packed) != sorted([*announced, MANIFEST]) or len(set(packed)) != len(packed):
            raise BackupError("storage.backup_incomplete", path=self._shown)
        for info in self._archive.infolist():
            mode = info.external_attr >> 16
            if not is_safe(info.filename) or (stat.S_IFMT(mode) and not stat.S_ISREG(mode)):
                raise BackupError("storage.backup_leads_outside", path=self._shown, member=info.filename[:80])
        if DATABASE not in announced:
            raise self._not_ours()
        if any(member.size_bytes < 0 for member in self.manifest.members):
            raise self._not_ours()
        if self.manifest.size_bytes > max(_RATIO_FREE_BYTES, file_bytes * _MOST_RATIO):
            raise BackupError("storage.backup_bomb", path=self._shown)

    def _not_ours(self) -> BackupError:
        return BackupError("storage.not_a_backup", path=self._shown)

    def _damaged(self, name: str) -> BackupError:
        return BackupError("storage.backup_damaged", path=self._shown, member=name)


def is_safe(name: str) -> bool:
    """Whether a member's name is one of those that a backup can have."""
    parts = PurePosixPath(name).parts
    if "\\" in name or "\x00" in name or name != "/".join(parts) or ".." in parts or name.startswith("/"):
        return False
    if name in (DATABASE, MANIFEST):
        return True
    if parts[0] == CONFIG:
        return len(parts) == 2 and name.endswith(".toml")
    if parts[0] == PICTURES:
        return len(parts) == 2
    return parts[0] == ACTION and len(parts) > 1


@contextmanager
def opened(path: Path) -> Iterator[BackupFile]:
    """The backup at `path`.

    Raises:
        BackupError: It is none, is damaged, or is of a newer Partner.
    """
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError as error:
        raise BackupError("storage.no_such_file", path=display_path(path)) from error
    except (zipfile.BadZipFile, ValueError) as error:
        raise BackupError("storage.not_a_backup", path=display_path(path)) from error
    except OSError as error:
        raise BackupError(
            "common.unreadable", path=display_path(path), reason=system_reason(error)
        ) from error
    with archive:
        yield BackupFile(path, archive)


_BYTES = 32


def home_key(home: Home) -> bytes:
    """The key; made where there is none.

    Raises:
        OSError: It cannot be read or written.
    """
    path = home.key_file
    private.close(path)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        key = path.read_bytes()
        if len(key) == _BYTES:
            return key
        path.unlink()  # cut off while it was written: nothing is signed with it yet
        return home_key(home)
    with os.fdopen(descriptor, "wb") as file:
        key = secrets.token_bytes(_BYTES)
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    return key
