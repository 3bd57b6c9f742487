"""Fifty servers, five of which hang: how soon the window is usable, and the other forty-five are ready.

The reference is the same forty-five alone, in the same run.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import tempfile
import time
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.mcp_server import ServerPhase
from tests.support import Trusting

WORKING = 45
HANGING = 5
_SERVER = Path(__file__).resolve().parent.parent / "action" / "mcp" / "plain_server.py"
_MOST_S = 120.0
_RATIO_LIMIT = 1.5


async def measure_servers() -> dict[str, float]:
    """Seconds, and `servers_ratio`, which is at most 1.5; `servers_longest_gap_ms` is that of the loop."""
    # Both runs find the SDK loaded, as does every start of a server but the first.
    await asyncio.to_thread(importlib.import_module, "partner_desktop.runner.mcp.protocol.connection")
    alone = await _run(hanging=0)
    mixed = await _run(hanging=HANGING)
    return {
        "servers_45_alone_s": alone["ready_s"],
        "servers_45_beside_5_hanging_s": mixed["ready_s"],
        "servers_ratio": round(mixed["ready_s"] / alone["ready_s"], 3),
        "servers_ratio_limit": _RATIO_LIMIT,
        "servers_launch_ms": mixed["launch_ms"],
        "servers_longest_gap_ms": mixed["gap_ms"],
    }


async def _run(*, hanging: int) -> dict[str, float]:
    """One launch of a home whose servers the person has allowed, until all that can be ready are."""
    with tempfile.TemporaryDirectory() as folder:
        action_dir = Path(folder) / "action"
        (action_dir / "mcp").mkdir(parents=True)
        _configure(action_dir / "mcp", hanging=hanging)
        home = Home(Path(folder) / "home")
        await _allow(home, action_dir)
        partner = Partner(home, action_dir, meaning=False)
        began = time.perf_counter()
        try:
            await partner.launch()
            launched = time.perf_counter()
            async with asyncio.timeout(_MOST_S):
                gap_s = await _until_ready(partner)
            return {
                "launch_ms": round((launched - began) * 1000, 1),
                "ready_s": round(time.perf_counter() - began, 3),
                "gap_ms": round(gap_s * 1000, 1),
            }
        finally:
            await partner.close()


async def _allow(home: Home, action_dir: Path) -> None:
    """The first launch: the person says yes to each."""
    partner = Partner(home, action_dir, meaning=False)
    person = Trusting(partner)
    try:
        await partner.launch()
        async with asyncio.timeout(_MOST_S):
            await _until_ready(partner)
    finally:
        await partner.close()
        await person.settled()


async def _until_ready(partner: Partner) -> float:
    """Wait for the working ones; the longest that the loop was held meanwhile, in seconds."""
    longest = 0.0
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        longest = max(longest, time.perf_counter() - before - 0.005)
        if sum(status.phase is ServerPhase.READY for status in partner.servers.list()) == WORKING:
            return longest


def _configure(folder: Path, *, hanging: int) -> None:
    """The hanging ones come first, by name and in the folder: the worst that they can do."""
    for number in range(hanging + WORKING):
        name = f"a{number}" if number < hanging else f"b{number - hanging}"
        options = ["--hang"] if number < hanging else []
        server = {"command": sys.executable, "args": ["-S", "-E", str(_SERVER), *options]}
        (folder / f"{name}.json").write_text(json.dumps({name: server}), encoding="utf-8")
