"""The live list of abilities and servers with its filter, and the questions, forms and pages about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QScrollArea, QStackedWidget, QWidget

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.panel.page import EmptyNote
from partner_desktop.desktop.parts.boxes import FlowLayout, drop_widget, grow, holds_keyboard, vbox
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.parts.wrapped import PathSentence
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.mcp_server import ServerStatus

if TYPE_CHECKING:
    from partner_desktop.desktop.forms.draft_form import DraftForm
    from partner_desktop.desktop.panel.abilities.ability_rows import AbilityRow, AbilityRows
    from partner_desktop.desktop.panel.page import PanelPage
    from partner_desktop.desktop.parts.banner import Banner
    from partner_desktop.desktop.rows.row_list import RowFilter, RowList
    from partner_desktop.domain.ability import Ability

#: A burst of changes becomes one.
_SETTLE_MS = 40
#: Changes taken in at once; the loop is free between two portions.
_PORTION = 128
_BREATH_MS = 12
_COUNT_MS = 1000


class AbilitiesTab(QWidget):
    """`ability_chosen(ability)`, `asked(verb, ability)`, `server_asked(verb, server)`, `folder_pressed()`,
    `server_wanted()`: one is to be added; `changed()` after an update.
    """

    ability_chosen = Signal(object)
    asked = Signal(str, object)
    server_asked = Signal(str, object)
    folder_pressed = Signal()
    server_wanted = Signal()
    changed = Signal()

    def __init__(self, theme: Theme, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.setObjectName("panel_page")
        self._theme = theme
        self.now = now
        self._changed: dict[str, Ability] = {}
        self._removed: set[str] = set()
        self._servers: dict[str, ServerStatus | None] = {}
        self.folds: dict[str, bool] = {}
        """Which servers the person folded or unfolded."""
        self._folder: Path | None = None
        self._settle = QTimer(self, singleShot=True)
        self._settle.timeout.connect(self._apply)
        self._known: AbilityRows | None = None
        self._list: RowList[Ability | ServerStatus | None] | None = None
        self._filter: RowFilter | None = None
        self._form: QScrollArea | None = None
        self._wanted = ""
        self._awaited = ""
        self._empty = EmptyNote(lambda: self.tr("No abilities yet"), "", self._buttons())
        self._nothing = EmptyNote(lambda: self.tr("Nothing found"), "", self._all_button())
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._nothing)
        self._where = PathSentence("muted")
        self._foot = QWidget()
        self._foot.hide()
        self._no_servers = text_label(
            lambda: self.tr("MCP servers: paste a config from another app."), "muted", wrap=True
        )
        vbox(self._where, self._no_servers, self._buttons(), into=self._foot, gap=6, margins=(4, 0, 4, 0))
        self._layout = vbox(grow(self._pages), self._foot, into=self, gap=8, margins=12)
        in_every_language(self, self._say_again)

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """Everything known, broken ones too."""
        return tuple(self.known.abilities.values())

    @property
    def servers(self) -> tuple[ServerStatus, ...]:
        """Every external server."""
        return tuple(self.known.servers.values())

    @property
    def known(self) -> AbilityRows:
        """Everything that is listed, or would be if nothing were looked for."""
        assert self.list is not None
        assert self._known is not None
        return self._known

    @property
    def list(self) -> RowList[Ability | ServerStatus | None]:
        """The list; made when it is first asked for, an empty panel has no use for it."""
        if self._list is None:
            self._list = self._make_list()
        return self._list

    def _make_list(self) -> RowList[Ability | ServerStatus | None]:
        from partner_desktop.desktop.panel.abilities.ability_rows import (  # noqa: PLC0415 - see `list`
            AbilityRows,
            row_choices,
        )
        from partner_desktop.desktop.rows.row_list import RowFilter, RowList  # noqa: PLC0415
        from partner_desktop.desktop.rows.row_painter import RowLook  # noqa: PLC0415

        self._known = AbilityRows(self.now)
        self._known.folds = self.folds
        made: RowList[Ability | ServerStatus | None] = RowList(
            self._theme,
            lambda: self.tr("Abilities"),
            look=RowLook(dots="always"),
            about=lambda: self.tr(
                "Space switches an ability off or on; the menu key shows what else can be done."
            ),
            verbs=row_choices,
        )
        made.only_switches = True
        made.chosen.connect(self._choose)
        made.asked.connect(self._pass_on)
        made.fold_wanted.connect(self._fold)
        self._pages.addWidget(made)
        self._filter = RowFilter(made, lambda: self.tr("Filter abilities"))
        self._filter.textChanged.connect(self._look_for)
        self._layout.insertWidget(0, self._filter)
        self._filter.hide()
        self._count_down = QTimer(made, interval=_COUNT_MS)
        self._count_down.timeout.connect(self._count)
        self._count_down.start()
        return made

    def _choose(self, row: AbilityRow) -> None:
        one = row.about
        if isinstance(one, ServerStatus):
            self.server_asked.emit("details", one)
        elif one is not None and row.kind == "ability" and one.usable:
            if row.inner:
                self.asked.emit("run", one)  # a server's tool is best asked for by its form
            else:
                self.ability_chosen.emit(one)

    def _pass_on(self, verb: str, row: AbilityRow) -> None:
        if verb == "fold":
            self._fold(row, not row.folded)
        elif isinstance(row.about, ServerStatus):
            self.server_asked.emit(verb, row.about)
        else:
            self.asked.emit(verb, row.about)

    def _fold(self, row: AbilityRow, folded: bool) -> None:
        if isinstance(row.about, ServerStatus) and not self._wanted:
            self.folds[row.about.id] = folded
            self._arrange()

    def _count(self) -> None:
        """Only what is counted down is painted again."""
        if self.list.isVisible():
            for row in self.known.counted_down():
                self.list.renew(row)

    def _arrange(self) -> None:
        self.list.show_rows(self.known.rows(self._wanted))

    @property
    def filter(self) -> RowFilter:
        """The line above the list."""
        assert self.list is not None
        assert self._filter is not None
        return self._filter

    @property
    def form(self) -> DraftForm | PanelPage | None:
        """The form or page that is open, if one is."""
        return self._form.widget() if self._form is not None else None  # type: ignore[return-value] # ours

    def show_folder(self, folder: Path) -> None:
        self._folder = folder
        where = display_path(folder / "dynamic")
        words = self.tr("Drop a script on the window, or save it into {folder}.")
        self._where.say(words, folder=where)
        self._empty.say(words.format(folder=where))

    def _say_again(self) -> None:
        if self._folder is not None:
            self.show_folder(self._folder)
        if self._list is not None:
            self.known.say_again()
            self._arrange()
            self._say_nothing()

    def show_form(self, form: DraftForm | PanelPage) -> None:
        """A form or a page in place of the list, until `hide_form`."""
        self.hide_form()
        scroll = QScrollArea()
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(form)
        self._form = scroll
        self._pages.addWidget(scroll)
        self._show_page()
        form.begin()

    def hide_form(self) -> None:
        """The list again, with the keyboard in it (or in what stands in its place) if the form had it."""
        if self._form is None:
            return
        had_focus = holds_keyboard(self._form)
        form, self._form = self._form, None
        self._pages.removeWidget(form)
        drop_widget(form)
        self._show_page()
        if had_focus and self._pages.currentWidget() is self.list:
            self.list.setFocus()
        elif had_focus and not self.filter.isHidden():
            self.filter.setFocus()

    def point_at(self, key: str) -> None:
        """Put the list's keyboard on an ability, as soon as it stands there."""
        self._awaited = key
        self._point()

    def _point(self) -> None:
        index = self.list.rows.index_of(f"ability {self._awaited}")
        if index.isValid():
            self._awaited = ""
            self.list.setCurrentIndex(index)

    def ask(self, banner: Banner) -> None:
        """A question above the list; it leaves by itself, and the keyboard goes back to where it was."""
        before: QWidget | None = self.window().focusWidget()
        self._layout.insertWidget(1, banner)
        if before is not None:
            banner.closed.connect(before.setFocus)

    def change(self, changed: Iterable[Ability], removed: Iterable[str]) -> None:
        """Take a change; it shows a moment later, with whatever else comes until then."""
        for key in removed:
            self._changed.pop(key, None)
            self._removed.add(key)
        for ability in changed:
            self._removed.discard(ability.key)
            self._changed[ability.key] = ability
        if not self._settle.isActive():
            self._settle.start(_SETTLE_MS)

    def change_servers(self, changed: Iterable[ServerStatus], removed: Iterable[str]) -> None:
        """The same for servers."""
        self._servers.update(dict.fromkeys(removed))
        self._servers.update({server.id: server for server in changed})
        if not self._settle.isActive():
            self._settle.start(_SETTLE_MS)

    def _apply(self) -> None:
        portion = [self._changed.pop(key) for key in [*self._changed][:_PORTION]]
        removed, self._removed = self._removed, set()
        servers, self._servers = self._servers, {}
        self.known.change(portion, removed)
        self.known.change_servers(servers)
        self._arrange()
        self._show_page()
        self._point()
        self.changed.emit()
        if self._changed:
            self._settle.start(_BREATH_MS)

    def _look_for(self, wanted: str) -> None:
        self._wanted = wanted.strip()
        self._arrange()
        self._say_nothing()
        self._show_page()

    def _say_nothing(self) -> None:
        if self._wanted:
            self._nothing.say(self.tr("No ability has “{words}” in it.").format(words=self._wanted))

    def _show_page(self) -> None:
        filled = bool(self.known.abilities or self.known.servers)
        page: QWidget = self._empty
        if self._form is not None:
            page = self._form
        elif filled:
            page = self.list if self.list.rows.rows else self._nothing
        self._pages.setCurrentWidget(page)
        self.filter.setVisible(filled and self._form is None)
        self._foot.setVisible(filled and self._form is None)
        self._no_servers.setVisible(not self.known.servers)

    def _folder_button(self) -> QPushButton:
        button = push_button(
            lambda: self.tr("Open folder"), name=lambda: self.tr("Open the folder of abilities")
        )
        button.clicked.connect(self.folder_pressed)
        return button

    def _buttons(self) -> QWidget:
        row = QWidget()
        flow = FlowLayout()
        row.setLayout(flow)
        flow.addWidget(self._folder_button())
        server = push_button(lambda: self.tr("Add a server…"), name=lambda: self.tr("Add an MCP server"))
        server.clicked.connect(self.server_wanted)
        flow.addWidget(server)
        return row

    def _all_button(self) -> QPushButton:
        button = push_button(lambda: self.tr("Show all"), name=lambda: self.tr("Show all abilities"))
        button.clicked.connect(lambda: self.filter.setText(""))
        return button
