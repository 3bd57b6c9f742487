"""The line that leaves only what one looks for. Letters typed in the list come here too."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from partner_desktop.desktop.panel.ability_list import AbilityList
from partner_desktop.desktop.parts.search_field import SearchField


class AbilityFilter(SearchField):
    """Down and Enter go to the list; Esc empties it first, and only then is the window's."""

    def __init__(self, view: AbilityList) -> None:
        super().__init__(lambda: self.tr("Filter abilities"))
        self._list = view
        view.typed.connect(self._take)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go_to_list()
        else:
            super().keyPressEvent(event)

    def _take(self, text: str) -> None:
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.insert(text)

    def _go_to_list(self) -> None:
        first = next((at for at, row in enumerate(self._list.rows.rows) if row.kind != "head"), None)
        if first is not None:
            self._list.setFocus(Qt.FocusReason.TabFocusReason)
            self._list.setCurrentIndex(self._list.rows.index(first))
