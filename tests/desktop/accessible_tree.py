"""The window as somebody finds it who has no mouse and sees no picture, and what is amiss in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from partner_desktop.desktop.chat.page import EditableTitle
from partner_desktop.desktop.parts.boxes import bring_into_view
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.window import MainWindow

from .stage import Stage

Role = QAccessible.Role
_NAMED = {
    Role.Button,
    Role.CheckBox,
    Role.RadioButton,
    Role.PageTab,
    Role.EditableText,
    Role.ComboBox,
    Role.SpinBox,
    Role.List,
    Role.ListItem,
    Role.Heading,
    Role.ProgressBar,
    Role.Dialog,
    Role.Notification,
    Role.AlertMessage,
}
_PRESSED = {Role.Button, Role.CheckBox, Role.RadioButton, Role.PageTab}
_CONTROLS = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit, QSpinBox)
#: They take a click that means away; Esc does the same.
_AWAY = {"Veil", "_Beside"}
#: The line above it moves its mark, by arrows.
_MOVED_FROM_ABOVE = "ChoiceList"
_MOST_STOPS = 250
_MOST_ROWS = 40
#: Of a text, or days of a calendar, from one of which Tab goes to the next.
_MOST_LINKS = 20
#: The ring of a message stands around its whole field.
_AROUND_PX = 16


def faces(one: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    """The tree in view, from here down."""
    if one.state().invisible:
        return
    yield one
    for number in range(one.childCount()):
        child = one.child(number)
        if child is not None:
            yield from faces(child)


def problems_of_names(window: QWidget) -> list[str]:
    """Controls without a name, without a way to press them, or whose state is not what is seen."""
    found = []
    shown: set[int] = set()
    for face in faces(QAccessible.queryAccessibleInterface(window)):
        thing = face.object()
        shown.add(id(thing))
        if isinstance(thing, QWidget) and _is_inner(thing):
            continue
        role, name = face.role(), face.text(QAccessible.Text.Name)
        where = f"{role.name} {name!r} {type(thing).__name__}"
        if role in _NAMED and not name.strip():
            found.append(f"no name: {where}")
        actions = face.actionInterface()  # none where nothing can be done
        names = actions.actionNames() if actions is not None else []  # type: ignore[redundant-expr]
        if role in _PRESSED and not face.state().disabled and not {"Press", "Toggle"} & {*names}:
            found.append(f"cannot be pressed: {where}")
        if isinstance(thing, QAbstractButton):
            state = face.state()
            if bool(state.checkable) != thing.isCheckable() or bool(state.checked) != thing.isChecked():
                found.append(f"its state is not told: {where}")
        if isinstance(thing, QWidget) and thing.focusPolicy() & Qt.FocusPolicy.TabFocus:
            if not face.state().focusable:
                found.append(f"is not said to be focusable: {where}")
            if role in (Role.Client, Role.NoRole) and not isinstance(thing, QAbstractScrollArea):
                found.append(f"no role: {where}")
    found += [f"not in the tree: {_told(each)}" for each in controls(window) if id(each) not in shown]
    return found


def controls(window: QWidget) -> list[QWidget]:
    """Everything in view that can be used; what Qt makes inside its own widgets is Qt's."""
    return [
        each
        for each in window.findChildren(QWidget)
        if isinstance(each, _CONTROLS) and each.isVisible() and not _is_inner(each)
    ]


def _is_inner(widget: QWidget) -> bool:
    if widget.objectName().startswith("qt_"):
        return True
    parent = widget.parentWidget()
    return isinstance(parent, QComboBox | QSpinBox) or (parent is not None and _is_inner(parent))


def stops(stage: Stage, window: MainWindow) -> list[QWidget]:
    """Where Tab leads, once around."""
    met: list[QWidget] = []
    stayed = 0
    for _ in range(_MOST_STOPS):
        before = window.focusWidget()
        assert before is not None
        stage.do(partial(QTest.keyClick, before, Qt.Key.Key_Tab))
        now = window.focusWidget()
        assert now is not None
        stayed = stayed + 1 if now is before else 0
        if stayed > _MOST_LINKS or (now in met and not stayed):
            return met
        if now not in met:
            met.append(now)
    raise AssertionError("Tab never came around")


def unreachable(window: MainWindow, met: list[QWidget], regions: tuple[QWidget, ...]) -> list[str]:
    """What can be clicked where Tab never leads, nor an arrow from there."""
    found = []
    for each in controls(window):
        if not each.isEnabled() or each in met or not any(region.isAncestorOf(each) for region in regions):
            continue
        if isinstance(each, QPlainTextEdit | QLineEdit) and each.isReadOnly():
            continue
        if isinstance(each, QAbstractItemView) and not each.model().rowCount():
            continue
        if type(each).__name__ == _MOVED_FROM_ABOVE:
            continue
        if not _by_arrows(each, met):
            found.append(_told(each))
    for each in window.findChildren(QWidget):
        if each.isVisible() and each.isEnabled() and _takes_clicks(each):
            inside = [one for one in met if one is each or each.isAncestorOf(one)]
            if not inside and any(region.isAncestorOf(each) for region in regions):
                found.append(f"takes clicks: {_told(each)}")
    return found


def _by_arrows(widget: QWidget, met: list[QWidget]) -> bool:
    """One of a group of choices, of which Tab meets the chosen one."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group is not None and group.exclusive() and any(each in met for each in group.buttons())


def _takes_clicks(widget: QWidget) -> bool:
    if type(widget).__name__ in (*_AWAY, _MOVED_FROM_ABOVE):
        return False
    if isinstance(widget, RowList) and not widget.rows.rows:
        return False
    if isinstance(widget, EditableTitle) and not widget.accessibleName():
        return False  # nothing that could be renamed
    ours = [kind for kind in type(widget).__mro__ if kind.__module__.startswith("partner_desktop")]
    return any({"mousePressEvent", "mouseReleaseEvent"} & vars(kind).keys() for kind in ours)


def unseen(stage: Stage, window: MainWindow, met: list[QWidget], known: set[object]) -> list[str]:
    """Stops that look no different with the keyboard on them; of each kind one is looked at."""
    found = []
    for edit in window.findChildren(QPlainTextEdit):
        edit.setCursorWidth(0)  # a caret that blinks is no sign
    for stop in met:
        kind = (type(stop), stop.property("look"), stop.objectName(), stop.property("checked"))
        if kind in known or not stop.isVisible() or not stop.isEnabled():
            continue
        known.add(kind)
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        bring_into_view(stop)
        stage.settle()
        here = _picture(window, stop)
        window.setFocus()
        stage.settle()
        if here == _picture(window, stop):
            found.append(_told(stop))
    return found


def _picture(window: MainWindow, part: QWidget) -> QImage:
    place = QRect(part.mapTo(window, QPoint(0, 0)), part.size())
    place = place.adjusted(-_AROUND_PX, -_AROUND_PX, _AROUND_PX, _AROUND_PX)
    return window.grab(place.intersected(window.rect())).toImage()


def problems_of_rows(stage: Stage, window: MainWindow) -> list[str]:
    """Rows that no arrow reaches, and what is painted on them that only a mouse could do."""
    found = []
    for rows in window.findChildren(RowList):
        if not rows.isVisible() or not rows.rows.rows:
            continue
        wanted = [row.key for row in rows.rows.rows if row.reachable][:_MOST_ROWS]
        rows.setFocus(Qt.FocusReason.TabFocusReason)
        stage.do(partial(QTest.keyClick, rows, Qt.Key.Key_Home))
        met = [rows.marked]
        for _ in wanted[1:]:
            stage.do(partial(QTest.keyClick, rows, Qt.Key.Key_Down))
            met.append(rows.marked)
        if met != wanted:
            found.append(f"{rows.accessibleName()}: {met} and not {wanted}")
        found += _problems_of_actions(rows)
    return found


def _problems_of_actions(rows: RowList[object]) -> list[str]:
    face, found = QAccessible.queryAccessibleInterface(rows), []
    for number, row in enumerate(rows.rows.rows[:_MOST_ROWS]):
        child = face.child(number)
        actions = child.actionInterface().actionNames()
        parts = rows.parts_of(row.key)
        wanted = {"Press"} if row.reachable else set()
        wanted |= {"Toggle"} if not parts.switch.isNull() else set()
        wanted |= {row.link.words} if row.link is not None and row.kind != "head" else set()
        wanted |= {verb.words for verb in rows.verbs_of(row)} if row.reachable else set()
        if not wanted <= {*actions}:
            found.append(f"{row.title}: {wanted - {*actions}} is for the mouse alone")
        if row.folded is not None and not child.state().expandable:
            found.append(f"{row.title}: nothing says that it folds")
    return found


def _told(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName()!r} {widget.objectName()}".strip()
