"""Three dots and a word while a turn runs and nothing can be read yet.

A module that takes longer than a moment is named by what it does, in plain words.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from partner_desktop.desktop.parts.boxes import hbox, stretch
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.parts.progress import Animated
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import bind_text, in_every_language

_STEP_MS = 380
_DOTS = 3
#: A module that is done sooner is not worth a word.
MOMENT_MS = 700


class _Dots(Animated):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, step_ms=_STEP_MS, steps=_DOTS)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(30, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for index in range(_DOTS):
            painter.setBrush(self._theme.color("accent" if index == self._step else "sunken"))
            painter.drawEllipse(QRectF(1 + index * 10, 4, 6, 6))
        painter.end()


class BusyRow(QWidget):
    """The dots take turns; they stand still where the system asks for no motion."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._dots = _Dots(theme)
        self._modules: list[str] = []
        self._told = ""
        self._loading: float | None = None
        self._label = text_label("", "muted")
        in_every_language(self, self._say_what)
        self._moment = QTimer(self, interval=MOMENT_MS, singleShot=True)
        self._moment.timeout.connect(self._tell)
        hbox(self._dots, self._label, stretch(), into=self, gap=6)
        bind_text(self, self.setAccessibleName, lambda: self.tr("Partner is thinking"))
        self._say_what()

    @property
    def words(self) -> str:
        """What is said of what Partner does."""
        return self._label.text()

    def note(self, module: str, *, works: bool) -> None:
        """A module begins or ends."""
        if works:
            self._modules.append(module)
        elif module in self._modules:
            self._modules.remove(module)
        if self._told not in self._modules:
            self._told = ""
            self._say_what()
        if self._modules:
            self._moment.start()
        else:
            self._moment.stop()

    def show_loading(self, share: float | None) -> None:
        """How far the model that is to answer is loaded, 0 to 1; `None`: nothing is being loaded."""
        if share != self._loading:
            self._loading = share
            self._say_what()

    def forget(self) -> None:
        """Nothing goes on any more, or there is something to read."""
        self._modules.clear()
        self._moment.stop()
        if self._told:
            self._told = ""
            self._say_what()

    def _tell(self) -> None:
        self._told = self._modules[0]
        self._say_what()

    def _say_what(self) -> None:
        if self._loading is not None:
            percent = round(100 * self._loading)
            self._label.setText(self.tr("The model is loading… {percent} %").format(percent=percent))
            return
        words = {
            "PerceiveMonitor": self.tr("Looking around…"),
            "SystemStatsMonitor": self.tr("Looking at the computer…"),
            "MemorySelector": self.tr("Remembering…"),
            "EntityRecaller": self.tr("Remembering…"),
            "ActionPlanner": self.tr("Looking for what can do this…"),
            "DialogRolling": self.tr("Putting the conversation in order…"),
        }
        self._label.setText(words.get(self._told, self.tr("Thinking…")))
