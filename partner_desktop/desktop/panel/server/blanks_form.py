"""Blanks to fill in before something is asked of a server: parts of an address, arguments of a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import Words, say, tr
from partner_desktop.domain.mcp_server import PromptArgument


class BlanksForm(QWidget):
    """`filled(values)`: name → text, without what was left empty. Enter in a line sends."""

    filled = Signal(dict)

    def __init__(self, blanks: Sequence[PromptArgument], verb: Words, *, name: Words) -> None:
        super().__init__()
        self._blanks = blanks
        column = vbox(into=self, gap=Space.XS)
        self.edits = {blank.name: self._add(column, blank) for blank in blanks}
        self._problem = text_label("", "fault-small", wrap=True, hidden=True)
        column.addWidget(self._problem)
        self.button = push_button(verb, "small", name=name)
        self.button.clicked.connect(self._send)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def _add(self, column: QVBoxLayout, blank: PromptArgument) -> QLineEdit:
        edit = QLineEdit()
        say(edit, edit.setAccessibleName, blank.name)
        edit.returnPressed.connect(self._send)
        column.addWidget(text_label(blank.name, "label", wrap=True))
        column.addWidget(edit)
        words = lambda: " · ".join(  # noqa: E731 - words of a language
            each for each in (tr("required") if blank.required else "", blank.description) if each
        )
        if blank.required or blank.description:
            column.addWidget(text_label(words, "muted", wrap=True))
        return edit

    def _send(self) -> None:
        missing = [blank.name for blank in self._blanks if blank.required and not self._value(blank.name)]
        for name, edit in self.edits.items():
            set_look(edit, "true" if name in missing else "false", name="problem")
        self._problem.setText(tr("This is needed: {names}").format(names=", ".join(missing)))
        self._problem.setVisible(bool(missing))
        if missing:
            self.edits[missing[0]].setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.filled.emit({name: self._value(name) for name in self.edits if self._value(name)})

    def _value(self, name: str) -> str:
        return self.edits[name].text().strip()
