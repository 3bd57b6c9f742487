"""Running text of a reply: lines that can be added, set again in place, and taken away from the end."""

from __future__ import annotations

from itertools import groupby

from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QTextBlock,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.chat.typeset import (
    QUOTE_PX,
    goes_on,
    left_margin,
    rewrite_end,
    style_line,
    write_line,
)
from partner_desktop.desktop.markup.parts import Line, mark_text, plain_text
from partner_desktop.desktop.parts.stack import stay_painted
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.theme.theme import Theme

#: A longer text goes on in a view of its own: laying out is paid by the view.
MOST_LINES = 60
MOST_CHARACTERS = 4_000


class TextBlock(TextView):
    """One selectable text. `lines` are its paragraphs, in order. `after_text`: it goes on from another
    one, and begins with the air that its first line has within a text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, after_text: bool = False) -> None:
        super().__init__(lambda: self.tr("Reply"))
        self.setParent(parent)
        stay_painted(self, self.viewport())
        self._theme = theme
        self._begins = not after_text
        self.lines: list[Line] = []
        theme.changed.connect(self._restyle)

    @property
    def full(self) -> bool:
        """Whether more text should go elsewhere."""
        return len(self.lines) >= MOST_LINES or self.document().characterCount() >= MOST_CHARACTERS

    def plain(self) -> str:
        """The words with their marks."""
        return "\n".join(plain_text(line) for line in self.lines)

    def add_line(self, line: Line) -> None:
        """One more line at the end."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        first = not self.lines
        if not first:
            cursor.insertBlock()
        self.lines.append(line)
        write_line(cursor.block(), line, self._theme, first=first and self._begins)
        cursor.endEditBlock()

    def set_line(self, index: int, line: Line) -> None:
        """Another line in place of one; where only its end is another, the rest stays as it is set."""
        before, self.lines[index] = self.lines[index], line
        cursor = QTextCursor(self.document().findBlockByNumber(index))
        cursor.beginEditBlock()
        if goes_on(before, line):
            rewrite_end(cursor.block(), before, line, self._theme)
            cursor.endEditBlock()
            return
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        write_line(cursor.block(), line, self._theme, first=index == 0 and self._begins)
        cursor.endEditBlock()

    def keep(self, count: int) -> None:
        """Keep the first lines only."""
        cursor = QTextCursor(self.document().findBlockByNumber(count - 1))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        del self.lines[count:]

    def createMimeDataFromSelection(self) -> QMimeData:
        """The marks are painted, not written; a copy has them all the same."""
        cursor = self.textCursor()
        first = self.document().findBlock(cursor.selectionStart())
        number = first.blockNumber()
        pieces = cursor.selection().toPlainText().split("\n")
        marked = [
            f"{mark_text(line)}{piece}" if at or cursor.selectionStart() == first.position() else piece
            for at, (piece, line) in enumerate(zip(pieces, self.lines[number:], strict=False))
        ]
        # Qt's own data would write its text over ours when it is asked for it.
        data = QMimeData()
        data.setHtml(super().createMimeDataFromSelection().html())
        data.setText("\n".join(marked))
        return data

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if any(line.mark or line.quote for line in self.lines):
            self._paint_marks(event)

    def _paint_marks(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        marks = MarkPainter(painter, self._theme)
        layout = self.document().documentLayout()
        quotes: list[tuple[int, QRectF]] = []
        block = self.document().begin()
        for line in self.lines:
            rect = layout.blockBoundingRect(block)
            quotes.append((line.quote, rect))
            if line.mark and rect.intersects(QRectF(event.rect())):
                marks.mark(block, line, rect.topLeft())
            block = block.next()
        for level in range(max(depth for depth, _ in quotes)):
            # What stands between two lines of a quote belongs to it.
            for inside, group in groupby(quotes, lambda quote: quote[0] > level):  # noqa: B023 - used at once
                if inside:
                    rects = [rect for _, rect in group]
                    marks.bar(level, rects[0].top(), rects[-1].bottom())
        painter.end()

    def _restyle(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for index, line in enumerate(self.lines):
            block = self.document().findBlockByNumber(index)
            style_line(block, line, self._theme, first=index == 0 and self._begins)
        cursor.endEditBlock()
        self.updateGeometry()


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
