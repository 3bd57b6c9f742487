"""Runs what buttons and events ask for, and sees to it that nothing fails in silence.

Contract: every piece of work is a named task of one TaskSet; a PartnerError becomes its sentence, anything
else the general sentence and a log entry; closing cancels and awaits what still runs. After closing, asking
for work does nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.base.errors import PartnerError
from partner_desktop.base.tasks import TaskSet
from partner_desktop.desktop.notices import Notices
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.events import Event

if TYPE_CHECKING:
    from partner_desktop.app import Partner


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


class Controller:
    """One window's. There is no Partner until it has launched; `_begin` and `deliver` are what it brings."""

    def __init__(self, window: MainWindow, work: Work) -> None:
        self._window = window
        self._work = work
        self._partner: Partner | None = None
        self._undo: Callable[[], None] | None = None

    def listen(self, partner: Partner) -> None:
        """Partner is there: take everything from now on."""
        self._partner = partner
        self._undo = partner.subscribe(self.deliver)
        self._begin(partner)

    def ignore(self) -> None:
        """Take nothing more."""
        if self._undo is not None:
            self._undo()
            self._undo = None

    def _request(
        self,
        name: str,
        act: Callable[[Partner], Coroutine[Any, Any, object]],
        *,
        on_fault: Callable[[str], None] | None = None,
    ) -> None:
        """Have something done; while there is no Partner, nothing can be."""
        if self._partner is not None:
            self._work.start(name, act(self._partner), on_fault=on_fault)

    def _begin(self, partner: Partner) -> None:
        """Look at what there is."""

    def deliver(self, event: Event) -> None:
        """Something happened."""
