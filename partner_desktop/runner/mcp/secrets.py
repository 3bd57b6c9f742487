"""ServerSecrets: what `${keyring:NAME}` stands for, apart from the keys of models, and whom it was given for.

A file in `mcp/` can name any key and any address: of the keys that Partner keeps, it must only reach those
that were given for servers; and of these, and of the variables that look like secrets, those that were given
for this server. Who that is stands beside the key, in the keyring or the file of keys, never in the database:
a backup brings that one along.
"""

from __future__ import annotations

import asyncio
import json
from typing import Literal
from urllib.parse import quote, unquote

from partner_desktop.base.errors import ConfigError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.secrets import SecretStore

_PREFIX = "mcp:"
#: As many servers share one secret at most; the oldest is asked about again.
_MOST_HOLDERS = 10


@dataclass(frozen=True)
class SecretName:
    """An entry of the keyring, or a variable that Partner was started with and that looks like a secret."""

    kind: Literal["keyring", "env"]
    name: str

    @property
    def place(self) -> str:
        """Where those who may have it are kept."""
        return f"mcp-for:{self.name}" if self.kind == "keyring" else f"mcp-env-for:{self.name}"


@dataclass(frozen=True)
class SecretHolder:
    """Who gets a secret: a server by its id, and where it goes from there."""

    server: str
    target: str
    """The hash of the origin of its address, or of its program with the arguments."""


class ServerSecrets:
    """A part of the home's SecretStore."""

    def __init__(self, store: SecretStore) -> None:
        self._store = store
        self._binding = asyncio.Lock()

    async def get(self, name: str) -> str:
        """The secret of that name; empty where there is none.

        Raises:
            ConfigError: The keyring could not be asked.
        """
        return await self._store.get(_PREFIX + name)

    async def keep(self, name: str, value: str, *, holder: SecretHolder | None) -> str:
        """Keep it for one server and no other; says where it is, as the end of a sentence.

        Raises:
            ConfigError: It could not be kept.
        """
        async with self._binding:
            # Who may have the old one comes first: a new one is never in the hands of those.
            await self._write(SecretName("keyring", name), [holder] if holder is not None else [])
            return await self._store.set(_PREFIX + name, value)

    async def holders(self, secret: SecretName) -> list[SecretHolder]:
        """Those whom it was given for, or whom the person let have it.

        Raises:
            ConfigError: The keyring could not be asked.
        """
        return _read(await self._store.get(secret.place))

    async def share(self, secret: SecretName, holder: SecretHolder) -> None:
        """Let one more have it.

        Raises:
            ConfigError: That could not be kept.
        """
        async with self._binding:
            held = [each for each in await self.holders(secret) if each != holder]
            await self._write(secret, [*held, holder][-_MOST_HOLDERS:])

    async def _write(self, secret: SecretName, holders: list[SecretHolder]) -> None:
        if not holders:
            await self._store.delete(secret.place)
            return
        text = json.dumps([[each.server, each.target] for each in holders])
        await self._store.set(secret.place, quote(text, safe=""))


def _read(text: str) -> list[SecretHolder]:
    if not text:
        return []
    try:
        return [SecretHolder(str(server), str(target)) for server, target in json.loads(unquote(text))]
    except (ValueError, TypeError) as error:
        raise ConfigError("What the keyring says of whom a secret was given for cannot be read.") from error
