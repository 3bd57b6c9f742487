"""Keeps a decision from being made by a click or a key that was meant for something else.

A card that has just appeared, or has just changed what it asks, does not listen for a moment. The moment
begins when the card is painted, not when it was made: what could not be seen cannot be meant. A press counts
only where the button has stood still for as long: what grows above it must not put it under the pointer.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.parts.controls import prepare_button
from partner_desktop.desktop.wording import LazyText, bind_text

QUIET_S = 0.4
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ClickGuard:
    """Open once the card has been in view for `QUIET_S`; steady once its buttons have stood for as long."""

    def __init__(self, clock: Clock, place: Callable[[], QPoint] = QPoint) -> None:
        """`place`: where the buttons stand in the window now."""
        self._clock = clock
        self._where = place
        self._seen_s: float | None = None
        self._place: QPoint | None = None
        self._still_since_s = 0.0
        self.unseen = ""
        """Why there cannot be a yes yet: what of the card was not in view. Empty: all of it was."""

    def arm(self) -> None:
        """What is asked has changed: begin anew."""
        self._seen_s = None

    def seen(self) -> None:
        """The card is in view."""
        if self._seen_s is None:
            self._seen_s = self._clock.monotonic_s()
            self.look()

    def look(self) -> None:
        """Note where the buttons are; call it when they may have moved."""
        place = self._where()
        if place != self._place:
            self._place, self._still_since_s = place, self._clock.monotonic_s()

    @property
    def was_seen(self) -> bool:
        """Whether what is asked now has been in view."""
        return self._seen_s is not None

    @property
    def open(self) -> bool:
        """Whether a decision made now is meant."""
        return self._seen_s is not None and self._clock.monotonic_s() - self._seen_s >= QUIET_S

    @property
    def steady(self) -> bool:
        """Whether a press made now is meant for what stands under the pointer."""
        self.look()
        return self.open and self._clock.monotonic_s() - self._still_since_s >= QUIET_S


class GuardedButton(QPushButton):
    """A button that decides. It hears nothing while the guard is closed, and no key that is held down.

    `stops`: it only ends something, so it may be pressed while the card moves.
    """

    def __init__(
        self, guard: ClickGuard, text: LazyText, look: str, *, name: LazyText, stops: bool = False
    ) -> None:
        super().__init__()
        bind_text(self, self.setText, text)
        self._guard = guard
        self._stops = stops
        prepare_button(self, look, name=name)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._guard.open if self._stops else self._guard.steady:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat() or not self._guard.open:
            event.accept()
        elif event.key() in _ENTER:
            event.accept()
            self.click()
        else:
            super().keyPressEvent(event)
