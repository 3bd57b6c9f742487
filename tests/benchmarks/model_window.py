"""`model_window`: 200 tokens a second into the real window, at 1 kB of text, at 1 MB, in the hardest shapes.

The real window around a real Partner, whose mind writes Markdown: so the once-a-second checkpoints of the
reply, its end and the search index are in it. What is measured is how late the loop's beats come; the same
beats of the idle window, in the same run, say how much of that is the machine's own.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, Self

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home, shipped
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.events import DoneEvent, Event, ReplyEvent
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.matcher import WordMatcher
from partner_desktop.mind.starter.mind import StarterMind
from tests.benchmarks.figures import percentile
from tests.benchmarks.open_window import with_window
from tests.benchmarks.streamed import Source

LIMIT_MS = 16.0
TOKENS_PER_S = 200
#: Characters that stand in the reply before its tokens are counted.
LONG = 1_000_000
#: Shape → characters; each as long as nobody wants it.
HARD = {
    "code": LONG,
    "paragraph": 300_000,
    "lines": 300_000,
    "table": 300_000,
    "list": 700_000,
    "quote": 300_000,
}
SHORT_REPLIES, SHORT_TOKENS = 6, 260
LONG_S, HARD_S, IDLE_S = 10.0, 5.0, 5.0
#: Finer than the app's own heartbeat, so that two frames in a row are told apart.
_BEAT_S = 0.005
_PATIENCE_S = 300.0


class WritingMind(StarterMind):
    """Writes so much at once, waits for `go`, and writes on at its pace until the time is over."""

    def __init__(self) -> None:
        super().__init__(matcher=WordMatcher(), pace_s=0)
        self.shape, self.bulk, self.tokens = "mixed", 0, 0
        self.written, self.go = asyncio.Event(), asyncio.Event()
        self.paced, self.end = asyncio.Event(), asyncio.Event()

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        source = Source(self.shape)
        for piece in source.bulk(self.bulk):
            yield piece
            await asyncio.sleep(0.002)
        self.written.set()
        await self.go.wait()
        begun = time.perf_counter()
        for number, token in zip(range(self.tokens), source.tokens(), strict=False):
            await asyncio.sleep(max(0.0, begun + number / TOKENS_PER_S - time.perf_counter()))
            yield token
        self.paced.set()
        await self.end.wait()


class Pulse:
    """How late each beat of the loop comes, while it beats."""

    def __init__(self) -> None:
        self.gaps_ms: list[float] = []
        self.busy_ms: list[float] = []
        """What this thread itself computed between two beats: the same on a machine that others share."""

    async def __aenter__(self) -> Self:
        self._task = asyncio.get_running_loop().create_task(self._beat(), name="pulse")
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()

    async def _beat(self) -> None:
        while True:
            due, busy = time.perf_counter() + _BEAT_S, time.thread_time()
            await asyncio.sleep(_BEAT_S)
            self.gaps_ms.append(max(0.0, time.perf_counter() - due) * 1000)
            self.busy_ms.append((time.thread_time() - busy) * 1000)

    def figures(self) -> dict[str, Any]:
        return {
            "p50_ms": round(percentile(self.gaps_ms, 50), 2),
            "p99_ms": round(percentile(self.gaps_ms, 99), 2),
            "max_ms": round(max(self.gaps_ms), 1),
            "busy_p99_ms": round(percentile(self.busy_ms, 99), 2),
            "busy_max_ms": round(max(self.busy_ms), 1),
        }


class Repaints(QObject):
    """Counts the pictures that a window puts on the screen."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.count = 0
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.UpdateRequest
        return False


class Bench:
    """One window, one Partner, one mind that writes."""

    def __init__(self, partner: Partner, mind: WritingMind) -> None:
        self.partner, self.mind = partner, mind
        window = next(each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow))
        self.window, self.feed = window, window.page.feed
        self.repaints = Repaints(window)
        self.over, self.pieces = asyncio.Event(), 0
        partner.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, ReplyEvent):
            self.pieces += bool(event.content)
        elif isinstance(event, DoneEvent):
            self.over.set()

    async def ask(self, conversation_id: str, *, shape: str = "mixed", bulk: int = 0, tokens: int) -> None:
        """A reply begins, and stands there with what was written at once."""
        mind = self.mind
        mind.shape, mind.bulk, mind.tokens = shape, bulk, tokens
        for event in (mind.written, mind.go, mind.paced, mind.end, self.over):
            event.clear()
        await self.partner.messages.send("Tell me more of it, please.", conversation_id=conversation_id)
        await _within(mind.written.wait())
        await self.drawn()
        await asyncio.sleep(0.3)

    async def drawn(self) -> None:
        """Until the window shows what it has."""
        while self.feed.drawing or any(view.reader.busy for view in self.replies):  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    @property
    def replies(self) -> list[ReplyView]:
        """Those that are shown, not those that are being taken down."""
        return [entry.widget for entry in self.feed.entries if isinstance(entry.widget, ReplyView)]

    async def paced(self) -> dict[str, Any]:
        """The tokens, one by one."""
        repaints, pieces, begun = self.repaints.count, self.pieces, time.perf_counter()
        async with Pulse() as pulse:
            self.mind.go.set()
            await _within(self.mind.paced.wait())
        took_s = time.perf_counter() - begun
        return pulse.figures() | {
            "pieces_per_s": round((self.pieces - pieces) / took_s),
            "repaints_per_s": round((self.repaints.count - repaints) / took_s),
            "_pulse": pulse,
        }

    async def ended(self) -> dict[str, Any]:
        """The reply is whole: its last event, its row and the index."""
        async with Pulse() as pulse:
            self.mind.end.set()
            await _within(self.over.wait())
            await self.drawn()
            await asyncio.sleep(0.3)
        return pulse.figures()

    async def opened(self, conversation_id: str, reopen: Callable[[str], object]) -> dict[str, Any]:
        """Leave the conversation and come back to it."""
        other = await self.partner.conversations.create()
        async with Pulse() as left:
            reopen(other.id)
            await asyncio.sleep(2.0)
        begun = time.perf_counter()
        async with Pulse() as pulse:
            reopen(conversation_id)
            await _within(self._shown())
            took_s = time.perf_counter() - begun
            await asyncio.sleep(0.3)
        return pulse.figures() | {
            "left_max_ms": left.figures()["max_ms"],
            "left_busy_ms": left.figures()["busy_max_ms"],
            "whole_s": round(took_s, 1),
        }

    async def _shown(self) -> None:
        while not self.replies:  # noqa: ASYNC110 - a widget has no event to wait for
            await asyncio.sleep(0.01)
        await self.drawn()


async def _within(wait: Awaitable[object]) -> None:
    async with asyncio.timeout(_PATIENCE_S):
        await wait


def _rss_mb() -> int:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) // 1024


async def _fresh(bench: Bench) -> str:
    """A conversation of its own, in view."""
    conversation = await bench.partner.conversations.create()
    bench.window.sidebar.conversation_chosen.emit(conversation.id)
    await asyncio.sleep(0.5)
    return conversation.id


async def _short(bench: Bench) -> dict[str, Any]:
    """Short replies one after the other, their beginnings and ends in it."""
    conversation = await _fresh(bench)
    whole = Pulse()
    figures: dict[str, Any] = {}
    for _ in range(SHORT_REPLIES):
        await bench.ask(conversation, tokens=SHORT_TOKENS)
        figures = await bench.paced()
        pulse = figures.pop("_pulse")
        whole.gaps_ms += pulse.gaps_ms
        whole.busy_ms += pulse.busy_ms
        await bench.ended()
    return figures | whole.figures()


async def _long(bench: Bench, shape: str, size: int, seconds: float) -> dict[str, Any]:
    conversation = await _fresh(bench)
    before_mb, begun = _rss_mb(), time.perf_counter()
    async with Pulse() as bulk:
        await bench.ask(conversation, shape=shape, bulk=size, tokens=int(seconds * TOKENS_PER_S))
    shown_s = time.perf_counter() - begun
    figures = await bench.paced()
    del figures["_pulse"]
    figures |= {f"bulk_{name}": value for name, value in bulk.figures().items()} | {
        "bulk_s": round(shown_s, 1)
    }
    figures |= {f"end_{name}": value for name, value in (await bench.ended()).items()}
    figures["grown_mb"] = _rss_mb() - before_mb
    reopened = await bench.opened(conversation, bench.window.sidebar.conversation_chosen.emit)
    return figures | {f"open_{name}": value for name, value in reopened.items()}


async def _scenario(partner: Partner, mind: WritingMind) -> dict[str, Any]:
    bench = Bench(partner, mind)
    async with Pulse() as idle:
        await asyncio.sleep(IDLE_S)
    parts = {
        "idle": idle.figures(),
        "1kB": await _short(bench),
        "1MB": await _long(bench, "mixed", LONG, LONG_S),
    }
    for shape, size in HARD.items():
        parts[shape] = await _long(bench, shape, size, HARD_S)
    return _flat(parts)


def _flat(parts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    noise_ms = max(parts["idle"]["p99_ms"], 0.1)
    figures = {f"{part}_{name}": value for part, values in parts.items() for name, value in values.items()}
    for part in parts:
        figures[f"{part}_to_idle"] = round(parts[part]["p99_ms"] / noise_ms, 1)
    figures["ok"] = all(values["p99_ms"] <= LIMIT_MS for values in parts.values())
    return figures


def measure() -> dict[str, Any]:
    """The figures, and whether the beats keep their limit (p99 at most 16 ms) while tokens come."""
    mind = WritingMind()
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        home, action_dir = Home(Path(place) / "home"), Path(place) / "action"
        shutil.copytree(shipped("action"), action_dir)
        return with_window(home, action_dir, lambda partner: _scenario(partner, mind), mind=mind)
