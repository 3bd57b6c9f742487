"""Words on the window: plain labels, labels that end in an ellipsis, and pills."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.parts.wrapped import SelectableLabel, WrappedLabel
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.wording import Words, say

PillKind: TypeAlias = Literal["plain", "good", "careful", "bad", "busy"]


def text_label(
    text: Words = "", look: str = "", *, wrap: bool = False, selectable: bool = False, hidden: bool = False
) -> QLabel:
    """A label of plain text in one of the stylesheet's looks; `hidden`: until it has something to say."""
    label = (SelectableLabel() if selectable else WrappedLabel()) if wrap else QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    say(label, label.setText, text)
    if wrap:
        label.setMinimumWidth(1)  # a long word is broken; it does not push what holds it out of its place
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if look:
        set_look(label, look)
    if hidden:
        label.hide()
    return label


def show_words(label: QLabel, words: str) -> None:
    """Say them; where there is nothing to say, the label takes no room."""
    label.setText(words)
    label.setVisible(bool(words))


class Pill(QLabel):
    """A word on a soft ground; hidden while it has nothing to say."""

    def __init__(self, text: str = "", kind: PillKind = "plain") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.say(text, kind)

    def say(self, text: str, kind: PillKind = "plain") -> None:
        """Show a word; colour only repeats what the word says."""
        self.setText(text)
        set_look(self, f"pill-{kind}")
        self.setVisible(bool(text))


class ElidedLabel(QLabel):
    """One line that ends in an ellipsis where it does not fit; the whole is its tool tip."""

    def __init__(self, text: Words = "", look: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if look:
            set_look(self, look)
        say(self, self.set_text, text)

    def set_text(self, text: str) -> None:
        """Show another text, on one line."""
        self.setText(" ".join(text.split()))

    def setText(self, text: str) -> None:
        super().setText(text)
        self._say_whole()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._say_whole()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._say_whole()

    def minimumSizeHint(self) -> QSize:
        whole = super().sizeHint()
        return QSize(min(24, whole.width()), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        sides = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(self.contentsRect(), sides, self._shown())
        painter.end()

    def _shown(self) -> str:
        return self.fontMetrics().elidedText(
            self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )

    def _say_whole(self) -> None:
        set_tip(self, self.text() if self._shown() != self.text() else "")
