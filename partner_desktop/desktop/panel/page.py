"""A page in place of a panel's list: a way back, a title, and whatever it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import at_left, vbox
from partner_desktop.desktop.parts.controls import on_escape, push_button, text_label
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import LazyText, bind_text
from partner_desktop.domain.command_session import Stream

if TYPE_CHECKING:
    from partner_desktop.desktop.card.aftermath import Aftermath


class PanelPage(QWidget):
    """`closed()`: back to the list, by the button or by Esc. `column` takes what is on the page."""

    closed = Signal()

    def __init__(self, title: LazyText, *, back: LazyText = "", back_name: LazyText = "") -> None:
        """`back`, `back_name`: the way back, and what is said of it, where the list is another."""
        super().__init__()
        self.setObjectName("clear")
        bind_text(self, self.setAccessibleName, title)
        on_escape(self, self.closed.emit)
        self.back_button = push_button(
            back or (lambda: self.tr("‹ Abilities")),
            "bare",
            name=back_name or (lambda: self.tr("Back to the list of abilities")),
        )
        self.back_button.clicked.connect(self.closed)
        self.title = text_label(title, "title-large", wrap=True, selectable=True)
        self.column = vbox(
            at_left(self.back_button),
            self.title,
            into=self,
            gap=Space.S,
            margins=(Space.XS, 0, Space.XS, Space.M),
        )

    def begin(self) -> None:
        """Take the keyboard: Esc leaves, Page Down scrolls, Tab goes to the way back."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def shows(self, action_id: str) -> bool:
        """Whether it is about this run; most pages are about something else."""
        del action_id
        return False

    def aftermath(self, action_id: str) -> Aftermath | None:
        """Where it says what that run left, if it does."""
        del action_id
        return None

    def show_output(self, stream: Stream, text: str) -> None:
        """What a run that it shows has printed since."""


class EmptyNote(QWidget):
    """The sentence, and the button when there is one."""

    def __init__(self, title: LazyText, sentence: LazyText, button: QWidget | None = None) -> None:
        super().__init__()
        self._sentence = text_label(sentence, "muted", wrap=True)
        layout = vbox(
            text_label(title, "strong", wrap=True), self._sentence, into=self, gap=8, margins=(8, 20, 8, 8)
        )
        if button is not None:
            layout.addWidget(button)
        layout.addStretch()

    def say(self, sentence: str) -> None:
        """Change the sentence."""
        self._sentence.setText(sentence)
