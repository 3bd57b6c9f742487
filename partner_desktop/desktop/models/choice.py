"""The line that every mind begins with: a round mark to choose it by, its name, and how it fares."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QFrame, QRadioButton

from partner_desktop.desktop.parts.boxes import at_middle, grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, Pill, pressed_by_enter
from partner_desktop.desktop.theme.theme import Space, set_look, zoomed
from partner_desktop.desktop.wording import LazyText, in_every_language, resolve_text, set_tip

_SIZE = 20
_EDGE = 2


class RoundMark(QRadioButton):
    """Shows who is chosen; a press only asks, and nothing is asked twice. `asked()`.

    Each is a stop of its own: arrows that choose while they wander would load one model after the other.
    """

    asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._holds = False
        self.setAutoExclusive(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(self._ask)

    def show_choice(self, *, holds: bool) -> None:
        self._holds = holds
        self.setChecked(holds)

    def sizeHint(self) -> QSize:
        return QSize(zoomed(_SIZE), zoomed(_SIZE))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, place: QPoint) -> bool:
        return self.rect().contains(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A circle, a thick one where it holds; the keyboard's ring lies around it."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, roles = self.palette(), QPalette.ColorRole
        accent = palette.color(roles.Highlight)
        inner = QRectF(self.rect()).adjusted(_EDGE + 1, _EDGE + 1, -_EDGE - 1, -_EDGE - 1)
        if self.hasFocus():
            painter.setPen(QPen(accent, 1.5))
            painter.drawEllipse(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.setBrush(palette.color(roles.Base))
        thick = inner.width() / 3.4 if self.isChecked() else 1.2
        lit = self.isChecked() or self.underMouse()
        painter.setPen(QPen(accent if lit else palette.color(roles.PlaceholderText), thick))
        painter.drawEllipse(inner.adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2))
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def _ask(self) -> None:
        self.setChecked(self._holds)
        if not self._holds:
            self.asked.emit()


class MindCard(QFrame):
    """A card with that line; `body` takes what stands under it. `use_pressed()`."""

    use_pressed = Signal()

    def __init__(self, name: LazyText) -> None:
        super().__init__()
        self.setObjectName("card")
        self._name = name
        self.mark = RoundMark()
        self.mark.asked.connect(self.use_pressed)
        self.title = ElidedLabel(name, "title")
        self.answers = Pill()
        self.state = Pill()
        line = hbox(
            at_middle(self.title), stretch(1), at_middle(self.answers), at_middle(self.state), gap=Space.S
        )
        line.setStretchFactor(self.title, 1000)
        self.body = vbox(line, gap=6)
        beside = vbox(self.mark, stretch(), gap=None, margins=(0, 1, 0, 0))
        hbox(beside, grow(self.body), into=self, gap=Space.M, margins=(Space.L, Space.M, Space.L, Space.M))
        self.show_choice(holds=False)
        in_every_language(self, self._say_choice)

    def show_choice(self, *, holds: bool, word: LazyText = "") -> None:
        """Whether it is the one that is to answer; `word` says so beside its name."""
        self._word = word
        self.mark.show_choice(holds=holds)
        set_look(self, "true" if holds else "false", name="chosen")
        self._say_choice()

    def _say_choice(self) -> None:
        self.answers.say(resolve_text(self._word), "busy")
        name = resolve_text(self._name)
        words = self.tr("{name} answers") if self.mark.isChecked() else self.tr("Let {name} answer")
        self.mark.setAccessibleName(words.format(name=name))
        set_tip(self.mark, self.mark.accessibleName())
