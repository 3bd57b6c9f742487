"""The first line of the left column's foot: who answers, how it fares. A press leads to the models."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from partner_desktop.desktop.parts.buttons import PushButton, prepare_button
from partner_desktop.desktop.theme.theme import Theme

_PAD_X = 7
_PAD_Y = 3
_SIGN = 10
_DOT = 8
_GAP = 6
_WHOLE = 360 * 16


class MindButton(PushButton):
    """A sign, a name that is shortened where it must, and behind it what always stays readable."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._name = self._tail = ""
        self._color = "muted"
        self._share: float | None = None
        prepare_button(self, "quiet", name="")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.updateGeometry)

    def show_mind(self, name: str, tail: str = "", *, color: str, share: float | None = None) -> None:
        """`color` is a token's name; with `share`, 0 to 1, a ring takes the dot's place."""
        self._name, self._tail = name, tail
        self._color, self._share = color, share
        self.setText(f"{name} · {tail}" if tail else name)
        self.setAccessibleName(self.tr("{words}. Show the models").format(words=self.text()))
        self.update()

    @property
    def color_name(self) -> str:
        """The colour of the sign; the words say the same."""
        return self._color

    @property
    def share(self) -> float | None:
        """How far the ring is closed; `None`: it is a dot."""
        return self._share

    def sizeHint(self) -> QSize:
        return QSize(100, self.fontMetrics().height() + 2 * _PAD_Y)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        self._paint_sign(painter)
        room = self.rect().adjusted(_PAD_X + _SIGN + _GAP, 0, -_PAD_X, 0)
        self._paint_words(painter, room)
        painter.end()

    def _paint_sign(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPoint(_PAD_X + _SIGN // 2, self.height() // 2)
        if self._share is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(self._color))
            painter.drawEllipse(QRectF(middle.x() - _DOT / 2, middle.y() - _DOT / 2, _DOT, _DOT))
            return
        ring = QRectF(middle.x() - _SIGN / 2 + 1, middle.y() - _SIGN / 2 + 1, _SIGN - 2, _SIGN - 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.color("line"), 2))
        painter.drawEllipse(ring)
        painter.setPen(QPen(self._theme.color(self._color), 2))
        painter.drawArc(ring, 90 * 16, -max(_WHOLE // 12, round(_WHOLE * self._share)))

    def _paint_words(self, painter: QPainter, room: QRect) -> None:
        painter.setFont(self.font())
        painter.setPen(self._theme.color("ink" if self.underMouse() else "muted"))
        metrics = self.fontMetrics()
        tail = f" · {self._tail}" if self._tail else ""
        left = room.width() - metrics.horizontalAdvance(tail)
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, max(left, room.width() // 3))
        words = metrics.elidedText(name + tail, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
