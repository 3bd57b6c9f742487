"""`idle`: what Partner takes while nothing happens, and what a conversation leaves behind.

The real window with the starter mind after twenty turns: talk, cards approved with their output in view,
plans, a server, every tab of the panel opened, the folders watched. Then nobody does anything for half a
minute. `idle_percent` is the processor time of the whole process, all of its threads, as a share of one core;
what the processes below it take stands beside it, and what was painted. Memory: resident size after the last
turn against that after the first.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped] # has no types
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home, shipped
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.events import DoneEvent, Event, ProposalEvent, ResultEvent
from partner_desktop.domain.mcp_server import ServerPhase
from tests.benchmarks.open_window import with_window

#: Of one core.
PERCENT_LIMIT = 0.3
MEMORY_LIMIT = 1.25
QUIET_S = 30.0
TURNS = 20
#: What a turn began behind the window is over by then: the search index, titles, vectors.
_SETTLE_S = 3.0
_PATIENCE_S = 120.0
_SERVER = Path(__file__).resolve().parent.parent / "action" / "mcp" / "plain_server.py"
TEXTS = (
    "count the words in ~/notes.txt",
    "hello, how are you?",
    "find duplicates in ~/Pictures and then zip the folder",
    "what eats my disk space in ~/Pictures?",
    "write me a poem about the sea",
)


class Paints(QObject):
    """Counts what is painted, by the kind of widget."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.counts[type(watched).__name__] += 1
        return False


class Session:
    """A person who says something, says yes to what is proposed, and waits until it is done."""

    def __init__(self, partner: Partner) -> None:
        self._partner = partner
        self._window = next(each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow))
        self._waiting: list[str] = []
        self._running: set[str] = set()
        self.ran: Counter[str] = Counter()
        self._done = 0
        self._news = asyncio.Event()
        partner.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, DoneEvent):
            self._done += 1
        elif isinstance(event, ProposalEvent):
            self._waiting.append(event.action.id)
            self._running.add(event.action.id)
        elif isinstance(event, ResultEvent):
            self._running.discard(event.action.id)
            self.ran[event.action.status.value] += 1
        self._news.set()

    async def say(self, text: str) -> None:
        """One turn, to the end of what it began."""
        done = self._done
        self._window.page.composer.set_text(text)
        self._window.page.composer.submit()
        async with asyncio.timeout(_PATIENCE_S):
            while self._done == done or self._running:
                self._news.clear()
                while self._waiting:
                    await self._partner.actions.approve(self._waiting.pop(), scope="once")
                await self._news.wait()

    async def look_around(self) -> None:
        """Open every tab of the panel, and stay at the last."""
        for number in (1, 2, 0):
            self._window.show_tab(number)
            await asyncio.sleep(0.5)


async def _server_is_there(partner: Partner) -> None:
    async with asyncio.timeout(_PATIENCE_S):
        while not any(each.phase is ServerPhase.READY for each in partner.servers.list()):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def _spent_s() -> dict[str, float]:
    """Processor seconds of this process and of each below it, by its name."""
    spent = {"": time.process_time()}
    for child in psutil.Process().children(recursive=True):
        try:
            times, name = child.cpu_times(), " ".join(child.cmdline()[:4])
        except psutil.Error:
            continue
        spent[f"{child.pid} {name}"] = times.user + times.system
    return spent


def _rss_bytes() -> int:
    return int(psutil.Process().memory_info().rss)


async def _scenario(partner: Partner) -> dict[str, Any]:
    session = Session(partner)
    await _server_is_there(partner)
    await session.look_around()
    sizes: list[int] = []
    for turn in range(TURNS):
        await session.say(TEXTS[turn % len(TEXTS)])
        await asyncio.sleep(_SETTLE_S if turn in (0, TURNS - 1) else 0.2)
        sizes.append(_rss_bytes())
    await session.look_around()
    await asyncio.sleep(_SETTLE_S)
    app = QApplication.instance()
    assert app is not None
    paints = Paints()
    app.installEventFilter(paints)
    before, begun = _spent_s(), time.perf_counter()
    await asyncio.sleep(QUIET_S)
    took_s, after = time.perf_counter() - begun, _spent_s()
    app.removeEventFilter(paints)
    share = {name: 100 * (spent - before.get(name, 0.0)) / took_s for name, spent in after.items()}
    percent = share.pop("")
    ratio = sizes[-1] / sizes[0]
    return {
        "idle_percent": round(percent, 3),
        "children_percent": {name: round(one, 2) for name, one in share.items()},
        "paints": dict(paints.counts),
        "runs": dict(session.ran),
        "first_turn_mib": round(sizes[0] / 2**20, 1),
        "last_turn_mib": round(sizes[-1] / 2**20, 1),
        "memory_ratio": round(ratio, 3),
        "turns_mib": [round(size / 2**20, 1) for size in sizes],
        "ok": percent <= PERCENT_LIMIT and ratio <= MEMORY_LIMIT,
    }


def _furnish(place: Path) -> None:
    """A user's folder, the shipped samples and a server."""
    user = place / "user"
    (user / "Pictures").mkdir(parents=True)
    (user / "Downloads").mkdir()
    (user / "notes.txt").write_text("one two three\n" * 40)
    for name in ("sea.txt", "wave.txt"):
        (user / "Pictures" / name).write_text("the same\n" * 400)
    shutil.copytree(shipped("action"), place / "action")
    config = {"mcpServers": {"plain": {"command": sys.executable, "args": [str(_SERVER)]}}}
    (place / "action" / "mcp" / "plain.json").write_text(json.dumps(config))
    os.environ["HOME"] = str(user)


def measure() -> dict[str, Any]:
    """The figures, and whether they keep their limits."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        _furnish(Path(place))
        return with_window(Home(Path(place) / "home"), Path(place) / "action", _scenario)
