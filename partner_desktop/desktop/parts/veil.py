"""A sheet over the window, and what lies between the two."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QHideEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import LazyText, bind_text

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


class WindowSheet(QFrame):
    """Hidden until it is laid over its parent. A click beside it lets it `leave`."""

    def __init__(self, parent: QWidget, name: LazyText, *, dims: bool = True) -> None:
        """`dims`: what it lies over is seen darker."""
        super().__init__(parent)
        self.setObjectName("sheet")
        bind_text(self, self.setAccessibleName, name)
        self.veil = Veil(parent, dims=dims)
        self.veil.pressed.connect(self.leave)
        self.hide()

    @property
    def below(self) -> QWidget:
        window = self.parentWidget()
        assert window is not None
        return window

    def lay_over(self, *, part: int = 0) -> None:
        """Show it; with a `part`, in the middle, so much of the height from the top."""
        window = self.below
        self.veil.show_over(window)
        if part:
            self.adjustSize()
            self.move((window.width() - self.width()) // 2, max(int(Space.L), window.height() // part))
        self.show()
        self.raise_()

    def leave(self) -> None:
        self.close()

    def hideEvent(self, event: QHideEvent) -> None:
        self.veil.hide()
        super().hideEvent(event)
