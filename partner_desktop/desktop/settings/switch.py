"""A switch: on or off, at once."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from partner_desktop.desktop.parts.buttons import pressed_by_enter
from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.desktop.theme.theme import Theme

_WIDTH, _HEIGHT = 34, 20
#: Room for the ring of the keyboard.
_RING = 3


class Switch(QAbstractButton):
    """Painted; which way it stands is seen by its place as well as by its colour."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(zoomed(_WIDTH) + 2 * _RING, zoomed(_HEIGHT) + 2 * _RING)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QRectF(self.rect()).adjusted(_RING, _RING, -_RING, -_RING)
        radius = body.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent" if self.isChecked() else "muted"))
        painter.drawRoundedRect(body, radius, radius)
        x = body.right() - radius if self.isChecked() else body.left() + radius
        painter.setBrush(self._theme.color("surface"))
        painter.drawEllipse(QPointF(x, body.center().y()), radius - 2.5, radius - 2.5)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
        painter.end()
