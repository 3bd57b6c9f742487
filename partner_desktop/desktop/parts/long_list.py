"""A list of very many rows of unlike heights, of which each can be opened in its place.

Qt's own list asks for the height of every row again whenever one of them changes: with ten thousand rows,
each opening would hold the window. Here heights come from the kinds of rows, and only an open row has a
widget.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from partner_desktop.desktop.parts.rows import RowsModel
from partner_desktop.desktop.theme.theme import Theme

_STEP_PX = 24
_MARGIN_PX = 8
_USUAL_ROW_PX = 72
_OPENERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class OpenRow(Protocol):
    """A row that knows itself again among others."""

    @property
    def key(self) -> str: ...

    @property
    def kind(self) -> str:
        """All closed rows of a kind are of one height."""
        ...

    @property
    def opens(self) -> bool:
        """Whether it can be opened; what cannot is a head, and the keyboard passes over it."""
        ...


R = TypeVar("R", bound=OpenRow)


class Sheet(QWidget, Generic[R]):
    """What an open row shows below itself."""

    def show_row(self, row: R) -> None:
        """The row is another one now."""
        raise NotImplementedError


class Painter(Protocol[R]):
    """How rows look."""

    def height(self, row: R) -> int:
        """Of the row itself; asked once for each kind."""
        ...

    def paint(
        self, painter: QPainter, rect: QRect, row: R, *, marked: bool, hovered: bool, sheet: int
    ) -> None:
        """`sheet` is how high what is open below is; 0: the row is closed. `rect` is of both together."""
        ...

    def sheet(self, row: R) -> Sheet[R]:
        """A new one."""
        ...

    def sheet_place(self, rect: QRect) -> QRect:
        """Where it stands within the room below its row."""
        ...


class LongList(QListView, Generic[R]):
    """Enter, Space and a click open and close a row; Right opens, Left closes. `typed(text)`: to look for.

    A subclass of Qt's list for its manners and for what screen readers know of it; the places are all ours.
    """

    typed = Signal(str)

    def __init__(self, rows: RowsModel[R], look: Painter[R], theme: Theme) -> None:
        super().__init__()
        self.rows = rows
        self._look = look
        self._ends: list[int] = []
        self._places: dict[str, int] = {}
        self._open: dict[str, Sheet[R] | None] = {}
        self._hovered = -1
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self.lay_out)
        self.setModel(rows)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        theme.changed.connect(self._soon.start)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)

    # What is open.

    def is_open(self, row: R) -> bool:
        """Whether a row is open."""
        return row.key in self._open

    def sheet_of(self, row: R) -> Sheet[R] | None:
        """What stands below an open row; made when it is first laid out."""
        return self._open.get(row.key)

    def toggle(self, index: QModelIndex | QPersistentModelIndex, *, open_it: bool | None = None) -> None:
        """Open or close a row."""
        if not index.isValid() or not self.rows.rows[index.row()].opens:
            return
        row = self.rows.rows[index.row()]
        if (row.key in self._open) == open_it:
            return
        if row.key in self._open:
            self._drop(row.key)
        else:
            self._open[row.key] = None
        self.lay_out()
        self.scrollTo(self.rows.index(index.row()))

    def show_rows(self, rows: Sequence[R]) -> None:
        """Others; what is open, marked and in view stays so where it is still there."""
        current = self.currentIndex()
        marked = self.rows.rows[current.row()].key if current.isValid() else ""
        scrolled = self.verticalScrollBar().value()
        self.rows.reset_rows(rows)
        self._places = places = {row.key: at for at, row in enumerate(rows)}
        for key in [key for key in self._open if key not in places]:
            self._drop(key)
        for key, sheet in self._open.items():
            if sheet is not None:
                sheet.show_row(rows[places[key]])
        if marked in places:
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(self.rows.index(places[marked]), flag)
        self.lay_out()
        self.verticalScrollBar().setValue(scrolled)

    def _drop(self, key: str) -> None:
        sheet = self._open.pop(key)
        if sheet is not None:
            focused = QApplication.focusWidget()
            if focused is not None and sheet.isAncestorOf(focused):
                self.setFocus(Qt.FocusReason.OtherFocusReason)
            sheet.hide()
            sheet.deleteLater()

    # Where everything stands.

    def lay_out(self) -> None:
        """Measure anew."""
        self._soon.stop()
        rows = self.rows.rows
        samples = {row.kind: row for row in rows}
        usual = {kind: self._look.height(row) for kind, row in samples.items()}
        heights = [usual[row.kind] for row in rows]
        for at in self._open_places():
            heights[at] += self._sheet_height(rows[at])
        self._ends = list(accumulate(heights))
        self._fit_bar()
        self._place_sheets()
        self.viewport().update()

    def _sheet_height(self, row: R) -> int:
        sheet = self._open[row.key]
        if sheet is None:
            sheet = self._open[row.key] = self._look.sheet(row)
            sheet.setParent(self.viewport())
            sheet.installEventFilter(self)
            sheet.show()
        place = self._look.sheet_place(QRect(0, 0, self.viewport().width(), 0))
        layout = sheet.layout()
        high = layout.totalHeightForWidth(place.width()) if layout is not None else sheet.sizeHint().height()
        sheet.resize(place.width(), high)
        return high - place.height()

    def _place_sheets(self) -> None:
        for at in self._open_places():
            row = self.rows.rows[at]
            sheet = self._open[row.key]
            if sheet is not None and at < len(self._ends):
                rect = self._rect(at)
                below = rect.adjusted(0, self._look.height(row), 0, 0)
                sheet.setGeometry(self._look.sheet_place(below))

    def _open_places(self) -> list[int]:
        return [self._places[key] for key in self._open if key in self._places]

    def _rect(self, at: int) -> QRect:
        top = self._ends[at - 1] if at else 0
        return QRect(0, top - self.verticalScrollBar().value(), self.viewport().width(), self._ends[at] - top)

    def _fit_bar(self) -> None:
        bar, view = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, (self._ends[-1] if self._ends else 0) - view))
        bar.setPageStep(view)
        bar.setSingleStep(_STEP_PX)

    def _at(self, y: int) -> int:
        """The row at a height of the viewport; -1: none."""
        at = bisect_right(self._ends, y + self.verticalScrollBar().value())
        return at if 0 <= at < len(self._ends) else -1

    # What Qt asks.

    def doItemsLayout(self) -> None:
        self.lay_out()

    def updateGeometries(self) -> None:
        self._fit_bar()

    def resizeEvent(self, event: QResizeEvent) -> None:
        QAbstractItemView.resizeEvent(self, event)
        self.lay_out()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        del dx, dy
        self._place_sheets()
        self.viewport().update()

    def verticalOffset(self) -> int:
        return self.verticalScrollBar().value()

    def horizontalOffset(self) -> int:
        return 0

    def visualRect(self, index: QModelIndex | QPersistentModelIndex) -> QRect:
        return self._rect(index.row()) if index.isValid() and index.row() < len(self._ends) else QRect()

    def indexAt(self, point: QPoint) -> QModelIndex:
        at = self._at(point.y())
        return self.rows.index(at) if at >= 0 else QModelIndex()

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        del hint
        rect = self.visualRect(index)
        if rect.isNull():
            return
        self._bring(rect)

    def _bring(self, rect: QRect) -> None:
        """What is higher than the view shows its beginning."""
        bar, view = self.verticalScrollBar(), self.viewport().height()
        if rect.top() < 0 or rect.height() > view:
            bar.setValue(bar.value() + rect.top() - _MARGIN_PX)
        elif rect.bottom() > view:
            bar.setValue(bar.value() + rect.bottom() - view + _MARGIN_PX)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        del modifiers
        steps = QAbstractItemView.CursorAction
        now, count = self.currentIndex().row(), len(self.rows.rows)
        page = max(1, self.viewport().height() // _USUAL_ROW_PX)
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
        return self._reachable(ways.get(action, range(0)), now)

    def _reachable(self, wanted: range, now: int) -> QModelIndex:
        at = next((at for at in wanted if self.rows.rows[at].opens), now)
        return self.rows.index(at) if at >= 0 else QModelIndex()

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        index = self.indexAt(rect.center())
        if index.isValid():
            self.selectionModel().select(index, command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        region = QRegion()
        for index in selection.indexes():
            region += QRegion(self.visualRect(index))
        return region

    # Hands and eyes.

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._ends:
            return
        painter = QPainter(self.viewport())
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        active = bool(option.state & QStyle.StateFlag.State_Active) and self.hasFocus()
        at, last = self._at(max(0, event.rect().top())), self._at(event.rect().bottom())
        while 0 <= at <= (last if last >= 0 else len(self._ends) - 1):
            row, rect = self.rows.rows[at], self._rect(at)
            painter.save()
            self._look.paint(
                painter,
                rect,
                row,
                marked=active and at == self.currentIndex().row(),
                hovered=at == self._hovered,
                sheet=rect.height() - self._look.height(row),
            )
            painter.restore()
            at += 1
        painter.end()

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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A sheet has more or less to show: everything below moves."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._soon.start()
        return super().eventFilter(watched, event)

    def _follow_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Tab has led into a sheet: it comes into view."""
        if now is not None and now is not self.viewport() and self.viewport().isAncestorOf(now):
            self._bring(QRect(now.mapTo(self.viewport(), QPoint(0, 0)), now.size()))


_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
