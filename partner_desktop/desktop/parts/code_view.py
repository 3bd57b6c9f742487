"""Read-only monospace text with a limited height: source, output, logs."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from partner_desktop.desktop.parts.text_view import is_ringed, paint_ring
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import LazyText, bind_text

#: The stylesheet's padding and border above and below the text, with a pixel to spare.
_PADDING_PX = 8


class CodeView(QPlainTextEdit):
    """As high as its lines, up to `most_lines`; then it scrolls. `wraps`: no line is wider than it is.

    `looked()` when `lines_unseen` may have changed."""

    looked = Signal()

    def __init__(
        self, name: LazyText, *, most_lines: int = 14, look: str = "code", wraps: bool = False
    ) -> None:
        super().__init__()
        self._wraps = wraps
        self._most_lines = most_lines
        self._ringed = False
        self._sight = Sight()
        self._unseen = 0
        self._let_go = False
        self._framed = bool(look)
        self._around = _PADDING_PX if look == "code" else 1
        bind_text(self, self.setAccessibleName, name)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        if not wraps:
            self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().blockCountChanged.connect(lambda _count: self._fit())
        if wraps:
            self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        self.horizontalScrollBar().rangeChanged.connect(lambda _least, _most: self.updateGeometry())
        self.verticalScrollBar().valueChanged.connect(self.look)
        self.verticalScrollBar().rangeChanged.connect(self.look)
        if look:
            set_look(self, look)

    @property
    def lines_unseen(self) -> int:
        """How many lines have not been in view so far, and are not said to be left unread."""
        hidden_px = self._line_count() * self._line_height() - self.viewport().height()
        if self._let_go or hidden_px < self._line_height() / 2:  # the last pixels of a line are no line
            return 0
        return self._sight.left

    @Slot()
    def look(self) -> None:
        """Note which lines are in view now; what is around it may hide some of them."""
        seen = self.viewport().visibleRegion().boundingRect()
        half_px = self._line_height() / 2
        if seen.height() >= half_px:
            self._note(self._line_at(seen.top() + half_px), self._line_at(seen.bottom() - half_px) + 1)
        unseen = self.lines_unseen
        if unseen != self._unseen:
            self._unseen = unseen
            QTimer.singleShot(0, self, self.looked.emit)  # not while it is being painted

    def _note(self, first: int, end: int) -> None:
        width = self.viewport().width() if self._wraps else 0
        self._sight.note(QSize(width, self._line_count()), first, end)

    def leave_unread(self) -> None:
        """Nobody has to look at the rest."""
        self._let_go = True
        self.look()

    def _line_at(self, y_px: float) -> int:
        """The line at this height of the viewport, counted as they are wrapped."""
        cursor = self.cursorForPosition(QPoint(0, int(y_px)))
        within = cursor.block().layout().lineForTextPosition(cursor.positionInBlock())
        return cursor.block().firstLineNumber() + max(0, within.lineNumber())

    def show_text(self, text: str) -> None:
        self._sight.forget()
        self._let_go = False
        self.setPlainText(text)
        self._note(0, 0)
        self._fit()

    def set_most_lines(self, most_lines: int) -> None:
        """Let it grow further, or less far."""
        self._most_lines = most_lines
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._ringed and self.hasFocus() and not self._framed:  # a frame shows it by itself
            paint_ring(self)
        self.look()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where lines wrap, the width decides the height too; Qt does not always tell of that by itself."""
        super().resizeEvent(event)
        if self._wraps:
            self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ringed = is_ringed(event.reason(), before=self._ringed)
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        lines = min(max(1, self._line_count()), self._most_lines)
        bar = self.horizontalScrollBar().sizeHint().height() if self._overflows() else 0
        return QSize(200, ceil(lines * self._line_height()) + 2 * self._around + bar)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def _fit(self) -> None:
        """The text decides the height; a bar stands only where there is more than may show."""
        more = self._line_count() > self._most_lines
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if more else policy.ScrollBarAlwaysOff)
        self.updateGeometry()

    def _line_count(self) -> int:
        """Where lines wrap, Qt tells the height of the text in lines."""
        return round(self.document().size().height()) if self._wraps else self.document().blockCount()

    def _line_height(self) -> float:
        """As the text is laid out: with a fallback font in it, lines are higher than the font's own."""
        first = self.document().firstBlock()
        laid_out = self.blockBoundingRect(first).height() / max(1, first.lineCount())
        return max(laid_out, float(self.fontMetrics().lineSpacing()))

    def _overflows(self) -> bool:
        return self.horizontalScrollBar().maximum() > 0


class Sight:
    """Which parts of something high have been in view, from above to below: pixels of it, or lines."""

    def __init__(self) -> None:
        self._size = QSize()
        self._parts: list[tuple[int, int]] = []

    def forget(self) -> None:
        self._parts = []

    def note(self, size: QSize, top: int, end: int) -> None:
        """So much of it is in view. In another width all of it lies elsewhere; what grew, grew in view."""
        if size.width() != self._size.width():
            self._parts = []
        self._size = size
        joined = [(top, end)]
        for first, last in self._parts:
            if last < joined[0][0] or first > joined[0][1]:
                joined.append((first, last))
            else:
                joined[0] = (min(first, joined[0][0]), max(last, joined[0][1]))
        self._parts = joined

    @property
    def left(self) -> int:
        """How much of it was not in view so far."""
        height = self._size.height()
        return height - sum(max(0, min(end, height) - max(0, top)) for top, end in self._parts)

    @property
    def whole(self) -> bool:
        """Whether all of it was in view."""
        return any(top <= 0 and end >= self._size.height() for top, end in self._parts)
