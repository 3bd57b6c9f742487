"""A second start of the window: raise the one that is there, or wait for a command to end."""

from __future__ import annotations

import asyncio
import sys

from partner_desktop.base.errors import HostError
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.paths import Home
from partner_desktop.gateways.remote import RemoteClient, answers
from partner_desktop.runtime.host import HostLock

#: Seconds that a command may still take before the window gives up.
_PATIENCE_S = 120.0
_LOOK_S = 0.2


def raised_running_window(home: Home) -> bool:
    """Whether a window of this home was there and was raised.

    While a command hosts the home, waits for its end.

    Raises:
        HostError: The home cannot be used, or stays taken.
    """
    return asyncio.run(_raise_or_wait(home))


async def _raise_or_wait(home: Home) -> bool:
    lock = HostLock(home, kind="window")
    deadline = asyncio.get_running_loop().time() + _PATIENCE_S
    told = False
    while not lock.acquire():
        if await answers(home) and await RemoteClient(home).call("client.raise_window"):
            return True
        if asyncio.get_running_loop().time() > deadline:
            raise HostError("terminal.command_uses_home")
        if not told:
            print(sentence_of("terminal.window_opens_later"), file=sys.stderr)
            told = True
        await asyncio.sleep(_LOOK_S)
    await lock.shutdown()
    return False
