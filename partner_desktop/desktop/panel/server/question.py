"""What a server waits for: what it would start and get, and the person's yes or no to exactly that."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout

from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.flow import FlowLayout
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.style import set_look
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.mcp_server import ServerStatus


class QuestionView(QFrame):
    """`asked(verb)`, see server_menu. Hidden while nothing is asked."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        set_look(self, "strip")
        self.sentence = text_label("", wrap=True, selectable=True)
        self.allow_button = push_button(lambda: tr("Allow and start"), "primary")
        self.allow_button.clicked.connect(lambda: self.asked.emit("allow"))
        self.refuse_button = push_button(lambda: tr("Keep it off"))
        self.refuse_button.clicked.connect(lambda: self.asked.emit("switch"))
        buttons = FlowLayout(gap=6)
        buttons.addWidget(self.allow_button)
        buttons.addWidget(self.refuse_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        column.setSpacing(Space.S)
        column.addWidget(self.sentence)
        column.addLayout(buttons)
        self.hide()

    def show_server(self, server: ServerStatus) -> None:
        """As it is now."""
        self.setVisible(server.question is not None)
        if server.question is not None:
            self.sentence.setText(server.question.sentence)
