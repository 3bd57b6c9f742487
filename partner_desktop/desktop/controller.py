"""What every part of the window that knows Partner begins with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.work import Work
from partner_desktop.domain.events import Event

if TYPE_CHECKING:
    from partner_desktop.app import Partner


class Controller:
    """One window's. There is no Partner until it has launched; `_begin` and `_deliver` are what it brings."""

    def __init__(self, window: MainWindow, work: Work) -> None:
        self._window = window
        self._work = work
        self._partner: Partner | None = None
        self._undo: Callable[[], None] | None = None

    def listen(self, partner: Partner) -> None:
        """Partner is there: take everything from now on."""
        self._partner = partner
        self._undo = partner.subscribe(self._deliver)
        self._begin(partner)

    def ignore(self) -> None:
        """Take nothing more."""
        if self._undo is not None:
            self._undo()
            self._undo = None

    def _begin(self, partner: Partner) -> None:
        """Look at what there is."""

    def _deliver(self, event: Event) -> None:
        """Something happened."""
