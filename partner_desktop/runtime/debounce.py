"""Debounce: how long a turn waits for the person to go on; what is said in pieces is answered once."""

from __future__ import annotations

import asyncio

from partner_desktop.base.clock import Clock
from partner_desktop.config.handle import ConfigHandle
from partner_desktop.runtime.conversation_queue import ConversationQueue, Turn
from partner_desktop.runtime.settings import RuntimeSettings

#: How many windows a turn waits in all for the person to finish: a flood must not starve it.
_MOST_WINDOWS = 10
#: Seconds that count as none: sums of seconds are not exact.
_NONE_S = 1e-6


class Debounce:
    """Measured by a clock of their own: a test that holds time still would never see a turn end."""

    def __init__(self, settings: ConfigHandle[RuntimeSettings], clock: Clock) -> None:
        self._settings = settings
        self._clock = clock

    @property
    def _window_s(self) -> float:
        return self._settings.value.debounce_window_ms / 1000

    async def more_comes(self, queue: ConversationQueue, turn: Turn) -> bool:
        """Give the person the rest of the window to go on; nothing that waits is kept waiting for that."""
        while not (turn.stopping or turn.closed):
            turn.news.clear()
            if turn.has_more:
                return True
            left_s = turn.latest_s + self._window_s - self._clock.monotonic_s()
            if left_s <= _NONE_S or queue.waiting:
                turn.closed = True
            else:
                await self._pause(turn, left_s)
        return False

    async def quiet(self, turn: Turn) -> None:
        """Wait until nothing was said for a window, within the time that a turn may wait in all."""
        while not turn.stopping:
            turn.news.clear()
            now_s, most_s = self._clock.monotonic_s(), _MOST_WINDOWS * self._window_s
            left_s = min(turn.latest_s + self._window_s - now_s, most_s - turn.waited_s)
            if most_s - turn.waited_s <= _NONE_S:
                turn.closed = True
            if left_s <= _NONE_S:
                return
            await self._pause(turn, left_s)
            turn.waited_s += self._clock.monotonic_s() - now_s

    async def _pause(self, turn: Turn, delay_s: float) -> None:
        """Until the time is up or something happens."""
        loop = asyncio.get_running_loop()
        both = {
            loop.create_task(self._clock.sleep(delay_s), name="pause"),
            loop.create_task(turn.news.wait(), name="news"),
        }
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            await asyncio.wait(both)
