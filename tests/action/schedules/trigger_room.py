"""Folders that files land in, and what is to be done with them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.domain.events import Event, MessageEvent, SchedulesEvent
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.plan import StepInput
from partner_desktop.domain.schedule import LANDED, FileLands, Firing, MissedPolicy, Schedule, Terms
from tests.action.schedules.schedule_room import of, proposed, yes
from tests.support import WAIT_S, FakeClock

#: A file stands still for so long before it is whole.
STILL = timedelta(seconds=1.1)
#: How long a real watcher gets to tell of what is on the disk before the clock goes on.
_BEAT_S = 0.05
#: Shorter naps are of others.
_SHORT_S = 0.9
ENDED = ("done", "failed", "refused", "called_off", "skipped", "missed")


def lands(folder: Path, pattern: str = "*", *, missed: MissedPolicy = "once", message: str = "") -> Terms:
    """Whenever a file comes into a folder."""
    return Terms(lands=FileLands(str(folder), pattern), missed=missed, message=message)


async def moving(
    partner: Partner, folder: Path, target: Path, pattern: str = "*", *, missed: MissedPolicy = "once"
) -> Schedule:
    """What lands in a folder is moved to another one: approved on its card."""
    evidence = await proposed(
        partner,
        lands(folder, pattern, missed=missed),
        [{"target": str(target)}],
        key="builtin::files::move",
        feeds=[StepInput("source", LANDED)],
    )
    assert isinstance(evidence, Proposed), evidence
    return await yes(partner, evidence.action)


class Landings:
    """Puts files down and lets the clock go on, until what is waited for is so."""

    def __init__(self, partner: Partner, clock: FakeClock) -> None:
        self._partner = partner
        self._clock = clock
        self._news = asyncio.Event()
        partner.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, SchedulesEvent | MessageEvent):
            self._news.set()

    async def step(self, span: timedelta = STILL) -> None:
        """Let some time pass, once nothing was told for a moment: the watchers have their turn."""
        try:
            async with asyncio.timeout(_BEAT_S):
                await self._news.wait()
            self._news.clear()
        except TimeoutError:
            self._clock.move(span)

    async def fired(
        self, schedule: Schedule, count: int = 1, *, span: timedelta = STILL, states: Sequence[str] = ENDED
    ) -> list[Firing]:
        """So many firings that have come to their end, the oldest first."""
        async with asyncio.timeout(WAIT_S * 3):
            while True:
                found = await self._partner.schedules.history(schedule.id, limit=1_000)
                over = [one for one in found if one.state in states]
                if len(over) >= count:
                    return over[::-1]
                await self.step(span)

    async def fired_or_stopped(self, schedule: Schedule, count: int) -> None:
        """Wait until there are so many firings that are over, or it is stopped. While one goes on the clock
        stands still: what comes is noticed right behind its end, however slow the machine is.
        """
        async with asyncio.timeout(WAIT_S * 3):
            while (await of(self._partner, schedule.id)).state == "armed":
                found = await self._partner.schedules.history(schedule.id, limit=1_000)
                over = sum(one.state in ENDED for one in found)
                if over >= count:
                    return
                await self.step(timedelta(seconds=0 if over < len(found) else 5))

    async def seen(self) -> None:
        """Wait, while the clock stands still, until the watcher waits for a new file to stand still."""
        async with asyncio.timeout(WAIT_S):
            while not any(_SHORT_S < nap_s < STILL.total_seconds() for nap_s in self._clock.naps()):
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_BEAT_S):
                        await self._news.wait()
                    self._news.clear()

    async def pass_by(self, looks: int = 4) -> None:
        """Let so many looks go by, and all that came of them end."""
        end = self._clock.now() + STILL * looks
        async with asyncio.timeout(WAIT_S):
            while self._clock.now() < end:
                await self.step()
        await self._partner.settled()

    async def said(self, schedule: Schedule, words: str) -> int:
        """How often this was said in its conversation, once it was."""
        async with asyncio.timeout(WAIT_S):
            while not (count := await self.times_said(schedule, words)):
                await self.step()
        return count

    async def times_said(self, schedule: Schedule, words: str) -> int:
        """How often this was said in its conversation."""
        said = await self._partner.messages.list(schedule.conversation_id)
        return sum(words in one.text for one in said)
