"""One settings file on the page: what it is for, what is wrong with it, and its settings.

The lines are made one by one, as far as they are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.config.field import ConfigField, ConfigFile
from partner_desktop.desktop.parts.boxes import aligned, grow, hbox, vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.rule import horizontal_rule
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.settings.lines import ON_THE_MODELS_PAGE, Line, found, title_of
from partner_desktop.desktop.settings.problems import ProblemsView
from partner_desktop.desktop.settings.row import SettingRow
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.theme.tokens import Space


class FileSection(QWidget):
    """`wanted(name, key, value)`; `file_wanted(path, line)`; `models_wanted()` by the models' own button."""

    wanted = Signal(str, object, object)
    file_wanted = Signal(object, object)
    models_wanted = Signal()

    def __init__(self, file: ConfigFile, lines: Sequence[Line], theme: Theme) -> None:
        super().__init__()
        self._all = self._chosen = list(lines)
        self._made: dict[int, SettingRow | _GroupHead] = {}
        self._theme = theme
        self.file = file
        self.rows: dict[tuple[str, ...], SettingRow] = {}
        self.problems = ProblemsView(title_of(file))
        self.problems.file_wanted.connect(lambda line: self.file_wanted.emit(self.file.path, line))
        title = title_of(file)
        self.open_button = push_button(
            lambda: self.tr("Open file"),
            "quiet",
            name=lambda: self.tr("Open file: {title}").format(title=title),
        )
        self.open_button.clicked.connect(lambda: self.file_wanted.emit(self.file.path, None))
        self.models_button = push_button(lambda: self.tr("Models…"), "small")
        hint = lambda: self.tr("Who answers, and which models there are")  # noqa: E731 - words of a language
        set_tip(self.models_button, hint)
        self.models_button.clicked.connect(self.models_wanted)
        self.models_button.setVisible(file.name in ON_THE_MODELS_PAGE)
        self._card = QFrame()
        self._card.setObjectName("card")
        self._rows = vbox(into=self._card, margins=(0, 4, 0, 4))
        self._lay_out(title)
        self._show_head()

    def _lay_out(self, title: str) -> None:
        head = hbox(
            grow(text_label(title, "title-large")),
            aligned(self.models_button, Qt.AlignmentFlag.AlignBottom),
            aligned(self.open_button, Qt.AlignmentFlag.AlignBottom),
            gap=None,
        )
        words = vbox(head, gap=2)
        if self.file.description:
            words.addWidget(text_label(self.file.description, "muted", wrap=True))
        vbox(words, self.problems, self._card, into=self, gap=Space.S)

    def look_for(self, words: Sequence[str]) -> bool:
        """Choose the lines in which all `words` occur; whether there are any. `settle` shows it."""
        self._chosen = found(self._all, words)
        return bool(self._chosen) or not words

    def settle(self) -> Iterator[None]:
        """Show the chosen lines of those that are made; each step is a place to pause."""
        chosen = {line.place for line in self._chosen}
        self.setVisible(bool(chosen) or not self._all)
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
        made = _GroupHead(line.field) if line.head else self._make_row(line.field)
        self._rows.insertWidget(sum(place < line.place for place in self._made), made)
        self._made[line.place] = made
        self._show_rules()
        return True

    def show_file(self, file: ConfigFile) -> None:
        """The file as it is now."""
        self.file = file
        self._show_head()
        for field in file.fields:
            row = self.rows.get(field.key)
            if row is not None:
                row.show_field(field)

    def retell(self) -> None:
        """The language is another."""
        for row in self.rows.values():
            row.retell()
        self.problems.retell()

    def _show_head(self) -> None:
        set_tip(self.open_button, display_path(self.file.path))
        self.open_button.setVisible(not self.file.problems)
        self.problems.show_problems(self.file.problems)

    def _make_row(self, field: ConfigField) -> SettingRow:
        row = SettingRow(field, self._theme)
        row.wanted.connect(lambda value: self.wanted.emit(self.file.name, field.key, value))
        row.file_wanted.connect(lambda: self.file_wanted.emit(self.file.path, None))
        self.rows[field.key] = row
        return row

    def _show_rules(self) -> None:
        """A line over each row but the first in view."""
        first = True
        for _place, made in sorted(self._made.items()):
            if not made.isHidden():
                made.rule.setVisible(not first)
                first = False


class _GroupHead(QWidget):
    """The head of a table in the file; its settings stand below it."""

    def __init__(self, field: ConfigField) -> None:
        super().__init__()
        self.rule = horizontal_rule()
        words = vbox(
            text_label(field.title, "strong", wrap=True),
            gap=2,
            margins=(Space.L * len(field.key), 12, Space.L, 8),
        )
        if field.description:
            words.addWidget(text_label(field.description, "muted", wrap=True))
        vbox(self.rule, words, into=self)
