"""A view of very many rows of unlike heights, of which some are open: where each stands and how it is drawn.

Qt's own list asks for the height of every row again whenever one of them changes: with ten thousand rows,
each opening would hold the window. Here heights come from the kinds of rows, and only an open row has a
widget.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate, islice
from typing import Generic

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
from PySide6.QtGui import QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from partner_desktop.desktop.parts.boxes import bring_into_view, drop_widget, holds_keyboard
from partner_desktop.desktop.rows.row_model import RowModel
from partner_desktop.desktop.rows.row_painter import RowPainter
from partner_desktop.desktop.rows.row_spec import RowSpec, T

_STEP_PX = 24
_MARGIN_PX = 8


class RowSheet(QWidget, Generic[T]):
    """What an open row shows below itself. `asked(verb, row)`, of which its list tells."""

    asked = Signal(str, object)

    def show_row(self, row: RowSpec[T]) -> None:
        raise NotImplementedError


def no_sheet(row: RowSpec[T]) -> RowSheet[T]:
    """Of lists whose rows do not open."""
    raise ValueError(f"{row.key} does not open")


class PlacedView(QListView, Generic[T]):
    """Qt's list for its manners and for what screen readers know of it; the places are all ours."""

    def __init__(
        self,
        rows: RowModel[T],
        painter: RowPainter,
        make_sheet: Callable[[RowSpec[T]], RowSheet[T]] = no_sheet,
        *,
        grows: bool = False,
    ) -> None:
        """`grows`: it is as high as its rows, and what it stands in scrolls."""
        super().__init__()
        self.rows = rows
        self._painter = painter
        self._places = RowPlaces()
        self._open = OpenSheets(self, painter, make_sheet)
        self.grows = grows
        self._hovered = -1
        self._chosen = ""
        self._picked: set[str] = set()
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self.lay_out)
        self.setModel(rows)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        painter.theme.changed.connect(self._soon.start)

    # Where everything stands.

    def lay_out(self) -> None:
        """Measure anew."""
        self._soon.stop()
        rows = self.rows.rows
        width = self.viewport().width()
        heights = [self._painter.height(row, width) for row in rows]
        for at in self._open_places():
            heights[at] += self._open.measure(rows[at], width)
        self._places.measure(heights)
        if self.grows:
            self.setFixedHeight(self._places.height)
        self._fit_bar()
        self._place_sheets()
        self.viewport().update()

    def _place_sheets(self) -> None:
        for at in self._open_places():
            if at < len(self._places):
                self._open.place(self.rows.rows[at], self._rect(at))

    def _open_places(self) -> list[int]:
        places = (self.rows.place(key) for key in self._open)
        return [at for at in places if at is not None]

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
        width = self.viewport().width()
        self._places.add([self._painter.height(row, width) for row in came])
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
        if self.grows:
            bring_into_view(self, rect)
            return
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
        self._painter.paint(
            painter,
            rect,
            row,
            marked=active and at == self.currentIndex().row(),
            hovered=at == self._hovered,
            chosen=bool(row.key) and row.key == self._chosen,
            picked=row.key in self._picked,
            sheet=rect.height() - self._painter.height(row, rect.width()),
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
        self._ends += islice(accumulate(heights, initial=self.height), 1, None)

    def span(self, at: int) -> tuple[int, int]:
        """Top and height of a row."""
        top = self._ends[at - 1] if at else 0
        return top, self._ends[at] - top

    def at(self, y: int) -> int:
        """The row at a height; -1: none."""
        at = bisect_right(self._ends, y)
        return at if at < len(self._ends) else -1


class OpenSheets(Generic[T]):
    """By the keys of their rows. A sheet is made when it is first measured; `owner` filters its events."""

    def __init__(
        self, owner: QAbstractItemView, painter: RowPainter, make: Callable[[RowSpec[T]], RowSheet[T]]
    ) -> None:
        self._owner = owner
        self._painter = painter
        self._make_sheet = make
        self._sheets: dict[str, RowSheet[T] | None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._sheets

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def of(self, row: RowSpec[T]) -> RowSheet[T] | None:
        """What stands below a row, if that was made."""
        return self._sheets.get(row.key)

    def at(self, key: str) -> RowSheet[T] | None:
        """The same by the key of the row."""
        return self._sheets.get(key)

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

    def keep(self, rows: Mapping[str, RowSpec[T]]) -> None:
        """Other rows, by key: what is among them stays open and shows them."""
        for key in [key for key in self._sheets if key not in rows]:
            self.close(key)
        for key, sheet in self._sheets.items():
            if sheet is not None:
                sheet.show_row(rows[key])

    def measure(self, row: RowSpec[T], width: int) -> int:
        """How much room an open row needs below itself."""
        sheet = self._sheets[row.key]
        if sheet is None:
            sheet = self._sheets[row.key] = self._make(row)
        place = self._painter.sheet_place(QRect(0, 0, width, 0))
        layout = sheet.layout()
        high = sheet.sizeHint().height()
        if layout is not None and layout.hasHeightForWidth():
            high = layout.totalHeightForWidth(place.width())
        sheet.resize(place.width(), high)
        return high - place.height()

    def place(self, row: RowSpec[T], rect: QRect) -> None:
        """`rect` is of the row and its sheet together."""
        sheet = self._sheets[row.key]
        if sheet is not None:
            below = rect.adjusted(0, self._painter.height(row, rect.width()), 0, 0)
            sheet.setGeometry(self._painter.sheet_place(below))

    def _make(self, row: RowSpec[T]) -> RowSheet[T]:
        sheet = self._make_sheet(row)
        sheet.setParent(self._owner.viewport())
        sheet.installEventFilter(self._owner)
        sheet.show()
        return sheet
