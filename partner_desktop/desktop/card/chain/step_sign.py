"""The sign of a step: its number while it is planned, a drawn sign afterwards."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QWidget

from partner_desktop.desktop.theme.style import zoomed
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.chain import StepStatus

_SIZE = 20
_STEP_MS = 50
_STEPS = 24
#: Strokes on a grid of 20 × 20.
_STROKES: dict[StepStatus, tuple[tuple[tuple[float, float], ...], ...]] = {
    StepStatus.SUCCEEDED: (((6.2, 10.3), (8.9, 13), (13.8, 7.4)),),
    StepStatus.FAILED: (((7, 7), (13, 13)), ((13, 7), (7, 13))),
    StepStatus.CANCELLED: (((7, 7), (13, 13)), ((13, 7), (7, 13))),
    StepStatus.SKIPPED: (((6, 10), (14, 10)),),
}
_FILLED = {StepStatus.SUCCEEDED: "good", StepStatus.FAILED: "bad"}


class StepSign(QWidget):
    """Still where the system asks for no motion. The words beside it say the same."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._status = StepStatus.PLANNED
        self._number = 0
        self._turn = 0
        self._timer = QTimer(self, interval=_STEP_MS)
        self._timer.timeout.connect(self._advance)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self.update)

    def show_step(self, number: int, status: StepStatus) -> None:
        """Another number or status."""
        if (number, status) != (self._number, self._status):
            self._number, self._status = number, status
            self._settle()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(zoomed(_SIZE), zoomed(_SIZE))

    def showEvent(self, event: QShowEvent) -> None:
        self._settle()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def _settle(self) -> None:
        still = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0
        if self._status is StepStatus.RUNNING and self.isVisible() and not still:
            self._timer.start()
        else:
            self._timer.stop()

    def _advance(self) -> None:
        self._turn = (self._turn + 1) % _STEPS
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.width() / _SIZE, self.height() / _SIZE)
        circle = QRectF(0.75, 0.75, _SIZE - 1.5, _SIZE - 1.5)
        self._paint_ground(painter, circle)
        if self._status in _STROKES:
            self._paint_strokes(painter)
        elif self._status is StepStatus.RUNNING:
            painter.setPen(_pen(self._theme.color("accent"), 2))
            painter.drawArc(circle.adjusted(1, 1, -1, -1), (90 - self._turn * 360 // _STEPS) * 16, -110 * 16)
        else:
            self._paint_number(painter, circle)
        painter.end()

    def _paint_ground(self, painter: QPainter, circle: QRectF) -> None:
        filled = _FILLED.get(self._status)
        if filled is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(filled))
            painter.drawEllipse(QRectF(0, 0, _SIZE, _SIZE))
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._status is StepStatus.RUNNING:
            painter.setPen(_pen(self._theme.color("accent_soft"), 2))
            painter.drawEllipse(circle.adjusted(1, 1, -1, -1))
            return
        waits = self._status is StepStatus.WAITING
        painter.setPen(_pen(self._theme.color("careful" if waits else "line"), 1.5))
        painter.drawEllipse(circle)

    def _paint_strokes(self, painter: QPainter) -> None:
        color = "surface" if self._status in _FILLED else "muted"
        painter.setPen(_pen(self._theme.color(color), 1.7))
        for stroke in _STROKES[self._status]:
            painter.drawPolyline([QPointF(x, y) for x, y in stroke])

    def _paint_number(self, painter: QPainter, circle: QRectF) -> None:
        waits = self._status is StepStatus.WAITING
        font = self._theme.font(8.0, strong=waits)
        font.setPixelSize(11 if self._number < 10 else 10)
        painter.setFont(font)
        painter.setPen(self._theme.color("careful" if waits else "muted"))
        painter.drawText(circle, int(Qt.AlignmentFlag.AlignCenter), str(self._number))


def _pen(color: QColor, width: float) -> QPen:
    return QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
