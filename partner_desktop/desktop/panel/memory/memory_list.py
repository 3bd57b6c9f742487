"""The list of the Memory tab: it opens what was said, leads into topics, and asks for more near its end.

A row is painted with what was said, and below it when, where and how much.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QKeyEvent, QPainter, QResizeEvent, QTextLayout
from PySide6.QtWidgets import QMenu

from partner_desktop.desktop.panel.memory.memory_rows import MemoryModel, MemoryRow
from partner_desktop.desktop.panel.memory.memory_sheets import EntitySheet, SliceSheet, TurnSheet
from partner_desktop.desktop.parts.lists.list_rows import (
    RowPaint,
    paint_ground,
    paint_line,
    paint_section_head,
    section_head_height,
)
from partner_desktop.desktop.parts.lists.long_list import LongList
from partner_desktop.desktop.parts.lists.placed_view import Sheet
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.entity import SELF

#: So much below the view is asked for before it is needed.
_AHEAD_PX = 1_200


class MemoryList(LongList[MemoryRow]):
    """`older_wanted()` near the end; `topic_chosen(path)`; `entity_chosen(row)` while `choosing`;
    `forget_wanted(row)` by the Delete key."""

    older_wanted = Signal()
    topic_chosen = Signal(str)
    entity_chosen = Signal(object)
    forget_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        self.hands = MemoryHands()
        self.choosing = False
        """Whether a press on whom or what is known chooses it, in place of opening it."""
        super().__init__(MemoryModel(), MemoryPaint(theme, self.hands), theme)
        self.menu = QMenu(self)
        """Filled anew each time it opens."""
        self.verticalScrollBar().valueChanged.connect(self.look_for_end)

    def add_rows(self, rows: list[MemoryRow]) -> None:
        """More of the same, below the others."""
        self.rows.add_rows(rows)
        self.look_for_end()

    def look_for_end(self) -> None:
        """Ask for more where little is left to scroll."""
        bar = self.verticalScrollBar()
        if self.isVisible() and bar.maximum() - bar.value() < _AHEAD_PX:
            self.older_wanted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.look_for_end()

    def toggle(self, index: QModelIndex | QPersistentModelIndex, *, open_it: bool | None = None) -> None:
        """A topic leads elsewhere, and one of several is chosen where that was asked for."""
        row = self.rows.rows[index.row()] if index.isValid() else None
        if row is not None and row.kind == "topic":
            if open_it is not False:
                self.topic_chosen.emit(row.topic)
        elif row is not None and row.kind == "entity" and self.choosing:
            self.entity_chosen.emit(row)
        else:
            super().toggle(index, open_it=open_it)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """By the mouse for the row under it; by the keyboard for the current row."""
        index, place = self.indexAt(event.pos()), event.globalPos()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            place = self.viewport().mapToGlobal(self.visualRect(index).center())
        self.menu.clear()
        if index.isValid():
            row = self.rows.rows[index.row()]
            for verb, words in row_choices(row):
                self.menu.addAction(words).triggered.connect(lambda _=False, verb=verb: self._ask(verb, row))
        if not self.menu.isEmpty():
            self.menu.popup(place)

    def _ask(self, verb: str, row: MemoryRow) -> None:
        if verb == "forget":
            self.forget_wanted.emit(row)
        else:
            self.hands.asked.emit(verb, row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Delete and index.isValid():
            self.forget_wanted.emit(self.rows.rows[index.row()])
        else:
            super().keyPressEvent(event)


def row_choices(row: MemoryRow) -> Iterator[tuple[str, str]]:
    """What can be done with a row, with its words."""
    if row.kind in ("slice", "turn"):
        yield "show", tr("Show in the chat")
    if row.slice is not None:
        yield "pin", tr("Unpin") if row.slice.pinned else tr("Pin")
    if row.kind == "head" and row.day is not None:
        yield "forget", tr("Forget this day…")
    elif row.opens and (row.entity is None or row.entity.id != SELF):
        yield "forget", tr("Forget…")


_PAD_X = 12
_PAD_Y = 9
_GAP = 6
_SIGN = 14
#: What is open begins within the air below its row.
_UP = 5
_RIGHT = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


class MemoryHands(QObject):
    """What is pressed in what is open: `opened(row)` when it needs what is behind it; `asked(verb, row)`."""

    opened = Signal(object)
    asked = Signal(str, object)


class MemoryPaint(RowPaint[MemoryRow]):
    """Heads have one line, what was said three, all others two."""

    def __init__(self, theme: Theme, hands: MemoryHands) -> None:
        super().__init__(theme)
        self._hands = hands

    def sheet(self, row: MemoryRow) -> Sheet[MemoryRow]:
        sheet: SliceSheet | TurnSheet | EntitySheet
        if row.kind == "entity":
            sheet = EntitySheet(self._theme, row)
        else:
            sheet = SliceSheet(row) if row.kind == "slice" else TurnSheet(row)
        sheet.asked.connect(self._hands.asked)
        if row.kind == "slice":
            self._hands.opened.emit(row)
        return sheet

    def sheet_place(self, rect: QRect) -> QRect:
        return rect.adjusted(_PAD_X, -_UP, -_PAD_X, -_PAD_Y - _GAP)

    def paint(
        self, painter: QPainter, rect: QRect, row: MemoryRow, *, marked: bool, hovered: bool, sheet: int
    ) -> None:
        if row.kind == "head":
            self._paint_head(painter, rect.adjusted(4, 0, -4, 0), row)
            return
        theme = self._theme
        fill = "hover" if hovered and not sheet else "surface"
        card = rect.adjusted(0, 0, 0, -_GAP)
        paint_ground(painter, card, theme.color(fill), line=theme.color("accent" if marked else "line"))
        inner = QRect(card.x() + _PAD_X, card.y() + _PAD_Y, card.width() - 2 * _PAD_X, 0)
        first = QRect(inner.x(), inner.y(), inner.width(), self._first_height())
        second = QRect(inner.x(), first.bottom() + 1, inner.width(), self._second_height())
        self._paint_sign(painter, QPointF(first.x() + 4, first.center().y() + 1), unfolded=bool(sheet))
        self._paint_first(painter, first.adjusted(_SIGN, 0, 0, 0), row)
        if row.kind == "turn":
            self._paint_said(painter, second.adjusted(_SIGN, 0, 0, second.height()), row.said)
            return
        if row.kind == "slice":
            small = theme.sizes.small
            paint_line(painter, second.adjusted(_SIGN, 0, 0, 0), row.said, theme, points=small, color="ink")
            second.moveTop(second.top() + second.height())
        self._paint_quiet(painter, second, row.quiet, row.right, left=_SIGN)

    def _paint_first(self, painter: QPainter, rect: QRect, row: MemoryRow) -> None:
        """The title, its pill, and when it was."""
        theme = self._theme
        font = theme.font(theme.sizes.small)
        width = QFontMetrics(font).horizontalAdvance(row.moment)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        painter.drawText(rect, _RIGHT, row.moment)
        self._paint_title(painter, rect.adjusted(0, 0, -width - (8 if width else 0), 0), row, row.title)

    def _paint_said(self, painter: QPainter, rect: QRect, words: str) -> None:
        """Two lines; the second ends in an ellipsis where there is more."""
        theme = self._theme
        layout = QTextLayout(words, theme.font(theme.sizes.small))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(rect.width())
        layout.endLayout()
        place = rect.adjusted(0, 0, 0, -rect.height() // 2)
        for part in (words[: line.textLength()], words[line.textLength() :]):
            paint_line(painter, place, part.strip(), theme, points=theme.sizes.small, color="ink")
            place.moveTop(place.top() + place.height())

    def _paint_head(self, painter: QPainter, rect: QRect, row: MemoryRow) -> None:
        theme = self._theme
        width = QFontMetrics(theme.font(theme.sizes.head)).horizontalAdvance(row.right) + 8
        paint_section_head(painter, rect.adjusted(0, 0, -width, 0), row.title, theme)
        painter.drawText(rect.adjusted(0, 6, 0, 0), _RIGHT, row.right)

    def _measure(self, row: MemoryRow) -> int:
        if row.kind == "head":
            return section_head_height(self._theme)
        lines = 2 if row.kind in ("slice", "turn") else 1
        return 2 * _PAD_Y + self._first_height() + lines * self._second_height() + _GAP
