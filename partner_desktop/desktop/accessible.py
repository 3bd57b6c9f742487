"""What Qt cannot know of our own widgets is told to screen readers here: roles, states, values and actions.

Qt asks for the interface of a widget by the names of its class and of the classes above it. Nothing of this
is made before somebody listens, and everything goes with its widget.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleValueInterface
from PySide6.QtWidgets import QAbstractButton, QAccessibleWidget, QWidget
from shiboken6 import Shiboken

Role = QAccessible.Role
PRESS = "Press"
TOGGLE = "Toggle"
SHOW_MENU = "ShowMenu"
SET_FOCUS = "SetFocus"

#: `None`: Qt's own interface will do.
MakeInterface: TypeAlias = Callable[[QObject], QAccessibleInterface | None]

#: Of widgets that are what Qt takes them for, but for their role.
_ROLES = {
    "ActionCard": Role.Grouping,
    "CrashCard": Role.AlertMessage,
    "Banner": Role.AlertMessage,
    "Toast": Role.Notification,
    "MessageList": Role.Pane,
    "ReplyView": Role.Section,
    "Bubble": Role.Section,
    "Sidebar": Role.Pane,
    "Panel": Role.Pane,
    "Segments": Role.Grouping,
    "Appearance": Role.Dialog,
    "DaySheet": Role.Dialog,
}
_makers: dict[str, MakeInterface] = {}
#: The property of a button that is no plain one.
_BUTTON_ROLE = "accessible_role"


def install_accessibility() -> None:
    """Answer Qt when it asks; once for the app."""
    QAccessible.installFactory(_interface_of)


def interface_for(class_name: str) -> Callable[[MakeInterface], MakeInterface]:
    """Have the interfaces of a class made by what this stands on."""

    def note(make: MakeInterface) -> MakeInterface:
        _makers[class_name] = make
        return make

    return note


def _interface_of(class_name: str, thing: QObject | None) -> QAccessibleInterface | None:
    make = _makers.get(class_name)
    if make is not None and thing is not None:
        return make(thing)
    role = _ROLES.get(class_name)
    return QAccessibleWidget(thing, role) if role is not None and isinstance(thing, QWidget) else None


def set_button_role(button: QAbstractButton, role: QAccessible.Role) -> None:
    """It is one of several tabs, or of several choices."""
    button.setProperty(_BUTTON_ROLE, role.value)


class ButtonInterface(QAccessibleWidget):
    """Of a button, or of a widget that is pressed like one."""

    def __init__(self, widget: QWidget, role: QAccessible.Role, press: Callable[[], object]) -> None:
        super().__init__(widget, role)
        self._press = press

    def text(self, kind: QAccessible.Text) -> str:
        said = super().text(kind)
        widget = self.widget()
        if kind is QAccessible.Text.Description and not said:
            return widget.toolTip()
        return said

    def state(self) -> QAccessible.State:
        state, button = super().state(), self.object()
        if isinstance(button, QAbstractButton) and button.isCheckable():
            state.checkable = state.selectable = 1
            state.checked = state.selected = int(button.isChecked())
        return state

    def actionNames(self) -> list[str]:
        return [PRESS, SET_FOCUS] if self.widget().isEnabled() else []

    def doAction(self, name: str) -> None:
        if name == PRESS:
            self._press()
        else:
            super().doAction(name)


@interface_for("PushButton")
def _push_button(button: QObject) -> QAccessibleInterface | None:
    return _ButtonOfRole(button) if isinstance(button, QAbstractButton) else None


class _ButtonOfRole(ButtonInterface):
    """Qt may ask before the button has its role, and asks only once."""

    def __init__(self, button: QAbstractButton) -> None:
        super().__init__(button, Role.Button, button.click)
        self._button = button

    def role(self) -> QAccessible.Role:
        role = self._button.property(_BUTTON_ROLE)
        if role is not None:
            return Role(role)
        return Role.CheckBox if self._button.isCheckable() else Role.Button


def second_face(face: Shiboken.Object) -> Shiboken.VoidPtr:
    """The address of what a face is besides an interface: C++ has it at another place than the first."""
    return Shiboken.VoidPtr(Shiboken.getCppPointer(face)[1])


def no_face() -> Shiboken.VoidPtr:
    """An interface says so of what it is not; `None` in its place would end the process (PySide 6.11)."""
    return Shiboken.VoidPtr(0)


class ValueInterface(QAccessibleWidget, QAccessibleValueInterface):
    """Of what shows a share from 0 to 1 and cannot be changed; `None`: it is not known."""

    def __init__(self, widget: QWidget, role: QAccessible.Role, share: Callable[[], float | None]) -> None:
        QAccessibleWidget.__init__(self, widget, role)
        QAccessibleValueInterface.__init__(self)
        self._share = share

    def interface_cast(self, kind: QAccessible.InterfaceType) -> object:  # type: ignore[override] # an address
        if kind is QAccessible.InterfaceType.ValueInterface and self._share() is not None:
            return second_face(self)
        if kind is QAccessible.InterfaceType.ActionInterface:
            return QAccessibleWidget.interface_cast(self, kind)
        return no_face()

    def state(self) -> QAccessible.State:
        state = super().state()
        state.busy = int(self._share() is None)
        return state

    def currentValue(self) -> float:
        return round(100 * (self._share() or 0.0), 1)

    def setCurrentValue(self, value: object) -> None:
        """What is shown is no choice."""

    def minimumValue(self) -> float:
        return 0.0

    def maximumValue(self) -> float:
        return 100.0

    def minimumStepSize(self) -> float:
        return 0.0
