"""The page of settings: what a person looks for, a section at a time, in place of the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from partner_desktop.config.field import SECTIONS, ConfigFile, Section
from partner_desktop.desktop.chat.column import AsidePage, column_margin
from partner_desktop.desktop.parts.boxes import aligned, at_middle, drop_widget, grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import FilterField, push_button, show_words, text_label
from partner_desktop.desktop.parts.wrapped import PathSentence
from partner_desktop.desktop.settings.problems import ProblemsView
from partner_desktop.desktop.settings.row import SettingRow
from partner_desktop.desktop.settings.section_view import GroupView, SectionList, SectionView
from partner_desktop.desktop.settings.setting_groups import (
    SettingsGroup,
    SettingsLine,
    listed,
    matching_lines,
    setting_groups,
)
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Space, Theme, zoomed
from partner_desktop.desktop.wording import in_every_language, set_tip

#: A page that is narrower has the list of sections over it.
_BESIDE_PX = 700


class SettingsPage(AsidePage):
    """`closed()`; `wanted(name, key, value)`, with `None` for the default; `file_wanted(path, line)`;
    `folder_wanted()`; `models_wanted()`; `permissions_wanted()`; `outdated()`: the theme, which is among the
    settings, is another. The rows are made a slice at a time, and only as far as they are looked at."""

    wanted = Signal(str, object, object)
    file_wanted = Signal(object, object)
    folder_wanted = Signal()
    models_wanted = Signal()
    permissions_wanted = Signal()
    outdated = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._files: dict[str, ConfigFile] = {}
        self._folder = ""
        self._groups: tuple[SettingsGroup, ...] = ()
        self._views: dict[object, GroupView] = {}
        self._look_for: list[str] = []
        self._slices = Slices(self)
        self.section: Section = SECTIONS[0]
        self.sections: dict[Section, SectionView] = {}
        self.problems: dict[str, ProblemsView] = {}
        self.list = SectionList()
        self.list.chosen.connect(self.show_section)
        self.search = FilterField()
        self.search.looked_for.connect(self._filter)
        self.close_button = push_button(lambda: self.tr("Close"), name=lambda: self.tr("Close the settings"))
        self.close_button.clicked.connect(self.closed)
        self.folder_button = push_button(lambda: self.tr("Open folder"), "quiet", pressed=self.folder_wanted)
        self.permissions_button = push_button(lambda: self.tr("Permissions…"), "small")
        self.permissions_button.clicked.connect(self.permissions_wanted)
        self.models_button = push_button(lambda: self.tr("Models…"), "small", pressed=self.models_wanted)
        hint = lambda: self.tr("Who answers, and which models there are")  # noqa: E731 - words of a language
        set_tip(self.models_button, hint)
        self._place = PathSentence("muted")
        self._empty = text_label("", "muted", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._lay_out()
        theme.changed.connect(self.outdated)
        in_every_language(self, self._retell, now=True)

    def _lay_out(self) -> None:
        head = hbox(
            text_label(lambda: self.tr("Settings"), "welcome"),
            grow(self.search),
            stretch(),
            at_middle(self.close_button),
            gap=Space.L,
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        place = hbox(aligned(self._place, middle, 1), aligned(self.folder_button, middle), gap=None)
        self._told = vbox(gap=Space.S)
        self._sections = vbox(gap=Space.XL)
        self._build(head, vbox(self._told, self._empty, self._sections, place, stretch(1), gap=Space.L))
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(0)
        self._body.addWidget(self.list, 0, Qt.AlignmentFlag.AlignTop)
        self._body.addWidget(self.area, 1)
        whole = self.layout()
        if isinstance(whole, QBoxLayout):
            whole.addLayout(self._body, 1)
        self._slices.idle.connect(self._order_tabs)
        for tells in (self.area.verticalScrollBar().rangeChanged, self.area.verticalScrollBar().valueChanged):
            tells.connect(self._grow)

    @property
    def regions(self) -> tuple[QWidget, ...]:
        return (self.head, self.list, self.area)

    @property
    def building(self) -> bool:
        """Whether rows are still to come."""
        return self._slices.busy

    def row(self, name: str, key: tuple[str, ...]) -> SettingRow | None:
        """The row of a setting, where it is made."""
        views = (view for view in self._views.values() if view.group.file.name == name)
        return next((view.rows[key] for view in views if key in view.rows), None)

    def show_files(self, files: Sequence[ConfigFile], folder: str) -> None:
        """Everything as it is now; rows that are there stay, with what is typed in them."""
        same = _shape(self._files.values()) == _shape(files)
        self._files = {file.name: file for file in files}
        self._groups = setting_groups(files)
        self._folder = folder
        if not same:
            self._forget_views()
        for view in self._views.values():
            view.show_file(self._files[view.group.file.name])
        for name, told in self.problems.items():
            told.show_problems(self._files[name].problems)
        self._show_words()
        self._grow()

    def show_section(self, section: Section) -> None:
        """One section from its beginning, in place of the one that was in view or of what was found."""
        self.section = section
        self._look_for = []
        self.search.clear()
        self._begin_again()

    def _forget_views(self) -> None:
        for old in (*self.sections.values(), *self.problems.values()):
            drop_widget(old)
        self.sections, self._views = {}, {}
        known = [group.section for group in self._groups]
        if known and self.section not in known:
            self.section = known[0]
        self.problems = {file.name: self._make_problems(file) for file in self._files.values()}

    def _make_problems(self, file: ConfigFile) -> ProblemsView:
        told = ProblemsView(lambda: self._files[file.name].title)
        told.file_wanted.connect(lambda line: self.file_wanted.emit(file.path, line))
        self._told.addWidget(told)
        return told

    def _chosen_lines(self, group: SettingsGroup) -> list[SettingsLine]:
        """Those of the section in view, or of all sections those in which the words occur."""
        if self._look_for:
            return matching_lines(group.lines, self._look_for)
        return list(group.lines) if group.section == self.section else []

    def _grow(self) -> None:
        """Make more rows, while there is room for them and a screen of them ahead."""
        if not self._slices.busy:
            self._slices.start(self, self._more())

    def _more(self) -> Iterator[None]:
        bar = self.area.verticalScrollBar()
        while bar.maximum() - bar.value() < self.area.viewport().height() and self._add_next():
            yield

    def _add_next(self) -> bool:
        """Make the next section, group or row that is to be seen; whether there was one."""
        for group in self._groups:
            view = self._views.get(group.key)
            if view is not None and view.add_next():
                return True
            lines = self._chosen_lines(group) if view is None else []
            if lines:
                view = self._make_view(group)
                view.choose(lines)
                return view.add_next()
        return False

    def _make_view(self, group: SettingsGroup) -> GroupView:
        section = self._section(group.section)
        before = [each.key for each in self._groups[: self._groups.index(group)]]
        at = sum(view.group.key in before for view in section.groups)
        view = self._views[group.key] = section.add_group(group, at)
        return view

    def _section(self, section: Section) -> SectionView:
        view = self.sections.get(section)
        if view is None:
            buttons = {"models": self.models_button, "permissions": self.permissions_button}
            view = SectionView(section, self._theme, buttons.get(section))
            view.wanted.connect(self.wanted)
            view.file_wanted.connect(self.file_wanted)
            self._sections.insertWidget(sum(_before(each, section) for each in self.sections), view)
            self.sections[section] = view
        return view

    def _order_tabs(self) -> None:
        """Tab goes from the top down, in whatever order the rows were looked at and made."""
        views = (self.sections[section] for section in SECTIONS if section in self.sections)
        stops: list[QWidget] = [self.close_button, *self.list.buttons.values()]
        stops += [told.button for told in self.problems.values()]
        stops += [stop for view in views for stop in view.tab_stops]
        for one, next_one in pairwise((*stops, self.folder_button)):
            self.setTabOrder(one, next_one)

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        if words != self._look_for:
            self._look_for = words
            self._begin_again()

    def _begin_again(self) -> None:
        self.area.verticalScrollBar().setValue(0)
        self._slices.start(self, self._show_chosen())

    def _show_chosen(self) -> Iterator[None]:
        for view in self._views.values():
            view.choose(self._chosen_lines(view.group))
            yield from view.settle()
        for section in self.sections.values():
            section.setVisible(any(not view.isHidden() for view in section.groups))
        self._show_words()
        yield from self._more()

    def _retell(self) -> None:
        self._groups = setting_groups(self._files.values())
        for view in self._views.values():
            view.retell()
        for told in self.problems.values():
            told.retell()
        self._show_words()

    def _show_words(self) -> None:
        """Which sections there are, where the files are, or why there are none."""
        self.search.setVisible(bool(self._files))
        self.list.setVisible(bool(self._groups))
        known = list(dict.fromkeys(group.section for group in self._groups))
        self.list.show_sections(known, None if self._look_for else self.section)
        self._place.setVisible(bool(self._folder))
        self.folder_button.setVisible(bool(self._folder))
        self._place.say(self.tr("The files are in {folder}."), folder=self._folder)
        said = ""
        if not self._folder:
            said = self.tr("Partner has not started yet; its settings show here when it has.")
        elif not self._files:
            said = self.tr("No part of Partner has settings.")
        elif not any(self._chosen_lines(group) for group in self._groups):
            said = self.tr("No setting has these words.")
        show_words(self._empty, said)

    def _set_margins(self) -> None:
        """The list stands in the column of the text, beside what it leads to or over it."""
        super()._set_margins()
        beside = self.width() >= zoomed(_BESIDE_PX)
        ways = QBoxLayout.Direction
        self._body.setDirection(ways.LeftToRight if beside else ways.TopToBottom)
        self.list.fit(beside=beside)
        side = column_margin(self.width())
        self._body.setContentsMargins(side if beside else 0, 0, 0, 0)
        self.list.setContentsMargins(0, 0, 0, 0) if beside else self.list.setContentsMargins(side, 0, side, 0)
        if beside:
            margins = self._column.contentsMargins()
            self._column.setContentsMargins(Space.XL, margins.top(), margins.right(), margins.bottom())


def _before(one: Section, other: Section) -> bool:
    return SECTIONS.index(one) < SECTIONS.index(other)


def _shape(files: Iterable[ConfigFile]) -> object:
    """What rows there are: while it stays, so do they."""
    return [(file.name, [(field.key, field.kind) for field in listed(file.fields)]) for file in files]
