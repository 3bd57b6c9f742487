"""The page of settings: every file with its fields, in the middle column in place of the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from partner_desktop.config.field import ConfigFile
from partner_desktop.desktop.chat.column import column_margin
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.parts.path_sentence import PathSentence
from partner_desktop.desktop.settings.filter_field import FilterField
from partner_desktop.desktop.settings.row import SettingRow
from partner_desktop.desktop.settings.section import FileSection, listed
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import in_every_language


class SettingsPage(QWidget):
    """`closed()`; `wanted(name, key, value)`, with `None` for the default; `file_wanted(path, line)`;
    `folder_wanted()`. The rows are made a slice at a time."""

    closed = Signal()
    wanted = Signal(str, object, object)
    file_wanted = Signal(object, object)
    folder_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("clear")
        self._theme = theme
        self._files: dict[str, ConfigFile] = {}
        self._folder = ""
        self._look_for: list[str] = []
        self._slices = Slices(self)
        self.sections: dict[str, FileSection] = {}
        self.search = FilterField()
        self.search.looked_for.connect(self._filter)
        self.close_button = push_button(lambda: self.tr("Close"), name=lambda: self.tr("Close the settings"))
        self.close_button.clicked.connect(self.closed)
        self.folder_button = push_button(lambda: self.tr("Open folder"), "quiet")
        self.folder_button.clicked.connect(self.folder_wanted)
        self._place = PathSentence("muted")
        self._empty = text_label("", "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.head = self._make_head()
        self.area = self._make_area()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(self.area, 1)
        in_every_language(self, self._retell)
        self._retell()

    def _make_head(self) -> QWidget:
        head = QWidget()
        head.setObjectName("clear")
        line = QHBoxLayout()
        line.addWidget(text_label(lambda: self.tr("Settings"), "welcome"), 1)
        line.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignVCenter)
        place = QHBoxLayout()
        place.addWidget(self._place, 1)
        place.addWidget(self.folder_button, 0, Qt.AlignmentFlag.AlignTop)
        self._head = QVBoxLayout(head)
        self._head.setSpacing(Space.S)
        self._head.addLayout(line)
        self._head.addWidget(self.search)
        self._head.addLayout(place)
        return head

    def _make_area(self) -> QScrollArea:
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.verticalScrollBar().rangeChanged.connect(self._set_margins)
        inner = QWidget()
        inner.setObjectName("clear")
        self._column = QVBoxLayout(inner)
        self._column.setSpacing(Space.XL)
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        scroll.setWidget(inner)
        return scroll

    @property
    def regions(self) -> tuple[QWidget, ...]:
        """Its parts as Tab goes through them."""
        return (self.head, self.area)

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
        self._show_words()
        if not same:
            self._slices.start(self, self._build())
            return
        for name, section in self.sections.items():
            section.show_file(self._files[name])

    def _build(self) -> Iterator[None]:
        for old in self.sections.values():
            old.hide()
            old.deleteLater()
        self.sections = {}
        for name, file in self._files.items():
            section = self.sections[name] = FileSection(file, self._theme)
            section.wanted.connect(self.wanted)
            section.file_wanted.connect(self.file_wanted)
            self._column.insertWidget(self._column.count() - 1, section)
            yield
            yield from section.build()
            section.show_file(self._files[name])  # what changed meanwhile
            if self._look_for:
                section.filter(self._look_for)
        self._filter_rows()

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        if words != self._look_for:
            self._look_for = words
            self._filter_rows()
            self.area.verticalScrollBar().setValue(0)

    def _filter_rows(self) -> None:
        for section in self.sections.values():
            section.filter(self._look_for)
        self._show_words()

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
        elif self._look_for and all(section.isHidden() for section in self.sections.values()):
            said = self.tr("No setting has these words.")
        self._empty.setText(said)
        self._empty.setVisible(bool(said))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_margins()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._set_margins()

    def _set_margins(self) -> None:
        side = column_margin(self.width())
        bar = self.area.width() - self.area.viewport().width()
        self._head.setContentsMargins(side, Space.XL, side, Space.M)
        self._column.setContentsMargins(side, Space.XS, max(0, side - bar), Space.XL)


def _shape(files: Iterable[ConfigFile]) -> object:
    """What rows there are: while it stays, so do they."""
    return [(file.name, [(field.key, field.kind) for field in listed(file.fields)]) for file in files]
