"""The composer: always live, sends on Enter, stops what runs, keeps the draft when sending fails."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFileDialog, QFrame

from partner_desktop.desktop.chat.composer_edit import ComposerEdit
from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import IconButton, push_button, text_label
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import Theme, set_look

_HINT_NEEDS_PX = 460


class Composer(QFrame):
    """`submitted(text)`, `stop_pressed()`, `files_chosen(paths)`, `running_changed()`."""

    submitted = Signal(str)
    stop_pressed = Signal()
    files_chosen = Signal(list)
    running_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("composer")
        self._running = False
        self.edit = ComposerEdit()
        self.edit.send_pressed.connect(self.submit)
        self.edit.textChanged.connect(self._show_buttons)
        self.edit.focus_changed.connect(lambda on: set_look(self, "true" if on else "false", name="lit"))
        self._add = IconButton(theme, "plus", lambda: self.tr("Add a script"))
        self._add.clicked.connect(self._choose_files)
        self._hint = text_label(lambda: self.tr("Enter to send · Shift Enter for a new line"), "muted")
        self.stop_button = push_button(
            lambda: self.tr("Stop"), "stop", name=lambda: self.tr("Stop what runs"), pressed=self.stop_pressed
        )
        set_tip(self.stop_button, lambda: self.tr("Stop (Esc)"))
        self.send_button = push_button(
            lambda: self.tr("Send"), "primary", name=lambda: self.tr("Send the message"), pressed=self.submit
        )
        self._lay_out()
        self._show_buttons()

    def _lay_out(self) -> None:
        vbox(
            self.edit,
            hbox(self._add, stretch(), self._hint, self.stop_button, self.send_button, gap=8),
            into=self,
            gap=8,
            margins=(14, 12, 12, 10),
        )

    @property
    def text(self) -> str:
        """What is in the composer."""
        return self.edit.toPlainText()

    @property
    def running(self) -> bool:
        """Whether a turn runs that could be stopped."""
        return self._running

    def set_text(self, text: str) -> None:
        """Put a text there, the cursor at its end."""
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)

    def add_text(self, text: str) -> None:
        """Put a text after whatever is there, on a line of its own."""
        typed = self.text
        self.set_text(f"{typed.rstrip()}\n{text}" if typed.strip() else text)

    def give_back(self, text: str) -> None:
        """What could not be sent comes back, before whatever was typed since."""
        typed = self.text
        self.set_text(f"{text}\n{typed}" if typed.strip() else text)

    def set_running(self, running: bool) -> None:
        """A turn runs here, or none does."""
        changed, self._running = running != self._running, running
        self._show_buttons()
        if changed:
            self.running_changed.emit()

    def submit(self) -> None:
        """Send what is there; spaces alone are nothing."""
        text = self.text.strip()
        if text and self.isEnabled():
            self.edit.clear()
            self.submitted.emit(text)

    def _show_buttons(self) -> None:
        typed = bool(self.text.strip())
        self.stop_button.setVisible(self._running)
        self.send_button.setVisible(typed or not self._running)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hint.setVisible(self.width() >= _HINT_NEEDS_PX)

    def _choose_files(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Add a script"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda names: self.files_chosen.emit([Path(name) for name in names]))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
