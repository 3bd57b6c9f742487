"""One setting: what it is, what it is changed with, and why the last change did not do."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QComboBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from partner_desktop.config.field import ConfigField
from partner_desktop.desktop.parts.boxes import FlowLayout, at_middle, hbox, horizontal_rule, vbox
from partner_desktop.desktop.parts.controls import (
    IconButton,
    pressed_by_enter,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.settings.segments import Segments
from partner_desktop.desktop.settings.typed_control import (
    Control,
    LineControl,
    NumberControl,
    facts,
    shown_default,
)
from partner_desktop.desktop.settings.wide_controls import FixedControl, ListControl, PathControl
from partner_desktop.desktop.theme.theme import Space, Theme, zoomed
from partner_desktop.desktop.wording import LazyText, announce, bind_text, resolve_text, tr
from partner_desktop.domain.json_value import Json

#: Narrower rows put the control under the words.
_BESIDE_PX = 420


class SettingRow(QWidget):
    """`wanted(value)`, `None` for the default; `file_wanted()` where only the file can change it."""

    wanted = Signal(object)
    file_wanted = Signal()

    def __init__(self, field: ConfigField, theme: Theme, *, depth: int = 1) -> None:
        super().__init__()
        self.field = field
        self._depth = depth
        self.rule = horizontal_rule()
        self.control = make_control(field, theme)
        self.reset = IconButton(theme, "reset", lambda: _reset_words(self.field))
        self.reset.clicked.connect(self._ask_for_default)
        self._facts = text_label("", "muted", wrap=True)
        self._fault: QLabel | None = None
        self._told: LazyText = ""
        self._own_fault = False
        self._is_beside: bool | None = None
        self._lay_out()
        self._connect()
        self._show_field()

    def _lay_out(self) -> None:
        title = text_label(lambda: self.field.told.title, wrap=True)
        set_tip(title, self.field.name)
        words = vbox(title, gap=2)
        if self.field.description:
            words.addWidget(text_label(lambda: self.field.told.description, "muted", wrap=True))
        words.addWidget(self._facts)
        self._tail = hbox(self.reset, gap=Space.XS)
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.setSpacing(Space.S)
        self._beside.addLayout(words, 1)
        self._beside.addLayout(self._tail)
        self._body = vbox(self._beside, gap=6, margins=(Space.L * self._depth, 10, Space.L, 10))
        if self.control.wide:
            self._body.addWidget(self.control)
        else:
            self._tail.addWidget(self.control)
        vbox(self.rule, self._body, into=self)

    def _connect(self) -> None:
        self.control.committed.connect(self._ask)
        self.control.refused.connect(self._refuse_own)
        self.control.righted.connect(self._settle)
        if isinstance(self.control, FixedControl):
            self.control.file_wanted.connect(self.file_wanted)

    @property
    def fault(self) -> str:
        """Why what stands here was turned down; empty when it was not."""
        return resolve_text(self._told)

    def show_field(self, field: ConfigField) -> None:
        """The setting as it is now; what is being typed stays."""
        if field == self.field:
            return
        before, typed = self.field, self.control.dirty
        self.field = field
        self._show_field()
        if not self.control.dirty and (typed or field.value != before.value):
            self._settle()

    def accept(self) -> None:
        """What was asked for is in the file."""
        self.control.accept()
        if not self.control.dirty:
            self._settle()

    def refuse(self, sentence: str) -> None:
        """What was asked for does not do: the old value holds, what was typed stays."""
        self._own_fault = False
        self.control.refuse()
        self.control.show_value(self.field.value)
        self._tell(sentence)

    def retell(self) -> None:
        """The language is another."""
        self.control.retell()
        self._show_facts()
        if self._own_fault:
            self.control.say_again()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        beside = self.control.wide or self.width() >= zoomed(_BESIDE_PX)
        if beside == self._is_beside:
            return  # Qt would lay everything out anew
        self._is_beside = beside
        self._beside.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        self._beside.setAlignment(self._tail, _tail_place(self.control, beside=beside))

    def _show_field(self) -> None:
        self.control.show_value(self.field.value)
        self._show_facts()
        differs = not self.field.required and self.field.editable and self.field.value != self.field.default
        if self.reset.hasFocus() and not differs:
            self.control.setFocus(Qt.FocusReason.OtherFocusReason)
        self.reset.setVisible(differs)
        set_tip(self.reset, _reset_words(self.field))

    def _show_facts(self) -> None:
        show_words(self._facts, facts(self.field))

    def _ask(self, value: Json) -> None:
        self.wanted.emit(value)

    def _ask_for_default(self) -> None:
        self.control.take_back()
        self.wanted.emit(None)

    def _refuse_own(self, words: LazyText) -> None:
        self._own_fault = True
        self._tell(words)

    def _tell(self, words: LazyText) -> None:
        self._told = words
        if self._fault is None:
            self._fault = text_label("", "fault-small", wrap=True, selectable=True)
            self._body.addWidget(self._fault)
        show_words(self._fault, resolve_text(words))
        self.control.mark(problem=True)
        announce(self, f"{self.field.told.title}: {resolve_text(words)}", urgent=True)

    def _settle(self) -> None:
        self._own_fault = False
        if self._told:
            self._told = ""
            self.control.mark(problem=False)
            if self._fault is not None:
                self._fault.hide()


def make_control(field: ConfigField, theme: Theme) -> Control:
    """The control for a setting's kind."""
    if not field.editable:
        return FixedControl(field)
    if field.kind == "bool":
        return SwitchControl(field, theme)
    if field.choices:
        return SeveralControl(field) if field.kind == "list" else choice_control(field)
    kinds = {"int": NumberControl, "float": NumberControl, "list": ListControl, "path": PathControl}
    return kinds.get(field.kind, LineControl)(field)


def _tail_place(control: Control, *, beside: bool) -> Qt.AlignmentFlag:
    if not beside:
        return Qt.AlignmentFlag.AlignLeft
    return Qt.AlignmentFlag.AlignTop if control.wide else Qt.AlignmentFlag.AlignVCenter


def _choice_name(field: ConfigField, choice: str) -> str:
    return f"{field.told.title}: {choice}"


def _reset_words(field: ConfigField) -> str:
    words = tr("{title}: back to the default, {value}")
    return words.format(title=field.told.title, value=shown_default(field))


_MOST_SEGMENTS = 4
_MOST_LETTERS = 28


class SwitchControl(Control):
    """On or off."""

    def __init__(self, field: ConfigField, theme: Theme) -> None:
        super().__init__()
        self.switch = Switch(theme)
        bind_text(self.switch, self.switch.setAccessibleName, lambda: field.told.title)
        self.setFocusProxy(self.switch)
        self.switch.clicked.connect(self.ask)
        hbox(self.switch, into=self)

    def show_value(self, value: Json) -> None:
        self.switch.setChecked(value is True)


class SegmentControl(Control):
    """One of a few, all in view."""

    def __init__(self, field: ConfigField) -> None:
        super().__init__()
        self._choices = field.choices
        choices = [(choice, partial(field.choice_title, choice)) for choice in field.choices]
        self.segments = Segments(lambda: field.told.title, choices)
        self.segments.chosen.connect(self.ask)
        hbox(at_middle(self.segments), into=self)

    def show_value(self, value: Json) -> None:
        if str(value) in self._choices:
            self.segments.show_choice(str(value))


class _Combo(QComboBox):
    """Leaves the wheel to the page: whoever scrolls past it changes nothing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ComboControl(Control):
    """One of many, or none where that is allowed."""

    def __init__(self, field: ConfigField) -> None:
        super().__init__()
        unset = field.default is None and not field.required
        self._values: list[str | None] = [*([None] if unset else []), *field.choices]
        self.box = _Combo()
        bind_text(self.box, self.box.setAccessibleName, lambda: field.told.title)
        self.setFocusProxy(self.box)
        for choice in self._values:
            self.box.addItem("" if choice is None else choice)
        self.box.activated.connect(lambda index: self.ask(self._values[index]))
        hbox(self.box, into=self)
        self.retell()

    def show_value(self, value: Json) -> None:
        wanted = None if value is None else str(value)
        self.box.setCurrentIndex(self._values.index(wanted) if wanted in self._values else -1)

    def retell(self) -> None:
        if None in self._values:
            self.box.setItemText(0, tr("not set"))


class SeveralControl(Control):
    """A list whose entries are known: each is pressed or not."""

    wide = True

    def __init__(self, field: ConfigField) -> None:
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        flow = FlowLayout()
        for choice in field.choices:
            button = push_button(
                choice,
                "segment",
                name=partial(_choice_name, field, choice),
                pressed=self._pressed,
            )
            button.setCheckable(True)
            self.buttons[choice] = button
            flow.addWidget(button)
        vbox(flow, into=self)

    def show_value(self, value: Json) -> None:
        chosen = value if isinstance(value, list) else []
        for choice, button in self.buttons.items():
            button.setChecked(choice in chosen)

    def _pressed(self) -> None:
        self.ask([choice for choice, button in self.buttons.items() if button.isChecked()])


def choice_control(field: ConfigField) -> Control:
    """Segments where they fit into a line, else a list that opens."""
    required = field.default is not None or field.required
    letters = sum(len(field.choice_title(choice)) for choice in field.choices)
    short = len(field.choices) <= _MOST_SEGMENTS and letters <= _MOST_LETTERS
    return SegmentControl(field) if required and short else ComboControl(field)


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
