"""`reload`: a script written → listed in the window's list; and 1,000 scripts at once.

Runs the real window (offscreen unless a display is there) on a real loop, on a fresh home.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Any

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import AbilitiesEvent, Event
from tests.benchmarks.figures import percentile
from tests.benchmarks.open_window import with_window

SINGLES = 60
STORM = 1_000

SCRIPT = """\
# /// partner
# description = "Number {number}"
# [params.text]
# type = "string"
# ///
print({number})
"""


class Listed:
    """Which abilities are listed, and a wait for more."""

    def __init__(self, partner: Partner) -> None:
        self.keys: set[str] = set()
        self.news = asyncio.Event()
        partner.subscribe(self._take)

    def _take(self, event: Event) -> None:
        if isinstance(event, AbilitiesEvent):
            self.keys |= {ability.key for ability in event.changed if ability.usable}
            self.news.set()

    async def until(self, key: str) -> None:
        while key not in self.keys:
            self.news.clear()
            await self.news.wait()


async def _singles(listed: Listed, folder: Path) -> list[float]:
    waits = []
    for number in range(SINGLES):
        begun = time.monotonic()
        (folder / f"single{number}.py").write_text(SCRIPT.format(number=number))
        await listed.until(f"local::single{number}")
        waits.append(time.monotonic() - begun)
        await asyncio.sleep(0.05)
    return waits


def _write_storm(folder: Path) -> None:
    for number in range(STORM):
        (folder / f"storm{number}.py").write_text(SCRIPT.format(number=number))


async def _storm(listed: Listed, folder: Path) -> float:
    begun = time.monotonic()
    await asyncio.to_thread(_write_storm, folder)
    async with asyncio.timeout(60):
        for number in range(STORM):
            await listed.until(f"local::storm{number}")
    return time.monotonic() - begun


async def _scenario(partner: Partner) -> dict[str, Any]:
    listed = Listed(partner)
    folder = partner.action_dir / "dynamic"
    waits = await _singles(listed, folder)
    partner.heartbeat.gaps_s.clear()
    storm_s = await _storm(listed, folder)
    await asyncio.sleep(1.0)  # what the window still has to draw belongs to it
    gaps = list(partner.heartbeat.gaps_s)
    figures = {
        "listed_p50_ms": round(percentile(waits, 50) * 1000, 1),
        "listed_p95_ms": round(percentile(waits, 95) * 1000, 1),
        "storm_files": STORM,
        "storm_s": round(storm_s, 2),
        "storm_gap_p99_ms": round(percentile(gaps, 99) * 1000, 1),
        "storm_gap_max_ms": round(max(gaps) * 1000, 1),
    }
    figures["ok"] = (
        figures["listed_p95_ms"] <= 300 and figures["storm_s"] <= 15 and figures["storm_gap_p99_ms"] <= 50
    )
    return figures


def measure() -> dict[str, Any]:
    """The figures, and whether they keep their limits (300 ms, 15 s, 50 ms)."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        action_dir = Path(place) / "action"
        (action_dir / "dynamic").mkdir(parents=True)
        return with_window(Home(Path(place) / "home"), action_dir, _scenario)
