"""A title that is written anew where it stands."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from partner_desktop.desktop.parts.boxes import drop_widget
from partner_desktop.desktop.parts.controls import on_escape
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import tr

_LONGEST_TITLE = 200
#: A menu is open over it, or its window is in the background.
_COMES_BACK = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class TitleEditor(QLineEdit):
    """`saved(title)` by Enter or by going elsewhere, if it is another; then, or by Esc, `left()`."""

    saved = Signal(str)
    left = Signal()

    def __init__(self, place: QWidget, title: str) -> None:
        super().__init__(title, place)
        self._over = False
        set_look(self, "rename")
        self.setAccessibleName(tr("New title"))
        self.setMaxLength(_LONGEST_TITLE)
        self.returnPressed.connect(self._save)
        on_escape(self, self._leave)

    def begin(self) -> None:
        """Take the keyboard; what is typed replaces what stands there."""
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _COMES_BACK:
            self._save()

    def _save(self) -> None:
        title = self.text().strip()
        if not self._over and self.isModified() and title:
            self.saved.emit(title)
        self._leave()

    def _leave(self) -> None:
        if not self._over:
            self._over = True
            self.left.emit()
            drop_widget(self)
