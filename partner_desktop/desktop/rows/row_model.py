"""The rows of a list as Qt and screen readers ask for them, changed by their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from partner_desktop.desktop.rows.row_spec import RowSpec, T
from partner_desktop.desktop.wording import plain_tip

#: The role under which a row itself is found.
ROW_ROLE = int(Qt.ItemDataRole.UserRole)


class RowModel(QAbstractListModel, Generic[T]):
    """Heads and notes can be neither chosen nor reached."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[RowSpec[T]] = []
        self._places: dict[str, int] = {}

    @property
    def rows(self) -> Sequence[RowSpec[T]]:
        """What is shown, in order."""
        return self._rows

    def place(self, key: str) -> int | None:
        """Where a row stands."""
        return self._places.get(key)

    def index_of(self, key: str) -> QModelIndex:
        """The same for Qt; invalid when it is not there."""
        at = self._places.get(key)
        return self.index(at) if at is not None else QModelIndex()

    def set_rows(self, rows: Sequence[RowSpec[T]]) -> None:
        """Show these: what only changed changes in its place, the stretch between the equal ends is new."""
        fresh = {row.key: row for row in rows}
        if self._rows and not self._places.keys() & fresh.keys():
            self.beginResetModel()
            self._rows = list(rows)
            self._note_places()
            self.endResetModel()
            return
        self._renew(fresh)
        self._exchange(rows)

    def _renew(self, fresh: Mapping[str, RowSpec[T]]) -> None:
        """Views are told once: of the stretch from the first that changed to the last."""
        changed = []
        for number, row in enumerate(self._rows):
            now = fresh.get(row.key, row)
            if now is not row and now != row:
                self._rows[number] = now
                changed.append(number)
        if changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def _exchange(self, rows: Sequence[RowSpec[T]]) -> None:
        old = self._rows
        shortest = min(len(old), len(rows))
        start = end = 0
        while start < shortest and old[start].key == rows[start].key:
            start += 1
        while end < shortest - start and old[-1 - end].key == rows[-1 - end].key:
            end += 1
        old_stop, new_stop = len(old) - end, len(rows) - end
        if old_stop > start:
            self.beginRemoveRows(QModelIndex(), start, old_stop - 1)
            del old[start:old_stop]
            self._note_places()
            self.endRemoveRows()
        if new_stop > start:
            self._insert(start, rows[start:new_stop])

    def add_rows(self, rows: Sequence[RowSpec[T]]) -> None:
        """Show these too, at the end."""
        if rows:
            self._insert(len(self._rows), rows)

    def replace(self, at: int, row: RowSpec[T]) -> None:
        self._rows[at] = row
        self._places[row.key] = at
        self.dataChanged.emit(self.index(at), self.index(at))

    def _insert(self, start: int, rows: Sequence[RowSpec[T]]) -> None:
        self.beginInsertRows(QModelIndex(), start, start + len(rows) - 1)
        self._rows[start:start] = rows
        if start + len(rows) == len(self._rows):
            self._places.update({row.key: at for at, row in enumerate(rows, start)})
        else:
            self._note_places()
        self.endInsertRows()

    def _note_places(self) -> None:
        self._places = {row.key: at for at, row in enumerate(self._rows)}

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if index.isValid() and self._rows[index.row()].reachable:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401 - Qt's own signature
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.words
        return plain_tip(row.tip) if role == Qt.ItemDataRole.ToolTipRole and row.tip else None
