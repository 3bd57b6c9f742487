"""The painted rows of a list as screen readers find them: each with its words, its state, what can be done.

A row is no widget, so it has a small object in its place, made when somebody asks for it and gone with the
row; what is open below a row is its child.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleActionInterface,
    QAccessibleEvent,
    QAccessibleInterface,
    QAccessibleObject,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from partner_desktop.desktop.accessible import (
    PRESS,
    SET_FOCUS,
    SHOW_MENU,
    TOGGLE,
    Role,
    interface_for,
    no_face,
    second_face,
)
from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_spec import RowSpec

_ROLES = {"head": Role.Heading, "note": Role.StaticText}


class RowObject(QObject):
    """Stands for one row of a list, by its key."""

    def __init__(self, rows: RowList[Any], key: str) -> None:
        super().__init__(rows)
        self.rows = rows
        self.key = key

    @property
    def place(self) -> int:
        """Where the row is; -1: no longer there."""
        place = self.rows.rows.place(self.key)
        return -1 if place is None else place

    @property
    def spec(self) -> RowSpec[Any] | None:
        """What is shown of it at present."""
        return self.rows.rows.rows[self.place] if self.place >= 0 else None


class RowObjects:
    """The objects of a list's rows, as far as somebody asked for them."""

    def __init__(self, rows: RowList[Any]) -> None:
        self._rows = rows
        self._objects: dict[str, RowObject] = {}
        rows.rows.rowsRemoved.connect(self._forget)
        rows.rows.modelReset.connect(self._forget)
        rows.rows.dataChanged.connect(self._tell)

    def of(self, key: str) -> QAccessibleInterface:
        if key not in self._objects:
            self._objects[key] = RowObject(self._rows, key)
        return QAccessible.queryAccessibleInterface(self._objects[key])

    def _forget(self) -> None:
        for key in [key for key in self._objects if self._rows.rows.place(key) is None]:
            self._objects.pop(key).deleteLater()

    def _tell(self) -> None:
        """Their words are others: who stands on one hears it."""
        known = self._objects.get(self._rows.marked)
        if known is not None and self._rows.hasFocus() and QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(known, QAccessible.Event.NameChanged))


class _ListInterface(QAccessibleWidget):
    """Of the list: its rows are its children, and nothing between."""

    def __init__(self, rows: RowList[Any]) -> None:
        super().__init__(rows, Role.List)
        self._rows = rows
        self._objects = RowObjects(rows)

    def of_row(self, key: str) -> QAccessibleInterface:
        return self._objects.of(key)

    def childCount(self) -> int:
        return len(self._rows.rows.rows)

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override] # none out of range
        rows = self._rows.rows.rows
        return self._objects.of(rows[index].key) if 0 <= index < len(rows) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        one = child.object()
        return one.place if isinstance(one, RowObject) else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override] # none beside them
        place = self._rows.viewport().mapFromGlobal(QPoint(x, y))
        return self.child(self._rows.indexAt(place).row())

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override] # none without the keyboard
        if self._rows.hasFocus() and self._rows.marked:
            return self._objects.of(self._rows.marked)
        return super().focusChild()


class _RowInterface(QAccessibleObject, QAccessibleActionInterface):
    def __init__(self, row: RowObject) -> None:
        QAccessibleObject.__init__(self, row)
        QAccessibleActionInterface.__init__(self)
        self._row = row
        self._rows = row.rows

    def isValid(self) -> bool:
        return self._row.place >= 0

    def interface_cast(self, kind: QAccessible.InterfaceType) -> object:  # type: ignore[override] # an address
        return second_face(self) if kind is QAccessible.InterfaceType.ActionInterface else no_face()

    def parent(self) -> QAccessibleInterface:
        return QAccessible.queryAccessibleInterface(self._rows)

    @property
    def _sheet(self) -> QWidget | None:
        spec = self._row.spec
        return self._rows.sheet_of(spec) if spec is not None else None

    def childCount(self) -> int:
        return int(self._sheet is not None)

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override] # none out of range
        sheet = self._sheet
        return QAccessible.queryAccessibleInterface(sheet) if sheet is not None and index == 0 else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return 0 if child.object() is self._sheet else -1

    def role(self) -> QAccessible.Role:
        spec = self._row.spec
        return _ROLES.get(spec.kind, Role.ListItem) if spec is not None else Role.ListItem

    def text(self, kind: QAccessible.Text) -> str:
        spec = self._row.spec
        if spec is None:
            return ""
        if kind is QAccessible.Text.Name:
            return ", ".join(part for part in (spec.words, spec.link.words if spec.link else "") if part)
        more = spec.tip if kind is QAccessible.Text.Description else ""
        return "" if more in spec.words else more

    def rect(self) -> QRect:
        own = self._rows.visualRect(self._rows.rows.index_of(self._row.key))
        return QRect(self._rows.viewport().mapToGlobal(own.topLeft()), own.size())

    def state(self) -> QAccessible.State:
        spec, state = self._row.spec, QAccessible.State()
        if spec is None:
            state.invalid = 1
            return state
        marked = self._rows.marked == spec.key
        opens = spec.opens or spec.folded is not None
        is_open = self._rows.is_open(spec.key) if spec.opens else not spec.folded
        seen = (
            self._rows.viewport().rect().intersects(self._rows.visualRect(self._rows.rows.index_of(spec.key)))
        )
        bits = {
            "focusable": spec.reachable,
            "selectable": spec.reachable,
            "focused": marked and self._rows.hasFocus(),
            "selected": self._rows.is_selected(spec.key),
            "multiSelectable": bool(spec.kind) and spec.kind == self._rows.picks,
            "checkable": spec.on is not None,
            "checked": bool(spec.on),
            "expandable": opens,
            "expanded": opens and is_open,
            "collapsed": opens and not is_open,
            "hasPopup": spec.reachable and bool(self._rows.verbs_of(spec)),
            "offscreen": not seen,
            "invisible": not self._rows.isVisible(),
        }
        for name, on in bits.items():
            setattr(state, name, int(on))
        return state

    # What can be done.

    def actionNames(self) -> list[str]:
        spec = self._row.spec
        if spec is None or not spec.reachable:
            return []
        verbs = self._rows.verbs_of(spec)
        names = [
            PRESS,
            *([TOGGLE] if spec.on is not None else []),
            *([SHOW_MENU] if verbs else []),
            SET_FOCUS,
        ]
        linked = [spec.link] if spec.link is not None and spec.kind != "head" else []
        return [*names, *(verb.words for verb in (*linked, *verbs))]

    def doAction(self, name: str) -> None:
        spec = self._row.spec
        if spec is None:
            return
        index = self._rows.rows.index_of(spec.key)
        if name == PRESS:
            self._rows.act(index)
        elif name == TOGGLE:
            self._rows.asked.emit("switch", spec)
        elif name == SHOW_MENU:
            self._rows.scrollTo(index)
            self._rows.open_menu(spec, self._rows.visualRect(index).center())
        elif name == SET_FOCUS:
            self._rows.setFocus(Qt.FocusReason.OtherFocusReason)
            self._rows.setCurrentIndex(index)
        else:
            self._ask(spec, name)

    def _ask(self, spec: RowSpec[Any], words: str) -> None:
        linked = [spec.link] if spec.link is not None else []
        for verb in (*linked, *self._rows.verbs_of(spec)):
            if verb.words == words:
                self._rows.asked.emit(verb.name, spec)
                return

    def keyBindingsForAction(self, name: str) -> list[str]:
        spec = self._row.spec
        verbs = self._rows.verbs_of(spec) if spec is not None else []
        return [verb.key for verb in verbs if verb.words == name and verb.key]


class _SheetInterface(QAccessibleWidget):
    """Of what is open below a row: the row is above it, and no viewport between."""

    def __init__(self, sheet: RowSheet[Any], rows: RowList[Any]) -> None:
        super().__init__(sheet, Role.Grouping)
        self._sheet = sheet
        self._rows = rows

    def parent(self) -> QAccessibleInterface:
        key = self._rows.key_of(self._sheet)
        above = QAccessible.queryAccessibleInterface(self._rows)
        return above.of_row(key) if key and isinstance(above, _ListInterface) else above


def install_rows() -> None:
    """Have the lists of the window read like this; the app's own business at its start."""
    interface_for("RowList")(_for_list)
    interface_for("RowObject")(_for_row)
    interface_for("RowSheet")(_for_sheet)


def _for_list(rows: QObject) -> QAccessibleInterface | None:
    """Qt asks for the first time while the list is made: then its own will do."""
    return _ListInterface(rows) if isinstance(rows, RowList) and "menu" in vars(rows) else None


def _for_row(row: QObject) -> QAccessibleInterface | None:
    return _RowInterface(row) if isinstance(row, RowObject) else None


def _for_sheet(sheet: QObject) -> QAccessibleInterface | None:
    viewport = sheet.parent()
    rows = viewport.parent() if viewport is not None else None
    return _SheetInterface(sheet, rows) if isinstance(sheet, RowSheet) and isinstance(rows, RowList) else None
