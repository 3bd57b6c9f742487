"""ServerImport: what a person pasted or dropped, checked, and written as a new file into `mcp/`.

Contract: nothing is written unless all of it can be read and every name in it is free; what runs is not
touched. One at a time, so that two of them do not take the same name.
"""

from __future__ import annotations

import asyncio
import json
import re
import textwrap
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from partner_desktop.base.errors import ConfigError, DescriptorError, UsageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, sentences_joined, system_reason
from partner_desktop.base.paths import display_path
from partner_desktop.files.atomic import free_name, write_new
from partner_desktop.runner.ability_content import checked_name
from partner_desktop.runner.located_json import parse
from partner_desktop.runner.mcp.configuration.entry_values import pieces
from partner_desktop.runner.mcp.configuration.folder import MAX_BYTES
from partner_desktop.runner.mcp.configuration.secrets import (
    MASK,
    is_secret_name,
    masked_address,
    masked_arguments,
    masked_secrets,
)
from partner_desktop.runner.mcp.configuration.server_file import looks_like_server, read_servers
from partner_desktop.runner.mcp.manager import McpServers
from partner_desktop.runner.mcp.plain_secrets import TokenMover
from partner_desktop.runner.mcp.port import ConfiguredServer, ServerConfig

#: Words that stand before a token and are none.
_SCHEMES = frozenset({"", "bearer", "basic", "token"})
_LONGEST_FILE_NAME = 60


@dataclass(frozen=True)
class _Given:
    """A configuration that can be taken in."""

    text: str
    servers: tuple[ConfiguredServer, ...]
    file_name: str

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(server.config.id for server in self.servers)


class ServerImport:
    """`folder`: `mcp/` of the `action/` folder."""

    def __init__(self, folder: Path, servers: McpServers, mover: TokenMover) -> None:
        self._folder = folder
        self._servers = servers
        self._mover = mover
        self._taking = asyncio.Lock()

    async def take(self, text: str, name: str, *, allow: bool) -> str:
        """Take a configuration in; they are listed when this returns. Says in a sentence where it is.

        `allow`: the person said yes to what it starts, though not to the secrets that it names.

        Raises:
            UsageError: It configures no server, not in a form that is read, or one whose name is taken.
        """
        given = await asyncio.to_thread(_read, text, name.strip(), self._folder)
        async with self._taking:
            await self._servers.refresh()
            self._refuse_taken(given)
            given, told = await self._without_tokens(given)
            private = any(holds_secret(server.config) for server in given.servers)
            # The yes comes first: whoever watches the folder may see the file at once, and would ask.
            for server in given.servers if allow else ():
                await self._servers.consent.allow_start(server.config, reason="added by hand")
            path = await asyncio.to_thread(_write, self._folder, given, private=private)
            await self._servers.refresh()
        return sentences_joined(filter(None, (_sentence(given, path, private=private), told)))

    async def _without_tokens(self, given: _Given) -> tuple[_Given, str]:
        """With what stood there as plain text in the keyring; where that does not take it, as it was."""
        path = self._folder / "new.json"
        try:
            text, told = await self._mover.without_tokens(given.text, given.file_name, path=path)
        except ConfigError as error:
            return given, sentence_of("servers.tokens.stays", error=error)
        if not told:
            return given, ""
        found = await asyncio.to_thread(read_servers, text, path=path, name=given.file_name)
        return replace(given, text=text, servers=found.servers), told

    async def move_tokens(self, server_id: str) -> str:
        """Move the secrets that stand in the file of a server as plain text; says which.

        Raises:
            UsageError: There is no such server, or no such secret, or the file cannot be changed.
            ConfigError: The keyring does not take them.
        """
        path, servers = await self._servers.beside(server_id)
        try:
            told = await self._mover.move_in_file(path, server_id, servers)
        except DescriptorError as error:
            raise UsageError("servers.adding.in_file", path=display_path(path), error=error) from error
        await self._servers.refresh()
        return told

    def _refuse_taken(self, given: _Given) -> None:
        for known in self._servers.statuses():
            if known.id in given.ids:
                if known.path is None:
                    raise UsageError("servers.adding.taken", name=known.id)
                raise UsageError("servers.adding.taken_in", name=known.id, path=display_path(known.path))


def _read(text: str, name: str, folder: Path) -> _Given:
    """Blocking: a large text takes its time."""
    text = _completed(text.removeprefix("\ufeff").strip())
    if not text:
        raise UsageError("servers.adding.empty")
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise UsageError("servers.adding.too_large")
    try:
        text = _with_name(text, name)
        found = read_servers(text, path=folder / "new.json", name=name)
    except DescriptorError as error:
        raise _not_added(error, error.line) from error
    if found.faults:
        raise _not_added(found.faults[0].message, found.faults[0].line)
    if not found.servers:
        raise UsageError("servers.adding.no_server")
    given = name or (found.servers[0].config.id if len(found.servers) == 1 else "servers")
    return _Given(text, found.servers, _file_name(given))


def _completed(text: str) -> str:
    """A member of a map without the map, as instructions often print it, in its braces."""
    return f"{{{text.rstrip(',')}}}" if text.startswith('"') else text


def _with_name(text: str, name: str) -> str:
    """A server that stands alone, under its name: the name of its file may have to be another."""
    root = parse(text).root
    if not looks_like_server(root):
        return text
    if not name:
        raise UsageError("servers.adding.no_name")
    inner = textwrap.indent(text, "    ").lstrip()
    return f'{{\n  "mcpServers": {{\n    {json.dumps(name, ensure_ascii=False)}: {inner}\n  }}\n}}'


def _not_added(reason: object, line: int | None) -> UsageError:
    if line is None:
        return UsageError("servers.adding.not_added", reason=reason)
    return UsageError("servers.adding.not_added_line", reason=reason, line=line)


def _file_name(wanted: str) -> str:
    words = re.sub(r"[^\w. -]+", "_", unicodedata.normalize("NFC", wanted)).strip("_.- ")
    words = words.removesuffix(".disabled")[:_LONGEST_FILE_NAME].rstrip("_.- ")
    try:
        return checked_name(words)
    except UsageError:
        return "servers"


def _write(folder: Path, given: _Given, *, private: bool) -> Path:
    """The new file; a name that somebody takes at this moment is passed over."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            path = free_name(folder, f"{given.file_name}.json")
            try:
                write_new(path, f"{given.text}\n".encode(errors="replace"), private=private)
            except FileExistsError:
                continue
            return path
    except OSError as error:
        reason = system_reason(error)
        raise UsageError("servers.adding.unwritable", path=display_path(folder), reason=reason) from error


def _sentence(given: _Given, path: Path, *, private: bool) -> str:
    ids, where = given.ids, display_path(path)
    told = "servers.adding.one_added" if len(ids) == 1 else "servers.adding.some_added"
    added = sentence_of(told, count=len(ids), path=where, names=", ".join(ids))
    return sentences_joined((added, sentence_of("servers.adding.private"))) if private else added


def holds_secret(config: ServerConfig) -> bool:
    """Whether a secret seems to stand in it as plain text, rather than where it is kept."""
    named = any(
        is_secret_name(name) and _literal(value).lower() not in _SCHEMES
        for name, value in (*config.env, *config.headers)
    )
    return named or any(_looks_secret(config))


def _looks_secret(config: ServerConfig) -> Iterator[bool]:
    """What no name tells of: by its place, or by its looks."""
    for _, value in (*config.env, *config.headers):
        yield MASK in masked_secrets(_literal(value))
    arguments = [_literal(each) for each in config.args]
    for argument, shown in zip(arguments, masked_arguments(arguments), strict=True):
        yield bool(argument) and MASK in shown
    if config.oauth is not None:
        yield bool(_literal(config.oauth.client_secret))
    if config.url and _literal(config.url) == config.url:
        yield MASK in masked_address(config.url)


def _literal(value: str) -> str:
    """What stands there itself, without what is filled in later."""
    return "".join(piece.text for piece in pieces(value) if piece.kind == "text").strip()
