"""What the models' face needs of others: a place for keys, and somebody who tries a server out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from partner_desktop.domain.model_status import EndpointDraft, EndpointReport


class KeyStore(Protocol):
    """The keys of servers by the names of their models; `config/secrets.py` has this face."""

    async def get(self, name: str) -> str:
        """The key of that name; empty where there is none."""
        ...

    async def set(self, name: str, value: str) -> str:
        """Keep a key; says where it is now, as the end of a sentence."""
        ...

    async def delete(self, name: str) -> None:
        """Keep it no longer."""
        ...

    async def where(self) -> str:
        """Where the next key goes, as the end of a sentence."""
        ...


#: Tries a server out with a key, which may be empty.
EndpointChecker: TypeAlias = Callable[[EndpointDraft, str], Awaitable[EndpointReport]]
