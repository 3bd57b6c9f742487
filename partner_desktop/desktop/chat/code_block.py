"""A block of code in a reply, with its language and a way to copy it."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.labels import text_label

_MOST_LINES = 4000


class CodeBlock(QFrame):
    """Grows with its text; long lines scroll sideways."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.setObjectName("code_block")
        self._text = ""
        self._view = CodeView(lambda: self.tr("Code"), most_lines=_MOST_LINES, look="")
        self._view.setObjectName("code_text")
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(text_label(language or (lambda: self.tr("text")), "head"))
        head.addStretch()
        copy = push_button(lambda: self.tr("Copy"), "flat", name=lambda: self.tr("Copy this code"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        head.addWidget(copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 2, 4, 10)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self._view)

    def show_text(self, text: str) -> None:
        """Show the code; what only grew is only appended."""
        if text.startswith(self._text) and self._text:
            cursor = QTextCursor(self._view.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(text[len(self._text) :])
        else:
            self._view.show_text(text)
        self._text = text
