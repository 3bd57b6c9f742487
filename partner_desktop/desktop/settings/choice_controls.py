"""Settings that are chosen, not typed: a switch, one of several, several of several. Each saves at once."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QPushButton

from partner_desktop.config.field import ConfigField
from partner_desktop.desktop.parts.boxes import at_middle, hbox, vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.flow import FlowLayout
from partner_desktop.desktop.settings.control import Control
from partner_desktop.desktop.settings.segments import Segments
from partner_desktop.desktop.settings.switch import Switch
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.json_value import Json

_MOST_SEGMENTS = 4
_MOST_LETTERS = 28


class SwitchControl(Control):
    """On or off."""

    def __init__(self, field: ConfigField, theme: Theme) -> None:
        super().__init__()
        self.switch = Switch(theme)
        self.switch.setAccessibleName(field.title)
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
        self.segments = Segments(field.title, [(choice, choice) for choice in field.choices])
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
        self.box.setAccessibleName(field.title)
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
            button = push_button(choice, "segment", name=f"{field.title}: {choice}")
            button.setCheckable(True)
            button.clicked.connect(self._pressed)
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
    short = len(field.choices) <= _MOST_SEGMENTS and sum(map(len, field.choices)) <= _MOST_LETTERS
    return SegmentControl(field) if required and short else ComboControl(field)
