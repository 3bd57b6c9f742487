"""What is asked once, when the window is closed for the first time where there is a tray: go on, or end."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.parts.veil import WindowSheet
from partner_desktop.desktop.theme.theme import Space, zoomed

_WIDTH = 420


class CloseSheet(WindowSheet):
    """`chosen(keeps_running)`. A click beside it, or Esc, and the window stays as it is."""

    chosen = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, lambda: self.tr("Keep Partner running?"))
        self.keep_button = push_button(
            lambda: self.tr("Keep running in the tray"), "primary", pressed=lambda: self._choose(keeps=True)
        )
        self.quit_button = push_button(lambda: self.tr("Quit"), pressed=lambda: self._choose(keeps=False))
        vbox(
            text_label(lambda: self.tr("Keep Partner running?"), "strong"),
            text_label(
                lambda: self.tr(
                    "While it runs, what is planned is done in time, and reminders come. You are asked this "
                    "once; the settings hold the choice."
                ),
                wrap=True,
            ),
            Space.S,
            hbox(stretch(), self.quit_button, self.keep_button, gap=Space.S),
            into=self,
            gap=Space.S,
            margins=Space.L,
        )

    def open(self) -> None:
        """Show it over the window."""
        self.setFixedWidth(min(zoomed(_WIDTH), self.below.width() - 2 * Space.L))
        self.lay_over(part=4)
        self.keep_button.setFocus(Qt.FocusReason.PopupFocusReason)

    def _choose(self, *, keeps: bool) -> None:
        self.close()
        self.chosen.emit(keeps)
