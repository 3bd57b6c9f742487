"""The open rows of a list, and the widget that each shows below itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication

from partner_desktop.desktop.parts.open_rows import Painter, R, Sheet


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
            focused = QApplication.focusWidget()
            if focused is not None and sheet.isAncestorOf(focused):
                self._owner.setFocus(Qt.FocusReason.OtherFocusReason)
            sheet.hide()
            sheet.deleteLater()

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
