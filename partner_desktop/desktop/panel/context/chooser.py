"""Which turn is looked at: one back, one on, or any from the list."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from partner_desktop.desktop.panel.context.words import moment_words, turn_words
from partner_desktop.desktop.parts.boxes import grow, hbox
from partner_desktop.desktop.parts.buttons import IconButton, PushButton, prepare_button
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.snapshot import TurnSummary

_MARK = " ▾"


class TurnButton(PushButton):
    """Time and the beginning of what was said, on one line."""

    def __init__(self) -> None:
        super().__init__()
        self._words = ""
        prepare_button(self, "turn", name="")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_words(self, words: str, name: str) -> None:
        """`name` is what screen readers say."""
        self._words = words
        self.setAccessibleName(name)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        room = self.width() - 22 - metrics.horizontalAdvance(_MARK)
        shown = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, max(20, room))
        set_tip(self, self._words if shown != self._words else "")
        self.setText((shown + _MARK).replace("&", "&&"))


class TurnChooser(QWidget):
    """`stepped(-1 | 1)`; `list_toggled()`."""

    stepped = Signal(int)
    list_toggled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._turn: TurnSummary | None = None
        self._newest = True
        self.back = IconButton(theme, "chevron_left", lambda: self.tr("The turn before"))
        self.on = IconButton(theme, "chevron_right", lambda: self.tr("The turn after"))
        self.button = TurnButton()
        self.back.clicked.connect(lambda: self.stepped.emit(-1))
        self.on.clicked.connect(lambda: self.stepped.emit(1))
        self.button.clicked.connect(self.list_toggled)
        hbox(self.back, grow(self.button), self.on, into=self, gap=2)
        in_every_language(self, self._say)

    def show_turn(self, turn: TurnSummary | None, *, first: bool, newest: bool) -> None:
        """The turn that is looked at; at the ends there is nothing further."""
        self._turn, self._newest = turn, newest
        for button, enabled in ((self.back, not first), (self.on, not newest)):
            if not enabled and button.hasFocus():
                self.button.setFocus(Qt.FocusReason.OtherFocusReason)  # it is about to go grey
            button.setEnabled(enabled)
        self._say()

    def _say(self) -> None:
        turn = self._turn
        words = f"{moment_words(turn.at)}  {turn_words(turn)}" if turn else self.tr("An earlier turn")
        whole = self.tr("Newest turn: {turn}") if self._newest else self.tr("Turn: {turn}")
        self.button.show_words(words, whole.format(turn=words))
