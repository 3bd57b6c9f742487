"""The folder `mcp/`: servers that are configured there, and descriptions that replace their tools' own.

Blocking; used from one thread at a time. Only what changed is read again. A broken file, or a broken entry
of one, keeps what was good until it is deleted, with the fault visible.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.domain.ability import Ability, AbilityFault
from partner_desktop.runner.mcp.config import ConfiguredServer
from partner_desktop.runner.mcp.descriptions import Override, is_description, read_override
from partner_desktop.runner.mcp.server_file import MAX_SERVERS, ServerFile, read_servers
from partner_desktop.runner.mcp.signed_files import SignedFile, SignedFiles, as_text

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
        return (
            f"the server `{server.config.id}` is already configured in {display_path(other.path)}; "
            "rename or remove one of them"
        )
    if len(servers) >= MAX_SERVERS:
        return f"the server `{server.config.id}` is one more than the {MAX_SERVERS} that Partner takes"
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
            reason = f"`{file.good.key}` is already described by {display_path(other.path)}; remove one"
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
