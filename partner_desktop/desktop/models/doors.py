"""The two doors to a model: a file on this computer, or a server."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton, QWidget

from partner_desktop.desktop.parts.boxes import at_left, stretch, vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.style import set_look, zoomed
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import Words

_BESIDE_PX = 520


class Doors(QWidget):
    """`file_wanted()`, `server_wanted()`."""

    file_wanted = Signal()
    server_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.file_button = push_button(lambda: self.tr("Add a model file…"))
        self.file_button.clicked.connect(self.file_wanted)
        self.server_button = push_button(lambda: self.tr("Add a server…"))
        self.server_button.clicked.connect(self.server_wanted)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(Space.M)
        self._row.addWidget(
            _door(
                lambda: self.tr("A model file"),
                lambda: self.tr(
                    "A GGUF file on this computer; dropping it on the window does as well. "
                    "It runs here, and nothing leaves this machine."
                ),
                self.file_button,
            ),
            1,
        )
        self._row.addWidget(
            _door(
                lambda: self.tr("A server"),
                lambda: self.tr(
                    "Ollama, LM Studio, llama-server, vLLM, OpenAI and the like, here or elsewhere. "
                    "What you say goes to it."
                ),
                self.server_button,
            ),
            1,
        )

    def show_first(self, *, first: bool) -> None:
        """Whether there is no model yet: then a file is what the page is for."""
        set_look(self.file_button, "primary" if first else "plain")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        beside = self.width() >= zoomed(_BESIDE_PX)
        self._row.setDirection(direction.LeftToRight if beside else direction.TopToBottom)


def _door(title: Words, sentence: Words, button: QPushButton) -> QFrame:
    door = QFrame()
    door.setObjectName("door")
    vbox(
        text_label(title, "strong", wrap=True),
        text_label(sentence, "muted", wrap=True),
        stretch(1),
        Space.S,
        at_left(button),
        into=door,
        gap=Space.XS,
        margins=(Space.L, Space.M, Space.L, Space.L),
    )
    return door
