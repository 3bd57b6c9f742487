"""`history`: a conversation of 10,000 messages beside one of ten, and one of 100 MB, in the real window.

Both have the same kinds of messages: what a person says, answers with code and tables, cards of what ran.
`open_ratio` is how long the large one takes to stand there whole beside a small one whose last page is as
full (its newest page), each opened in turn; `ten_ms` is one of ten messages, for those who wonder. Then the
large one is scrolled to its beginning and back, page by page: `scroll_*` is how late the loop's beats come
meanwhile, `idle_*` the machine's own. `heavy_grown_mb` is what the process grows by while 100 MB of talk are
opened and scrolled through by a tenth.
"""

from __future__ import annotations

import asyncio
import gc
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped] # has no types
from PySide6.QtWidgets import QApplication

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home, shipped
from partner_desktop.desktop.session.history import PAGE
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import record_to_text
from partner_desktop.mind.starter.matcher import WordMatcher
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.storage import search_text
from tests.benchmarks.model_window import Pulse
from tests.benchmarks.open_window import with_window
from tests.benchmarks.streamed import Source

MANY, FEW = 10_000, 10
HEAVY, HEAVY_CHARACTERS = 2_000, 50_000
ROUNDS = 7
OPEN_RATIO, SCROLL_P99_MS, GROWN_MB = 1.3, 16.0, 60
_FIRST_DAY = datetime(2025, 1, 1, 9, tzinfo=UTC)
_PATIENCE_S = 240.0


def measure() -> dict[str, Any]:
    """The figures, and whether they keep their limits."""
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        home, action_dir = Home(Path(place) / "home"), Path(place) / "action"
        shutil.copytree(shipped("action"), action_dir)
        fill(
            home,
            action_dir,
            {
                "few": (FEW, 0),
                "page": (PAGE, 0),
                "many": (MANY, 0),
                "heavy": (HEAVY, HEAVY_CHARACTERS),
            },
            remembered=False,
        )
        mind = StarterMind(matcher=WordMatcher(), pace_s=0)
        return with_window(home, action_dir, _scenario, mind=mind)


async def _begin(home: Home, action_dir: Path) -> None:
    partner = Partner(home, action_dir, kind="window", meaning=False)
    await partner.launch()
    await partner.close()


def fill(
    home: Home, action_dir: Path, conversations: dict[str, tuple[int, int]], *, remembered: bool = True
) -> None:
    """A new home with conversations: name → messages, and characters of each answer (0: some hundreds).

    Without `remembered` nobody tells the memory that they are new: reading 100 MB is another benchmark's.
    """
    asyncio.run(_begin(home, action_dir))
    with sqlite3.connect(home.database) as db:
        search_text.install(db)
        told = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'memory_changes'"
        before = db.execute(told).fetchone()[0]
        for name, (count, characters) in conversations.items():
            _add_conversation(db, name, count, characters)
        if not remembered:
            db.execute("DELETE FROM memory_changes WHERE number > ?", (before,))
            db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'memory_changes'", (before,))
    db.close()


def _add_conversation(db: sqlite3.Connection, name: str, count: int, characters: int) -> None:
    moment = _FIRST_DAY.isoformat()
    db.execute(
        "INSERT INTO conversations (id, title, created_at, updated_at) VALUES (?, ?, ?, ?)",
        (name, f"Talk of {name}", moment, moment),
    )
    answer = "".join(Source("mixed").bulk(characters or 900))
    for number in range(count):
        at = _FIRST_DAY + timedelta(minutes=20 * number)
        role = ("user", "partner")[number % 2] if number % 10 else "action"
        text = {"user": f"And what about number {number}?", "partner": answer, "action": ""}[role]
        action_id = f"{name}-{number}" if role == "action" else ""
        if action_id:
            _add_action(db, name, action_id, at)
        db.execute(
            "INSERT INTO messages (id, conversation_id, role, text, state, action_id, created_at) "
            "VALUES (?, ?, ?, ?, 'done', ?, ?)",
            (f"{name}-m{number}", name, role, text, action_id, at.isoformat()),
        )


def _add_action(db: sqlite3.Connection, conversation_id: str, action_id: str, at: datetime) -> None:
    record = ActionRecord(
        id=action_id,
        conversation_id=conversation_id,
        exchange_id="",
        key="builtin::time::now",
        title="What time it is",
        description="The time now",
        params={"zone": "UTC"},
        schema={"type": "object", "properties": {"zone": {"type": "string", "title": "Zone"}}},
        status=ActionStatus.SUCCEEDED,
        created_at=at,
        content_hash="",
    )
    db.execute(
        "INSERT INTO actions (id, conversation_id, key, status, created_at, record) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (action_id, conversation_id, record.key, record.status.value, at.isoformat(), record_to_text(record)),
    )


class Reader:
    """Hands and eyes on the window."""

    def __init__(self) -> None:
        tops = QApplication.topLevelWidgets()
        self.window = next(each for each in tops if isinstance(each, MainWindow))
        self.feed = self.window.page.feed

    async def open(self, conversation_id: str, count: int) -> float:
        """Milliseconds until so many of its messages stand there, drawn."""
        begun = time.perf_counter()
        self.window.sidebar.conversation_chosen.emit(conversation_id)
        await self.until(lambda: len(self.positions) >= count and not self.feed.drawing)
        return (time.perf_counter() - begun) * 1000

    @property
    def positions(self) -> list[int]:
        return [entry.whole_position for entry in self.feed.entries if entry.whole_position]

    async def until(self, holds: Any) -> None:  # Any: a condition of a moment
        async with asyncio.timeout(_PATIENCE_S):
            while not holds():  # noqa: ASYNC110 - a widget has no event to wait for
                await asyncio.sleep(0.002)

    async def leave(self) -> None:
        self.window.sidebar.new_pressed.emit()
        await asyncio.sleep(0.5)

    async def scroll(self, *, up: bool, pages: int) -> int:
        """So many pages in that direction, by a finger on the wheel; how many came."""
        bar, came = self.feed.column.verticalScrollBar(), 0
        while came < pages:
            before = self.positions
            for step in self._steps(bar.value(), bar.minimum() if up else bar.maximum()):
                bar.setValue(step)
                await asyncio.sleep(0.008)
                if self.positions != before:
                    break
            if self.positions == before:
                try:
                    await asyncio.wait_for(self.until(lambda before=before: self.positions != before), 5)
                except TimeoutError:
                    break
            await self.until(lambda: not self.feed.drawing)
            came += 1
        return came

    @staticmethod
    def _steps(start: int, end: int) -> Iterator[int]:
        step = 240 if end > start else -240
        yield from range(start, end, step)
        yield end


async def _scenario(_partner: Partner) -> dict[str, Any]:
    reader = Reader()
    took: dict[str, list[float]] = {"few": [], "page": [], "many": []}
    for number in range(ROUNDS + 1):
        for name, count in (("few", FEW), ("page", PAGE), ("many", PAGE)):
            await reader.leave()
            seconds = await reader.open(name, count)
            if number:  # the first warms everything
                took[name].append(seconds)
    async with Pulse() as idle:
        await asyncio.sleep(3.0)
    async with Pulse() as pulse:
        up = await reader.scroll(up=True, pages=MANY // PAGE // 10)
        down = await reader.scroll(up=False, pages=up)
    await reader.leave()
    grown = await _heavy(reader)
    many, page = statistics.median(took["many"]), statistics.median(took["page"])
    figures: dict[str, Any] = {
        "ten_ms": round(statistics.median(took["few"]), 1),
        "page_ms": round(page, 1),
        "many_ms": round(many, 1),
        "open_ratio": round(many / page, 2),
        "scrolled_pages": up + down,
        "heavy_grown_mb": grown,
    }
    figures |= {f"scroll_{name}": value for name, value in pulse.figures().items()}
    figures |= {f"idle_{name}": value for name, value in idle.figures().items()}
    figures["ok"] = (
        figures["open_ratio"] <= OPEN_RATIO
        and figures["scroll_p99_ms"] <= SCROLL_P99_MS
        and grown <= GROWN_MB
    )
    return figures


async def _heavy(reader: Reader) -> int:
    gc.collect()
    before = psutil.Process().memory_info().rss
    await reader.open("heavy", PAGE)
    await reader.scroll(up=True, pages=HEAVY // PAGE // 10)
    return int((psutil.Process().memory_info().rss - before) // 2**20)
