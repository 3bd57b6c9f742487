"""`partner-desktop gateway token`: what a websocket client has to know."""

from __future__ import annotations

import asyncio

from partner_desktop.base.paths import Home
from partner_desktop.gateways.token_file import read_token, renew_token


async def gateway_token(home: Home, *, renew: bool) -> int:
    """Print the token; with `renew` a new one, and those who came in with the old are let go."""
    print(await asyncio.to_thread(renew_token if renew else read_token, home))
    return 0
