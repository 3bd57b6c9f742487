"""How a command reaches a Partner: it attaches to the host of the home, or becomes it.

Most of the time that a command takes is the loading of the app, and one that attaches needs none of it: so
the socket is tried first, and the app is loaded by whoever becomes the host (`partner_host`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base.paths import Home
from partner_desktop.gateways.partner_client import PartnerClient
from partner_desktop.gateways.remote import RemoteClient, answers

if TYPE_CHECKING:
    from partner_desktop.app import Partner

_LOOK_S = 0.1
#: Seconds that a window is given to become the host; then whoever let it go goes on by itself.
_WINDOW_PATIENCE_S = 30.0


@asynccontextmanager
async def connect(
    home: Home, action_dir: Path | None, partner: Partner | None = None, *, stays: bool = False
) -> AsyncIterator[PartnerClient]:
    """A client of the Partner of this home; everything that was opened is closed at the end.

    `partner`: one of this home that was loaded already; it becomes the host where there is none. `stays`: a
    host that is loaded here is there for as long as somebody wants it, and does what is due meanwhile.

    Raises:
        PartnerError: The home cannot be used.
    """
    if not await answers(home):
        from partner_desktop.commands import partner_host  # noqa: PLC0415 - see above

        partner = partner or partner_host.load_partner(home, action_dir, stays=stays)
        if await partner_host.became_host(partner):
            async with partner_host.hosted(partner, seeds=action_dir is None) as client:
                yield client
            return
    yield RemoteClient(home)


async def somebody_hosts(home: Home) -> None:
    """Wait, within limits, for the one that the home was let go for."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_WINDOW_PATIENCE_S):
            while not await answers(home):  # noqa: ASYNC110 - another process has no event for us
                await asyncio.sleep(_LOOK_S)
