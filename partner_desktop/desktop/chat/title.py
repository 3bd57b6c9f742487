"""A title that a double click turns into a field."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QStackedLayout, QWidget

from partner_desktop.desktop.parts.labels import ElidedLabel
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.wording import say

_LONGEST = 200


class _Field(QLineEdit):
    """`given_up()` on Esc."""

    given_up = Signal()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # otherwise Esc would be the window's
                return True
            self.given_up.emit()
            return True
        return super().event(event)


class EditableTitle(QWidget):
    """`changed(title)` when another was written: Enter or leaving the field takes it, Esc does not."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._editable = False
        self.label = ElidedLabel("", "title")
        self.field = _Field()
        say(self.field, self.field.setAccessibleName, lambda: self.tr("New title"))
        self.field.setMaxLength(_LONGEST)
        set_look(self.field, "rename")
        self.field.editingFinished.connect(self._finish)
        self.field.given_up.connect(self._stop)
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self.label)
        self._layout.addWidget(self.field)

    def show_title(self, title: str, *, editable: bool) -> None:
        """Show it; what is being written stays where the title did not change."""
        other = title != self.label.text()
        self._editable = editable
        self.label.set_text(title)
        if other or not editable:
            self._stop()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._editable:
            self.field.setText(self.label.text())
            self._layout.setCurrentWidget(self.field)
            self.field.selectAll()
            self.field.setFocus()
        super().mouseDoubleClickEvent(event)

    def _finish(self) -> None:
        title = " ".join(self.field.text().split())
        if self._layout.currentWidget() is self.field:
            self._stop()
            if title and title != self.label.text():
                self.changed.emit(title)

    def _stop(self) -> None:
        self.field.setText(self.label.text())  # leaving the field, which follows, must not take it
        self._layout.setCurrentWidget(self.label)
