"""What a server waits for: what it would start and get, and the person's yes or no to exactly that."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.card.guard import Guard, GuardedButton
from partner_desktop.desktop.parts.boxes import vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.flow import FlowLayout
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.mcp_server import ServerStatus, StartQuestion


class QuestionView(QFrame):
    """`allowed(shown_hash)`, of the question that was in view; `asked(verb)`, see server_menu. Hidden while
    nothing is asked.
    """

    allowed = Signal(str)
    asked = Signal(str)

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        set_look(self, "strip")
        self._guard = Guard(clock, self._button_place)
        self._question: StartQuestion | None = None
        self._painted: StartQuestion | None = None
        self.sentence = text_label("", wrap=True, selectable=True)
        self.allow_button = GuardedButton(self._guard, _allow_words, "primary", name=_allow_words)
        self.allow_button.clicked.connect(self._allow)
        self.refuse_button = push_button(lambda: tr("Keep it off"))
        self.refuse_button.clicked.connect(lambda: self.asked.emit("switch"))
        buttons = FlowLayout(gap=6)
        buttons.addWidget(self.allow_button)
        buttons.addWidget(self.refuse_button)
        vbox(self.sentence, buttons, into=self, gap=Space.S, margins=(Space.M, Space.S, Space.M, Space.S))
        self.hide()

    def show_server(self, server: ServerStatus) -> None:
        """As it is now."""
        if server.question != self._question:
            self._question, self._painted = server.question, None
            self._guard.arm()
            self.update()
        self.setVisible(server.question is not None)
        if server.question is not None:
            self.sentence.setText(server.question.sentence)

    @property
    def seen(self) -> bool:
        """Whether what is asked now has been in view."""
        return self._guard.was_seen

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._painted = self._question
        self._guard.seen()
        self._guard.look()

    def _allow(self) -> None:
        if self._painted is not None and self._guard.open:
            self.allowed.emit(self._painted.shown_hash)

    def _button_place(self) -> QPoint:
        return self.allow_button.mapTo(self.window(), QPoint(0, 0))


def _allow_words() -> str:
    return tr("Allow and start")
