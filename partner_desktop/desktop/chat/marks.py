"""What Qt cannot draw in a text: the marks before list items, and the bars beside quotes."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTextBlock, QTextLayout

from partner_desktop.desktop.chat.typeset import QUOTE_PX, left_margin
from partner_desktop.desktop.markup.parts import Line
from partner_desktop.desktop.theme.theme import Theme

_GAP_PX = 8.0
_BAR_PX = 3.0


class MarkPainter:
    """Paints into a text's viewport, on top of the text."""

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self._painter = painter
        self._theme = theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def mark(self, block: QTextBlock, line: Line, place: QPointF) -> None:
        """The mark of a list item; `place` is where its paragraph stands."""
        layout = block.layout()
        if layout.lineCount() == 0:
            return
        font = self._theme.font(self._theme.sizes.body)
        metrics = QFontMetricsF(font)
        right = place.x() + left_margin(line) - _GAP_PX
        baseline = place.y() + _baseline(layout)
        color = self._theme.color("muted")
        if line.mark[:1].isdigit():
            self._painter.setFont(font)
            self._painter.setPen(color)
            self._painter.drawText(QPointF(right - metrics.horizontalAdvance(line.mark), baseline), line.mark)
        elif line.mark == "bullet":
            self._bullet(QPointF(right - 4.0, baseline - metrics.xHeight() / 2), line.depth, color)
        else:
            side = metrics.capHeight() + 2.0
            self._box(QRectF(right - side, baseline - side + 1.0, side, side), done=line.mark == "done")

    def bar(self, level: int, top: float, bottom: float) -> None:
        """The bar of one level of a quote."""
        shape = QRectF(level * QUOTE_PX, top, _BAR_PX, bottom - top)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(self._theme.color("line"))
        self._painter.drawRoundedRect(shape, 1.5, 1.5)

    def _bullet(self, center: QPointF, depth: int, color: QColor) -> None:
        """Filled, hollow, then a short line: levels tell themselves apart."""
        self._painter.setPen(QPen(color, 1.2))
        self._painter.setBrush(color if depth == 1 else QColor(Qt.GlobalColor.transparent))
        if depth < 3:
            self._painter.drawEllipse(center, 2.2, 2.2)
        else:
            self._painter.drawLine(center - QPointF(3.0, 0.0), center + QPointF(3.0, 0.0))

    def _box(self, box: QRectF, *, done: bool) -> None:
        ground = self._theme.color("accent" if done else "surface")
        self._painter.setPen(QPen(self._theme.color("accent" if done else "muted"), 1.2))
        self._painter.setBrush(ground)
        self._painter.drawRoundedRect(box, 3.0, 3.0)
        if done:
            self._painter.setPen(QPen(self._theme.color("on_accent"), 1.6))
            left, middle, right = (
                QPointF(box.left() + box.width() * x, box.top() + box.height() * y)
                for x, y in ((0.22, 0.52), (0.43, 0.73), (0.79, 0.28))
            )
            self._painter.drawPolyline([left, middle, right])


def _baseline(layout: QTextLayout) -> float:
    """Where the first line of a paragraph stands, from its top."""
    first = layout.lineAt(0)
    return float(first.y() + first.ascent())
