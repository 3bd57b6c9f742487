"""`partner-desktop gateway token`: what a websocket client has to know."""

from __future__ import annotations

import argparse
import asyncio

from partner_desktop.commands.options import CommandFolders
from partner_desktop.gateways.websocket.admission import read_token, renew_token


async def gateway_token(options: argparse.Namespace, place: CommandFolders) -> int:
    """Print the token; with `--renew` a new one, and those who came in with the old are let go."""
    print(await asyncio.to_thread(renew_token if options.renew else read_token, place.home))
    return 0
