"""Runs what buttons and events ask for, and sees to it that nothing fails in silence.

Contract: every piece of work is a named task of one TaskSet; a PartnerError becomes its sentence, anything
else the general sentence and a log entry; closing cancels and awaits what still runs. After closing, asking
for work does nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from partner_desktop.base.errors import PartnerError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.desktop.notices import Notices


class Work:
    """The window's tasks."""

    def __init__(self, notices: Notices) -> None:
        self._notices = notices
        self._tasks = TaskSet("window", on_error=notices.unexpected)
        self._closed = False

    def start(
        self, name: str, work: Coroutine[Any, Any, object], *, on_fault: Callable[[str], None] | None = None
    ) -> None:
        """Run `work`; `on_fault` takes the sentence of a PartnerError instead of a toast."""
        self.begin(name, work, on_fault=on_fault)

    def begin(
        self, name: str, work: Coroutine[Any, Any, object], *, on_fault: Callable[[str], None] | None = None
    ) -> asyncio.Task[None] | None:
        """The same for what can be given up: returns the task, or `None` where nothing can be begun."""
        if self._closed or not _loop_runs():
            work.close()
            return None
        task = self._tasks.start(name, self._told(work, on_fault or self._notices.fault))
        task.add_done_callback(lambda _: work.close())  # one that was cancelled before it began
        return task

    async def _told(self, work: Coroutine[Any, Any, object], tell: Callable[[str], None]) -> None:
        try:
            await work
        except PartnerError as error:
            tell(str(error))

    async def close(self) -> None:
        """End everything."""
        self._closed = True
        await self._tasks.close()


def _loop_runs() -> bool:
    """Qt may deliver a last event when the loop has ended; nothing can be begun then."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
