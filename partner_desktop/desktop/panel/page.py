"""A page in place of a panel's list: a way back, a title, and whatever it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from partner_desktop.desktop.parts.boxes import BoxItem, at_left, scrolled, stretch, vbox
from partner_desktop.desktop.parts.controls import on_escape, push_button, show_words, text_label
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import LazyText, bind_text, tr
from partner_desktop.domain.command_session import Stream

if TYPE_CHECKING:
    from partner_desktop.desktop.card.aftermath import Aftermath

#: Which list a page stands in place of.
PageOf: TypeAlias = Literal["abilities", "actions", "schedule"]
_WAYS_BACK: dict[PageOf, tuple[LazyText, LazyText]] = {
    "abilities": (lambda: tr("‹ Abilities"), lambda: tr("Back to the list of abilities")),
    "actions": (lambda: tr("‹ Actions"), lambda: tr("Back to the list of actions")),
    "schedule": (lambda: tr("‹ Back"), lambda: tr("Back to what is planned")),
}


class PanelPage(QWidget):
    """`closed()`: back to the list, by the button or by Esc. `column` takes what is on the page."""

    closed = Signal()

    def __init__(self, title: LazyText, *, of: PageOf = "abilities") -> None:
        """`of`: where the way back leads."""
        super().__init__()
        back, back_name = _WAYS_BACK[of]
        self.setObjectName("clear")
        bind_text(self, self.setAccessibleName, title)
        on_escape(self, self.closed.emit)
        self.back_button = push_button(back, "bare", name=back_name, pressed=self.closed)
        self.title = text_label(title, "title-large", wrap=True, selectable=True)
        self.problem_label = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        """Why what was asked for here did not work; a page that says so puts it in its place."""
        self.column = vbox(
            at_left(self.back_button),
            self.title,
            into=self,
            gap=Space.S,
            margins=(Space.XS, 0, Space.XS, Space.M),
        )

    def fill(self, *items: BoxItem) -> QScrollArea:
        """What is on the page, below each other: it scrolls, and the title stays."""
        inner = QWidget()
        vbox(*items, stretch(), into=inner, gap=Space.S, margins=(0, 0, Space.S, Space.S))
        area = scrolled(inner)
        self.column.addWidget(area, 1)
        return area

    @property
    def problem(self) -> str:
        """Why what was asked for here did not work; empty when it did."""
        return "" if self.problem_label.isHidden() else self.problem_label.text()

    def show_problem(self, sentence: str) -> None:
        """What was asked for could not be done."""
        show_words(self.problem_label, sentence)

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
