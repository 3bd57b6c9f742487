"""What the person said: a soft bubble at the right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.wording import Words, in_every_language, told

_WIDEST = 0.75
_PAD_X = 14
_PAD_Y = 10
_NOTE_GAP = 4


class Bubble(QWidget):
    """As wide as its text, at most three quarters of the column; a small note may stand below."""

    def __init__(self, text: str, *, note: Words = "") -> None:
        super().__init__()
        self._frame = QFrame(self)
        self._frame.setObjectName("bubble")
        self._text = TextView(lambda: self.tr("Your message"))
        self._text.setParent(self._frame)
        self._text.setPlainText(text)
        self._words: Words = note
        self._note: QLabel = text_label(told(note), "muted")
        self._note.setParent(self)
        self._note.setVisible(bool(note))
        in_every_language(self, lambda: self.set_note(self._words))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._measured: dict[int, tuple[int, int]] = {}

    @property
    def text(self) -> str:
        """What was said."""
        return self._text.toPlainText()

    @property
    def note(self) -> str:
        """The small note below."""
        return self._note.text()

    def set_note(self, note: Words) -> None:
        """Change the small note below; empty takes it away."""
        self._words = note
        self._note.setText(told(note))
        self._note.setVisible(bool(note))
        self.updateGeometry()
        self._place()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        _, height = self._measure(width)
        return height + 2 * _PAD_Y + (self._note.sizeHint().height() + _NOTE_GAP if self.note else 0)

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 1 else 480
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 2 * _PAD_Y)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measured.clear()
        super().changeEvent(event)

    def _measure(self, width: int) -> tuple[int, int]:
        """Width and height of the text in a column of `width`; kept, because layouts ask often."""
        known = self._measured.get(width)
        if known is None:
            most = max(40, int(width * _WIDEST) - 2 * _PAD_X)
            inner = max(1, self._text.natural_width(most) + 1)
            known = self._measured[width] = (inner, self._text.heightForWidth(inner))
        return known

    def _place(self) -> None:
        inner, height = self._measure(self.width())
        outer = QRect(self.width() - inner - 2 * _PAD_X, 0, inner + 2 * _PAD_X, height + 2 * _PAD_Y)
        self._frame.setGeometry(outer)
        self._text.setGeometry(_PAD_X, _PAD_Y, inner, height)
        note = self._note.sizeHint()
        self._note.setGeometry(
            self.width() - note.width() - 2, outer.bottom() + _NOTE_GAP, note.width(), note.height()
        )
