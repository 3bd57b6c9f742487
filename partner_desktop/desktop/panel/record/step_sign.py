"""A small round sign of how a step stands; its words stand beside it."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.chain import StepStatus

_SIZE_PX = 20
_TICK = ((6.2, 10.4), (8.9, 13.0), (13.8, 7.4))
_CROSS = (((7, 7), (13, 13)), ((13, 7), (7, 13)))


class StepSign(QWidget):
    """Filled with a tick or a cross once it ended, else its number in a ring."""

    def __init__(self, theme: Theme, number: int, status: StepStatus) -> None:
        super().__init__()
        self._theme = theme
        self._number = number
        self._status = status
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(zoomed(_SIZE_PX), zoomed(_SIZE_PX))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.width() / _SIZE_PX, self.height() / _SIZE_PX)
        if self._status is StepStatus.SUCCEEDED:
            self._paint_filled(painter, "good", (_TICK,))
        elif self._status is StepStatus.FAILED:
            self._paint_filled(painter, "bad", _CROSS)
        else:
            self._paint_ring(painter)
        painter.end()

    def _paint_filled(
        self, painter: QPainter, color: str, strokes: tuple[tuple[tuple[float, float], ...], ...]
    ) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(color))
        painter.drawEllipse(QRectF(0.5, 0.5, 19, 19))
        path = QPainterPath()
        for stroke in strokes:
            path.moveTo(QPointF(*stroke[0]))
            for point in stroke[1:]:
                path.lineTo(QPointF(*point))
        pen = QPen(self._theme.color("surface"), 1.6)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)

    def _paint_ring(self, painter: QPainter) -> None:
        color = {StepStatus.RUNNING: "accent", StepStatus.WAITING: "careful"}.get(self._status, "line")
        ink = "muted" if color == "line" else color
        painter.setPen(QPen(self._theme.color(color), 1.4))
        painter.drawEllipse(QRectF(1, 1, 18, 18))
        over = self._status in (StepStatus.SKIPPED, StepStatus.CANCELLED)
        font = self._theme.font(self._theme.sizes.head)
        font.setPixelSize(11)
        painter.setFont(font)
        painter.setPen(self._theme.color(ink))
        text = "–" if over else str(self._number)
        painter.drawText(QRectF(0, 0, _SIZE_PX, _SIZE_PX), int(Qt.AlignmentFlag.AlignCenter), text)
