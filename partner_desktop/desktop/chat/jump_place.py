"""Where the button to the latest floats: at the bottom of the view, but never over a card's buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import QObject, QPoint, QRect, QTimer
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QWidget

_BELOW_PX = 42
_APART_PX = 6


class JumpPlace(QObject):
    """Places `jump` over `column`, anew when the column moves; `cards` is asked each time."""

    def __init__(self, jump: QWidget, column: QScrollArea, cards: Callable[[], Iterable[QWidget]]) -> None:
        super().__init__(jump)
        self._jump = jump
        self._column = column
        self._cards = cards
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.place)
        bar = column.verticalScrollBar()
        bar.valueChanged.connect(self.place_soon)
        bar.rangeChanged.connect(self.place_soon)

    def place_soon(self) -> None:
        """Once what moves has its place."""
        if not self._jump.isHidden():
            self._soon.start()

    def place(self) -> None:
        """At the bottom, or above the buttons that are there."""
        size, room = self._jump.sizeHint(), self._column.size()
        lowest = QRect(QPoint((room.width() - size.width()) // 2, room.height() - _BELOW_PX), size)
        spot = QRect(lowest)
        while covered := [each for each in self._buttons() if each.intersects(spot)]:
            spot.moveBottom(min(each.top() for each in covered) - _APART_PX)
        self._jump.setGeometry(spot if spot.top() > 0 else lowest)
        self._jump.raise_()

    def _buttons(self) -> Iterator[QRect]:
        for card in self._cards():
            if card.isVisible() and not card.visibleRegion().isEmpty():
                for button in card.findChildren(QAbstractButton):
                    if button.isVisible():
                        yield QRect(button.mapTo(self._column, QPoint(0, 0)), button.size())
