"""The page of settings: every file with its fields, in the middle column in place of the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.config.field import ANY_NAME, ConfigField, ConfigFile
from partner_desktop.desktop.chat.column import AsidePage
from partner_desktop.desktop.parts.boxes import (
    aligned,
    at_middle,
    drop_widget,
    grow,
    hbox,
    horizontal_rule,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import FilterField, push_button, show_words, text_label
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.parts.wrapped import PathSentence
from partner_desktop.desktop.settings.problems import ProblemsView
from partner_desktop.desktop.settings.row import SettingRow
from partner_desktop.desktop.settings.typed_control import haystack
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import in_every_language

#: What stands over the sections in the column: the folder, and the sentence where there is nothing.
_ABOVE = 2


class SettingsPage(AsidePage):
    """`closed()`; `wanted(name, key, value)`, with `None` for the default; `file_wanted(path, line)`;
    `folder_wanted()`; `models_wanted()`; `permissions_wanted()`. The rows are made a slice at a time,
    and only as far as they are looked at."""

    wanted = Signal(str, object, object)
    file_wanted = Signal(object, object)
    folder_wanted = Signal()
    models_wanted = Signal()
    permissions_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._files: dict[str, ConfigFile] = {}
        self._folder = ""
        self._lines: dict[str, tuple[SettingsLine, ...]] = {}
        self._look_for: list[str] = []
        self._slices = Slices(self)
        self.sections: dict[str, FileSection] = {}
        self.search = FilterField()
        self.search.looked_for.connect(self._filter)
        self.close_button = push_button(lambda: self.tr("Close"), name=lambda: self.tr("Close the settings"))
        self.close_button.clicked.connect(self.closed)
        self.folder_button = push_button(lambda: self.tr("Open folder"), "quiet", pressed=self.folder_wanted)
        self.permissions_button = push_button(lambda: self.tr("Permissions…"), "small")
        self.permissions_button.clicked.connect(self.permissions_wanted)
        self._place = PathSentence("muted")
        self._empty = text_label("", "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        head = hbox(
            text_label(lambda: self.tr("Settings"), "welcome"),
            grow(self.search),
            stretch(),
            at_middle(self.close_button),
            gap=Space.L,
        )
        place = hbox(
            aligned(self._place, Qt.AlignmentFlag.AlignVCenter, 1),
            self.folder_button,
            self.permissions_button,
            gap=None,
        )
        self._build(head, vbox(place, self._empty, stretch(1), gap=Space.XL))
        for tells in (self.area.verticalScrollBar().rangeChanged, self.area.verticalScrollBar().valueChanged):
            tells.connect(self._grow)
        in_every_language(self, self._retell, now=True)

    @property
    def building(self) -> bool:
        """Whether rows are still to come."""
        return self._slices.busy

    def row(self, name: str, key: tuple[str, ...]) -> SettingRow | None:
        """The row of a setting."""
        section = self.sections.get(name)
        return section.rows.get(key) if section is not None else None

    def show_files(self, files: Sequence[ConfigFile], folder: str) -> None:
        """Everything as it is now; rows that are there stay, with what is typed in them."""
        same = _shape(self._files.values()) == _shape(files)
        self._files = {file.name: file for file in files}
        self._folder = folder
        if not same:
            self._forget_sections()
        for name, section in self.sections.items():
            section.show_file(self._files[name])
        self._show_words()
        self._grow()

    def _forget_sections(self) -> None:
        for old in self.sections.values():
            drop_widget(old)
        self.sections = {}
        self._lines = {name: lines_of(file) for name, file in self._files.items()}

    def _grow(self) -> None:
        """Make more rows, while there is room for them and a screen of them ahead."""
        if not self._slices.busy:
            self._slices.start(self, self._more())

    def _more(self) -> Iterator[None]:
        bar = self.area.verticalScrollBar()
        while bar.maximum() - bar.value() < self.area.viewport().height() and self._add_next():
            yield

    def _add_next(self) -> bool:
        """Make the next section or row that is looked for; whether there was one."""
        place = _ABOVE
        for name, file in self._files.items():
            section = self.sections.get(name)
            if section is None and (matching_lines(self._lines[name], self._look_for) or not self._look_for):
                self._column.insertWidget(place, self._make_section(file))
                return True
            if section is not None:
                place += 1
                if section.add_next():
                    return True
        return False

    def _make_section(self, file: ConfigFile) -> FileSection:
        section = self.sections[file.name] = FileSection(file, self._lines[file.name], self._theme)
        section.look_for(self._look_for)
        section.wanted.connect(self.wanted)
        section.file_wanted.connect(self.file_wanted)
        section.models_wanted.connect(self.models_wanted)
        section.add_next()
        return section

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        if words != self._look_for:
            self._look_for = words
            self.area.verticalScrollBar().setValue(0)
            self._slices.start(self, self._show_found())

    def _show_found(self) -> Iterator[None]:
        for section in self.sections.values():
            section.look_for(self._look_for)
            yield from section.settle()
        self._show_words()
        yield from self._more()

    def _retell(self) -> None:
        for section in self.sections.values():
            section.retell()
        self._show_words()

    def _show_words(self) -> None:
        """Where the files are, or why there are none."""
        self.search.setVisible(bool(self._files))
        self._place.setVisible(bool(self._folder))
        self.folder_button.setVisible(bool(self._folder))
        self._place.say(self.tr("The files are in {folder}."), folder=self._folder)
        said = ""
        if not self._folder:
            said = self.tr("Partner has not started yet; its settings show here when it has.")
        elif not self._files:
            said = self.tr("No part of Partner has settings.")
        elif self._look_for and not any(
            matching_lines(lines, self._look_for) for lines in self._lines.values()
        ):
            said = self.tr("No setting has these words.")
        show_words(self._empty, said)


def _shape(files: Iterable[ConfigFile]) -> object:
    """What rows there are: while it stays, so do they."""
    return [(file.name, [(field.key, field.kind) for field in listed(file.fields)]) for file in files]


class FileSection(QWidget):
    """`wanted(name, key, value)`; `file_wanted(path, line)`; `models_wanted()` by the models' own button."""

    wanted = Signal(str, object, object)
    file_wanted = Signal(object, object)
    models_wanted = Signal()

    def __init__(self, file: ConfigFile, lines: Sequence[SettingsLine], theme: Theme) -> None:
        super().__init__()
        self._all = self._chosen = list(lines)
        self._made: dict[int, SettingRow | _GroupHead] = {}
        self._theme = theme
        self.file = file
        self.rows: dict[tuple[str, ...], SettingRow] = {}
        self.problems = ProblemsView(lambda: self.file.title)
        self.problems.file_wanted.connect(lambda line: self.file_wanted.emit(self.file.path, line))
        self.open_button = push_button(
            lambda: self.tr("Open file"),
            "quiet",
            name=lambda: self.tr("Open file: {title}").format(title=self.file.title),
        )
        self.open_button.clicked.connect(lambda: self.file_wanted.emit(self.file.path, None))
        self.models_button = push_button(lambda: self.tr("Models…"), "small", pressed=self.models_wanted)
        hint = lambda: self.tr("Who answers, and which models there are")  # noqa: E731 - words of a language
        set_tip(self.models_button, hint)
        self.models_button.setVisible(file.name in ON_THE_MODELS_PAGE)
        self._card = QFrame()
        self._card.setObjectName("card")
        self._rows = vbox(into=self._card, margins=(0, 4, 0, 4))
        self._lay_out()
        self._show_head()

    def _lay_out(self) -> None:
        head = hbox(
            grow(text_label(lambda: self.file.title, "title-large")),
            aligned(self.models_button, Qt.AlignmentFlag.AlignBottom),
            aligned(self.open_button, Qt.AlignmentFlag.AlignBottom),
            gap=None,
        )
        words = vbox(head, gap=2)
        if self.file.description:
            words.addWidget(text_label(lambda: self.file.text, "muted", wrap=True))
        vbox(words, self.problems, self._card, into=self, gap=Space.S)

    def look_for(self, words: Sequence[str]) -> bool:
        """Choose the lines in which all `words` occur; whether there are any. `settle` shows it."""
        self._chosen = matching_lines(self._all, words)
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
            text_label(lambda: field.told.title, "strong", wrap=True),
            gap=2,
            margins=(Space.L * len(field.key), 12, Space.L, 8),
        )
        if field.description:
            words.addWidget(text_label(lambda: field.told.description, "muted", wrap=True))
        vbox(self.rule, words, into=self)


#: What has a page of its own, by the names of the files.
ON_THE_MODELS_PAGE = {"model": frozenset((("use",), ("file",), ("endpoint",)))}


@dataclass(frozen=True)
class SettingsLine:
    """A setting, or the head of a table whose settings follow it. `place` counts within the file."""

    field: ConfigField
    place: int
    head: bool
    haystack: str

    @property
    def key(self) -> tuple[str, ...]:
        return self.field.key


def _words_of(field: ConfigField) -> str:
    return f"{field.title} {field.description}"


def listed(fields: Iterable[ConfigField]) -> list[ConfigField]:
    """What has a place on the page; what stands under names of the person's own is in the file only."""
    return [field for field in fields if ANY_NAME not in field.key]


def lines_of(file: ConfigFile) -> tuple[SettingsLine, ...]:
    """Every line of a file, in its order."""
    elsewhere = ON_THE_MODELS_PAGE.get(file.name, frozenset())
    fields = [field for field in listed(file.fields) if field.key not in elsewhere]
    above = {field.key[:-1] for field in fields}
    tables = {
        field.key: f"{_words_of(field)} {_words_of(field.told)}" for field in fields if field.key in above
    }
    lines = []
    for place, field in enumerate(fields):
        over = (tables.get(field.key[:size], "") for size in range(1, len(field.key)))
        words = haystack(field, " ".join((file.title, file.text, file.description, file.name, *over)))
        lines.append(SettingsLine(field, place, field.key in tables, words))
    return tuple(lines)


def matching_lines(lines: Sequence[SettingsLine], words: Sequence[str]) -> list[SettingsLine]:
    """The settings in which all `words` occur, and the heads over them."""
    hits = {line.key for line in lines if not line.head and all(word in line.haystack for word in words)}
    heads = {key[:size] for key in hits for size in range(1, len(key))}
    return [line for line in lines if line.key in (heads if line.head else hits)]
