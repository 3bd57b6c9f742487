"""A chunk of a reply: some parts below each other, widgets while they are near the eye, else a height.

A long reply is hundreds of texts, tables and blocks of code, and each is a widget with a document of its
own: megabytes of memory and milliseconds to lay out. So a stretch that is out of sight can sleep: its
widgets go, its height stays. When it comes to view it tells so, and is filled again in small steps; what
stands around it does not move until it is whole. Of running text, lines can be added, set again in place,
and taken away from the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import TypeAlias

from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.chat.column import SWEPT_APART
from partner_desktop.desktop.chat.reply.code_block import CodeBlock
from partner_desktop.desktop.chat.reply.table_block import TableBlock
from partner_desktop.desktop.chat.reply.typeset import (
    QUOTE_PX,
    goes_on,
    left_margin,
    rewrite_end,
    style_line,
    write_line,
)
from partner_desktop.desktop.markup.parts import Code, Line, OpenCode, Part, mark_text, plain_text
from partner_desktop.desktop.parts.boxes import StackLayout, drop_widget, stay_painted
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.slices import Slices
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

    @property
    def full(self) -> bool:
        """Whether more text should go elsewhere."""
        return len(self.lines) >= MOST_LINES or self.document().characterCount() >= MOST_CHARACTERS

    def plain(self) -> str:
        """The words with their marks."""
        return "\n".join(plain_text(line) for line in self.lines)

    def add_line(self, line: Line) -> None:
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

    def restyle(self) -> None:
        """Set the text again, in the theme as it is now."""
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


Segment: TypeAlias = TextBlock | CodeBlock | TableBlock

#: Segments of one stretch. Qt measures all neighbours of what changed: in a long reply, hundreds.
_MOST_SEGMENTS = 10
#: The least width of a reply, and the one that it wants at first: it takes what the column has.
LEAST_PX, WANTED_PX = 100, 400
#: Widgets find their look, and so their height, only when they are shown.
_FRESH_MS = 400


@dataclass(frozen=True)
class _Room:
    """What a sleeping stretch takes."""

    width: int
    height: float
    zoom: float

    def height_at(self, width: int, zoom: float) -> int:
        """As high as it was; about as high as it would be in another width or size."""
        return ceil(self.height * self.width / max(1, width) * (zoom / self.zoom) ** 2)


class _Layout(StackLayout):
    """As high as what is in it, or as what should be in it."""

    #: Told whenever it may be of another height; on the class, for Qt asks while it is made.
    outdated: Callable[[], None] | None = None

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._room: _Room | None = None

    @property
    def room(self) -> _Room | None:
        """What it takes while it sleeps."""
        return self._room

    @room.setter
    def room(self, room: _Room | None) -> None:
        self._room = room
        self._forget()

    def _forget(self) -> None:
        super()._forget()
        if self.outdated is not None:
            self.outdated()

    def heightForWidth(self, width: int) -> int:
        if self.room is not None:
            return self.room.height_at(width, self._theme.zoom)
        return super().heightForWidth(width)


class ChunkView(QWidget):
    """`first` is the number of its first part, `count` says how many it has; `after_text`: lines stand
    before it. `link_clicked(address)`; `came_to_view()` while it sleeps; `changed_height(by)` when it wakes
    and is not as high as it was taken for."""

    link_clicked = Signal(str)
    came_to_view = Signal()
    changed_height = Signal(int)

    def __init__(self, first: int, theme: Theme, slices: Slices, *, after_text: bool = False) -> None:
        super().__init__()
        self.setObjectName(SWEPT_APART)
        stay_painted(self)
        self.first, self.count = first, 0
        self._theme, self._slices = theme, slices
        self._after_text = after_text
        self._waking = False
        self._told = False
        self._fresh = False
        """Whether it woke a moment ago: then its height is news, later it is what the person does in it."""
        self._segments: list[Segment] = []
        self._firsts: list[int] = []
        self._stack = _Layout(theme)
        self.setLayout(self._stack)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The widgets that are there, from the top down."""
        return tuple(self._segments)

    def height_at(self, width: int) -> int:
        """How high it is in a column of `width`."""
        return self._stack.heightForWidth(width)

    def watch(self, outdated: Callable[[], None] | None) -> None:
        """`outdated` is called whenever it may be of another height."""
        self._stack.outdated = outdated

    @property
    def asleep(self) -> bool:
        """Whether it is nothing but a height."""
        return self._stack.room is not None

    @property
    def end(self) -> int:
        """The number after that of its last part."""
        return self.first + self.count

    @property
    def full(self) -> bool:
        """Whether what follows should go elsewhere."""
        return len(self._segments) >= _MOST_SEGMENTS

    @property
    def in_use(self) -> bool:
        """Whether the person marked, unfolded or focused something in it."""
        texts: list[QTextEdit | QPlainTextEdit] = [
            *self.findChildren(QTextEdit),
            *self.findChildren(QPlainTextEdit),
        ]
        if any(text.hasFocus() or text.textCursor().hasSelection() for text in texts):
            return True
        return any(segment.handled for segment in self._segments if not isinstance(segment, TextBlock))

    def add(self, part: Part) -> None:
        self._show(part, self.end)
        self.count += 1

    def add_asleep(self, height: float, width: int) -> None:
        """One more part that nobody sees yet; about so high. Its room is taken with `updateGeometry`, for
        many."""
        room = self._stack.room
        before = 0.0 if room is None else room.height
        self._stack.room = _Room(max(1, width), before + height, self._theme.zoom)
        self.count += 1

    def grow(self, index: int, part: Part) -> bool:
        """Another part in place of one, where it can go on from it."""
        if not self._firsts or index < self._firsts[0] or (self.asleep and not self._is_there(index)):
            return self.asleep  # it will be made when it is seen
        at = max(n for n, first in enumerate(self._firsts) if first <= index)
        segment = self._segments[at]
        if not isinstance(segment, TextBlock):
            return segment.grow(part)
        if isinstance(part, Line):
            segment.set_line(index - self._firsts[at], part)
        return isinstance(part, Line)

    def keep(self, end: int) -> None:
        """Only the parts before this number stay."""
        self.count = max(0, min(self.count, end - self.first))
        while self._segments and self._firsts[-1] >= end:
            self._drop_last()
        last = self._segments[-1] if self._segments else None
        if isinstance(last, TextBlock) and len(last.lines) > end - self._firsts[-1]:
            last.keep(end - self._firsts[-1])

    def sleep(self) -> None:
        """Out of sight: the widgets go, the height stays."""
        self._stack.room = _Room(max(1, self.width()), self.height(), self._theme.zoom)
        self._told = False
        while self._segments:
            self._drop_last()

    def wake(self, parts: Sequence[Part]) -> None:
        """It is about to be seen: the widgets are made in small steps."""
        if self.asleep and not self._waking:
            self._waking = True
            self._slices.queue(self, self._filling(parts))

    def _filling(self, parts: Sequence[Part]) -> Iterator[None]:
        for number in range(self.first, self.end):
            self._show(parts[number], number)
            yield
        while not all(segment.filled for segment in self._segments if not isinstance(segment, TextBlock)):
            yield  # they have steps of their own, which come first
        self._stack.room, self._waking, self._fresh = None, False, True
        self._stack.invalidate()
        self.updateGeometry()
        QTimer.singleShot(_FRESH_MS, self, self._age)

    def _age(self) -> None:
        self._fresh = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        by = event.size().height() - event.oldSize().height()
        if self._fresh and by and event.size().width() == event.oldSize().width():
            self.changed_height.emit(by)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.asleep and not self._told:
            self._told = True
            self.came_to_view.emit()

    def overlook(self) -> None:
        """It was seen only in passing: it will tell again."""
        self._told = False

    def _is_there(self, index: int) -> bool:
        last = self._segments[-1]
        lines = len(last.lines) if isinstance(last, TextBlock) else 1
        return index < self._firsts[-1] + lines

    def _show(self, part: Part, number: int) -> None:
        last = self._segments[-1] if self._segments else None
        if isinstance(part, Line):
            if not isinstance(last, TextBlock) or last.full:
                after_text = isinstance(last, TextBlock) if last is not None else self._after_text
                last = TextBlock(self._theme, self, after_text=after_text)
                self._begin(last, number)
            last.add_line(part)
        elif isinstance(part, (Code, OpenCode)):
            self._begin(CodeBlock(part, self._theme, self._slices), number)
        else:
            self._begin(TableBlock(part, self._theme, self._slices), number)

    def _begin(self, segment: Segment, number: int) -> None:
        if not isinstance(segment, CodeBlock):
            segment.link_clicked.connect(self.link_clicked)
        self._segments.append(segment)
        self._firsts.append(number)
        self._stack.addWidget(segment)

    def _drop_last(self) -> None:
        segment = self._segments.pop()
        self._firsts.pop()
        self._slices.stop(segment)
        self._stack.removeWidget(segment)
        drop_widget(segment)
