"""What waits, what runs, what goes on in the background, what is done, what failed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from partner_desktop.desktop.panel.actions_section import Section
from partner_desktop.desktop.panel.empty import EmptyNote
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import say
from partner_desktop.domain.events import ProgressEvent

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.action_item import ActionItem
    from partner_desktop.desktop.panel.page import PanelPage
    from partner_desktop.desktop.panel.session_item import SessionItem
    from partner_desktop.domain.action import ActionRecord
    from partner_desktop.domain.command_session import CommandSession

#: The panel shows the latest of what ended; the conversations hold the rest.
_MOST_ENDED = 50
#: Fewer are found by looking.
_SEARCHED_FROM = 7
_FAILED = ("failed", "interrupted")

_EMPTY, _LIST, _PAGE = range(3)


class ActionsTab(QWidget):
    """`action_chosen(record)`, `cancel_pressed(id)`, `run_listed(id)` for each that begins to run;
    `session_chosen(session)`, `session_cancel_pressed(id)`; `permissions_pressed()`, `audit_pressed()`.

    Items move between sections; none is made twice.
    """

    action_chosen = Signal(object)
    cancel_pressed = Signal(str)
    run_listed = Signal(str)
    session_chosen = Signal(object)
    session_cancel_pressed = Signal(str)
    permissions_pressed = Signal()
    audit_pressed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("panel_page")
        self._theme = theme
        self._items: dict[str, tuple[ActionItem, Section[ActionItem]]] = {}
        self._sessions: dict[str, SessionItem] = {}
        self._search: QLineEdit | None = None
        self._page: PanelPage | None = None
        self.waiting: Section[ActionItem] = Section(lambda: self.tr("Waiting for you"))
        self.running: Section[ActionItem] = Section(lambda: self.tr("Running"))
        self.background: Section[SessionItem] = Section(lambda: self.tr("In the background"))
        self.done: Section[ActionItem] = Section(lambda: self.tr("Done"))
        self.failed: Section[ActionItem] = Section(lambda: self.tr("Failed"))
        self._nothing = text_label(lambda: self.tr("Nothing here matches."), "muted", wrap=True)
        self._nothing.setContentsMargins(4, 8, 4, 0)
        self._nothing.hide()
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty_note())
        self._pages.addWidget(self._list())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._pages)
        layout.addLayout(self._make_foot())

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
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(4)
        for section in (self.waiting, self.running, self.background, self.done, self.failed):
            column.addWidget(section)
        column.addWidget(self._nothing)
        column.addStretch()
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        page = QWidget()
        page.setObjectName("clear")
        self._column = QVBoxLayout(page)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(scroll)
        return page

    def _make_foot(self) -> QHBoxLayout:
        """The ways to what may run, and to all that ran."""
        self.permissions_button = push_button(lambda: self.tr("Permissions…"), "quiet")
        self.permissions_button.clicked.connect(self.permissions_pressed)
        self.audit_button = push_button(lambda: self.tr("Audit log…"), "quiet")
        self.audit_button.clicked.connect(self.audit_pressed)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 0, 12, 4)
        foot.setSpacing(4)
        foot.addWidget(self.permissions_button)
        foot.addWidget(self.audit_button)
        foot.addStretch()
        return foot

    # Actions.

    def show_actions(self, records: Iterable[ActionRecord]) -> None:
        """Add or bring up to date, several at once."""
        for record in records:
            self.show_action(record)

    def show_action(self, record: ActionRecord) -> None:
        """Add or bring up to date."""
        section = self._section_of(record)
        known = self._items.get(record.id)
        before: Section[ActionItem] | None = None
        if known is None:
            item = self._make_item(record)
        else:
            item, before = known
            if item.record == record:
                return
            if item.record.status.ended and not record.status.ended:
                return  # a late event: what is done stays done
            item.show_record(record)
        if before is not section:
            if before is not None:
                before.take(item)
            section.put(item, self._words)
        self._items[record.id] = (item, section)
        if section is self.running and before is not section:
            self.run_listed.emit(record.id)
        self._trim()
        self._fit()

    def item(self, action_id: str) -> ActionItem | None:
        """The item of an action that is listed."""
        known = self._items.get(action_id)
        return known[0] if known is not None else None

    def show_progress(self, progress: ProgressEvent) -> None:
        """How far a run is."""
        known = self._items.get(progress.action_id)
        if known is not None:
            known[0].show_progress(progress)

    def forget(self, conversation_id: str) -> None:
        """A conversation is gone, and its actions with it."""
        for item, section in list(self._items.values()):
            if item.record.conversation_id == conversation_id:
                self._drop(item, section)
        self._fit()

    # Commands in the background.

    def show_session(self, session: CommandSession) -> None:
        """Add or bring up to date."""
        item = self._sessions.get(session.id)
        if item is not None:
            item.show_session(session)
            return
        from partner_desktop.desktop.panel.session_item import SessionItem  # noqa: PLC0415 - with the first

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
            item.hide()
            item.deleteLater()
            self._fit()

    # Pages in place of the list.

    @property
    def page(self) -> PanelPage | None:
        """What stands in place of the list."""
        return self._page

    def show_page(self, page: PanelPage) -> None:
        """In place of the list, until `hide_page`."""
        self._drop_page()
        self._page = page
        place = QWidget()
        place.setObjectName("clear")
        inner = QVBoxLayout(place)
        inner.setContentsMargins(12, 8, 12, 0)
        inner.addWidget(page)
        self._pages.insertWidget(_PAGE, place)
        self._pages.setCurrentIndex(_PAGE)
        page.begin()

    def hide_page(self) -> None:
        """Back to the list."""
        self._drop_page()
        self._fit()

    def _drop_page(self) -> None:
        place = self._page.parentWidget() if self._page is not None else None
        self._page = None
        if place is not None:
            self._pages.removeWidget(place)
            place.hide()
            place.deleteLater()

    # Looking for one.

    @property
    def search(self) -> QLineEdit | None:
        """There once there are more than a handful."""
        return self._search

    @property
    def _words(self) -> list[str]:
        return self._search.text().casefold().split() if self._search is not None else []

    def _look_for(self) -> None:
        sections = (self.waiting, self.running, self.done, self.failed)
        found = sum(section.look_for(self._words) for section in sections)
        found += self.background.look_for(self._words)
        self._nothing.setVisible(not found)

    def _add_search(self) -> None:
        self._search = _SearchField()
        say(self._search, self._search.setPlaceholderText, lambda: self.tr("Search actions"))
        say(self._search, self._search.setAccessibleName, lambda: self.tr("Search actions"))
        self._search.textChanged.connect(self._look_for)
        margins = QVBoxLayout()
        margins.setContentsMargins(12, 12, 12, 0)
        margins.addWidget(self._search)
        self._column.insertLayout(0, margins)

    def _make_item(self, record: ActionRecord) -> ActionItem:
        # Comes in with the first action: an empty panel has no use for it.
        from partner_desktop.desktop.panel.action_item import ActionItem  # noqa: PLC0415

        item = ActionItem(record, self._theme)
        item.clicked.connect(lambda: self.action_chosen.emit(item.record))
        item.cancel_pressed.connect(self.cancel_pressed)
        return item

    def _section_of(self, record: ActionRecord) -> Section[ActionItem]:
        if record.status.ended:
            return self.failed if record.status.value in _FAILED else self.done
        return self.running if record.status.value == "running" else self.waiting

    def _trim(self) -> None:
        for section in (self.done, self.failed):
            for item in section.items[_MOST_ENDED:]:
                self._drop(item, section)

    def _drop(self, item: ActionItem, section: Section[ActionItem]) -> None:
        section.take(item)
        del self._items[item.record.id]
        item.hide()
        item.deleteLater()

    def _fit(self) -> None:
        count = len(self._items) + len(self._sessions)
        if count >= _SEARCHED_FROM and self._search is None:
            self._add_search()
        if self._search is not None:
            self._search.setVisible(count >= _SEARCHED_FROM or bool(self._search.text()))
        if self._page is None:
            self._pages.setCurrentIndex(_LIST if count else _EMPTY)


class _SearchField(QLineEdit):
    """Esc empties it first, and only then is the window's."""

    def event(self, event: QEvent) -> bool:
        escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if escape and event.type() is QEvent.Type.ShortcutOverride and self.text():
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
