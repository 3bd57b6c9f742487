"""What a server wrote: read again while it is seen, and followed only from its end."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, text_label
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import tr

_LINES = 14
_AGAIN_MS = 1000
#: Beyond this only the end is shown: more would hold the loop while it is laid out.
MOST_SHOWN = 64 * 1024


class LogView(QWidget):
    """`wanted()` now and every second, while it is seen; `show_text` answers."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._text: str | None = None
        self.view = CodeView(lambda: tr("Log"), most_lines=_LINES, wraps=True)
        self._empty = text_label(lambda: tr("It has written nothing yet."), "muted", wrap=True)
        self._copy = CopyButton(lambda: self._text or "", lambda: tr("Copy the log"), look="small")
        vbox(self._empty, self.view, hbox(self._copy, stretch(), gap=None), into=self, gap=Space.XS)
        self.view.hide()
        self._copy.hide()
        self._again = QTimer(self, interval=_AGAIN_MS)
        self._again.timeout.connect(self.wanted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._again.start()
        self.wanted.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._again.stop()

    def show_text(self, text: str) -> None:
        """The log as it is now; nothing moves for whoever reads further up, or has marked a part."""
        shown = text[-MOST_SHOWN:].rstrip("\n")
        if shown == self._text or self.view.textCursor().hasSelection():
            return
        self._text = shown
        bar = self.view.verticalScrollBar()
        place = bar.value()
        follows = place >= bar.maximum()
        self.view.show_text(shown)
        bar.setValue(bar.maximum() if follows else place)
        self.view.setVisible(bool(shown))
        self._copy.setVisible(bool(shown))
        self._empty.setVisible(not shown)
