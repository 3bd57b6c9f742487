"""How much runs without a question: three choices, each with what it means."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.models.choice import RoundMark
from partner_desktop.desktop.parts.boxes import aligned, grow, hbox, vbox
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.rule import horizontal_rule
from partner_desktop.desktop.permissions.words import MODES
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import say
from partner_desktop.domain.permission import Mode


class ModeChoice(QFrame):
    """`chosen(mode)`: it only asks; `show_mode` marks what holds."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.rows = {mode: _ModeRow(mode) for mode in MODES}
        column = vbox(into=self, margins=(0, Space.XS, 0, Space.XS))
        for mode, row in self.rows.items():
            if column.count():
                column.addWidget(horizontal_rule())
            column.addWidget(row)
            row.mark.asked.connect(lambda wanted=mode: self.chosen.emit(wanted))

    def show_mode(self, mode: Mode | None) -> None:
        """Mark the one that holds; `None`: nobody knows yet."""
        for each, row in self.rows.items():
            row.mark.show_choice(holds=each is mode)
            row.setEnabled(mode is not None)


class _ModeRow(QWidget):
    """All of it is pressed like its mark."""

    def __init__(self, mode: Mode) -> None:
        super().__init__()
        title, sentence = MODES[mode]
        self.mark = RoundMark()
        say(self.mark, self.mark.setAccessibleName, lambda: f"{title()}. {sentence()}")
        hbox(
            aligned(self.mark, Qt.AlignmentFlag.AlignTop),
            grow(vbox(text_label(title, "strong"), text_label(sentence, "muted", wrap=True), gap=2)),
            into=self,
            gap=Space.M,
            margins=(Space.L, Space.S, Space.L, Space.S),
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.mark.click()
