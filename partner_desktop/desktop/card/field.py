"""One editable parameter: what every kind of field has in common."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop import wording
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.domain.json_value import Json

#: The words of the fields.
tr = wording.tr


class MissingValue:
    """What a field reads when it was left empty: the parameter is left out of the call."""


MISSING = MissingValue()


class FieldProblemError(Exception):
    """What was typed does not do; the text is a sentence for the person."""


class Field(QObject):
    """A value of one type and the widget that edits it. `edited()` comes with every change by the person."""

    edited = Signal()

    def __init__(self, name: str, title: str, widget: QWidget, *, edit: QWidget | None = None) -> None:
        """`edit`: what of the widget shows that the value does not do, where that is not all of it."""
        super().__init__(widget)
        self.name = name
        self.title = title
        self.widget = widget
        self._marked = edit or widget
        widget.setAccessibleName(title)

    def read(self) -> Json | MissingValue:
        """The value as it would be sent, or MISSING.

        Raises:
            FieldProblemError: The text has no such value.
        """
        raise NotImplementedError

    def take_over(self, before: Field) -> bool:
        """Stand in for another field of the same property; false: its inputs are to be copied one by one."""
        del before
        return False

    def mark(self, *, problem: bool) -> None:
        """Show that the value does not do, or does again."""
        set_look(self._marked, "true" if problem else "false", name="problem")
