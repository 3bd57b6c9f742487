"""The search field: says what to look for when the typing pauses."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from partner_desktop.desktop.parts.boxes import hbox, stretch
from partner_desktop.desktop.parts.buttons import IconButton
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import say

PAUSE_MS = 150
_BUTTON_ROOM = 34
_LONGEST = 400


class SearchField(QLineEdit):
    """`search_wanted(text)` after a pause, at once for no text; `down_pressed()`, `enter_pressed()`; `left()`
    when Esc found nothing to clear."""

    search_wanted = Signal(str)
    down_pressed = Signal()
    enter_pressed = Signal()
    left = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        set_look(self, "search")
        say(self, self.setAccessibleName, lambda: self.tr("Search in all conversations"))
        set_tip(self, lambda: self.tr("Search in all conversations (Ctrl+F)"))
        say(self, self.setPlaceholderText, lambda: self.tr("Search"))
        self.setMaxLength(_LONGEST)
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._say)
        self._keys = text_label("Ctrl F", "muted")
        self._keys.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._clear = IconButton(theme, "close", lambda: self.tr("Clear the search"))
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Esc does it
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.clicked.connect(self.clear)
        self._clear.hide()
        hbox(stretch(), self._keys, self._clear, into=self, gap=None, margins=(0, 0, 8, 0))
        self.textChanged.connect(self._changed)

    def begin(self) -> None:
        """Take the keys; what stands there is replaced by what is typed."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def event(self, event: QEvent) -> bool:
        # Otherwise Esc would be the window's.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self._escape()
        elif key == Qt.Key.Key_Down:
            self.down_pressed.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enter_pressed.emit()
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        if self.text():
            self.clear()
        else:
            self.left.emit()

    def _changed(self, text: str) -> None:
        self._keys.setVisible(not text)
        self._clear.setVisible(bool(text))
        self.setTextMargins(0, 0, _BUTTON_ROOM if text else 0, 0)
        if text.strip():
            self._pause.start()
        else:
            self._pause.stop()
            self._say()

    def _say(self) -> None:
        self.search_wanted.emit(self.text().strip())
