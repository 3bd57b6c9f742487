"""One settings file on the page: what it is for, what is wrong with it, and its settings."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.config.field import ANY_NAME, ConfigField, ConfigFile
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.rule import horizontal_rule
from partner_desktop.desktop.settings.problems import ProblemsView
from partner_desktop.desktop.settings.row import SettingRow
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.theme.tokens import Space


class FileSection(QWidget):
    """`wanted(name, key, value)`; `file_wanted(path, line)`."""

    wanted = Signal(str, object, object)
    file_wanted = Signal(object, object)

    def __init__(self, file: ConfigFile, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._theme = theme
        self.file = file
        self.rows: dict[tuple[str, ...], SettingRow] = {}
        self.heads: dict[tuple[str, ...], _GroupHead] = {}
        self._lines: list[SettingRow | _GroupHead] = []
        self.problems = ProblemsView(title_of(file))
        self.problems.file_wanted.connect(lambda line: self.file_wanted.emit(self.file.path, line))
        title = title_of(file)
        self.open_button = push_button(
            lambda: self.tr("Open file"),
            "quiet",
            name=lambda: self.tr("Open file: {title}").format(title=title),
        )
        self.open_button.clicked.connect(lambda: self.file_wanted.emit(self.file.path, None))
        self._card = QFrame()
        self._card.setObjectName("card")
        self._rows = QVBoxLayout(self._card)
        self._rows.setContentsMargins(0, 4, 0, 4)
        self._rows.setSpacing(0)
        self._lay_out(title)
        self._show_head()

    def _lay_out(self, title: str) -> None:
        head = QHBoxLayout()
        head.addWidget(text_label(title, "title-large"), 1)
        head.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(Space.XS)
        layout.addLayout(head)
        if self.file.description:
            layout.addWidget(text_label(self.file.description, "muted", wrap=True))
        layout.addSpacing(Space.XS)
        layout.addWidget(self.problems)
        layout.addWidget(self._card)

    def build(self) -> Iterator[None]:
        """Make the rows; each step is a place to pause."""
        for field in listed(self.file.fields):
            if _has_own(self.file.fields, field):
                self._add_head(field)
            else:
                self._add_row(field)
            yield
        self._show_rules()

    def show_file(self, file: ConfigFile) -> None:
        """The file as it is now."""
        self.file = file
        self._show_head()
        for field in file.fields:
            row = self.rows.get(field.key)
            if row is not None:
                row.show_field(field)

    def filter(self, words: list[str]) -> bool:
        """Leave the rows in which all `words` occur; whether there are any."""
        hit = {key for key, row in self.rows.items() if all(word in row.haystack for word in words)}
        for key, row in self.rows.items():
            row.setVisible(key in hit)
        for key, head in self.heads.items():
            head.setVisible(any(each[: len(key)] == key for each in hit))
        self._show_rules()
        self.setVisible(bool(hit) or not words)
        return bool(hit)

    def retell(self) -> None:
        """The language is another."""
        for row in self.rows.values():
            row.retell()
        self.problems.retell()

    def _show_head(self) -> None:
        self.open_button.setToolTip(display_path(self.file.path))
        self.open_button.setVisible(not self.file.problems)
        self.problems.show_problems(self.file.problems)

    def _add_head(self, field: ConfigField) -> None:
        head = self.heads[field.key] = _GroupHead(field)
        self._add_line(head)

    def _add_row(self, field: ConfigField) -> None:
        row = SettingRow(field, self._theme, above=self._above(field), depth=len(field.key) - 1)
        row.wanted.connect(lambda value: self.wanted.emit(self.file.name, field.key, value))
        row.file_wanted.connect(lambda: self.file_wanted.emit(self.file.path, None))
        self.rows[field.key] = row
        self._add_line(row)

    def _add_line(self, line: SettingRow | _GroupHead) -> None:
        line.rule.setVisible(bool(self._lines))
        self._lines.append(line)
        self._rows.addWidget(line)

    def _above(self, field: ConfigField) -> str:
        tables = (one for one in self.file.fields if one.key == field.key[: len(one.key)])
        words = (f"{one.title} {one.description}" for one in tables if one is not field)
        return " ".join((title_of(self.file), self.file.description, self.file.name, *words))

    def _show_rules(self) -> None:
        """A line over each row but the first in view."""
        first = True
        for line in self._lines:
            if not line.isHidden():
                line.rule.setVisible(not first)
                first = False


class _GroupHead(QWidget):
    """The head of a table in the file; its settings stand below it."""

    def __init__(self, field: ConfigField) -> None:
        super().__init__()
        self.setObjectName("clear")
        self.rule = horizontal_rule()
        words = QVBoxLayout()
        words.setContentsMargins(Space.L * len(field.key), 12, Space.L, 8)
        words.setSpacing(2)
        words.addWidget(text_label(field.title, "strong", wrap=True))
        if field.description:
            words.addWidget(text_label(field.description, "muted", wrap=True))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.rule)
        layout.addLayout(words)


def title_of(file: ConfigFile) -> str:
    """The file's name in words."""
    words = file.name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def listed(fields: tuple[ConfigField, ...]) -> list[ConfigField]:
    """What has a place on the page; what stands under names of the person's own is in the file only."""
    return [field for field in fields if ANY_NAME not in field.key]


def _has_own(fields: tuple[ConfigField, ...], table: ConfigField) -> bool:
    size = len(table.key)
    below = (one.key for one in fields if one.key[:size] == table.key and len(one.key) > size)
    return table.kind == "table" and any(ANY_NAME not in key for key in below)
