"""What lies between the window and a sheet over it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

_SHADE = QColor(0, 0, 0, 56)


class Veil(QWidget):
    """Takes the click that is meant to close what lies over it. `pressed()`. With `dims` it is seen."""

    pressed = Signal()

    def __init__(self, window: QWidget, *, dims: bool = False) -> None:
        super().__init__(window)
        self._dims = dims
        self.hide()

    def show_over(self, window: QWidget) -> None:
        """Cover the window as it is now."""
        self.setGeometry(window.rect())
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._dims:
            painter = QPainter(self)
            painter.fillRect(event.rect(), _SHADE)
            painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.pressed.emit()
