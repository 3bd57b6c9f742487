"""Reach: how a gateway in a process of its own gets at the Partner of the home, whoever hosts it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from partner_desktop.gateways.partner_client import PartnerClient


class Reach(Protocol):
    """The host may end and another take its place; who asks next is led to that one."""

    def use(self) -> AbstractAsyncContextManager[PartnerClient]:
        """A client that stays while it is used; waits for a host where there is none at the moment.

        Raises:
            HostError: Nobody hosts the home in time.
        """
        ...

    async def changed(self) -> None:
        """Return when the abilities may be others than at the call before."""
        ...
