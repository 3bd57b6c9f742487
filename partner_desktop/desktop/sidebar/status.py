"""The foot of the left column: which mind answers, how the engine fares, what is here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.parts.boxes import at_left, grow, hbox, horizontal_rule, vbox
from partner_desktop.desktop.parts.controls import (
    IconButton,
    PushButton,
    prepare_button,
    push_button,
    text_label,
)
from partner_desktop.desktop.theme.signs import SignName
from partner_desktop.desktop.theme.theme import Theme, ThemeChoice
from partner_desktop.desktop.wording import in_every_language, set_tip, size_words

if TYPE_CHECKING:
    from partner_desktop.domain.model_status import ModelStatus


@dataclass(frozen=True)
class StatusState:
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
    servers: int = 0
    """External servers that are ready."""
    failed_servers: int = 0
    sandbox: bool = True
    sandbox_reason: str = ""


class StatusFoot(QWidget):
    """`faults_pressed()` when the count of broken abilities was clicked; `models_pressed()` with the first
    line; `appearance_pressed()`."""

    faults_pressed = Signal()
    models_pressed = Signal()
    appearance_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.mind_button = self._mind = MindButton(theme)
        self._mind.clicked.connect(self.models_pressed)
        self._engine = text_label("", "muted", wrap=True)
        self._house = text_label("", "muted", wrap=True)
        self.faults_button = push_button("", "link-bad", pressed=self.faults_pressed)
        self.appearance_button = ThemeButton(theme)
        self.appearance_button.clicked.connect(self.appearance_pressed)
        inner = vbox(self._engine, self._house, at_left(self.faults_button), gap=3, margins=(8, 0, 0, 0))
        vbox(horizontal_rule(), 4, hbox(grow(self._mind), self.appearance_button, gap=None), inner, into=self)
        self._state = StatusState()
        self._model: ModelStatus | None = None
        self.show_state(self._state)
        in_every_language(self, lambda: self.show_state(self._state))

    @property
    def words(self) -> str:
        labels = (self._mind, self._engine, self._house, self.faults_button)
        return "\n".join(label.text() for label in labels if not label.isHidden())

    @property
    def hint(self) -> str:
        """What the first line means, in full."""
        return self._mind.toolTip()

    def show_state(self, state: StatusState) -> None:
        self._state = state
        self._say_mind(state)
        self._say_engine(state)
        self._house.setText(self._house_words(state))
        set_tip(self._house, state.sandbox_reason if not state.sandbox else "")
        self._house.setVisible(state.started)
        self.faults_button.setVisible(state.broken + state.failed_servers > 0)
        self.faults_button.setText(self._faults_words(state))
        self.faults_button.setAccessibleName(self.faults_button.text())

    def _faults_words(self, state: StatusState) -> str:
        if not state.failed_servers:
            one = state.broken == 1
            words = (
                self.tr("1 ability needs attention") if one else self.tr("{count} abilities need attention")
            )
            return words.format(count=state.broken)
        if not state.broken:
            one = state.failed_servers == 1
            words = self.tr("1 server failed") if one else self.tr("{count} servers failed")
            return words.format(count=state.failed_servers)
        return self.tr("{count} need attention").format(count=state.broken + state.failed_servers)

    def show_model(self, model: ModelStatus | None) -> None:
        """The model that is to answer; `None`: the starter mind."""
        self._model = model
        self.show_state(self._state)

    def _say_mind(self, state: StatusState) -> None:
        model = self._model
        if state.started and model is not None:
            self._say_model(model)
        else:
            self._mind.show_mind(*self._starter_words(state), color="bad" if state.failed else "muted")
            set_tip(self._mind, self._finding_words(state))

    def _say_model(self, model: ModelStatus) -> None:
        tail = self.tr("on demand") if model.kind == "file" else self.tr("not asked yet")
        color, share = "muted", None
        if model.state == "loading":
            tail = self.tr("loading {percent} %").format(percent=round(100 * model.progress))
            color, share = "accent", model.progress
        elif model.state == "failed":
            tail, color = self.tr("failed"), "careful"
        elif model.state == "ready":
            tail, color = self._speed_words(model) or self.tr("ready"), "good"
        elif model.busy:
            tail, color = self.tr("at work"), "good"
        self._mind.show_mind(model.name, tail, color=color, share=share)
        helped = self.tr("The starter mind answers until it works.") if model.state == "failed" else ""
        held = self.tr("It holds {size} of memory.").format(size=size_words(model.memory_bytes))
        memory = held if model.memory_bytes else ""
        said = (self._mind.text(), model.description, memory, model.reason, helped, model.note)
        set_tip(self._mind, "\n".join(each for each in said if each))

    def _speed_words(self, model: ModelStatus) -> str:
        words = self.tr("{speed} tokens/s").format(speed=f"{model.tokens_per_s:,.0f}")
        return words if model.tokens_per_s else ""

    def _memory_words(self) -> str:
        """What an open model holds, on a line of its own: a name and a speed leave no room for it."""
        model = self._model
        if model is None or model.state != "ready" or not model.memory_bytes:
            return ""
        return self.tr("{size} of memory").format(size=size_words(model.memory_bytes))

    def _starter_words(self, state: StatusState) -> tuple[str, str]:
        if state.failed:
            return self.tr("Not running"), ""
        if not state.started:
            return self.tr("Starting…"), ""
        if not state.finding:
            return self.tr("Starter mind"), self.tr("no model")
        by_meaning = state.finding in ("idle", "starting", "ready")
        return self.tr("Starter mind"), self.tr("by meaning") if by_meaning else self.tr("by words")

    def _finding_words(self, state: StatusState) -> str:
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

    def _say_engine(self, state: StatusState) -> None:
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
        }.get(state.engine_state, self._memory_words() if state.started else "")
        self._engine.setText(words)
        set_tip(self._engine, state.engine_detail)
        self._engine.setVisible(bool(words))

    def _house_words(self, state: StatusState) -> str:
        one = state.abilities == 1
        abilities = (
            self.tr("1 ability") if one else self.tr("{count} abilities").format(count=state.abilities)
        )
        held = self.tr("sandbox on") if state.sandbox else self.tr("sandbox off")
        one = state.servers == 1
        servers = self.tr("1 server") if one else self.tr("{count} servers").format(count=state.servers)
        if not state.servers:
            return f"{abilities} · {held}"
        return f"{abilities} · {servers}\n{held}"


_SIGNS: dict[ThemeChoice, SignName] = {
    ThemeChoice.SYSTEM: "system",
    ThemeChoice.LIGHT: "sun",
    ThemeChoice.DARK: "moon",
}


class ThemeButton(IconButton):
    """What it opens is the window's business."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "system", lambda: self.tr("Appearance and keys"))
        self._choices = theme
        theme.changed.connect(self._show_choice)
        self._show_choice()

    def _show_choice(self) -> None:
        self.show_sign(_SIGNS[self._choices.choice])


_PAD_X = 7
_PAD_Y = 3
_SIGN = 10
_DOT = 8
_GAP = 6
_WHOLE = 360 * 16


class MindButton(PushButton):
    """A sign, a name that is shortened where it must, and behind it what always stays readable."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._name = self._tail = ""
        self.color_name = "muted"
        """The colour of the sign; the words say the same."""
        self.share: float | None = None
        """How far the ring is closed; `None`: it is a dot."""
        prepare_button(self, "quiet", name="")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_mind(self, name: str, tail: str = "", *, color: str, share: float | None = None) -> None:
        """`color` is a token's name; with `share`, 0 to 1, a ring takes the dot's place."""
        self._name, self._tail = name, tail
        self.color_name, self.share = color, share
        self.setText(f"{name} · {tail}" if tail else name)
        self.setAccessibleName(self.tr("{words}. Show the models").format(words=self.text()))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(100, self.fontMetrics().height() + 2 * _PAD_Y)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        self._paint_sign(painter)
        room = self.rect().adjusted(_PAD_X + _SIGN + _GAP, 0, -_PAD_X, 0)
        self._paint_words(painter, room)
        painter.end()

    def _paint_sign(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPoint(_PAD_X + _SIGN // 2, self.height() // 2)
        if self.share is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color(self.color_name))
            painter.drawEllipse(QRectF(middle.x() - _DOT / 2, middle.y() - _DOT / 2, _DOT, _DOT))
            return
        ring = QRectF(middle.x() - _SIGN / 2 + 1, middle.y() - _SIGN / 2 + 1, _SIGN - 2, _SIGN - 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.color("line"), 2))
        painter.drawEllipse(ring)
        painter.setPen(QPen(self._theme.color(self.color_name), 2))
        painter.drawArc(ring, 90 * 16, -max(_WHOLE // 12, round(_WHOLE * self.share)))

    def _paint_words(self, painter: QPainter, room: QRect) -> None:
        painter.setFont(self.font())
        painter.setPen(self._theme.color("ink" if self.underMouse() else "muted"))
        metrics = self.fontMetrics()
        tail = f" · {self._tail}" if self._tail else ""
        left = room.width() - metrics.horizontalAdvance(tail)
        name = metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, max(left, room.width() // 3))
        words = metrics.elidedText(name + tail, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)
