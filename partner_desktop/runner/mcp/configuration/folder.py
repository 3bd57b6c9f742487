"""The folder `mcp/`: servers that are configured there, and descriptions that replace their tools' own.

Blocking; used from one thread at a time. A file is known by its signature (inode, size, times), so that what
did not change is not read again. A broken file, or a broken entry of one, keeps what was good until it is
deleted, with the fault visible.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Generic, TypeVar

from partner_desktop.base import log
from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.domain.ability import Ability, AbilityFault
from partner_desktop.runner.ability_content import is_noise
from partner_desktop.runner.located_json import as_text
from partner_desktop.runner.mcp.configuration.descriptions import Override, is_description, read_override
from partner_desktop.runner.mcp.configuration.server_file import MAX_SERVERS, ServerFile, read_servers
from partner_desktop.runner.mcp.port import ConfiguredServer

_log = log.area("folders")

MAX_BYTES = 1_000_000

T = TypeVar("T")


@dataclass(frozen=True)
class SignedFile(Generic[T]):
    """One file as it was last seen."""

    path: Path
    signature: tuple[int, ...]
    good: T | None
    """What its last good version says."""
    fault: AbilityFault | None = None


class SignedFiles(Generic[T]):
    """`wanted` chooses by name; `read` turns a file's bytes into what they say.

    `read` is given what the last good version said, and raises DescriptorError for what it cannot use.
    """

    def __init__(
        self, folder: Path, *, wanted: Callable[[str], bool], read: Callable[[Path, bytes, T | None], T]
    ) -> None:
        self._folder = folder
        self._wanted = wanted
        self._read = read
        self._known: dict[Path, SignedFile[T]] = {}

    def look(self) -> tuple[list[SignedFile[T]], AbilityFault | None]:
        """Every file, by name, and what is wrong with the folder itself."""
        try:
            paths = sorted(
                path for path in self._folder.iterdir() if self._wanted(path.name) and not is_noise(path.name)
            )
        except FileNotFoundError:
            paths = []
        except OSError as error:
            if isinstance(error, NotADirectoryError) and not self._folder.parent.is_dir():
                return [], None  # the fault is that of the folder above, and is told there
            # It may be readable again in a moment: nothing that runs is ended for that.
            reason = sentence_of("servers.file.no_folder", reason=system_reason(error))
            fault = AbilityFault(reason, self._folder)
            return list(self._known.values()), fault
        seen = (self._file(path) for path in paths)
        self._known = {file.path: file for file in seen if file is not None}
        return list(self._known.values()), None

    def _file(self, path: Path) -> SignedFile[T] | None:
        known = self._known.get(path)
        before = known.good if known is not None else None
        signature: tuple[int, ...] = ()
        try:
            info = path.lstat()
            if stat.S_ISDIR(info.st_mode):
                return None
            signature = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns)
            if known is not None and known.signature == signature:
                return known
            return SignedFile(path, signature, self._read(path, _content(path), before))
        except FileNotFoundError:
            return None  # gone between listing and reading: the next event tells
        except DescriptorError as error:
            fault = AbilityFault(str(error), path, error.line)
        except OSError as error:
            reason = sentence_of("descriptor.unread_because", reason=system_reason(error))
            fault = AbilityFault(reason, path)
        except Exception:  # noqa: BLE001 - one odd file never hides the others
            _log.warning("a file could not be read", exc_info=True)
            fault = AbilityFault(sentence_of("descriptor.details_in_log"), path)
        return SignedFile(path, signature, before, fault)


def _content(path: Path) -> bytes:
    """The bytes of a regular file of a sane size, never of what a link leads to."""
    try:
        file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise DescriptorError("descriptor.is_link") from error
        raise
    with file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise DescriptorError("servers.file.no_regular_file")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise DescriptorError("servers.file.too_large")
    return data


_DISABLED = (".disabled.json", ".json.disabled")


@dataclass(frozen=True)
class McpScan:
    """What lies in `mcp/` now."""

    servers: dict[str, ConfiguredServer]
    faults: tuple[Ability, ...]
    """Entries for the list of abilities, without `info`: what is broken, with file and line."""
    descriptions: dict[str, Override]
    """By the tool's key, `server::tool`."""


class McpFolder:
    """`mcp/` of one `action/` folder."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "mcp"
        self._servers = SignedFiles(self._folder, wanted=_is_servers, read=_read)
        self._descriptions = SignedFiles(self._folder / "desc", wanted=is_description, read=read_override)

    @property
    def watched(self) -> list[Path]:
        """Each with everything below it."""
        return [self._folder]

    def scan(self) -> McpScan:
        """Everything that is there now."""
        files, folder_fault = self._servers.look()
        # What is switched off by its file's name does not take an id from what is on.
        files.sort(key=lambda file: (_is_off(file.path.name), file.path))
        servers, faults = _merged(files)
        described, desc_fault = self._descriptions.look()
        descriptions, desc_faults = _by_key(described)
        for fault in (folder_fault, desc_fault):
            if fault is not None:
                faults.append(fault)
        return McpScan(servers, tuple(_as_abilities([*faults, *desc_faults])), descriptions)


def _is_servers(name: str) -> bool:
    return name.endswith((".json", ".jsonc", *_DISABLED))


def _is_off(name: str) -> bool:
    return name.endswith(_DISABLED)


def _read(path: Path, data: bytes, before: ServerFile | None) -> ServerFile:
    name = path.name
    for ending in (*_DISABLED, ".jsonc", ".json"):
        name = name.removesuffix(ending)
    reading = read_servers(as_text(data), path=path, name=name, disabled=_is_off(path.name))
    good = {server.config.id for server in reading.servers}
    broken = {fault.id for fault in reading.faults} - good
    kept = tuple(each for each in before.servers if each.config.id in broken) if before else ()
    return replace(reading, servers=(*reading.servers, *kept))


def _merged(
    files: Iterable[SignedFile[ServerFile]],
) -> tuple[dict[str, ConfiguredServer], list[AbilityFault]]:
    """The servers of all files; of two with one id the first stays and the second says so."""
    servers: dict[str, ConfiguredServer] = {}
    faults: list[AbilityFault] = []
    for file in files:
        if file.fault is not None:
            faults.append(file.fault)
        elif file.good is not None:
            faults.extend(AbilityFault(each.message, file.path, each.line) for each in file.good.faults)
        for server in file.good.servers if file.good is not None else ():
            wrong = _no_place(server, servers)
            if wrong:
                faults.append(AbilityFault(wrong, file.path, server.line))
            else:
                servers[server.config.id] = server
    return servers, faults


def _no_place(server: ConfiguredServer, servers: dict[str, ConfiguredServer]) -> str:
    other = servers.get(server.config.id)
    if other is not None:
        path = display_path(other.path)
        return sentence_of("servers.file.configured_already", name=server.config.id, path=path)
    if len(servers) >= MAX_SERVERS:
        return sentence_of("servers.file.one_too_many", name=server.config.id, most=MAX_SERVERS)
    return ""


def _by_key(files: Iterable[SignedFile[Override]]) -> tuple[dict[str, Override], list[AbilityFault]]:
    descriptions: dict[str, Override] = {}
    faults: list[AbilityFault] = []
    for file in files:
        if file.fault is not None:
            faults.append(file.fault)
        if file.good is None:
            continue
        other = descriptions.setdefault(file.good.key, file.good)
        if other is not file.good:
            path = display_path(other.path)
            reason = sentence_of("servers.file.described_already", key=file.good.key, path=path)
            faults.append(AbilityFault(reason, file.path))
    return descriptions, faults


def _as_abilities(faults: Iterable[AbilityFault]) -> Iterator[Ability]:
    """Faults as entries of the list, with keys that nothing can be called by."""
    counts: dict[Path, int] = {}
    for fault in faults:
        number = counts[fault.path] = counts.get(fault.path, 0) + 1
        shown = os.fsencode(fault.path).decode("utf-8", "replace")
        key = f"file::{shown}" if number == 1 else f"file::{shown}#{number}"
        yield Ability(key=key, info=None, fault=fault, path=fault.path)
