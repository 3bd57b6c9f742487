"""One Partner, one person who never tires: talk, facts, questions, actions, reminders, new conversations."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import DoneEvent, Event, ProposalEvent, ResultEvent
from partner_desktop.mind.question import ReplyRequest
from tests.long.soak.gauge import Sample, sample
from tests.runtime.minds import ScriptedMind
from tests.support import HastyClock

_PATIENCE_S = 120.0
#: Turns of one conversation, on average.
_TURNS = 40
_STEP = timedelta(minutes=7)
_SCRIPT = """# /// partner
# description = "Measure a word"
# annotations = { readOnlyHint = true }
# [params.word]
# type = "string"
# description = "the word"
# ///
import sys
print(len(sys.argv[1]))
"""


class FastClock(SystemClock):
    """A day is over in two hundred turns."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return super().now() + self.ahead


class Person:
    """Says the next thing, says yes to what is proposed, and waits until it is over."""

    def __init__(self, folder: Path, *, seed: int) -> None:
        self._dice = random.Random(seed)
        self._clock = FastClock()
        self._home = Home(folder / "home")
        actions = folder / "action"
        for part in ("dynamic", "tmp", "mcp/desc"):
            (actions / part).mkdir(parents=True, exist_ok=True)
        (actions / "dynamic" / "measure.py").write_text(_SCRIPT)
        self._mind = ScriptedMind(self._answer)
        self.partner = Partner(
            self._home, actions, meaning=False, mind=self._mind, clock=self._clock, quiet_clock=HastyClock()
        )
        self._done, self._number = 0, 0
        self._waiting: list[str] = []
        self._open: set[str] = set()
        self._news = asyncio.Event()
        self._conversation: str | None = None
        self.kinds: dict[str, int] = {}
        self.ran: dict[str, int] = {}
        self.trouble: list[str] = []

    def _answer(self, request: ReplyRequest) -> Iterable[str]:
        del request
        for number in range(self._dice.randint(8, 40)):
            yield f"word{number} "

    async def launch(self) -> None:
        self.partner.subscribe(self._hear)
        await self.partner.launch()

    def _hear(self, event: Event) -> None:
        if isinstance(event, DoneEvent):
            self._done += 1
        elif isinstance(event, ProposalEvent):
            self._waiting.append(event.action.id)
            self._open.add(event.action.id)
        elif isinstance(event, ResultEvent):
            self._open.discard(event.action.id)
            status = event.action.status.value
            self.ran[status] = self.ran.get(status, 0) + 1
        elif event.type == "error":
            self.trouble.append(repr(event)[:400])
        self._news.set()

    async def turn(self) -> tuple[float, float]:
        """One turn, to the end of what it began; seconds by the clock and of the processor."""
        self._number += 1
        self._clock.ahead += _STEP
        kind, text = self._words()
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if self._conversation is None or self._dice.random() < 1 / _TURNS:
            self._conversation = (await self.partner.conversations.create()).id
        begun_s, begun_cpu_s, done = time.monotonic(), time.process_time(), self._done
        await self.partner.messages.send(text, conversation_id=self._conversation)
        async with asyncio.timeout(_PATIENCE_S):
            while self._done == done or self._open:
                self._news.clear()
                while self._waiting:
                    action_id = self._waiting.pop()
                    try:
                        await self.partner.actions.approve(action_id, scope="once")
                    except PartnerError:
                        self._open.discard(action_id)
                await self._news.wait()
        self._mind.asked.clear()
        self._mind.evaluated.clear()
        return time.monotonic() - begun_s, time.process_time() - begun_cpu_s

    def _words(self) -> tuple[str, str]:
        number = self._number
        return self._dice.choice(
            [
                ("talk", f"hello again, this is number {number} of what I say"),
                ("talk", f"tell me something about the {number % 97}th town on the river"),
                ("talk", f"I was thinking about chapter {number} of the book yesterday evening"),
                ("talk", f"第{number}次散步时我看见了一只鸟"),
                ("fact", f"my colleague Ann{number % 50} works in room {number}"),
                ("fact", f"I paid {number} euros for the bicycle"),
                ("question", f"where does Ann{number % 50} work?"),
                ("question", "what did I say about the bicycle?"),
                ("action", f'measure the word "tea{number}"'),
                ("reminder", f"remind me in 20 minutes to look after pot {number}"),
            ]
        )

    async def look(self) -> Sample:
        """A sample, once nothing is under way."""
        await asyncio.sleep(0.3)
        return await sample(self.partner._parts.core.database)

    async def close(self) -> None:
        await self.partner.close()
