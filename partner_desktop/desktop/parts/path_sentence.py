"""A sentence that names a folder: a path that is longer than a line loses its middle, never a line's end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent

from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.parts.wrapped import WrappedLabel
from partner_desktop.desktop.theme.theme import set_look


class PathSentence(WrappedLabel):
    """Where the path does not show whole, the whole sentence is the tool tip."""

    def __init__(self, look: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setMinimumWidth(1)
        set_look(self, look)
        self._sentence = "{folder}"
        self._folder = ""

    def say(self, sentence: str, *, folder: str) -> None:
        """`sentence` has `{folder}` where the path belongs."""
        self._sentence = sentence
        self._folder = folder
        self.setAccessibleName(sentence.format(folder=folder))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """The path fits into one line, with the mark that ends the sentence."""
        metrics = self.fontMetrics()
        room = self.contentsRect().width() - metrics.horizontalAdvance("。 ")
        shown = metrics.elidedText(self._folder, Qt.TextElideMode.ElideMiddle, room)
        whole = self._sentence.format(folder=self._folder)
        set_tip(self, "" if shown == self._folder else whole)
        text = self._sentence.format(folder=shown)
        if text != self.text():
            self.setText(text)
