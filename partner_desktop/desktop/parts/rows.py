"""Rows of a list model, changed by their difference: what stays is not touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QListView

from partner_desktop.desktop.parts.tips import plain_tip
from partner_desktop.desktop.wording import LazyText, bind_text

T = TypeVar("T")

#: The role under which a row itself is found.
ROW_ROLE = int(Qt.ItemDataRole.UserRole)


class RowsModel(QAbstractListModel, Generic[T]):
    """A list of rows that compare by value."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[T] = []

    @property
    def rows(self) -> Sequence[T]:
        """What is shown, in order."""
        return self._rows

    def set_rows(self, rows: Sequence[T]) -> None:
        """Show these: the unequal stretch between the equal ends is replaced."""
        old = self._rows
        start = 0
        while start < min(len(old), len(rows)) and old[start] == rows[start]:
            start += 1
        end = 0
        while end < min(len(old), len(rows)) - start and old[-1 - end] == rows[-1 - end]:
            end += 1
        old_stop, new_stop = len(old) - end, len(rows) - end
        if old_stop - start == new_stop - start:
            self.replace(start, rows[start:new_stop])
            return
        if old_stop > start:
            self.beginRemoveRows(QModelIndex(), start, old_stop - 1)
            del old[start:old_stop]
            self.endRemoveRows()
        if new_stop > start:
            self.beginInsertRows(QModelIndex(), start, new_stop - 1)
            old[start:start] = rows[start:new_stop]
            self.endInsertRows()

    def reset_rows(self, rows: Sequence[T]) -> None:
        """Show these without comparing: for very many rows, of which a view keeps what it needs itself."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def add_rows(self, rows: Sequence[T]) -> None:
        """Show these too, at the end."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows) + len(rows) - 1)
            self._rows += rows
            self.endInsertRows()

    def replace(self, start: int, rows: Sequence[T]) -> None:
        """Show these in place of as many from `start` on."""
        if rows:
            self._rows[start : start + len(rows)] = rows
            self.dataChanged.emit(self.index(start), self.index(start + len(rows) - 1))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's own signature
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        said = self.describe(row, role)
        tip = role == Qt.ItemDataRole.ToolTipRole and isinstance(said, str)
        return plain_tip(said) if tip else said

    def describe(self, row: T, role: int) -> Any:  # noqa: ANN401 - whatever the role asks for
        """What a role shows of a row; also what screen readers say."""
        raise NotImplementedError


class RowsList(QListView):
    """Painted rows, reached by Tab; a click and Enter choose one."""

    def __init__(self, rows: RowsModel[Any], name: LazyText) -> None:
        super().__init__()
        bind_text(self, self.setAccessibleName, name)
        self.setModel(rows)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

    def _choose(self, index: QModelIndex) -> None:
        raise NotImplementedError
