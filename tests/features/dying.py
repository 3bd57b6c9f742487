"""A real Partner in a process of its own that dies by SIGKILL at a chosen moment.

    python -m tests.features.dying HOME ACTION_DIR MOMENT TEXT

Moments: `understanding` (the turn began), `reply` (its first words came), `card` (the same, and nothing is
approved), `result` (an outcome is being told), `answered` (the reply is whole, its end not yet heard of),
`never` (it ends as a command does), `file:PATH` (a line stands in that file).
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Never

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import Event, ReplyEvent
from partner_desktop.domain.evidence import Finished
from partner_desktop.mind.question import A, EvaluateIntent, Question, ReplyRequest
from partner_desktop.mind.starter.matcher import WordMatcher
from partner_desktop.mind.starter.mind import StarterMind
from partner_desktop.permission.request import ApprovalMode


def die() -> Never:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


class MortalMind(StarterMind):
    """The starter mind, which dies where it is told to."""

    def __init__(self, moment: str) -> None:
        super().__init__(matcher=WordMatcher(), pace_s=0)
        self._moment = moment

    async def ask(self, question: Question[A]) -> A:
        if self._moment == "understanding" and isinstance(question, EvaluateIntent):
            die()
        return await super().ask(question)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        if self._moment == "result" and any(isinstance(fact, Finished) for fact in request.evidence):
            die()
        async for piece in super().reply(request):
            yield piece
            if self._moment in ("reply", "card"):
                die()


async def live(home: Path, action_dir: Path, moment: str, text: str) -> None:
    partner = Partner(Home(home), action_dir, mind=MortalMind(moment), meaning=False)

    def hear(event: Event) -> None:
        if moment == "answered" and isinstance(event, ReplyEvent) and event.done:
            die()

    partner.subscribe(hear)
    await partner.launch()
    if text:
        standing = ApprovalMode.ASK if moment == "card" else ApprovalMode.ALL
        await partner.messages.send(text, conversation_id=None, standing=standing)
    if moment.startswith("file:"):
        while not _has_line(Path(moment[5:])):  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
        die()
    if moment != "never":
        await asyncio.sleep(30)
    await partner.idle()
    await partner.close()


def _has_line(path: Path) -> bool:
    return path.exists() and "\n" in path.read_text()


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]))
