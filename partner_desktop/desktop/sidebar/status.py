"""The foot of the left column: which mind answers, how the engine fares, what is here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.rule import horizontal_rule
from partner_desktop.desktop.sidebar.theme_button import ThemeButton
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language


@dataclass(frozen=True)
class HouseState:
    """What the foot says."""

    started: bool = False
    failed: bool = False
    """Partner could not start."""
    engine_state: str = ""
    engine_percent: int | None = None
    engine_detail: str = ""
    finding: str = ""
    """Whether abilities are found by meaning: the state of the embedding model; empty where nobody says."""
    finding_detail: str = ""
    abilities: int = 0
    broken: int = 0
    sandbox: bool = True
    sandbox_reason: str = ""


class _Dot(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._color_name = "muted"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(8, 8)

    def show_color(self, name: str) -> None:
        self._color_name = name
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(self._color_name))
        painter.drawEllipse(self.rect())
        painter.end()


class StatusFoot(QWidget):
    """`faults_pressed()` when the count of broken abilities was clicked; `appearance_pressed()`."""

    faults_pressed = Signal()
    appearance_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._dot = _Dot(theme)
        self._mind = text_label("", "muted", wrap=True)
        self._engine = text_label("", "muted", wrap=True)
        self._house = text_label("", "muted", wrap=True)
        self.faults_button = push_button("", "link-bad")
        self.faults_button.clicked.connect(self.faults_pressed)
        first = QHBoxLayout()
        first.setSpacing(6)
        first.addWidget(self._dot)
        first.addWidget(self._mind, 1)
        self.appearance_button = ThemeButton(theme)
        self.appearance_button.clicked.connect(self.appearance_pressed)
        first.addWidget(self.appearance_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(horizontal_rule())
        inner = QVBoxLayout()
        inner.setContentsMargins(8, 4, 0, 0)
        inner.setSpacing(3)
        inner.addLayout(first)
        for widget in (self._engine, self._house):
            inner.addWidget(widget)
        inner.addWidget(self.faults_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addLayout(inner)
        self._state = HouseState()
        self.show_state(self._state)
        in_every_language(self, lambda: self.show_state(self._state))

    @property
    def words(self) -> str:
        """Everything it says, a line each."""
        labels = (self._mind, self._engine, self._house, self.faults_button)
        return "\n".join(label.text() for label in labels if not label.isHidden())

    @property
    def hint(self) -> str:
        """What the first line means, in full."""
        return self._mind.toolTip()

    def show_state(self, state: HouseState) -> None:
        """Say it."""
        self._state = state
        self._dot.show_color("bad" if state.failed else "good" if state.started else "muted")
        self._mind.setText(self._mind_words(state))
        self._mind.setToolTip(self._finding_words(state))
        self._say_engine(state)
        self._house.setText(self._house_words(state))
        self._house.setToolTip(state.sandbox_reason if not state.sandbox else "")
        self._house.setVisible(state.started)
        self.faults_button.setVisible(state.broken > 0)
        words = (
            self.tr("1 ability needs attention")
            if state.broken == 1
            else self.tr("{count} abilities need attention")
        )
        self.faults_button.setText(words.format(count=state.broken))
        self.faults_button.setAccessibleName(self.faults_button.text())

    def _mind_words(self, state: HouseState) -> str:
        if state.failed:
            return self.tr("Not running")
        if not state.started:
            return self.tr("Starting…")
        if not state.finding:
            return self.tr("Starter mind · no model")
        by_meaning = state.finding in ("idle", "starting", "ready")
        return self.tr("Starter mind · by meaning") if by_meaning else self.tr("Starter mind · by words")

    def _finding_words(self, state: HouseState) -> str:
        """What the first line means, in full."""
        meaning = self.tr("No model is loaded. Abilities are found by what your words mean.")
        words = {
            "ready": meaning,
            "idle": meaning,
            "starting": meaning,
            "failed": self.tr(
                "No model is loaded. Finding by meaning does not work; abilities are found by words."
            ),
            "absent": self.tr("No model is loaded. Abilities are found by their words."),
        }.get(state.finding, "")
        return "\n".join(part for part in (words, state.finding_detail) if part)

    def _say_engine(self, state: HouseState) -> None:
        percent = state.engine_percent
        building = (
            self.tr("Building the model engine")
            if percent is None
            else self.tr("Building the model engine, {percent} %").format(percent=percent)
        )
        words = {
            "building": building,
            "failed": self.tr("The model engine could not be built"),
            "interrupted": self.tr("Building the model engine was interrupted"),
        }.get(state.engine_state, "")
        self._engine.setText(words)
        self._engine.setToolTip(state.engine_detail)
        self._engine.setVisible(bool(words))

    def _house_words(self, state: HouseState) -> str:
        one = state.abilities == 1
        abilities = (
            self.tr("1 ability") if one else self.tr("{count} abilities").format(count=state.abilities)
        )
        held = self.tr("sandbox on") if state.sandbox else self.tr("sandbox off")
        return f"{abilities} · {held}"
