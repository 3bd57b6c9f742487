"""The caret of a text blinks while one writes and stands still after it, as GTK has it.

Qt lets it blink for ever, and every blink paints what lies behind the text too: in a window left alone that
is most of what there is to do.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

#: As long as GTK's `gtk-cursor-blink-timeout`.
_BLINKS_MS = 10_000


class RestingCaret(QObject):
    """Stills the application's caret while `text` has the keyboard and nothing is written into it."""

    def __init__(self, text: QWidget) -> None:
        super().__init__(text)
        self._flash_ms = 0
        self._timer = QTimer(self, interval=_BLINKS_MS, singleShot=True)
        self._timer.timeout.connect(self._rest)

    def blink(self) -> None:
        """It has the keyboard, or something was written."""
        self._wake()
        self._timer.start()

    def leave(self) -> None:
        """It has the keyboard no more."""
        self._timer.stop()
        self._wake()

    def _rest(self) -> None:
        self._flash_ms = QApplication.cursorFlashTime()
        QApplication.setCursorFlashTime(0)

    def _wake(self) -> None:
        if self._flash_ms:
            QApplication.setCursorFlashTime(self._flash_ms)
            self._flash_ms = 0
