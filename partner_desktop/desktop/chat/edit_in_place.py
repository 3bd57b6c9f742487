"""A message of the person's while it is said differently: its text in an editor, where it stood."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame

from partner_desktop.desktop.chat.composer_edit import ComposerEdit
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.parts.escape import on_escape
from partner_desktop.desktop.theme.theme import set_look
from partner_desktop.desktop.wording import say

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Edit(ComposerEdit):
    """As the composer's, and Ctrl+Enter sends too."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.send_pressed.emit()
        else:
            super().keyPressEvent(event)


class EditInPlace(QFrame):
    """`sent(text)`; `cancelled()`. What was typed stays until whoever owns it takes it away."""

    sent = Signal(str)
    cancelled = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setObjectName("edit_in_place")
        self.edit = _Edit()
        say(self.edit, self.edit.setAccessibleName, lambda: self.tr("Edit your message"))
        say(self.edit, self.edit.setPlaceholderText, lambda: "")
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.send_pressed.connect(self._send)
        on_escape(self.edit, self.cancelled.emit)
        self.edit.focus_changed.connect(lambda on: set_look(self, "true" if on else "false", name="lit"))
        self.edit.textChanged.connect(self._show_button)
        hint = text_label(lambda: self.tr("What followed is kept as another version"), "muted")
        self.cancel_button = push_button(lambda: self.tr("Cancel"))
        self.cancel_button.clicked.connect(self.cancelled)
        self.send_button = push_button(
            lambda: self.tr("Send"), "primary", name=lambda: self.tr("Send the edited message")
        )
        self.send_button.clicked.connect(self._send)
        vbox(
            self.edit,
            hbox(hint, stretch(), self.cancel_button, self.send_button, gap=8),
            into=self,
            gap=8,
            margins=(14, 12, 12, 10),
        )
        self.setFocusProxy(self.edit)

    @property
    def text(self) -> str:
        """What is in it now."""
        return self.edit.toPlainText()

    def set_waiting(self, waiting: bool) -> None:
        """It was sent, and is not accepted yet."""
        self.setEnabled(not waiting)

    def _show_button(self) -> None:
        self.send_button.setEnabled(bool(self.text.strip()))

    def _send(self) -> None:
        text = self.text.strip()
        if text and self.isEnabled():
            self.sent.emit(text)
