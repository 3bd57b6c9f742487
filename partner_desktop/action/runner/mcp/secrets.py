"""ServerSecrets: what `${keyring:NAME}` stands for, apart from the keys of models.

A file in `mcp/` can name any key and any address: of the keys that Partner keeps, it must only reach those
that were given for servers.
"""

from __future__ import annotations

from partner_desktop.config.secrets import SecretStore

_PREFIX = "mcp:"


class ServerSecrets:
    """A part of the home's SecretStore."""

    def __init__(self, store: SecretStore) -> None:
        self._store = store

    async def get(self, name: str) -> str:
        """The secret of that name; empty where there is none.

        Raises:
            ConfigError: The keyring could not be asked.
        """
        return await self._store.get(_PREFIX + name)

    async def keep(self, name: str, value: str) -> str:
        """Keep it; says where it is, as the end of a sentence.

        Raises:
            ConfigError: It could not be kept.
        """
        return await self._store.set(_PREFIX + name, value)
