"""TokenMover: secrets that stand in a configuration as plain text go to the keyring.

Contract: a text is given back without one only when the keyring has given that one back; where it does not,
all of the text stays as it was, and a sentence says why.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from partner_desktop.action.runner.mcp.config import ConfiguredServer
from partner_desktop.action.runner.mcp.consent import StartConsent
from partner_desktop.action.runner.mcp.plain_tokens import PlacedToken, PlainToken, moved, placed_tokens
from partner_desktop.action.runner.mcp.port import ServerEndedError
from partner_desktop.action.runner.mcp.reading import read_servers
from partner_desktop.action.runner.mcp.secrets import SecretHolder, SecretName, ServerSecrets
from partner_desktop.action.runner.mcp.signed_files import as_text
from partner_desktop.base.errors import ConfigError, UsageError
from partner_desktop.base.paths import display_path
from partner_desktop.files.atomic import write_whole


class TokenMover:
    """One at a time, so that two of them do not take the same entry."""

    def __init__(self, secrets: ServerSecrets, consent: StartConsent) -> None:
        self._secrets = secrets
        self._consent = consent
        self._moving = asyncio.Lock()

    async def without_tokens(self, text: str, name: str, *, path: Path) -> tuple[str, str]:
        """A configuration without them, and what was moved as a sentence; both as they were where none is.

        Raises:
            DescriptorError: The text cannot be read.
            ConfigError: The keyring does not take them.
        """
        placed = await asyncio.to_thread(placed_tokens, text, name)
        if not placed:
            return text, ""
        async with self._moving:
            entry_of: dict[PlacedToken, str] = {}
            for each in placed:
                taken = {entry: other.token.value for other, entry in entry_of.items()}
                entry_of[each] = await self._entry(each.token, taken)
            fresh = moved(text, entry_of)
            servers = {each.config.id: each for each in read_servers(fresh, path=path, name=name).servers}
            for each, entry in entry_of.items():
                await self._keep(entry, each.token.value, await self._holder(servers.get(each.token.server)))
        told = ", ".join(dict.fromkeys(f"{each.token.name} of {each.token.server}" for each in placed))
        return fresh, f"Moved to the keyring: {told}."

    async def move_in_file(self, path: Path, name: str, servers: Sequence[ConfiguredServer]) -> str:
        """Move those of a file; says what was moved. `servers`: of that file, as they are known.

        Raises:
            UsageError: There are none, or the file changed meanwhile or cannot be written.
            DescriptorError: The file cannot be read.
            ConfigError: The keyring does not take them.
        """
        try:
            before = await asyncio.to_thread(path.read_bytes)
            text, told = await self.without_tokens(as_text(before), name, path=path)
            if not told:
                raise UsageError(f"No secret that Partner knows by its looks stands in {display_path(path)}.")
            await self._keep_allowed(text, name, path, servers)
            await asyncio.to_thread(_replace, path, before, text)
        except OSError as error:
            raise UsageError(f"{display_path(path)} cannot be changed ({error.strerror}).") from error
        return told

    async def _keep_allowed(
        self, text: str, name: str, path: Path, servers: Sequence[ConfiguredServer]
    ) -> None:
        """What may start is the same without the values."""
        known = {each.config.id: each.config for each in servers}
        for fresh in read_servers(text, path=path, name=name).servers:
            old = known.get(fresh.config.id)
            if old is not None and await self._consent.is_allowed(old):
                await self._consent.allow_start(fresh.config, reason="its secrets moved to the keyring")

    async def _entry(self, token: PlainToken, taken: Mapping[str, str]) -> str:
        """A name under which neither the keyring nor `taken` has another value."""
        alone = re.sub(r"[^\w.-]", "_", token.name)
        beside = re.sub(r"[^\w.-]", "_", f"{token.server}-{token.name}")
        for name in (alone, beside, *(f"{beside}-{number}" for number in range(2, 1_000))):
            if taken.get(name, token.value) == token.value == (await self._secrets.get(name) or token.value):
                return name
        raise ConfigError(f"The keyring has too many entries that are called like {beside}.")

    async def _keep(self, entry: str, value: str, holder: SecretHolder | None) -> None:
        if await self._secrets.get(entry) != value:
            await self._secrets.keep(entry, value, holder=holder)
        elif holder is not None:
            await self._secrets.share(SecretName("keyring", entry), holder)
        if await self._secrets.get(entry) != value:
            raise ConfigError("What the keyring was given did not come back from it.")

    async def _holder(self, server: ConfiguredServer | None) -> SecretHolder | None:
        try:
            return await self._consent.holder(server.config) if server is not None else None
        except ServerEndedError:
            return None


def _replace(path: Path, before: bytes, text: str) -> None:
    """Blocking. What was written meanwhile is not written over."""
    if path.read_bytes() != before:
        raise UsageError(f"{display_path(path)} was changed meanwhile; try it again.")
    write_whole(path, text.encode("utf-8"))
