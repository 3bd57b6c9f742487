"""The line that leaves only the settings one looks for."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal

from partner_desktop.desktop.parts.search_field import SearchField
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.wording import Words

_PAUSE_MS = 80
_LONGEST = 200


class FilterField(SearchField):
    """`looked_for(text)` when the typing pauses."""

    looked_for = Signal(str)

    def __init__(self, words: Words = "") -> None:
        """`words`: what it looks through; the settings, if nothing else is said."""
        super().__init__(words or (lambda: self.tr("Search the settings")))
        set_look(self, "search")
        self.setMaxLength(_LONGEST)
        self._pause = QTimer(self, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(lambda: self.looked_for.emit(self.text().strip()))
        self.textChanged.connect(lambda _text: self._pause.start())
