"""Settings that need the whole width: lists of texts, paths, and what only the file itself can change."""

from __future__ import annotations

import json
import os
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit

from partner_desktop.base.paths import display_path
from partner_desktop.base.text import meant
from partner_desktop.config.field import ConfigField
from partner_desktop.desktop.card.form.fields import FieldProblemError
from partner_desktop.desktop.parts.boxes import aligned, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, on_escape, push_button
from partner_desktop.desktop.parts.file_dialogs import ask_for_path
from partner_desktop.desktop.settings.typed_control import Control, LineControl, TypedControl, value_words
from partner_desktop.desktop.wording import bind_text, tr
from partner_desktop.domain.json_value import Json

_FOLDER_WORDS = ("folder", "dir")
_LEAST_LINES, _MOST_LINES = 2, 8
#: Border, padding and margin of the field, above and below.
_FRAME_PX = 24


class _Lines(QPlainTextEdit):
    """`left()` when the keyboard goes elsewhere, `saved()` by Ctrl+Enter."""

    left = Signal()
    saved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (
            event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            self.saved.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        reasons = Qt.FocusReason
        if event.reason() not in (reasons.ActiveWindowFocusReason, reasons.PopupFocusReason):
            self.left.emit()


class ListControl(TypedControl):
    """A list: one entry a line. Saved by leaving it or by Ctrl+Enter."""

    wide = True

    def __init__(self, field: ConfigField) -> None:
        super().__init__()
        self._field = field
        self.edit = _Lines()
        bind_text(self.edit, self.edit.setAccessibleName, lambda: field.told.title)
        self.edit.left.connect(self.commit)
        self.edit.saved.connect(lambda: self.commit(again=True))
        on_escape(self.edit, self.take_back, when=lambda: self.dirty)
        self.edit.textChanged.connect(self._changed)
        self.setFocusProxy(self.edit)
        vbox(self.edit, into=self)
        self.fit()
        self.retell()

    def text(self) -> str:
        return self.edit.toPlainText()

    def put(self, text: str) -> None:
        self.edit.setPlainText(text)

    def words_of(self, value: Json) -> str:
        return "\n".join(_entry_text(entry) for entry in value) if isinstance(value, list) else ""

    def read(self, text: str) -> Json:
        return [self._entry(line.strip()) for line in text.splitlines() if line.strip()]

    def retell(self) -> None:
        self.edit.setPlaceholderText(tr("One entry a line; Ctrl+Enter saves"))

    def fit(self) -> None:
        bars = Qt.ScrollBarPolicy
        full = self.edit.blockCount() > _MOST_LINES
        self.edit.setVerticalScrollBarPolicy(bars.ScrollBarAsNeeded if full else bars.ScrollBarAlwaysOff)
        lines = min(max(self.edit.blockCount(), _LEAST_LINES), _MOST_LINES)
        self.edit.setFixedHeight(lines * self.edit.fontMetrics().lineSpacing() + _FRAME_PX)

    def _changed(self) -> None:
        self.fit()
        self.edited()

    def _entry(self, line: str) -> Json:
        if "number" not in self._field.entries:
            return line
        try:
            return json.loads(line)  # type: ignore[no-any-return] # a number or what the file turns down
        except ValueError:
            words = tr("“{line}” is not a value of this list.")
            raise FieldProblemError(words.format(line=line)) from None


class PathControl(LineControl):
    """A path: a line to type in and a button to choose with. `~` stands for the user's folder."""

    wide = True

    def __init__(self, field: ConfigField) -> None:
        super().__init__(field, width=0)
        choose = push_button(
            lambda: tr("Choose…"), name=lambda: tr("Choose: {title}").format(title=field.told.title)
        )
        choose.clicked.connect(self._choose)
        self.line.addWidget(choose)

    def words_of(self, value: Json) -> str:
        return "" if value is None else display_path(Path(str(value)))

    def read(self, text: str) -> Json:
        return os.path.expanduser(meant(text.strip())) or None  # noqa: PTH111 - never raises

    def chosen(self, name: str) -> None:
        """Take what the dialog found, as if it had been typed and saved."""
        if name:
            self.edit.setText(display_path(Path(name)))
            self.commit(again=True)

    def _choose(self) -> None:
        """The dialog opens and signals; nothing waits for it."""
        title = tr("Choose: {title}").format(title=self._field.told.title)
        start = Path(self.edit.text().strip() or "~").expanduser()
        folder = not start.suffix or any(word in self._field.name.lower() for word in _FOLDER_WORDS)
        mode = QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.AnyFile
        ask_for_path(self.window(), title, self.chosen, mode=mode, start=start if folder else start.parent)


class FixedControl(Control):
    """Shows a value that only the file can change, and leads there. `file_wanted()`."""

    wide = True
    file_wanted = Signal()

    def __init__(self, field: ConfigField) -> None:
        super().__init__()
        self._field = field
        self._value: Json = None
        self._label = ElidedLabel("", "fixed")
        self.button = push_button(lambda: tr("Edit in the file"), "quiet", name=self._name)
        self.setFocusProxy(self.button)
        self.button.clicked.connect(self.file_wanted)
        hbox(grow(self._label), aligned(self.button, Qt.AlignmentFlag.AlignRight), into=self, gap=None)

    def show_value(self, value: Json) -> None:
        self._value = value
        self.retell()

    def _name(self) -> str:
        return tr("Edit in the file: {title}").format(title=self._field.told.title)

    def retell(self) -> None:
        self._label.set_text(value_words(self._field, self._value))


def _entry_text(entry: Json) -> str:
    return entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False)
