"""A list of very many rows of unlike heights, of which each can be opened in its place, by hand or by key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QWidget,
)

from partner_desktop.desktop.parts.lists.list_rows import RowsModel
from partner_desktop.desktop.parts.lists.placed_view import Painter, PlacedView, R, Sheet
from partner_desktop.desktop.theme.theme import Theme

_USUAL_ROW_PX = 72
_OPENERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


class LongList(PlacedView[R]):
    """Enter, Space and a click open and close a row; Right opens, Left closes. `typed(text)`: to look for."""

    typed = Signal(str)

    def __init__(self, rows: RowsModel[R], look: Painter[R], theme: Theme) -> None:
        super().__init__(rows, look, theme)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)

    # What is open.

    def is_open(self, row: R) -> bool:
        """Whether a row is open."""
        return row.key in self._open

    def sheet_of(self, row: R) -> Sheet[R] | None:
        """What stands below an open row; made when it is first laid out."""
        return self._open.of(row)

    def toggle(self, index: QModelIndex | QPersistentModelIndex, *, open_it: bool | None = None) -> None:
        """Open or close a row."""
        if not index.isValid() or not self.rows.rows[index.row()].opens:
            return
        row = self.rows.rows[index.row()]
        if (row.key in self._open) == open_it:
            return
        if row.key in self._open:
            self._open.close(row.key)
        else:
            self._open.open(row.key)
        self.lay_out()
        self.scrollTo(self.rows.index(index.row()))

    def show_rows(self, rows: Sequence[R]) -> None:
        """Others; what is open, marked and in view stays so where it is still there."""
        current = self.currentIndex()
        marked = self.rows.rows[current.row()].key if current.isValid() else ""
        scrolled = self.verticalScrollBar().value()
        self.rows.reset_rows(rows)
        self._by_key = {row.key: at for at, row in enumerate(rows)}
        self._open.keep({row.key: row for row in rows})
        if marked in self._by_key:
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(self.rows.index(self._by_key[marked]), flag)
        self.lay_out()
        self.verticalScrollBar().setValue(scrolled)

    def renew(self, row: R) -> None:
        """One of the rows is otherwise now."""
        at = self._by_key.get(row.key)
        if at is not None:
            self.rows.replace(at, [row])
            sheet = self._open.of(row)
            if sheet is not None:
                sheet.show_row(row)
            self.viewport().update()

    # Hands.

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        del modifiers
        now, page = self.currentIndex().row(), max(1, self.viewport().height() // _USUAL_ROW_PX)
        return self._reachable(rows_towards(action, now, len(self.rows.rows), page=page), now)

    def _reachable(self, wanted: range, now: int) -> QModelIndex:
        at = next((at for at in wanted if self.rows.rows[at].opens), now)
        return self.rows.index(at) if at >= 0 else QModelIndex()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = event.text()
        held = event.modifiers() & _COMMANDS
        if event.key() in _OPENERS and not held:
            if not event.isAutoRepeat():
                self.toggle(self.currentIndex())
        elif event.key() in (Qt.Key.Key_Right, Qt.Key.Key_Left):
            self.toggle(self.currentIndex(), open_it=event.key() == Qt.Key.Key_Right)
        elif text.isprintable() and text.strip() and not held:
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The row under it is marked; the keyboard stays where it is."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() is Qt.MouseButton.LeftButton and self._on_row(index, event):
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.toggle(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A quick second click is a second click."""
        self.mousePressEvent(event)

    def _on_row(self, index: QModelIndex, event: QMouseEvent) -> bool:
        """Not in the room of the sheet below."""
        top = self.visualRect(index).top()
        return event.position().y() < top + self._look.height(self.rows.rows[index.row()])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._at(round(event.position().y())))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def _hover(self, at: int) -> None:
        if at != self._hovered:
            self._hovered = at
            self.viewport().update()

    def focusInEvent(self, event: QEvent) -> None:
        """The keyboard needs a row to be on."""
        super().focusInEvent(event)  # type: ignore[arg-type] # Qt gives a QFocusEvent
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._reachable(range(len(self.rows.rows)), -1))
        self.viewport().update()

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Tab has led into a sheet: it comes into view."""
        if now is not None and now is not self.viewport() and self.viewport().isAncestorOf(now):
            self._bring(QRect(now.mapTo(self.viewport(), QPoint(0, 0)), now.size()))


def rows_towards(action: QAbstractItemView.CursorAction, now: int, count: int, *, page: int) -> range:
    """The rows to try, best first, from row `now` of `count`; `page` is how many a view shows."""
    steps = QAbstractItemView.CursorAction
    ways = {
        steps.MoveUp: range(now - 1, -1, -1),
        steps.MovePrevious: range(now - 1, -1, -1),
        steps.MoveDown: range(now + 1, count),
        steps.MoveNext: range(now + 1, count),
        steps.MovePageUp: range(max(0, now - page), count),
        steps.MovePageDown: range(min(count - 1, now + page), -1, -1),
        steps.MoveHome: range(count),
        steps.MoveEnd: range(count - 1, -1, -1),
    }
    return ways.get(action, range(0))
