"""A view of very many rows of unlike heights, of which some are open: where each stands and how it is drawn.

Qt's own list asks for the height of every row again whenever one of them changes: with ten thousand rows,
each opening would hold the window. Here heights come from the kinds of rows, and only an open row has a
widget.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, islice
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
)
from PySide6.QtGui import QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from partner_desktop.desktop.parts.boxes import drop_widget, holds_keyboard
from partner_desktop.desktop.parts.lists.list_rows import RowsModel
from partner_desktop.desktop.theme.theme import Theme

_STEP_PX = 24
_MARGIN_PX = 8


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


class PlacedView(QListView, Generic[R]):
    """Qt's list for its manners and for what screen readers know of it; the places are all ours."""

    def __init__(self, rows: RowsModel[R], look: Painter[R], theme: Theme) -> None:
        super().__init__()
        self.rows = rows
        self._look = look
        self._places = RowPlaces()
        self._by_key: dict[str, int] = {}
        self._open = OpenSheets(self, look)
        self._hovered = -1
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self.lay_out)
        self.setModel(rows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        theme.changed.connect(self._soon.start)

    # Where everything stands.

    def lay_out(self) -> None:
        """Measure anew."""
        self._soon.stop()
        rows = self.rows.rows
        samples = {row.kind: row for row in rows}
        usual = {kind: self._look.height(row) for kind, row in samples.items()}
        heights = [usual[row.kind] for row in rows]
        for at in self._open_places():
            heights[at] += self._open.measure(rows[at], self.viewport().width())
        self._places.measure(heights)
        self._fit_bar()
        self._place_sheets()
        self.viewport().update()

    def _place_sheets(self) -> None:
        for at in self._open_places():
            if at < len(self._places):
                self._open.place(self.rows.rows[at], self._rect(at))

    def _open_places(self) -> list[int]:
        return [self._by_key[key] for key in self._open if key in self._by_key]

    def _rect(self, at: int) -> QRect:
        top, height = self._places.span(at)
        return QRect(0, top - self.verticalScrollBar().value(), self.viewport().width(), height)

    def _fit_bar(self) -> None:
        bar, view = self.verticalScrollBar(), self.viewport().height()
        bar.setRange(0, max(0, self._places.height - view))
        bar.setPageStep(view)
        bar.setSingleStep(_STEP_PX)

    def _at(self, y: int) -> int:
        """The row at a height of the viewport; -1: none."""
        return self._places.at(y + self.verticalScrollBar().value())

    # What Qt asks.

    def doItemsLayout(self) -> None:
        self.lay_out()

    def updateGeometries(self) -> None:
        self._fit_bar()

    def rowsInserted(self, parent: QModelIndex | QPersistentModelIndex, start: int, end: int) -> None:
        """Of many rows only those that came are measured; they come at the end."""
        QAbstractItemView.rowsInserted(self, parent, start, end)
        if start != len(self._places):
            self._soon.start()
            return
        came = self.rows.rows[start : end + 1]
        self._by_key.update({row.key: at for at, row in enumerate(came, start)})
        self._places.add([self._look.height(row) for row in came])
        self._fit_bar()
        self.viewport().update()

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
        return self._rect(index.row()) if index.isValid() and index.row() < len(self._places) else QRect()

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

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        index = self.indexAt(rect.center())
        if index.isValid():
            self.selectionModel().select(index, command)

    def visualRegionForSelection(self, selection: QItemSelection) -> QRegion:
        region = QRegion()
        for index in selection.indexes():
            region += QRegion(self.visualRect(index))
        return region

    # What is seen.

    def _between(self, top: int, bottom: int) -> range:
        """The rows that reach into a stretch of the viewport."""
        first, last = self._at(max(0, top)), self._at(bottom)
        if first < 0:
            return range(0)
        return range(first, last + 1 if last >= 0 else len(self._places))

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._places:
            return
        painter = QPainter(self.viewport())
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        active = bool(option.state & QStyle.StateFlag.State_Active) and self.hasFocus()
        for at in self._between(event.rect().top(), event.rect().bottom()):
            self._paint_row(painter, at, active=active)
        painter.end()

    def _paint_row(self, painter: QPainter, at: int, *, active: bool) -> None:
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A sheet has more or less to show: everything below moves."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._soon.start()
        return super().eventFilter(watched, event)


class RowPlaces:
    """Pixels from the top of the first row, whatever is scrolled."""

    def __init__(self) -> None:
        self._ends: list[int] = []

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def height(self) -> int:
        """Of all rows together."""
        return self._ends[-1] if self._ends else 0

    def measure(self, heights: Iterable[int]) -> None:
        """Other rows, or other heights."""
        self._ends = list(accumulate(heights))

    def add(self, heights: Iterable[int]) -> None:
        """More rows, below the others."""
        self._ends += islice(accumulate(heights, initial=self.height), 1, None)

    def span(self, at: int) -> tuple[int, int]:
        """Top and height of a row."""
        top = self._ends[at - 1] if at else 0
        return top, self._ends[at] - top

    def at(self, y: int) -> int:
        """The row at a height; -1: none."""
        at = bisect_right(self._ends, y)
        return at if at < len(self._ends) else -1


class OpenSheets(Generic[R]):
    """By the keys of their rows. A sheet is made when it is first measured; `owner` filters its events."""

    def __init__(self, owner: QAbstractItemView, look: Painter[R]) -> None:
        self._owner = owner
        self._look = look
        self._sheets: dict[str, Sheet[R] | None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._sheets

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def of(self, row: R) -> Sheet[R] | None:
        """What stands below a row, if that was made."""
        return self._sheets.get(row.key)

    def open(self, key: str) -> None:
        """From now on this row is open."""
        self._sheets[key] = None

    def close(self, key: str) -> None:
        """The keyboard goes back to the list if it was in the sheet."""
        sheet = self._sheets.pop(key)
        if sheet is not None:
            if holds_keyboard(sheet):
                self._owner.setFocus(Qt.FocusReason.OtherFocusReason)
            drop_widget(sheet)

    def keep(self, rows: Mapping[str, R]) -> None:
        """Other rows, by key: what is among them stays open and shows them."""
        for key in [key for key in self._sheets if key not in rows]:
            self.close(key)
        for key, sheet in self._sheets.items():
            if sheet is not None:
                sheet.show_row(rows[key])

    def measure(self, row: R, width: int) -> int:
        """How much room an open row needs below itself."""
        sheet = self._sheets[row.key]
        if sheet is None:
            sheet = self._sheets[row.key] = self._make(row)
        place = self._look.sheet_place(QRect(0, 0, width, 0))
        layout = sheet.layout()
        high = layout.totalHeightForWidth(place.width()) if layout is not None else sheet.sizeHint().height()
        sheet.resize(place.width(), high)
        return high - place.height()

    def place(self, row: R, rect: QRect) -> None:
        """`rect` is of the row and its sheet together."""
        sheet = self._sheets[row.key]
        if sheet is not None:
            below = rect.adjusted(0, self._look.height(row), 0, 0)
            sheet.setGeometry(self._look.sheet_place(below))

    def _make(self, row: R) -> Sheet[R]:
        sheet = self._look.sheet(row)
        sheet.setParent(self._owner.viewport())
        sheet.installEventFilter(self._owner)
        sheet.show()
        return sheet
