"""A section of the settings: its title, and its groups, each a card of rows that are made a few at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QSizePolicy, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.config.field import SECTIONS, ConfigField, ConfigFile, Section, section_words
from partner_desktop.desktop.accessible import Role, set_button_role
from partner_desktop.desktop.parts.boxes import FlowLayout, aligned, grow, hbox, horizontal_rule, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.settings.row import SettingRow
from partner_desktop.desktop.settings.setting_groups import SettingsGroup, SettingsLine
from partner_desktop.desktop.theme.theme import Space, Theme, zoomed
from partner_desktop.desktop.wording import in_every_language, set_tip

_BUTTON_WIDTH = 168
_ENDLESS_PX = 16_777_215


class SectionList(QWidget):
    """`chosen(section)`: one below the other, or in lines over the page where it is narrow."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("clear")
        self.buttons: dict[Section, QPushButton] = {}
        self._group = QButtonGroup(self)
        self._flow = FlowLayout(gap=2, line_gap=2)
        self.setLayout(self._flow)
        for section in SECTIONS:
            self.buttons[section] = button = self._button(section)
            self._group.addButton(button)
            self._flow.addWidget(button)

    def _button(self, section: Section) -> QPushButton:
        button = push_button(
            lambda: section_words(section)[0],
            "menu",
            name=lambda: self.tr("Settings: {title}").format(title=section_words(section)[0]),
        )
        button.setCheckable(True)
        set_button_role(button, Role.PageTab)
        button.clicked.connect(lambda: self.chosen.emit(section))
        return button

    def show_sections(self, sections: Sequence[Section], chosen: Section | None) -> None:
        """Those that there are, and the one that is in view; none while all are searched."""
        for section, button in self.buttons.items():
            button.setVisible(section in sections)
        self._group.setExclusive(chosen is not None)
        for section, button in self.buttons.items():
            button.setChecked(section == chosen)

    def fit(self, *, beside: bool) -> None:
        """As a column beside the page, or over it."""
        width = zoomed(_BUTTON_WIDTH) if beside else 0
        for button in self.buttons.values():
            button.setMinimumWidth(width)
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Fixed if beside else policy.Preferred, policy.Preferred)
        self.setMinimumWidth(width)
        self.setMaximumWidth(width or _ENDLESS_PX)


class SectionView(QWidget):
    """`wanted(name, key, value)`; `file_wanted(path, line)`. `button` leads to a page of its own."""

    wanted = Signal(str, object, object)
    file_wanted = Signal(object, object)

    def __init__(self, section: Section, theme: Theme, button: QPushButton | None) -> None:
        super().__init__()
        self._section = section
        self._theme = theme
        self.groups: list[GroupView] = []
        self._title = text_label("", "title-large")
        self._text = text_label("", "muted", wrap=True)
        self._head = hbox(grow(self._title), gap=None)
        self._button = button
        if button is not None:
            self._head.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        self._column = vbox(vbox(self._head, self._text, gap=2), into=self, gap=Space.L)
        in_every_language(self, self._say, now=True)

    def add_group(self, group: SettingsGroup, at: int) -> GroupView:
        """One more after the first `at`; none of its rows are made yet."""
        view = GroupView(group, self._theme)
        view.wanted.connect(self.wanted)
        view.file_wanted.connect(self.file_wanted)
        self.groups.insert(at, view)
        self._column.insertWidget(at + 1, view)  # below the head
        if not group.title:
            self._head.addWidget(view.open_button, 0, Qt.AlignmentFlag.AlignBottom)
        return view

    @property
    def tab_stops(self) -> list[QWidget]:
        """What Tab goes to, from the top down."""
        own = [] if self._button is None else [self._button]
        return [*own, *(stop for group in self.groups for stop in group.tab_stops)]

    def _say(self) -> None:
        title, text = section_words(self._section)
        self._title.setText(title)
        self._text.setText(text)


class GroupView(QWidget):
    """`wanted(name, key, value)`; `file_wanted(path, line)`."""

    wanted = Signal(str, object, object)
    file_wanted = Signal(object, object)

    def __init__(self, group: SettingsGroup, theme: Theme) -> None:
        super().__init__()
        self.group = group
        self._file = group.file
        self._theme = theme
        self._made: dict[int, SettingRow | _TableHead] = {}
        self._chosen: list[SettingsLine] = []
        self.rows: dict[tuple[str, ...], SettingRow] = {}
        self._title = text_label("", "strong", wrap=True)
        self._text = text_label("", "muted", wrap=True)
        self.open_button = push_button(
            lambda: self.tr("Open file"),
            "quiet",
            name=lambda: self.tr("Open file: {title}").format(title=self.group.file.title),
        )
        self.open_button.clicked.connect(lambda: self.file_wanted.emit(self.group.file.path, None))
        set_tip(self.open_button, display_path(group.file.path))
        self._card = QFrame()
        self._card.setObjectName("card")
        self._rows = vbox(into=self._card, margins=(0, 4, 0, 4))
        words = vbox(self._title, self._text, gap=2)
        head = hbox(grow(words), aligned(self.open_button, Qt.AlignmentFlag.AlignBottom), gap=Space.M)
        vbox(head, self._card, into=self, gap=Space.S)
        self.open_button.hide()
        in_every_language(self, self._say, now=True)

    def choose(self, lines: Sequence[SettingsLine]) -> None:
        """The lines that are to be seen; `settle` shows it."""
        self._chosen = list(lines)
        self._show_link()

    def settle(self) -> Iterator[None]:
        """Show the chosen lines of those that are made; each step is a place to pause."""
        chosen = {line.place for line in self._chosen}
        self.setVisible(bool(chosen))
        for place, made in self._made.items():
            if made.isHidden() == (place in chosen):
                made.setVisible(place in chosen)
                yield
        self._show_rules()

    def add_next(self) -> bool:
        """Make the first chosen line that is not made; whether there was one."""
        line = next((each for each in self._chosen if each.place not in self._made), None)
        if line is None:
            return False
        made = _TableHead(line.field, self._depth(line)) if line.head else self._make_row(line)
        self._rows.insertWidget(sum(place < line.place for place in self._made), made)
        self._made[line.place] = made
        self._show_rules()
        return True

    def show_file(self, file: ConfigFile) -> None:
        self._file = file
        self._show_link()
        for field in file.fields:
            row = self.rows.get(field.key)
            if row is not None:
                row.show_field(field)

    def retell(self) -> None:
        for row in self.rows.values():
            row.retell()

    @property
    def tab_stops(self) -> list[QWidget]:
        """What Tab goes to, from the top down."""
        inner = (stop for _place, made in sorted(self._made.items()) for stop in made.findChildren(QWidget))
        return [self.open_button, *(one for one in inner if one.focusPolicy() & Qt.FocusPolicy.TabFocus)]

    def _show_link(self) -> None:
        """To the file, unless what is wrong with it leads there already."""
        shown = self.group.leads_to_file and bool(self._chosen) and not self._file.problems
        self.open_button.setVisible(shown)

    def _say(self) -> None:
        show_words(self._title, self.group.title)
        show_words(self._text, self.group.text)

    def _depth(self, line: SettingsLine) -> int:
        return len(line.key) - (len(self.group.table.key) if self.group.table is not None else 0)

    def _make_row(self, line: SettingsLine) -> SettingRow:
        field, file = line.field, self.group.file
        row = SettingRow(field, self._theme, depth=self._depth(line))
        row.wanted.connect(lambda value: self.wanted.emit(file.name, field.key, value))
        row.file_wanted.connect(lambda: self.file_wanted.emit(file.path, None))
        self.rows[field.key] = row
        return row

    def _show_rules(self) -> None:
        """A line over each row but the first in view."""
        first = True
        for _place, made in sorted(self._made.items()):
            if not made.isHidden():
                made.rule.setVisible(not first)
                first = False


class _TableHead(QWidget):
    """The head of a table in the group's own; its settings stand below it."""

    def __init__(self, field: ConfigField, depth: int) -> None:
        super().__init__()
        self.rule = horizontal_rule()
        words = vbox(
            text_label(lambda: field.told.title, "strong", wrap=True),
            gap=2,
            margins=(Space.L * depth, 12, Space.L, 8),
        )
        if field.description:
            words.addWidget(text_label(lambda: field.told.description, "muted", wrap=True))
        vbox(self.rule, words, into=self)
