"""A real Partner in a process of its own that rolls a conversation and dies by SIGKILL at a chosen moment.

    python -m tests.rolling.dying HOME ACTION_DIR CONVERSATION MOMENT

Moments: `question:N` (the Nth summary is asked for), `call:NAME` and `return:NAME` (a function of that name
begins or ends, on whichever thread: the interpreter's own profile hook tells), `told` (the unit is told of).
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import DialogRolledEvent, Event
from partner_desktop.mind.question import A, Question, Summarise
from partner_desktop.mind.starter.mind import StarterMind


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class MortalMind(StarterMind):
    """The starter mind, which dies at a summary."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._left = number

    async def ask(self, question: Question[A]) -> A:
        if isinstance(question, Summarise):
            self._left -= 1
            if self._left == 0:
                die()
        return await super().ask(question)


async def live(home: Path, action_dir: Path, conversation_id: str, moment: str) -> None:
    kind, _, name = moment.partition(":")

    def look(frame: FrameType, event: str, _value: object) -> None:
        if event == kind and frame.f_code.co_name == name:
            die()

    def hear(event: Event) -> None:
        if kind == "told" and isinstance(event, DialogRolledEvent):
            die()

    if kind in ("call", "return"):
        threading.setprofile(look)
    mind = MortalMind(int(name) if kind == "question" else 0)
    partner = Partner(Home(home), action_dir, meaning=False, mind=mind)
    partner.subscribe(hear)
    await partner.launch()
    await partner.memory.roll(conversation_id)
    print("lived on")


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]))
