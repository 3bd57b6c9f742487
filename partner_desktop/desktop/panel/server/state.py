"""Where a server stands, and what can be done about it: the first part of its page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QPointF, QSize, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from partner_desktop.desktop.panel.ability_delegate import paint_dot
from partner_desktop.desktop.panel.server_words import phase_color, phase_words, runs
from partner_desktop.desktop.parts.boxes import flow, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.theme.theme import Space, Theme, zoomed
from partner_desktop.desktop.wording import announce, in_every_language, tr
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus

_COUNT_MS = 1000


class Dot(QWidget):
    """A colour; the words beside it say the same."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._color = "muted"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_color(self, color: str) -> None:
        """Another colour, by its token's name."""
        self._color = color
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(zoomed(10), zoomed(16))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        middle = QPointF(self.width() / 2, self.height() / 2)
        paint_dot(painter, middle, self._theme.color(self._color), zoomed(8) / 2)
        painter.end()


class StateView(QWidget):
    """`asked(verb)`, see server_menu. Counts down while it is seen."""

    asked = Signal(str)

    def __init__(self, theme: Theme, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now
        self._server: ServerStatus | None = None
        self._dot = Dot(theme)
        self.words = text_label("", "strong", wrap=True)
        self.restart_button = push_button(lambda: tr("Restart"), "small")
        self.restart_button.clicked.connect(lambda: self.asked.emit("restart"))
        self.switch_button = push_button("", "small", pressed=lambda: self.asked.emit("switch"))
        self.file_button = push_button(lambda: tr("Open its file"), "small")
        self.file_button.clicked.connect(lambda: self.asked.emit("file"))
        buttons = flow(self.restart_button, self.switch_button, self.file_button, gap=6)
        vbox(hbox(self._dot, grow(self.words), gap=Space.S), buttons, into=self, gap=Space.S)
        self._count = QTimer(self, interval=_COUNT_MS)
        self._count.timeout.connect(self._say)
        in_every_language(self, self._say)

    def show_server(self, server: ServerStatus) -> None:
        """As it is now."""
        before, self._server = self._server, server
        if server.phase is ServerPhase.BACKING_OFF:
            self._count.start()
        else:
            self._count.stop()
        self._say()
        if before is not None and before.phase is not server.phase:
            announce(self, f"{server.id}: {self.words.text()}")

    def _say(self) -> None:
        server = self._server
        if server is None:
            return
        self._dot.show_color(phase_color(server))
        words = phase_words(server, self._now())
        self.words.setText(words)
        on = runs(server)
        self.restart_button.setVisible(on)
        self.switch_button.setVisible(server.can_switch)
        self.switch_button.setText(tr("Turn off") if on else tr("Turn on"))
        self.switch_button.setAccessibleName(self.switch_button.text())
        self.file_button.setVisible(server.path is not None)
