"""What waits, what runs, what goes on in the background, what is done, what failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QWidget

from partner_desktop.desktop.panel.actions.action_items import ActionItems, Section
from partner_desktop.desktop.panel.page import EmptyNote
from partner_desktop.desktop.panel.schedules.scheduled_items import ScheduledItems
from partner_desktop.desktop.parts.boxes import drop_widget, hbox, stretch, vbox
from partner_desktop.desktop.parts.controls import SearchField, push_button, text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.events import ProgressEvent

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.actions.action_item import ActionItem
    from partner_desktop.desktop.panel.actions.session_views import SessionItem
    from partner_desktop.desktop.panel.page import PanelPage
    from partner_desktop.domain.action import ActionRecord
    from partner_desktop.domain.command_session import CommandSession
    from partner_desktop.domain.schedule import Schedule

#: Fewer are found by looking.
_SEARCHED_FROM = 7


class ActionsTab(QWidget):
    """`action_chosen(record)` for one to decide on, `record_wanted(record)` for one that runs or ran;
    `cancel_pressed(id)`, `run_listed(id)` for each that begins to run, `run_opened(id)` where a page shows
    one that runs; `session_chosen(session)`, `session_cancel_pressed(id)`; `permissions_pressed()`,
    `audit_pressed()`. What is planned, and what is asked of it: `planned`.
    """

    action_chosen = Signal(object)
    record_wanted = Signal(object)
    run_opened = Signal(str)
    cancel_pressed = Signal(str)
    run_listed = Signal(str)
    session_chosen = Signal(object)
    session_cancel_pressed = Signal(str)
    permissions_pressed = Signal()
    audit_pressed = Signal()

    def __init__(self, theme: Theme, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        super().__init__()
        self.setObjectName("panel_page")
        self._theme = theme
        self._sessions: dict[str, SessionItem] = {}
        self._search: SearchField | None = None
        self._items = ActionItems(self, theme, now)
        self._items.made.connect(self._serve)
        self._items.run_listed.connect(self.run_listed)
        self.planned = ScheduledItems(self, theme, now)
        self.waiting, self.running, self.done, self.failed = self._items.sections
        self.background: Section[SessionItem] = Section(lambda: self.tr("In the background"))
        self._nothing = text_label(lambda: self.tr("Nothing here matches."), "muted", wrap=True)
        self._nothing.setContentsMargins(4, 8, 4, 0)
        self._nothing.hide()
        self._pages = PageStack(self._empty_note(), self._list())
        vbox(self._pages, self._make_foot(), into=self, gap=None)

    def _empty_note(self) -> QWidget:
        empty = EmptyNote(
            lambda: self.tr("Nothing to decide"),
            lambda: self.tr(
                "What Partner wants to do appears here and waits for your word. What ran stays listed."
            ),
        )
        empty.setContentsMargins(12, 0, 12, 0)
        return empty

    def _list(self) -> QWidget:
        inner = QWidget()
        inner.setObjectName("clear")
        vbox(
            self.waiting,
            self.running,
            self.background,
            self.planned.section,
            self.done,
            self.failed,
            self._nothing,
            stretch(),
            into=inner,
            gap=4,
            margins=(12, 8, 12, 12),
        )
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        page = QWidget()
        self._column = vbox(scroll, into=page)
        return page

    def _make_foot(self) -> QHBoxLayout:
        """The ways to what may run, and to all that ran."""
        self.permissions_button = push_button(lambda: self.tr("Permissions…"), "quiet")
        self.permissions_button.clicked.connect(self.permissions_pressed)
        self.audit_button = push_button(lambda: self.tr("Audit log…"), "quiet", pressed=self.audit_pressed)
        return hbox(self.permissions_button, self.audit_button, stretch(), gap=4, margins=(8, 0, 12, 4))

    # Actions.

    def show_action(self, record: ActionRecord) -> None:
        """Add or bring up to date; what is no item of its own is shown on its plan's."""
        self._items.show(record, self._words)
        self._fit()

    def item(self, action_id: str) -> ActionItem | None:
        """The item of an action that is listed; of a step that runs, its chain's."""
        return self._items.item(action_id)

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far a run is."""
        self._items.show_progress(progress)

    def forget(self, conversation_id: str) -> None:
        """A conversation is gone, and its actions with it."""
        self._items.forget(conversation_id)
        self._fit()

    def _serve(self, item: ActionItem) -> None:
        item.clicked.connect(lambda: self._choose(item.record))
        item.cancel_pressed.connect(self.cancel_pressed)

    def _choose(self, record: ActionRecord) -> None:
        """What waits is decided on in the chat; of what runs or ran there is a record to read."""
        began = record.status.ended or record.status.value == "running"
        (self.record_wanted if began else self.action_chosen).emit(record)

    # Commands in the background.

    def show_session(self, session: CommandSession) -> None:
        """Add or bring up to date."""
        item = self._sessions.get(session.id)
        if item is not None:
            item.show_session(session)
            return
        from partner_desktop.desktop.panel.actions.session_views import SessionItem  # noqa: PLC0415 - with the first

        item = self._sessions[session.id] = SessionItem(session, self._theme)
        item.clicked.connect(lambda: self.session_chosen.emit(self._sessions[session.id].session))
        item.cancel_pressed.connect(self.session_cancel_pressed)
        self.background.put(item, self._words)
        self._fit()

    def drop_session(self, session_id: str) -> None:
        """It is listed no more."""
        item = self._sessions.pop(session_id, None)
        if item is not None:
            self.background.take(item)
            drop_widget(item)
            self._fit()

    # What is planned.

    def change_planned(self, changed: Sequence[Schedule], removed: Sequence[str]) -> None:
        """Schedules that are new or otherwise, and those that are gone."""
        self.planned.change(changed, removed)
        self._fit()

    def show_planned(self, found: Sequence[Schedule], count: int, words: Sequence[str]) -> None:
        """The soonest of the schedules that hold the words, and how many do."""
        self.planned.show(found, count, words)
        if self._words:
            self._look_for()
        self._fit()

    # Pages in place of the list.

    @property
    def page(self) -> PanelPage | None:
        """What stands in place of the list."""
        return self._pages.page

    def page_of(self, action_id: str) -> PanelPage | None:
        """The page, if it is about this run."""
        page = self._pages.page
        return page if page is not None and page.shows(action_id) else None

    def show_page(self, page: PanelPage) -> None:
        """In place of the list, until `hide_page`."""
        self._pages.show_page(page)

    def hide_page(self) -> None:
        """Back to the list."""
        self._pages.drop_page()
        self._fit()

    # Looking for one.

    @property
    def search(self) -> SearchField | None:
        """There once there are more than a handful."""
        return self._search

    @property
    def _words(self) -> list[str]:
        return self._search.words if self._search is not None else []

    def _look_for(self) -> None:
        found = sum(section.look_for(self._words) for section in self._items.sections)
        found += self.background.look_for(self._words) + self.planned.look_for(self._words)
        self._nothing.setVisible(not found)

    def _add_search(self) -> None:
        self._search = SearchField(lambda: self.tr("Search actions"))
        self._search.textChanged.connect(self._look_for)
        margins = vbox(self._search, gap=None, margins=(12, 12, 12, 0))
        self._column.insertLayout(0, margins)

    def _fit(self) -> None:
        count = len(self._items) + len(self._sessions) + len(self.planned)
        if count >= _SEARCHED_FROM and self._search is None:
            self._add_search()
        if self._search is not None:
            self._search.setVisible(count >= _SEARCHED_FROM or bool(self._search.text()))
        self._pages.show_list(empty=not count)


_EMPTY, _LIST, _PAGE = range(3)


class PageStack(QStackedWidget):
    """One page at a time."""

    def __init__(self, empty: QWidget, list_: QWidget) -> None:
        super().__init__()
        self._page: PanelPage | None = None
        self.addWidget(empty)
        self.addWidget(list_)

    @property
    def page(self) -> PanelPage | None:
        """What stands in place of the list."""
        return self._page

    def show_page(self, page: PanelPage) -> None:
        """In place of the list, until `drop_page`."""
        self.drop_page()
        self._page = page
        place = QWidget()
        vbox(page, into=place, margins=(12, 8, 12, 0))
        self.insertWidget(_PAGE, place)
        self.setCurrentIndex(_PAGE)
        page.begin()

    def drop_page(self) -> None:
        """Take it away; `show_list` brings what is behind it to view."""
        place = self._page.parentWidget() if self._page is not None else None
        self._page = None
        if place is not None:
            self.removeWidget(place)
            drop_widget(place)

    def show_list(self, *, empty: bool) -> None:
        """The list, or the sentence in its place; a page that is read stays."""
        if self._page is None:
            self.setCurrentIndex(_EMPTY if empty else _LIST)
