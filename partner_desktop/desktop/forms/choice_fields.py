"""Fields that are chosen from: yes or no, one of some, any of some; and the widgets that show the choice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from partner_desktop.base.text import shown
from partner_desktop.desktop.accessible import Role, set_button_role
from partner_desktop.desktop.forms.fields import MISSING, Field, FieldProblemError, MissingValue
from partner_desktop.desktop.parts.boxes import FlowLayout, hbox, vbox
from partner_desktop.desktop.parts.controls import pressed_by_enter, push_button
from partner_desktop.desktop.theme.theme import Theme, zoomed
from partner_desktop.desktop.wording import LazyText, bind_text, in_every_language, resolve_text, tr
from partner_desktop.domain.json_value import Json, JsonObject


class FieldChoice(NamedTuple):
    """What is sent, and what is shown for it."""

    value: Json
    title: LazyText


class FlagField(Field):
    """Yes or no: a box, or with a theme a switch."""

    fills = False

    def __init__(self, name: str, title: LazyText, value: Json, *, theme: Theme | None = None) -> None:
        self._box: QAbstractButton = QCheckBox() if theme is None else Switch(theme)
        self._given = False
        self.show(value)
        super().__init__(name, title, self._box)
        if theme is None:
            self._box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._box.toggled.connect(self._toggled)

    def show(self, value: Json) -> None:
        self._given = value is not None
        with QSignalBlocker(self._box):
            self._box.setChecked(value is True)

    def _toggled(self) -> None:
        self._given = True
        self.edited.emit()
        self.settled.emit()

    def read(self) -> Json | MissingValue:
        return self._box.isChecked() if self._given else MISSING


class _Combo(QComboBox):
    """Leaves the wheel to the page: whoever scrolls past it changes nothing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ChoiceField(Field):
    """One of some, in a list that opens; `open_words`: what stands for none of them, where that may be."""

    fills = False

    def __init__(
        self,
        name: str,
        title: LazyText,
        value: Json,
        choices: Sequence[FieldChoice],
        *,
        required: bool,
        open_words: LazyText = "—",
    ) -> None:
        self._box = _Combo()
        known = value in [choice.value for choice in choices]
        self._values: list[Json | MissingValue] = [] if required and known else [MISSING]
        self._words = [*(open_words for _ in self._values), *(choice.title for choice in choices)]
        self._values += [choice.value for choice in choices]
        for _ in self._values:
            self._box.addItem("")
        super().__init__(name, title, self._box)
        in_every_language(self, self._say, now=True)
        self.show(value)
        self._box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._box.activated.connect(self.edited)
        self._box.activated.connect(self.settled)

    def _say(self) -> None:
        for number, words in enumerate(self._words):
            self._box.setItemText(number, shown(resolve_text(words)))

    def show(self, value: Json) -> None:
        nearest = value if value in self._values else MISSING
        self._box.setCurrentIndex(self._values.index(nearest) if nearest in self._values else -1)

    def read(self) -> Json | MissingValue:
        at = self._box.currentIndex()
        return self._values[at] if at >= 0 else MISSING


class Segments(QWidget):
    """`chosen(value)` when the person takes another."""

    chosen = Signal(str)

    def __init__(self, name: LazyText, choices: Sequence[tuple[str, LazyText]]) -> None:
        """`name` is said by screen readers before each choice; `choices`: value and words."""
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = hbox(into=self, gap=4)
        for value, words in choices:
            button = self._button(name, value, words)
            self._group.addButton(button)
            self.buttons[value] = button
            row.addWidget(button, 1)

    def _button(self, name: LazyText, value: str, words: LazyText) -> QPushButton:
        button = push_button(words, "segment", name=lambda: f"{resolve_text(name)}: {resolve_text(words)}")
        button.setCheckable(True)
        set_button_role(button, Role.RadioButton)
        # One height for all, whatever script the words are in.
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        button.clicked.connect(lambda: self.chosen.emit(value))
        return button

    def show_choice(self, value: str) -> None:
        self.buttons[value].setChecked(True)


class SegmentsField(Field):
    """One of a few, all in view."""

    def __init__(self, name: str, title: LazyText, value: Json, choices: Sequence[FieldChoice]) -> None:
        self._values = {str(choice.value): choice.value for choice in choices}
        self.segments = Segments(title, [(str(choice.value), choice.title) for choice in choices])
        # As high as its words, also beside something higher.
        self.segments.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._chosen: Json | MissingValue = MISSING
        super().__init__(name, title, self.segments)
        self.show(value)
        self.segments.chosen.connect(self._choose)

    def show(self, value: Json) -> None:
        if str(value) in self._values:
            self._chosen = value
            self.segments.show_choice(str(value))

    def _choose(self, value: str) -> None:
        self._chosen = self._values[value]
        self.edited.emit()
        self.settled.emit()

    def read(self) -> Json | MissingValue:
        return self._chosen


class SeveralField(Field):
    """Any number of the choices, each with a box; `beside` each other, where they are short."""

    def __init__(
        self,
        name: str,
        title: LazyText,
        value: Json,
        choices: list[FieldChoice],
        schema: JsonObject,
        *,
        beside: bool = False,
    ) -> None:
        box = QWidget()
        places = FlowLayout(gap=12) if beside else vbox(gap=2)
        box.setLayout(places)
        super().__init__(name, title, box)
        chosen = value if isinstance(value, list) else []
        self._given = isinstance(value, list)
        self._least, self._most = schema.get("minItems"), schema.get("maxItems")
        self._values = [choice.value for choice in choices]
        self.boxes: list[QCheckBox] = []
        for choice in choices:
            one = QCheckBox()
            bind_text(one, one.setText, partial(_box_words, choice.title))
            bind_text(one, one.setAccessibleName, partial(_choice_name, title, partial(_shown, choice.title)))
            one.setChecked(choice.value in chosen)
            one.toggled.connect(self._toggled)
            self.boxes.append(one)
            places.addWidget(one)

    def show(self, value: Json) -> None:
        chosen = value if isinstance(value, list) else []
        self._given = isinstance(value, list)
        for each, box in zip(self._values, self.boxes, strict=True):
            with QSignalBlocker(box):
                box.setChecked(each in chosen)

    def _toggled(self) -> None:
        self._given = True
        self.edited.emit()

    def read(self) -> Json | MissingValue:
        chosen = [value for value, box in zip(self._values, self.boxes, strict=True) if box.isChecked()]
        if not self._given:
            return MISSING
        if isinstance(self._least, int) and len(chosen) < self._least:
            raise FieldProblemError(tr("Choose at least {limit}.").format(limit=self._least))
        if isinstance(self._most, int) and len(chosen) > self._most:
            raise FieldProblemError(tr("Choose at most {limit}.").format(limit=self._most))
        return list(chosen)


class PressedField(Field):
    """Any of some, each a button that is pressed or not."""

    def __init__(self, name: str, title: LazyText, value: Json, choices: Sequence[FieldChoice]) -> None:
        box = QWidget()
        self._places = FlowLayout()
        box.setLayout(self._places)
        super().__init__(name, title, box)
        self._values = [choice.value for choice in choices]
        self.buttons = [self._button(choice.title) for choice in choices]
        self.show(value)

    def _button(self, words: LazyText) -> QPushButton:
        button = push_button(words, "segment", name=partial(_choice_name, self.titled, words))
        button.setCheckable(True)
        button.clicked.connect(self.edited)
        button.clicked.connect(self.settled)
        self._places.addWidget(button)
        return button

    def show(self, value: Json) -> None:
        chosen = value if isinstance(value, list) else []
        for each, button in zip(self._values, self.buttons, strict=True):
            button.setChecked(each in chosen)

    def read(self) -> Json | MissingValue:
        return [each for each, button in zip(self._values, self.buttons, strict=True) if button.isChecked()]


def _choice_name(title: LazyText, words: LazyText) -> str:
    return f"{resolve_text(title)}: {resolve_text(words)}"


def _shown(words: LazyText) -> str:
    return shown(resolve_text(words))


def _box_words(words: LazyText) -> str:
    """A single & would be a key to press."""
    return _shown(words).replace("&", "&&")


def choices_of(schema: JsonObject) -> list[FieldChoice]:
    """In any of the forms that a schema can list them in."""
    titled = schema.get("oneOf") or schema.get("anyOf")
    if isinstance(titled, list):
        found = [each for each in titled if isinstance(each, dict) and "const" in each]
        return [FieldChoice(each["const"], str(each.get("title") or each["const"])) for each in found]
    values, names = schema.get("enum"), schema.get("enumNames")
    if not isinstance(values, list):
        return []
    titles = names if isinstance(names, list) and len(names) == len(values) else values
    return [FieldChoice(value, str(title)) for value, title in zip(values, titles, strict=True)]


def choice_text(value: Json) -> str:
    """What stands for a choice that has no title."""
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


_WIDTH, _HEIGHT = 34, 20
#: Room for the ring of the keyboard.
_RING = 3


class Switch(QAbstractButton):
    """Painted; which way it stands is seen by its place as well as by its colour."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(zoomed(_WIDTH) + 2 * _RING, zoomed(_HEIGHT) + 2 * _RING)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QRectF(self.rect()).adjusted(_RING, _RING, -_RING, -_RING)
        radius = body.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent" if self.isChecked() else "muted"))
        painter.drawRoundedRect(body, radius, radius)
        x = body.right() - radius if self.isChecked() else body.left() + radius
        painter.setBrush(self._theme.color("surface"))
        painter.drawEllipse(QPointF(x, body.center().y()), radius - 2.5, radius - 2.5)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
        painter.end()
