"""SentRecall: what the person said in this conversation, gone through in the composer as a shell does.

↑ at the very beginning of the text shows what was said last, and what was said before that; ↓ at its end
comes back, at last to the draft. What is changed is a draft of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

_NONE = -1


class SentRecall(QObject):
    """`wanted()`: earlier messages are asked for, which `offer` brings."""

    wanted = Signal()

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._texts: list[str] = []
        """The newest first."""
        self._at = _NONE
        self.complete = False
        """There is nothing before what is known,"""
        self.position: int | None = None
        """which begins here in the conversation; `None`: nothing is known."""
        self._draft = ""
        self._waits = False

    @property
    def draft(self) -> str:
        """What was typed, whatever is shown in its place."""
        return self._draft if self.shows else self._edit.toPlainText()

    @property
    def shows(self) -> bool:
        """Whether what stands there is something said, as it was said."""
        return self._at != _NONE and self._edit.toPlainText() == self._texts[self._at]

    def forget(self) -> None:
        """Something else was said last, or elsewhere."""
        self._texts, self._at, self._waits = [], _NONE, False
        self.complete, self.position = False, None

    def offer(self, texts: Sequence[str]) -> None:
        """What was said before all that is known, the newest first."""
        for text in texts:
            if not self._texts or self._texts[-1] != text:
                self._texts.append(text)
        waits, self._waits = self._waits, False
        if waits and self._may_go_back():
            self._older()

    def takes_key(self, event: QKeyEvent) -> bool:
        """Whether a key that was pressed in the text goes through what was said."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and event.key() == Qt.Key.Key_Up and self._may_go_back():
            self._older()
        elif plain and event.key() == Qt.Key.Key_Down and self._may_come_back():
            self._show(self._at - 1)
        else:
            return False
        return True

    def _may_go_back(self) -> bool:
        cursor = self._edit.textCursor()
        return not cursor.hasSelection() and (cursor.atStart() or (self.shows and self._is_at_edge(up=True)))

    def _may_come_back(self) -> bool:
        return self.shows and not self._edit.textCursor().hasSelection() and self._is_at_edge(up=False)

    def _is_at_edge(self, *, up: bool) -> bool:
        """Whether the caret is in the first line as shown, or in the last."""
        cursor = self._edit.textCursor()
        way = QTextCursor.MoveOperation.Up if up else QTextCursor.MoveOperation.Down
        return not cursor.movePosition(way)

    def _older(self) -> None:
        if not self.shows:
            self._at, self._draft = _NONE, self._edit.toPlainText()
        if self._at + 1 < len(self._texts):
            self._show(self._at + 1)
        elif not self.complete and not self._waits:
            self._waits = True
            self.wanted.emit()

    def _show(self, at: int) -> None:
        text = self._draft if at == _NONE else self._texts[at]
        self._at = at
        cursor = self._edit.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)  # what was there can be had back by Ctrl+Z, too
        self._edit.setTextCursor(cursor)
