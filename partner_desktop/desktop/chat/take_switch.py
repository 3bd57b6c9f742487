"""The choice between the ways in which a conversation went on: ‹ 2/3 ›, where they part."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from partner_desktop.desktop.parts.buttons import IconButton
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import say
from partner_desktop.domain.message import Fork


class TakeSwitch(QWidget):
    """`chosen(take_id, forward)`: another way is asked for."""

    chosen = Signal(str, bool)

    def __init__(self, theme: Theme, fork: Fork) -> None:
        super().__init__()
        self.setObjectName("take_switch")
        self.fork = fork
        self.before = IconButton(theme, "chevron_left", lambda: self.tr("Show the version before this one"))
        self.after = IconButton(theme, "chevron_right", lambda: self.tr("Show the version after this one"))
        number, count = fork.active + 1, len(fork.takes)
        self._label = text_label(f"{number}/{count}", "muted")
        words = lambda: self.tr("Version {number} of {count}").format(number=number, count=count)  # noqa: E731 - words of a language
        say(self._label, self._label.setAccessibleName, words)
        say(self, self.setAccessibleName, words)
        self.before.setEnabled(fork.active > 0)
        self.after.setEnabled(number < count)
        self.before.clicked.connect(lambda: self._choose(-1))
        self.after.clicked.connect(lambda: self._choose(1))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for widget in (self.before, self._label, self.after):
            layout.addWidget(widget)

    def take_focus(self, *, forward: bool) -> None:
        """Go on with the keyboard where it was, on the version that is shown now."""
        wanted, other = (self.after, self.before) if forward else (self.before, self.after)
        (wanted if wanted.isEnabled() else other).setFocus()

    def _choose(self, step: int) -> None:
        self.chosen.emit(self.fork.takes[self.fork.active + step], step > 0)
