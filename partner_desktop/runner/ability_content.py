"""What an ability consists of, what it may be called, and whether a person switched it off.

Its files are read whole, with the hash of everything that runs; that is blocking. A name is part of a key and
of a path at once.
"""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import DescriptorError, UsageError
from partner_desktop.base.messages import system_reason
from partner_desktop.base.text import cut
from partner_desktop.files import no_symlinks
from partner_desktop.files.content_hashes import content_hash
from partner_desktop.runner.launchers import launcher_hash
from partner_desktop.storage.database import Database

_MAX_BYTES = 32 * 1024 * 1024
_MAX_FILES = 2_000
_SKIPPED = frozenset({"__pycache__", ".git", ".DS_Store"})


def files_hash(files: dict[str, bytes]) -> str:
    """Of files by their relative paths, and nothing else."""
    return content_hash(part for name in sorted(files) for part in (os.fsencode(name), files[name]))


def whole_hash(files: dict[str, bytes], launcher: str) -> str:
    """Of everything that runs. `launcher`: a program that is none of the files; empty: it is one of them."""
    try:
        mark = launcher_hash(launcher) if launcher else ""
    except OSError as error:
        raise DescriptorError("descriptor.launcher_unread", reason=system_reason(error)) from error
    own = files_hash(files)
    return content_hash([own.encode(), b"launcher", mark.encode()]) if mark else own


def snapshot_hash(folder: Path, launcher: str = "") -> str:
    """The hash of a snapshot, run by a launcher that lies elsewhere; empty when it cannot be read."""
    try:
        found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in members(folder)}
        return whole_hash(found, launcher)
    except (OSError, DescriptorError):
        return ""


def hash_of(path: Path) -> str:
    """The hash of the files of an ability at `path`; empty when they cannot be read whole."""
    try:
        return files_hash(read_files(path))
    except (OSError, DescriptorError):
        return ""


def members(path: Path) -> list[Path]:
    """The regular files that make up an ability, in a stable order."""
    if path.is_symlink():
        raise DescriptorError("descriptor.is_link")
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    for folder, names, all_leaves in os.walk(path):
        names[:] = sorted(name for name in names if name not in _SKIPPED)
        leaves = sorted(leaf for leaf in all_leaves if not is_noise(leaf))
        # What a link leads to was never shown, and would travel into the sandbox.
        inside = [name for name in (*names, *leaves) if not is_noise(name)]
        link = next((name for name in inside if os.path.islink(os.path.join(folder, name))), None)  # noqa: PTH114, PTH118
        if link is not None:
            raise DescriptorError("descriptor.holds_link", link=link)
        found.extend(Path(folder, leaf) for leaf in leaves)
        if len(found) > _MAX_FILES:
            raise DescriptorError("descriptor.many_files", most=_MAX_FILES)
    return found


def is_noise(name: str) -> bool:
    """Editors' and file managers' own files, and half-written ones."""
    return (
        name in _SKIPPED
        or name.startswith(".")
        or name.endswith(("~", ".swp", ".swx", ".tmp", ".part", ".crdownload", ".bak", ".orig", ".pyc"))
        or name == "4913"  # vim's probe whether it may write here
    )


def read_files(path: Path) -> dict[str, bytes]:
    """The bytes of an ability by their relative paths.

    Raises:
        DescriptorError: It holds a link, or is too large.
        OSError: It cannot be read.
    """
    files, total = {}, 0
    place = path.parent.resolve() / path.name  # where it lies; what is below is reached part by part
    for member in members(path):
        data = _read_regular(place / member.relative_to(path), limit=_MAX_BYTES - total)
        if data is None:
            continue
        total += len(data)
        relative = member.relative_to(path).as_posix() if path.is_dir() else member.name
        files[relative] = data
    return files


def _read_regular(member: Path, *, limit: int) -> bytes | None:
    """The bytes of a regular file, never of what a link leads to; `None` for pipes and devices."""
    with os.fdopen(no_symlinks.open_file(str(member), os.O_RDONLY), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        data = file.read(limit + 1)
    if len(data) > limit:
        raise DescriptorError("descriptor.too_large", size=_MAX_BYTES // 2**20, unit="MiB")
    return data


_LONGEST = 60
_NAME = re.compile(r"\w(?:[\w. -]*[\w-])?")
#: Names that other systems keep for devices: a synchronised folder with one of them breaks there.
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10))}
)
#: What a generated file's name begins with: the moment it was made.
_STAMP = re.compile(r"^\d{10,}-")


def checked_name(name: str) -> str:
    """The name in its one form.

    Raises:
        UsageError: It cannot be the name of an ability; the sentence says why.
    """
    name = unicodedata.normalize("NFC", name.strip())
    shown = cut(name, _LONGEST)
    if not name:
        raise UsageError("scripts.no_name")
    if len(name) > _LONGEST or len(name.encode("utf-8", "replace")) > 3 * _LONGEST:
        raise UsageError("scripts.long_name", name=shown, most=_LONGEST)
    if not _NAME.fullmatch(name):
        raise UsageError("scripts.odd_name", name=shown)
    if name.casefold().partition(".")[0] in _RESERVED:
        raise UsageError("scripts.device_name", name=shown)
    if is_noise(name):
        raise UsageError("scripts.passed_over_name", name=shown)
    return name


def free_ability_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, or `wanted_2`, `wanted_3`, … where it is taken; upper and lower case are one."""
    used = {_fold(name) for name in taken}
    number, name = 1, wanted
    while _fold(name) in used:
        number += 1
        end = f"_{number}"
        name = wanted[: _LONGEST - len(end)] + end
    return name


def taken_names(folder: Path) -> list[str]:
    """The names that a live folder's entries have, broken ones too. Blocking."""
    return [path.name if path.is_dir() else path.stem for path in folder.iterdir() if not is_noise(path.name)]


def suggested_name(path: Path) -> str:
    """A name for what lies in `tmp/`: its own, without the moment it was made and what no name may hold."""
    stem = _STAMP.sub("", path.name if path.is_dir() else path.stem)
    words = re.sub(r"[^\w.-]+", "_", unicodedata.normalize("NFC", stem)).strip("_.-")
    try:
        return checked_name(words[:_LONGEST])
    except UsageError:
        return "ability"


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


class SwitchStore:
    """The abilities_off table."""

    def __init__(self, database: Database, *, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def off(self) -> frozenset[str]:
        """The keys of everything that is switched off."""
        rows = await self._database.rows("SELECT action_key FROM abilities_off")
        return frozenset(str(row["action_key"]) for row in rows)

    async def set(self, key: str, *, on: bool) -> None:
        """Switch one off or on; twice is once."""
        now = self._clock.now().isoformat()
        if on:
            await self._database.execute("DELETE FROM abilities_off WHERE action_key = ?", (key,))
        else:
            await self._database.execute("INSERT OR IGNORE INTO abilities_off VALUES (?, ?)", (key, now))
