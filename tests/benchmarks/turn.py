"""`turn`: message accepted → first text of the reply, against one embedding of the same text.

A real Partner on a fresh home with the shipped samples, without a window; every message begins a conversation
of its own, after a first one that starts the worker and makes the vectors of the abilities.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home, shipped
from partner_desktop.domain.events import DoneEvent, Event, ReplyEvent

#: What a turn may cost, in embeddings of its own text.
LIMIT = 3.0
ROUNDS = 4
TEXTS = (
    "count the words in ~/notes.txt",
    "which pictures do I have twice in ~/Pictures?",
    "what eats my disk space in ~/Downloads?",
    "book me a flight to Vienna",
    "write me a poem about the sea",
    "zip my notes",
    "how much is left on my phone bill this month",
    "find every file that speaks of the tax return in ~/Documents",
    "open the web page example.org",
    "make all photos of the last holiday smaller",
)


class Ear:
    """When the first text of a reply came, and whether an exchange is over."""

    def __init__(self, partner: Partner) -> None:
        self.first_s: dict[str, float] = {}
        self.done: set[str] = set()
        self.news = asyncio.Event()
        partner.subscribe(self._take)

    def _take(self, event: Event) -> None:
        if isinstance(event, ReplyEvent) and event.content:
            self.first_s.setdefault(event.conversation_id, time.perf_counter())
        elif isinstance(event, DoneEvent):
            self.done.add(event.conversation_id)
        self.news.set()

    async def over(self, conversation_id: str) -> None:
        async with asyncio.timeout(60):
            while conversation_id not in self.done:
                self.news.clear()
                await self.news.wait()


async def _turn_s(partner: Partner, ear: Ear, text: str) -> float:
    accepted = await partner.messages.send(text, conversation_id=None)
    begun = time.perf_counter()
    await ear.over(accepted.conversation_id)
    return ear.first_s[accepted.conversation_id] - begun


async def _embedding_s(partner: Partner, text: str) -> float:
    begun = time.perf_counter()
    await partner.embedder.embed([text], urgent=True)
    return time.perf_counter() - begun


async def _measure(place: Path) -> dict[str, Any]:
    shutil.copytree(shipped("action"), place / "action")
    partner = Partner(Home(place / "home"), place / "action")
    await partner.launch()
    try:
        ear = Ear(partner)
        begun = time.perf_counter()
        await _turn_s(partner, ear, "how many words are in ~/essay.txt?")
        first_s = time.perf_counter() - begun
        turns, embeddings = [], []
        for round_ in range(ROUNDS):
            for text in TEXTS:
                said = f"{text} {round_}"
                embeddings.append(await _embedding_s(partner, said))
                turns.append(await _turn_s(partner, ear, said))
    finally:
        await partner.close()
    return _figures(turns, embeddings, first_s)


def _figures(turns: list[float], embeddings: list[float], first_s: float) -> dict[str, Any]:
    ratio = statistics.median(turns) / statistics.median(embeddings)
    return {
        "turn_median_ms": round(statistics.median(turns) * 1000, 2),
        "embedding_median_ms": round(statistics.median(embeddings) * 1000, 2),
        "ratio": round(ratio, 2),
        "first_turn_ms": round(first_s * 1000),
        "count": len(turns),
        "ok": ratio <= LIMIT,
    }


def measure() -> dict[str, Any]:
    """The figures, and whether they keep the limit."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        return asyncio.run(_measure(Path(place)))
