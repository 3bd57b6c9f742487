"""A window on a stage: the one loop runs only while a test lets it, and never longer than five seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from partner_desktop.app import Partner
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.session.session import Session
from partner_desktop.desktop.shortcuts import groups
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.window_change import WindowChange
from partner_desktop.desktop.window_loop import WindowLoop
from partner_desktop.desktop.window_memory import WindowMemory
from partner_desktop.domain.action import ActionRecord
from tests.support import WAIT_S, FakeClock

from .samples import count_action

T = TypeVar("T")

_LOOK_S = 0.005
#: What the window asked of Partner is waited for, but for what goes on longer than a question takes: in
#: turns, since a process that gets little of a busy machine needs as many of them, though not as fast.
_ASKED_TURNS, _ASKED_TURN_S = 50, 0.01
#: The window's own work that has no end.
_ENDLESS = "window:engine status"


class Proposes(Protocol):
    """Something that lets a card appear."""

    def propose(self, record: ActionRecord) -> None: ...


class Behind(Protocol):
    """Something that has a Partner for the window."""

    @property
    def partner(self) -> Partner: ...


class Stage:
    """Owns the loop and whatever window was opened on it."""

    def __init__(self, app: QApplication, theme: Theme, *, now: datetime | None = None) -> None:
        self.theme = theme
        self._app = app
        self.clock = FakeClock(now)
        self._loop = WindowLoop(app)
        asyncio.set_event_loop(self._loop)
        self._sessions: list[Session] = []
        self._windows: list[MainWindow] = []
        self._closing: list[Callable[[], Coroutine[Any, Any, None]]] = []

    @property
    def window(self) -> MainWindow:
        """The window last opened."""
        return self._windows[-1]

    @property
    def session(self) -> Session:
        """The session of the window last opened."""
        return self._sessions[-1]

    def run(self, work: Coroutine[Any, Any, T], *, patience_s: float = WAIT_S) -> T:
        """Run `work` to its end; between two runs nothing of it runs."""
        task: asyncio.Task[T] = self._loop.create_task(asyncio.wait_for(work, patience_s))
        task.add_done_callback(lambda _task: self._loop.stop())
        self._loop.run_forever()
        return task.result()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin `work`; it goes on whenever the loop runs."""
        return self._loop.create_task(work)  # type: ignore[no-any-return] # qasync has no types

    def do(self, act: Callable[[], object]) -> None:
        """Act as the person does, on the running loop, and let what follows follow."""

        async def acting() -> None:
            await self._activate()
            act()
            await rounds()
            while any(one.busy for one in self._app.findChildren(WindowChange)):  # noqa: ASYNC110
                await asyncio.sleep(_LOOK_S)  # another look, or language, goes through the window
            await rounds()
            await answered()

        self.run(acting())

    async def _activate(self) -> None:
        """Between two runs of the loop the offscreen platform forgets which window is active."""
        window = self._windows[-1] if self._windows else None
        if window is not None and window.isVisible() and not window.isActiveWindow():
            window.activateWindow()
            await rounds()

    def until(self, holds: Callable[[], object]) -> None:
        """Let the loop run until something holds."""

        async def looking() -> None:
            while not holds():  # noqa: ASYNC110 - a widget's state has no event to wait for
                await asyncio.sleep(_LOOK_S)

        self.run(looking())

    def settle(self) -> None:
        """Let everything that is due happen."""
        self.do(lambda: None)

    def open(
        self,
        partner: Partner | Behind | None = None,
        *,
        size: tuple[int, int] = (1280, 800),
        memory: WindowMemory | None = None,
    ) -> MainWindow:
        """A window in view; with a partner, attached to it."""
        window = MainWindow(self.theme, clock=self.clock, memory=memory)
        window.install_keys(groups(window))
        self._windows.append(window)
        self._sessions.append(Session(window, clock=self.clock))
        window.resize(*size)
        window.show()
        self.until(lambda: window.painted)
        if partner is not None:
            self.attach(partner)
        return window

    def attach(self, partner: Partner | Behind) -> None:
        """Partner has launched behind the window."""
        self.run(self.session.attach(partner if isinstance(partner, Partner) else partner.partner))
        self.settle()

    def propose(self, where: Proposes, action_id: str = "a1", **facts: object) -> ActionCard:
        """A card in view, past the moment in which it does not listen yet."""
        record = count_action(action_id, **facts)
        self.do(lambda: where.propose(record))
        return self.card(action_id)

    def card(self, action_id: str = "a1") -> ActionCard:
        """A card that is there, in view, past its quiet moment."""
        card = self.window.page.feed.card(action_id)
        assert card is not None
        self.let_listen(card)
        return card

    def let_listen(self, card: ActionCard) -> None:
        """Wait until a card was painted, then past its quiet moment."""
        self.do(lambda: self.window.page.feed.column.ensureWidgetVisible(card))
        self.until(lambda: card.seen)
        self.clock.move(timedelta(seconds=1))

    def closes(self, close: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Have something closed once the windows hear nothing more."""
        self._closing.append(close)

    def close(self) -> None:
        """Take everything away."""
        try:
            for session in self._sessions:
                self.run(session.close())
            for close in self._closing:
                self.run(close())
            windows, self._windows = self._windows, []
            for window in windows:
                window.close()
                window.deleteLater()
            self.settle()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        finally:
            self._loop.close()
            asyncio.set_event_loop(None)


async def answered() -> None:
    """What the window asked of Partner has been answered, and shown."""
    asking = [
        task
        for task in asyncio.all_tasks()
        if task.get_name().startswith(("window:", "usage:")) and task.get_name() != _ENDLESS
    ]
    if not asking:
        return
    for _ in range(_ASKED_TURNS):
        if not (await asyncio.wait(asking, timeout=_ASKED_TURN_S))[1]:
            break
    await rounds()


async def rounds() -> None:
    """A few rounds of the loop: posted events, layouts and tasks that were just started."""
    for _ in range(12):
        await asyncio.sleep(0)
