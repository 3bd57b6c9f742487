"""A soft frame around something for a moment: this is what is meant."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.theme.theme import Theme

FLASH_MS = 1600
_RADIUS = 12
_FILL_ALPHA = 36


class Flash(QWidget):
    """Lies over a widget, lets everything through, and goes by itself. No motion, so none to turn off."""

    def __init__(self, over: QWidget, theme: Theme) -> None:
        super().__init__(over)
        self.setObjectName("flash")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._color = theme.color("accent")
        self.setGeometry(over.rect())
        over.installEventFilter(self)
        QTimer.singleShot(FLASH_MS, self, self.deleteLater)
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = QColor(self._color)
        fill.setAlpha(_FILL_ALPHA)
        painter.setBrush(fill)
        painter.setPen(QPen(self._color, 1))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), _RADIUS, _RADIUS)
        painter.end()
