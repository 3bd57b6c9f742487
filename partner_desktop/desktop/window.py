"""The main window: three columns, and the doors through which files and the keyboard come in.

Tab goes as the eye does: region by region, and in each from the top down. Qt's own chain is the order in
which widgets were made; cards and items come later than what stands below them. So the order is read from
the screen when Tab is pressed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPaintEvent, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.desktop import autostart
from partner_desktop.desktop.chat.composer import files_in
from partner_desktop.desktop.chat.page import ChatPage
from partner_desktop.desktop.columns import Columns
from partner_desktop.desktop.keys import Group
from partner_desktop.desktop.language import Language
from partner_desktop.desktop.notices import Notices
from partner_desktop.desktop.palette.recent_choices import RecentChoices
from partner_desktop.desktop.panel.panel import Panel
from partner_desktop.desktop.parts.boxes import bring_into_view, vbox
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.sidebar.sidebar import Sidebar
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.window_memory import WindowMemory
from partner_desktop.desktop.wording import bind_text

if TYPE_CHECKING:
    from partner_desktop.desktop.chat.drop_sign import DropSign
    from partner_desktop.desktop.session.tray import CloseSheet, Tray
    from partner_desktop.desktop.settings.appearance import Appearance
    from partner_desktop.desktop.settings.keys_page import KeysPage

_FIRST_SIZE = (1280, 800)
#: What a desktop puts around it, the title above all; how much is known only when it is shown.
_FRAME = QSize(8, 40)
#: Air around what Tab leads to.
_LEAST_SIZE = (480, 400)


class MainWindow(QWidget):
    """Knows no Partner: it reports what the person does and shows what it is told.

    `closing()` once, when the window is closed; `files_dropped(paths)`; `first_painted()` once;
    `settings_wanted()`, `models_wanted()`, `permissions_wanted()`, `audit_wanted()`, `palette_wanted()`;
    `day_wanted()` and `beginning_wanted()` of the open conversation; `quick_wanted()`: the small window;
    `quick_keys_chosen(keys)`: what opens it from anywhere; `pause_chosen(on)`: of everything planned.
    """

    closing = Signal()
    spelling_changed = Signal()
    files_dropped = Signal(list)
    first_painted = Signal()
    settings_wanted = Signal()
    models_wanted = Signal()
    permissions_wanted = Signal()
    audit_wanted = Signal()
    palette_wanted = Signal()
    day_wanted = Signal()
    beginning_wanted = Signal()
    quick_wanted = Signal()
    quick_keys_chosen = Signal(str)
    pause_chosen = Signal(bool)

    def __init__(
        self,
        theme: Theme,
        *,
        memory: WindowMemory | None = None,
        clock: Clock | None = None,
        language: Language | None = None,
    ) -> None:
        super().__init__()
        self.setObjectName("window")
        bind_text(self, self.setWindowTitle, lambda: self.tr("Partner"))
        self.setAcceptDrops(True)
        self.setMinimumSize(*_LEAST_SIZE)
        self.theme = theme
        self.language = language or Language(_application())
        self.notices = Notices(self)
        self.sidebar = Sidebar(theme)
        self.page = ChatPage(theme, self.notices, clock=clock)
        self.panel = Panel(theme, clock=clock)
        self.columns = Columns(self.sidebar, self.page, self.panel)
        self._memory = memory or WindowMemory(None)
        self.panel.abilities_tab.folds.update(self._memory.folds())
        self.sidebar.view = self._memory.list_view()
        self.recent_choices = RecentChoices(self._memory.recent_choices())
        self._appearance: Appearance | None = None
        self._keys: KeysPage | None = None
        self._sheets: list[QWidget] = []
        self.key_groups: tuple[Group, ...] = ()
        """The keys that work in it."""
        self._drop_sign: DropSign | None = None
        self.keeps_running = self._memory.keeps_running()
        """Whether closing it by hand only hides it, where there is a tray to bring it back from; `None`: that
        is asked then."""
        self.quick_keys = self._memory.quick_keys()
        """What opens the small window from anywhere; empty for nothing."""
        self.checks_spelling = self._memory.checks_spelling()
        """Whether wrong words are marked,"""
        self.dictionary_languages: tuple[str, ...] = ()
        """in the languages that there is a dictionary of."""
        self.first_run_over = self._memory.first_run_over()
        """Whether the person chose to begin without a model."""
        self._tray: Tray | None = None
        self._planned_paused = False
        self._painted = False
        self._quits = False
        self._closed = False
        vbox(self.columns, into=self)
        self._connect()
        if not self._memory.restore_place(self):
            self._fit_first()
        self.page.composer.edit.setFocus()

    def _fit_first(self) -> None:
        """As large as is good to look at, with its frame within what the screen has free."""
        room = self.screen().availableGeometry().size() - _FRAME
        self.resize(QSize(*_FIRST_SIZE).boundedTo(room))

    def _connect(self) -> None:
        self.theme.changed.connect(self.columns.fit)
        self.page.header.sidebar_toggled.connect(self.columns.toggle_sidebar)
        self.page.header.panel_toggled.connect(self.columns.toggle_panel)
        self.columns.covered_changed.connect(self.panel.fold_button.setVisible)
        self.panel.fold_pressed.connect(self.columns.toggle_panel)
        self.page.header.set_title("")
        self.page.fault_page.quit_pressed.connect(self.quit)
        self.page.composer.files_chosen.connect(self.files_dropped)
        self.sidebar.status.faults_pressed.connect(lambda: self.show_tab(1))
        self.sidebar.status.appearance_pressed.connect(self.open_appearance)
        self.panel.actions_tab.permissions_pressed.connect(self.permissions_wanted)
        self.panel.actions_tab.audit_pressed.connect(self.audit_wanted)
        self.sidebar.status.models_pressed.connect(self.models_wanted)
        self.page.welcome.models_wanted.connect(self.models_wanted)
        self.page.header.model_switch.more_wanted.connect(self.models_wanted)
        for leads_to_chat in (
            self.sidebar.new_pressed,
            self.sidebar.conversation_chosen,
            self.sidebar.hit_chosen,
            self.panel.actions_tab.action_chosen,
            self.panel.abilities_tab.ability_chosen,
        ):
            leads_to_chat.connect(self.page.close_aside)
        self.page.composer.submitted.connect(self.page.close_aside)

    @property
    def painted(self) -> bool:
        """Whether the first picture stands."""
        return self._painted

    @property
    def closed(self) -> bool:
        """Whether the person, or a signal, has closed it."""
        return self._closed

    def install_keys(self, groups: tuple[Group, ...]) -> None:
        """Make the keys work; these are the ones that the page of keys shows."""
        self.key_groups = groups
        for group in groups:
            for shortcut in group.shortcuts:
                if shortcut.act is not None:
                    for sequence in shortcut.sequences:
                        QShortcut(sequence, self, _plain(shortcut.act))

    def show_tab(self, number: int) -> None:
        """Bring a tab of the panel to view."""
        self.columns.show_panel()
        self.panel.show_tab(number)

    def focus_conversations(self) -> None:
        """Go to the list of conversations."""
        self.columns.show_sidebar()
        self.sidebar.take_keys()

    def focus_search(self) -> None:
        """Go to the search in all conversations."""
        self.columns.show_sidebar()
        self.sidebar.search.begin()

    def escape(self) -> None:
        """Esc: uncover the chat, leave the keys, stop what runs, or go to the composer."""
        sheet = self._open_sheet
        if sheet is not None:
            sheet.close()
        elif self.columns.covered:
            self.columns.uncover()
        elif self.page.aside_shown:
            self.page.close_aside()
        elif self.page.composer.running:
            self.page.composer.stop_pressed.emit()
        self.page.composer.edit.setFocus()

    def toggle_keys(self) -> None:
        """Show the page of keys, or go back from it."""
        if self._keys is None:
            from partner_desktop.desktop.settings.keys_page import KeysPage  # noqa: PLC0415

            self._keys = KeysPage(self.key_groups)
            self._keys.closed.connect(self.toggle_keys)
        if self.toggle_aside(self._keys):
            self._keys.setFocus()  # so that Page Down scrolls it

    def toggle_aside(self, page: QWidget, *, regions: tuple[QWidget, ...] = ()) -> bool:
        """Lay a page over the conversation, or take it away when it lies there; whether it is shown now."""
        if self.page.aside_shown and self.page.shown is page:
            self.page.close_aside()
            self.page.composer.edit.setFocus()
            return False
        self.columns.uncover()
        self.page.show_aside(page, regions=regions)
        return True

    @property
    def tray(self) -> Tray:
        """The sign in the system's tray; made when it is first asked for."""
        if self._tray is None:
            self._tray = self.make_tray()
            self._tray.opened.connect(self.raise_to_front)
            self._tray.quit_chosen.connect(self.quit)
            self._tray.quick_wanted.connect(self.quick_wanted)
            self._tray.pause_chosen.connect(self.pause_chosen)
            self._tray.lost.connect(self._come_back)
            self._tray.show_paused(paused=self._planned_paused)
        return self._tray

    def make_tray(self) -> Tray:
        """The sign, not yet connected."""
        from partner_desktop.desktop.session.tray import Tray  # noqa: PLC0415

        return Tray(self, self.windowIcon())

    def show_paused(self, *, paused: bool) -> None:
        """Whether nothing that is planned is done at present: the tray offers the other."""
        self._planned_paused = paused
        if self._tray is not None:
            self._tray.show_paused(paused=paused)

    def _come_back(self) -> None:
        """What it was hidden in is gone."""
        if not self.isVisible() and not self._closed:
            self.showMinimized()

    def start_hidden(self) -> None:
        """Begin out of sight: in the tray, or folded down where there is none to bring it back from."""
        if self.tray.is_there():
            self.tray.stay()
        else:
            self.showMinimized()
        self._tell_painted()

    def keep_running(self, *, on: bool) -> None:
        """Closing it by hand hides it from now on, or ends Partner."""
        self.keeps_running = on

    def check_spelling(self, *, on: bool) -> None:
        """Mark wrong words from now on, or none."""
        self.checks_spelling = on
        self.spelling_changed.emit()

    def choose_quick_keys(self, keys: str) -> None:
        """These open the small window from anywhere from now on; empty for nothing."""
        self.quick_keys = keys.strip()
        self.quick_keys_chosen.emit(self.quick_keys)

    @cached_property
    def close_sheet(self) -> CloseSheet:
        """What is asked when it is closed for the first time."""
        from partner_desktop.desktop.session.tray import CloseSheet  # noqa: PLC0415

        sheet = CloseSheet(self)
        self.add_sheet(sheet)
        sheet.chosen.connect(self._choose_closing)
        return sheet

    def _choose_closing(self, keeps_running: bool) -> None:
        self.keep_running(on=keeps_running)
        self.close()

    def quit(self) -> None:
        """End Partner, whatever closing the window does."""
        self._quits = True
        self.close()

    @property
    def appearance(self) -> Appearance:
        """The sheet of theme, text size and language; made when it is first asked for."""
        if self._appearance is None:
            from partner_desktop.desktop.settings.appearance import Appearance  # noqa: PLC0415

            self._appearance = Appearance(self.theme, self.language, self)
            self.add_sheet(self._appearance)
            self._appearance.keys_wanted.connect(self.toggle_keys)
            self._appearance.settings_wanted.connect(self.settings_wanted)
            self._appearance.models_wanted.connect(self.models_wanted)
            self._appearance.permissions_wanted.connect(self.permissions_wanted)
            self._appearance.keep_running_chosen.connect(lambda on: self.keep_running(on=on))
            self._appearance.login_chosen.connect(self._choose_login)
        return self._appearance

    def add_sheet(self, sheet: QWidget) -> None:
        """It lies over the window when it is shown: the keyboard is its own then, and Esc closes it."""
        self._sheets.append(sheet)

    @property
    def _open_sheet(self) -> QWidget | None:
        return next((sheet for sheet in self._sheets if sheet.isVisible()), None)

    @property
    def drop_sign(self) -> DropSign:
        """What shows while files are held over the window."""
        if self._drop_sign is None:
            from partner_desktop.desktop.chat.drop_sign import DropSign  # noqa: PLC0415

            self._drop_sign = DropSign(self.theme, self)
        return self._drop_sign

    def open_appearance(self) -> None:
        """Show the sheet over the foot of the left column, or take it away."""
        self._show_habits()
        self.appearance.open_over(self.sidebar.status)

    def open_at_login(self, *, on: bool) -> bool:
        """Have it open by itself, or no more; whether that could be done."""
        return autostart.turn_or_tell(self.notices, on=on, home=self._memory.home_root)

    def _choose_login(self, on: bool) -> None:
        self.open_at_login(on=on)
        self._show_habits()

    def _show_habits(self) -> None:
        self.appearance.show_habits(keeps_running=bool(self.keeps_running), can_hide=self.tray.is_there())

    def raise_to_front(self) -> None:
        """A second start asks for this window: show it, whatever it was doing."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()
        QApplication.alert(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            # The children are painted and the picture is handed over before the next round of the loop.
            QTimer.singleShot(0, self, self._tell_painted)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._quits and self.keeps_running is not False and self.tray.is_there():
            event.ignore()
            if self.keeps_running is None:
                self.close_sheet.open()
            else:
                self.tray.stay()
                self.hide()
            return
        event.accept()
        if not self._closed:
            self._closed = True
            folds = self.panel.abilities_tab.folds
            self._memory.keep(
                *(self, self.theme, self.language, folds),
                keeps_running=self.keeps_running,
                checks_spelling=self.checks_spelling,
                quick_keys=self.quick_keys,
                first_run_over=self.first_run_over,
                recent_choices=self.recent_choices.keys,
                list_view=self.sidebar.view,
            )
            self.closing.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:
        current: QWidget | None = self.focusWidget()
        if current is not None and not current.isVisible() and self._composer_listens():
            # Not Tab: what had the keyboard went out of view, and nobody said who is next.
            self.page.composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        target = next_stop(tab_stops(self.regions, current), current, forward=forward)
        if target is None:
            return False
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        target.setFocus(reason)
        bring_into_view(target)
        return True

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _files_of(event):
            event.acceptProposedAction()
            self.drop_sign.show_over(self.page)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_sign.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_sign.hide()
        files = _files_of(event)
        if files:
            event.acceptProposedAction()
            self.files_dropped.emit(files)

    def _composer_listens(self) -> bool:
        edit = self.page.composer.edit
        return edit.isVisible() and edit.isEnabled() and self._open_sheet is None

    @property
    def regions(self) -> tuple[QWidget, ...]:
        """Where Tab leads, in order: what lies over the window alone, while something does."""
        if self._open_sheet is not None:
            return (self._open_sheet,)
        return (self.sidebar, *self.page.regions, self.panel)

    def _tell_painted(self) -> None:
        if not self._painted:
            self._painted = True
            self.first_painted.emit()


def _application() -> QCoreApplication:
    app = QCoreApplication.instance()
    assert app is not None
    return app


def _plain(act: Callable[[], object]) -> Callable[[], None]:
    def call() -> None:
        act()

    return call


def _files_of(event: QDropEvent) -> list[Path]:
    return files_in(event.mimeData())


#: The property of what lies over what scrolls: it comes after that, as it has no place within it and would be
#: met again and again.
FLOATS = "floats"
#: Widgets whose middles lie this close stand in one line.
_LINE_PX = 14


def tab_stops(regions: Iterable[QWidget], current: QWidget | None = None) -> list[QWidget]:
    """Everything in view of the regions that Tab can reach, in order; `current` too, however it got there."""
    stops: list[QWidget] = []
    for region in regions:
        if region.isVisible():
            found = [each for each in region.findChildren(QWidget) if each is current or _reachable(each)]
            over = [each for each in found if each.property(FLOATS)]
            stops.extend(_by_lines([each for each in found if each not in over], region))
            stops.extend(over)
    return stops


def next_stop(stops: Sequence[QWidget], current: QWidget | None, *, forward: bool) -> QWidget | None:
    """The stop after `current`, around the end; the first when it is none of them."""
    if not stops:
        return None
    if current not in stops:
        return stops[0 if forward else -1]
    return stops[(stops.index(current) + (1 if forward else -1)) % len(stops)]


def _reachable(widget: QWidget) -> bool:
    if isinstance(widget, QAbstractItemView) and not widget.model().rowCount():
        return False  # nothing in it that could be marked
    if isinstance(widget, TextView):
        by_tab = widget.has_links
    else:
        by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def _by_lines(widgets: list[QWidget], region: QWidget) -> list[QWidget]:
    """From the top down; what stands in one line from left to right."""
    places = sorted(((_middle(widget, region), widget) for widget in widgets), key=lambda place: place[0].y())
    ordered: list[QWidget] = []
    line: list[tuple[QPoint, QWidget]] = []
    for place in places:
        if line and place[0].y() - line[0][0].y() > _LINE_PX:
            ordered += [widget for _, widget in sorted(line, key=lambda one: one[0].x())]
            line = []
        line.append(place)
    return ordered + [widget for _, widget in sorted(line, key=lambda one: one[0].x())]


def _middle(widget: QWidget, region: QWidget) -> QPoint:
    """Where the eye meets it; a list comes before what is open within it."""
    if isinstance(widget, QAbstractItemView):
        return widget.mapTo(region, QPoint(widget.width() // 2, 1))
    return widget.mapTo(region, widget.rect().center())
