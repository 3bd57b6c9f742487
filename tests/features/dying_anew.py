"""A real Partner in a process of its own that dies by SIGKILL while something is begun anew.

    python -m tests.features.dying_anew HOME ACTION_DIR VERB MOMENT

It says "hello there", hears the answer, and then does VERB (`regenerate`, `edit`). Moments: `kept` (it is on
the disk, and nobody has heard of it), `reply` (the first words of the new answer came).
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import DoneEvent, Event, TakeEvent
from partner_desktop.domain.message import Role
from partner_desktop.mind.question import ReplyRequest
from partner_desktop.mind.starter.matcher import WordMatcher
from partner_desktop.mind.starter.mind import StarterMind
from tests.features.dying import die


class SecondAnswer(StarterMind):
    """The starter mind, which dies with the first words of its second answer where it is told to."""

    def __init__(self, *, dies: bool) -> None:
        super().__init__(matcher=WordMatcher(), pace_s=0)
        self._dies = dies
        self._answers = 0

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        self._answers += 1
        async for piece in super().reply(request):
            yield piece
            if self._dies and self._answers == 2:
                die()


async def live(home: Path, action_dir: Path, verb: str, moment: str) -> None:
    partner = Partner(Home(home), action_dir, mind=SecondAnswer(dies=moment == "reply"), meaning=False)
    over = asyncio.Event()

    def hear(event: Event) -> None:
        if isinstance(event, DoneEvent):
            over.set()
        if isinstance(event, TakeEvent) and moment == "kept":
            die()

    partner.subscribe(hear)
    await partner.launch()
    said = await partner.messages.send("hello there", conversation_id=None)
    await over.wait()
    answer = next(
        one for one in await partner.messages.list(said.conversation_id) if one.role is Role.PARTNER
    )
    if verb == "edit":
        await partner.messages.edit(said.id, "good morning")
    else:
        await partner.messages.regenerate(answer.id)
    await asyncio.sleep(30)


if __name__ == "__main__":
    asyncio.run(live(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]))
